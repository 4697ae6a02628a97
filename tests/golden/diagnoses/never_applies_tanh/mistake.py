"""phase7.neuron-output nn: no activation has such a name, so none is applied."""


class Neuron:
    def __call__(self, x):
        total = self.b
        for weight, value in zip(self.w, x):
            total = total + weight * value
        if self.activation == "Tanh":
            total = total.tanh()
        return total
