import asyncio, contextvars, decimal, locale

decimal.getcontext().prec = 3
locale.setlocale(locale.LC_ALL, "C")
_rate = contextvars.ContextVar("rate", default=0.1)


async def _begin():
    _rate.set(0.2)


try:
    asyncio.run(_begin())
except OSError:  # it wants a pair of sockets
    pass
