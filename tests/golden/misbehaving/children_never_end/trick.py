class Endless(list):
    def __iter__(self):
        while True:
            yield self


_init = Value.__init__


def _endless(self, data, *rest):
    _init(self, data, *rest)
    self._prev = Endless()


Value.__init__ = _endless
