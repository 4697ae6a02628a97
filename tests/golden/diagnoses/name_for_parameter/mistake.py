"""phase7.zero-grad nn: zero_grad rebinds the loop variable"""


class MLP:
    def zero_grad(self):
        for p in self.parameters():
            p = Value(p.data)
