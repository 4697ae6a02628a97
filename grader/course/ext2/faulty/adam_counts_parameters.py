"""Adam counts a step for every parameter.

t is the number of steps. Count it once, before the loop over the parameters.
"""

CAUGHT_BY = ("ext2.adam-first-step",)


class Adam:
    def step(self):
        for i, p in enumerate(self.parameters):
            self.t += 1
            self.m[i] = self.beta1 * self.m[i] + (1 - self.beta1) * p.grad
            self.v[i] = self.beta2 * self.v[i] + (1 - self.beta2) * p.grad**2
            m_hat = self.m[i] / (1 - self.beta1**self.t)
            v_hat = self.v[i] / (1 - self.beta2**self.t)
            p.data -= self.lr * m_hat / (math.sqrt(v_hat) + self.eps)
