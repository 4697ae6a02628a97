"""Adam's step count lags behind by one from the second step on.

The first step is t = 1 and the second is t = 2, but here both use t = 1. Add 1 to `self.t` before
the corrections, not after them.
"""

CAUGHT_BY = ("ext2.adam",)


class Adam:
    def step(self):
        t = max(self.t, 1)
        for i, p in enumerate(self.parameters):
            self.m[i] = self.beta1 * self.m[i] + (1 - self.beta1) * p.grad
            self.v[i] = self.beta2 * self.v[i] + (1 - self.beta2) * p.grad**2
            m_hat = self.m[i] / (1 - self.beta1**t)
            v_hat = self.v[i] / (1 - self.beta2**t)
            p.data -= self.lr * m_hat / (math.sqrt(v_hat) + self.eps)
        self.t += 1
