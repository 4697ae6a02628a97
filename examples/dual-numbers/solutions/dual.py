"""Dual numbers: a value and its slope, carried through every operation."""


class Dual:
    """A number and how fast it changes."""

    # --- Phase 1: a pair of numbers, sums and differences ---

    def __init__(self, value, slope=0.0):
        self.value = value
        self.slope = slope

    def __repr__(self):
        return f"Dual({self.value}, {self.slope})"

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __radd__(self, other):
        return self + other

    def __neg__(self):
        return Dual(-self.value, -self.slope)

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return other + (-self)

    # --- Phase 2: products, quotients, powers ---

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        quotient = self.value / other.value
        return Dual(quotient, (self.slope - quotient * other.slope) / other.value)

    def __rtruediv__(self, other):
        return Dual(other) / self

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError(f"the exponent must be an int or a float, not {exponent!r}")
        return Dual(self.value**exponent, exponent * self.value ** (exponent - 1) * self.slope)


# --- Phase 3: derivatives and roots ---


def derivative(f, x):
    y = f(Dual(x, 1.0))
    return y.slope if isinstance(y, Dual) else 0.0


def newton(f, x, steps=20):
    for _ in range(steps):
        y = f(Dual(x, 1.0))
        if y.value == 0:
            break
        x -= y.value / y.slope
    return x
