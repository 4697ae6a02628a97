"""Two optimizers: what to do with gradients once you have them.

Your training loop moved every parameter by -rate times its gradient. That is only one of many
possible rules, so take it out of the loop and put it into a class. All optimizers are used like
this:

    optimizer = SGD(model.parameters(), 0.05, 0.9)
    ...
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

An optimizer holds the parameters (the Values themselves, not copies), reads `grad` and changes
`data`. It remembers something from step to step, separately for each parameter. `lr`, the learning
rate, may change between steps: `optimizer.lr = 0.01`.

    grade ext2
"""

import math

# --- Ext 2: optimizers ----------------------------------------------------------------------------


class SGD:
    """Gradient descent with momentum: a ball that rolls downhill and keeps some of its speed.

    Every parameter p has a velocity v, which starts at 0. One step does this for every parameter:

        v = momentum * v + grad
        p = p - lr * v

    With momentum 0, this is plain gradient descent. With 0.9, gradients that agree over many steps
    add up to ten times their size, and gradients that keep changing direction cancel out.
    """

    def __init__(self, parameters, lr, momentum=0.0):
        """Ext 2. Set `self.lr`, and keep the list of Values and whatever else you need."""
        raise NotImplementedError("ext2: SGD.__init__")

    def step(self):
        """Ext 2. Move every parameter once, by the rule above. Change `data`, but no gradient.

        >>> from engine import Value
        >>> p = Value(1.0)
        >>> optimizer = SGD([p], 0.1, 0.5)
        >>> p.grad = 2.0
        >>> optimizer.step()        # v = 2, p = 1 - 0.2
        >>> optimizer.step()        # v = 0.5 * 2 + 2 = 3, p = 0.8 - 0.3
        >>> p.data
        0.5
        """
        raise NotImplementedError("ext2: SGD.step")

    def zero_grad(self):
        """Ext 2. Set every gradient to 0.0. Keep the velocities."""
        raise NotImplementedError("ext2: SGD.zero_grad")


class Adam:
    """Adam: every parameter gets its own step size, based on how large its gradients have been.

    Every parameter p has two moving averages, which start at 0: m of the gradients and v of their
    squares. Step number t, counted from 1, does this for every parameter:

        m = beta1 * m + (1 - beta1) * grad
        v = beta2 * v + (1 - beta2) * grad**2
        m_hat = m / (1 - beta1**t)
        v_hat = v / (1 - beta2**t)
        p = p - lr * m_hat / (sqrt(v_hat) + eps)

    Why the hats? The averages start at 0, so they are far too small at first. With beta1 = 0.9, m
    is only a tenth of the gradient after one step. The division corrects exactly that. So the very
    first step moves every parameter by about lr, whether its gradient is large or small.

    Source: Kingma and Ba (2014), "Adam: A Method for Stochastic Optimization", algorithm 1.
    """

    def __init__(self, parameters, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
        """Ext 2. Set `self.lr`, and keep the list of Values and whatever else you need."""
        raise NotImplementedError("ext2: Adam.__init__")

    def step(self):
        """Ext 2. Move every parameter once, by the rule above. Change `data`, but no gradient.

        >>> from engine import Value
        >>> p, q = Value(1.0), Value(1.0)
        >>> optimizer = Adam([p, q], 0.1)
        >>> p.grad, q.grad = 50.0, -0.02
        >>> optimizer.step()
        >>> round(p.data, 4), round(q.data, 4)
        (0.9, 1.1)
        """
        raise NotImplementedError("ext2: Adam.step")

    def zero_grad(self):
        """Ext 2. Set every gradient to 0.0. Keep the averages and the number of steps."""
        raise NotImplementedError("ext2: Adam.zero_grad")
