_init = Value.__init__


def _odd(self, data, children=(), *rest):
    _init(self, data, children, *rest)
    self._prev, self._backward = dict.fromkeys(children), None


Value.__init__ = _odd
