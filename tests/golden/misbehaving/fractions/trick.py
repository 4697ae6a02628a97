from decimal import Decimal
from fractions import Fraction

_init = Value.__init__


def _exact(self, data, *rest):
    _init(self, Fraction(data), *rest)
    self.grad = Decimal(0)


Value.__init__ = _exact
