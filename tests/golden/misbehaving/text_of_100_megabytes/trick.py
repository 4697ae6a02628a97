_right, _text = Value.__add__, "x" * 10**8


def _add(self, other):
    out = _right(self, other)
    out._op = _text
    return out


Value.__add__ = _add
