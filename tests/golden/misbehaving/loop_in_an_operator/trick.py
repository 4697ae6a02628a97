def _hang(self, other):
    while True:
        pass


Value.__add__ = _hang
