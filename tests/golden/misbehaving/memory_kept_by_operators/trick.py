_right, _kept = Value.__add__, []


def _add(self, other):
    _kept.append(bytearray(10_000_000))
    return _right(self, other)


Value.__add__ = _add
