"""Adam divides by the average of the squares instead of its root.

The root brings the squares back to the size of a gradient. Without it, large gradients make tiny
steps.
"""

CAUGHT_BY = ("ext2.adam-first-step",)


class Adam:
    def step(self):
        self.t += 1
        for i, p in enumerate(self.parameters):
            self.m[i] = self.beta1 * self.m[i] + (1 - self.beta1) * p.grad
            self.v[i] = self.beta2 * self.v[i] + (1 - self.beta2) * p.grad**2
            m_hat = self.m[i] / (1 - self.beta1**self.t)
            v_hat = self.v[i] / (1 - self.beta2**self.t)
            p.data -= self.lr * m_hat / (v_hat + self.eps)
