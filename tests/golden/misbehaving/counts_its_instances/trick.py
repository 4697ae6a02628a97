import weakref

_init, _all, _kept = Value.__init__, weakref.WeakSet(), []


def _counted(self, *args, **named):
    _init(self, *args, **named)
    _all.add(self)
    _kept.append(self)


Value.__init__ = _counted
Value.__del__ = lambda self: len(_all)
