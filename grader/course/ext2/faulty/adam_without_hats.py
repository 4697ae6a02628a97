"""Adam uses its averages without correcting them.

They start at 0 and take many steps to grow to the right size. Divide by 1 - beta**t, which makes up
for exactly that.
"""

CAUGHT_BY = ("ext2.adam-first-step",)


class Adam:
    def step(self):
        self.t += 1
        for i, p in enumerate(self.parameters):
            self.m[i] = self.beta1 * self.m[i] + (1 - self.beta1) * p.grad
            self.v[i] = self.beta2 * self.v[i] + (1 - self.beta2) * p.grad**2
            m_hat = self.m[i]
            v_hat = self.v[i]
            p.data -= self.lr * m_hat / (math.sqrt(v_hat) + self.eps)
