def _hang(self, other):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


Value.__add__ = _hang
