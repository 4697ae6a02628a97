"""phase1.data engine: _init_ in place of __init__"""


# delete Value.__init__


class Value:
    def _init_(self, data, _children=(), _op=""):
        self.data = data
