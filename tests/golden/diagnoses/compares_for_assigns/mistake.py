"""phase7.zero-grad nn: == in place of ="""


class MLP:
    def zero_grad(self):
        for p in self.parameters():
            p.grad == 0.0
