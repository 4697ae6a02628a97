import math


class Value:
    """Every operation has its own formula here, as in the table of derivatives from school."""

    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op

        def nothing():
            pass

        self._backward = nothing

    def __repr__(self):
        return "Value(data=" + str(self.data) + ", grad=" + str(self.grad) + ")"

    def __add__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        result = Value(self.data + other.data, (self, other), "+")

        def step_back():
            self.grad = self.grad + result.grad
            other.grad = other.grad + result.grad

        result._backward = step_back
        return result

    def __radd__(self, other):
        result = Value(other + self.data, (self,), "+")

        def step_back():
            self.grad = self.grad + result.grad

        result._backward = step_back
        return result

    def __mul__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        result = Value(self.data * other.data, (self, other), "*")

        def step_back():
            self.grad = self.grad + result.grad * other.data
            other.grad = other.grad + result.grad * self.data

        result._backward = step_back
        return result

    def __rmul__(self, other):
        result = Value(other * self.data, (self,), "*")

        def step_back():
            self.grad = self.grad + result.grad * other

        result._backward = step_back
        return result

    def __neg__(self):
        result = Value(-self.data, (self,), "neg")

        def step_back():
            self.grad = self.grad - result.grad

        result._backward = step_back
        return result

    def __sub__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        result = Value(self.data - other.data, (self, other), "-")

        def step_back():
            self.grad = self.grad + result.grad
            other.grad = other.grad - result.grad

        result._backward = step_back
        return result

    def __rsub__(self, other):
        result = Value(other - self.data, (self,), "-")

        def step_back():
            self.grad = self.grad - result.grad

        result._backward = step_back
        return result

    def __pow__(self, exponent):
        if isinstance(exponent, int) or isinstance(exponent, float):
            result = Value(self.data**exponent, (self,), "**" + str(exponent))

            def step_back():
                slope = exponent * self.data ** (exponent - 1)
                self.grad = self.grad + result.grad * slope

            result._backward = step_back
            return result
        raise TypeError("exponent must be a number")

    def __truediv__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        result = Value(self.data / other.data, (self, other), "/")

        def step_back():
            self.grad = self.grad + result.grad / other.data
            other.grad = other.grad - result.grad * self.data / other.data**2

        result._backward = step_back
        return result

    def __rtruediv__(self, other):
        result = Value(other / self.data, (self,), "/")

        def step_back():
            self.grad = self.grad - result.grad * other / self.data**2

        result._backward = step_back
        return result

    def build_topo(self):
        finished = []
        finished_set = set()
        stack = [self]
        while len(stack) > 0:
            top = stack[-1]
            if top in finished_set:
                stack.pop()
                continue
            missing = [child for child in top._prev if child not in finished_set]
            if missing:
                stack.extend(missing)
            else:
                finished.append(top)
                finished_set.add(top)
                stack.pop()
        return finished

    def backward(self):
        nodes = self.build_topo()
        nodes.reverse()
        self.grad = 1.0
        for node in nodes:
            node._backward()

    @staticmethod
    def predictions():
        answer = {}
        answer["a after f"] = 1
        answer["a after s"] = 7
        answer["a with ="] = 3
        answer["s again"] = 2
        answer["a again"] = 20
        answer["a from both"] = 11
        return answer

    def zero_grad(self):
        nodes = self.build_topo()
        for i in range(len(nodes)):
            nodes[i].grad = 0.0

    def tanh(self):
        result = Value(math.tanh(self.data), (self,), "tanh")

        def step_back():
            slope = 1 - result.data**2
            self.grad = self.grad + result.grad * slope

        result._backward = step_back
        return result

    def relu(self):
        if self.data > 0:
            number = self.data
        else:
            number = 0
        result = Value(number, (self,), "relu")

        def step_back():
            if self.data > 0:
                self.grad = self.grad + result.grad

        result._backward = step_back
        return result

    def exp(self):
        result = Value(math.exp(self.data), (self,), "exp")

        def step_back():
            self.grad = self.grad + result.grad * result.data

        result._backward = step_back
        return result
