class Stopped(BaseException):
    pass


Stopped.__module__ = "worker.deadline"


def _raise(self, other):
    raise Stopped("Value.__init__")


Value.__add__ = _raise
