"""The bias is added once for every input.

`wi * xi + b` inside the sum counts the bias as often as there are inputs. Add it once, to the sum.
"""

CAUGHT_BY = ("phase7.neuron-output",)


class Neuron:
    def __call__(self, x):
        total = sum(wi * xi + self.b for wi, xi in zip(self.w, x))
        if self.activation == "tanh":
            return total.tanh()
        if self.activation == "relu":
            return total.relu()
        return total
