"""phase3.times-backward engine: other.grad in place of other.data"""


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.grad * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out
