def _hang(self, *rest):
    while True:
        pass


for _name in ("__add__", "__radd__", "__repr__", "__eq__", "__bool__", "__len__"):
    setattr(Value, _name, _hang)
