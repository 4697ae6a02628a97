import math


class Expr:
    """Operations are classes, each with its own backward step."""

    def __init__(self, number):
        self.number = number
        self.derivative = 0

    kids = ()

    def push(self):
        pass

    def __add__(self, o):
        return Add(self, o if isinstance(o, Expr) else Expr(o))

    def __mul__(self, o):
        return Mul(self, o if isinstance(o, Expr) else Expr(o))

    def __rmul__(self, o):
        return self * o

    def __radd__(self, o):
        return self + o

    def sigmoid(self):
        return Sigmoid(self)

    def differentiate(self):
        order = []
        seen = set()

        def visit(e):
            if e in seen:
                return
            seen.add(e)
            [visit(k) for k in e.kids]
            order.insert(0, e)

        visit(self)
        self.derivative = 1
        for e in order:
            e.push()


class Add(Expr):
    def __init__(self, a, b):
        super().__init__(a.number + b.number)
        self.kids = (a, b)

    def push(self):
        for k in self.kids:
            k.derivative += self.derivative


class Mul(Expr):
    def __init__(self, a, b):
        super().__init__(a.number * b.number)
        self.kids = (a, b)

    def push(self):
        a, b = self.kids
        a.derivative += b.number * self.derivative
        b.derivative += a.number * self.derivative


class Sigmoid(Expr):
    def __init__(self, a):
        super().__init__(1 / (1 + math.exp(-a.number)))
        self.kids = (a,)

    def push(self):
        self.kids[0].derivative += self.number * (1 - self.number) * self.derivative
