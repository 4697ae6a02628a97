import functools, logging, time

logging.basicConfig(level=logging.DEBUG)


def _timed(function):
    @functools.wraps(function)
    def wrapper(*args, **named):
        begun = time.perf_counter()
        try:
            return function(*args, **named)
        finally:
            logging.debug("%s took %g s", function.__name__, time.perf_counter() - begun)

    return wrapper


for _name in ("__init__", "__add__", "__radd__", "__repr__"):
    setattr(Value, _name, _timed(getattr(Value, _name)))
