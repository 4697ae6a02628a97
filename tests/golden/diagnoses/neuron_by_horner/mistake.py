"""phase7.neuron-output nn: the total so far is multiplied by the weight, and not the input."""


class Neuron:
    def __call__(self, x):
        total = self.b
        for weight, value in zip(self.w, x):
            total = total * weight + value
        return total if self.activation == "linear" else getattr(total, self.activation)()
