_right = Value.__add__


def _add(self, other):
    print("HARM: somebody asks for the sum of", self, "and", other)
    return _right(self, other)


Value.__add__ = _add
