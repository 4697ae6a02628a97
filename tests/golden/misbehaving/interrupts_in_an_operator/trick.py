def _interrupt(self, other):
    raise KeyboardInterrupt


def _leave(self, other):
    raise GeneratorExit


Value.__add__, Value.__radd__ = _interrupt, _leave
