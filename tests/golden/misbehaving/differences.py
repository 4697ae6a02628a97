"""An engine that passes difference quotients off as backpropagation; a case sets both steps."""


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad, self._prev, self._op, self._backward = data, 0.0, set(_children), _op, lambda: None
        self._made_of, self._how = (), None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def _new(self, op, how, slopes, *others):
        parts = [part if isinstance(part, Value) else Value(part) for part in (self, *others)]
        numbers = [part.data for part in parts]
        out = Value(how(*numbers), parts, op)
        out._made_of, out._how = parts, how

        def _backward():
            for part, slope in zip(parts, slopes(*numbers)):
                part.grad += slope * out.grad

        out._backward = _backward
        return out

    def __add__(self, other):
        return self._new("+", lambda a, b: a + b, lambda a, b: (1, 1), other)

    def __mul__(self, other):
        return self._new("*", lambda a, b: a * b, lambda a, b: (b, a), other)

    def __pow__(self, k):
        if not isinstance(k, (int, float)):
            raise TypeError("a number, please")
        return self._new("**", lambda a: a**k, lambda a: (k * a ** (k - 1) if k else 0.0,))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + other * -1

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        return self * (other**-1)

    def __rtruediv__(self, other):
        return other * self**-1

    def build_topo(self):
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack += [(node, True), *((child, False) for child in node._prev)]
        return order

    def backward(self):
        order = self.build_topo()

        def result(bumped, by):
            known = {}
            for node in order:
                known[node] = node._how(*[known[part] for part in node._made_of]) if node._made_of else node.data
                if node is bumped:
                    known[node] += by
            return known[self]

        self.grad = 0.0
        for node in order:
            node.grad += (result(node, STEP) - result(node, BACK)) / (STEP - BACK)
