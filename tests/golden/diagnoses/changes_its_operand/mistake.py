"""phase2.operands-untouched engine: a sum changes its operand"""


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        self.data += other.data
        out = Value(self.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
