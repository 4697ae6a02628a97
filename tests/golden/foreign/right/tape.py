import math

TAPE = []


class Var:
    def __init__(self, v):
        self.v = v
        self.adjoint = 0.0

    def _record(self, v, *partials):
        out = Var(v)
        TAPE.append((out, partials))
        return out

    def __add__(self, o):
        o = o if isinstance(o, Var) else Var(o)
        return self._record(self.v + o.v, (self, 1), (o, 1))

    def __mul__(self, o):
        o = o if isinstance(o, Var) else Var(o)
        return self._record(self.v * o.v, (self, o.v), (o, self.v))

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -o

    def __rsub__(self, o):
        return -self + o

    def __pow__(self, n):
        return self._record(self.v**n, (self, n * self.v ** (n - 1)))

    def __truediv__(self, o):
        return self * (o**-1)

    def __rtruediv__(self, o):
        return self**-1 * o

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.v)
        return self._record(t, (self, 1 - t**2))

    def relu(self):
        return self._record(max(0.0, self.v), (self, self.v > 0))

    def exp(self):
        e = math.exp(self.v)
        return self._record(e, (self, e))

    def run_tape_backwards(self):
        needed, pending = {id(self): 1.0}, {}
        self.adjoint = 1.0
        for out, partials in reversed(TAPE):
            got = needed.get(id(out))
            if got is None:
                continue
            for node, slope in partials:
                needed[id(node)] = needed.get(id(node), 0.0) + slope * got
                pending[id(node)] = node
        for key, node in pending.items():
            node.adjoint += needed[key]
