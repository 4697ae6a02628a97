"""phase3.times-backward engine: a product sends each operand its own number"""


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += self.data * out.grad
            other.grad += other.data * out.grad

        out._backward = _backward
        return out
