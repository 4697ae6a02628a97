"""One operand of `*` gets its share twice, and the other gets none.

Functions made in a loop all use its last round: a closure looks a name up when it runs, and by then
the loop variable holds its last value. Write the two lines out, or pass the values as default
arguments.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")
        steps = []
        for operand, factor in ((self, other), (other, self)):

            def step():
                operand.grad += factor.data * out.grad

            steps.append(step)

        def _backward():
            for step in steps:
                step()

        out._backward = _backward
        return out
