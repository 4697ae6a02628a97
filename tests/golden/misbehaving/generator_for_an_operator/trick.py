def _add(self, other):
    yield Value(self.data + other.data)


async def _radd(self, other):
    return Value(self.data + other)


Value.__add__, Value.__radd__ = _add, _radd
