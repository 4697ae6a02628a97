"""phase3.times-backward engine: a mistake that nobody has made before: blamed, and not named"""


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += 0.9 * other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out
