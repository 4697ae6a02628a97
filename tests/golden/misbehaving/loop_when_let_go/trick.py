def _hang(self):
    while True:
        pass


Value.__del__ = _hang
