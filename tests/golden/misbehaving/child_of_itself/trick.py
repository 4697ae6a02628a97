_right = Value.__add__


def _add(self, other):
    out = _right(self, other)
    out._prev = {out, *out._prev}
    return out


Value.__add__ = _add
