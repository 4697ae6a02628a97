"""phase3.times-backward engine: self.grad in place of out.grad"""


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * self.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out
