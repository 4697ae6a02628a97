_init = Value.__init__


def _many(self, data, *rest):
    _init(self, data, *rest)
    self._prev = range(1_000_000)


Value.__init__ = _many
