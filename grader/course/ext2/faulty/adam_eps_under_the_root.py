"""Adam adds eps under the root.

sqrt(v + eps) and sqrt(v) + eps differ a lot when v is small, because the root of 1e-8 is 1e-4. Add
eps after the root.
"""

CAUGHT_BY = ("ext2.adam-eps",)


class Adam:
    def step(self):
        self.t += 1
        for i, p in enumerate(self.parameters):
            self.m[i] = self.beta1 * self.m[i] + (1 - self.beta1) * p.grad
            self.v[i] = self.beta2 * self.v[i] + (1 - self.beta2) * p.grad**2
            m_hat = self.m[i] / (1 - self.beta1**self.t)
            v_hat = self.v[i] / (1 - self.beta2**self.t)
            p.data -= self.lr * m_hat / (math.sqrt(v_hat + self.eps))
