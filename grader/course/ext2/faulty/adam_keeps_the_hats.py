"""Adam stores the corrected averages.

The next step needs the averages as they were before the correction. Use m_hat and v_hat once, and
do not store them.
"""

CAUGHT_BY = ("ext2.adam",)


class Adam:
    def step(self):
        self.t += 1
        for i, p in enumerate(self.parameters):
            self.m[i] = self.beta1 * self.m[i] + (1 - self.beta1) * p.grad
            self.v[i] = self.beta2 * self.v[i] + (1 - self.beta2) * p.grad**2
            self.m[i] = m_hat = self.m[i] / (1 - self.beta1**self.t)
            self.v[i] = v_hat = self.v[i] / (1 - self.beta2**self.t)
            p.data -= self.lr * m_hat / (math.sqrt(v_hat) + self.eps)
