"""Adam always uses the lr that it was created with.

A schedule changes `optimizer.lr` between the steps. Read `self.lr` in every step.
"""

CAUGHT_BY = ("ext2.adam-rate",)


class Adam:
    def __init__(self, parameters, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
        self.parameters = parameters
        self.lr, self.beta1, self.beta2, self.eps = lr, beta1, beta2, eps
        self.first_lr = lr
        self.m = [0.0 for _ in parameters]
        self.v = [0.0 for _ in parameters]
        self.t = 0

    def step(self):
        self.t += 1
        for i, p in enumerate(self.parameters):
            self.m[i] = self.beta1 * self.m[i] + (1 - self.beta1) * p.grad
            self.v[i] = self.beta2 * self.v[i] + (1 - self.beta2) * p.grad**2
            m_hat = self.m[i] / (1 - self.beta1**self.t)
            v_hat = self.v[i] / (1 - self.beta2**self.t)
            p.data -= self.first_lr * m_hat / (math.sqrt(v_hat) + self.eps)
