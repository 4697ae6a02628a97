"""`parameters()` leaves out weights that are 0.

A weight of 0 is a weight: training moves it on. List all of them.
"""

CAUGHT_BY = ("phase7.neuron-parameters",)


class Neuron:
    def parameters(self):
        return [p for p in [*self.w, self.b] if p.data]
