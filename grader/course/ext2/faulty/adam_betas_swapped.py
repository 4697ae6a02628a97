"""Adam averages the gradients with beta2 and their squares with beta1.

beta1, the shorter memory, belongs to m, the average of the gradients; beta2 belongs to v, the
average of their squares.
"""

CAUGHT_BY = ("ext2.adam",)


class Adam:
    def step(self):
        self.t += 1
        for i, p in enumerate(self.parameters):
            self.m[i] = self.beta2 * self.m[i] + (1 - self.beta2) * p.grad
            self.v[i] = self.beta1 * self.v[i] + (1 - self.beta1) * p.grad**2
            m_hat = self.m[i] / (1 - self.beta2**self.t)
            v_hat = self.v[i] / (1 - self.beta1**self.t)
            p.data -= self.lr * m_hat / (math.sqrt(v_hat) + self.eps)
