"""Two optimizers: what to do with gradients, once you have them.

Your training loop moved every parameter by -lr times its gradient. That is one rule of many, so take it out of the loop
and give it a place of its own. An optimizer is used like this, whichever it is:

    optimizer = SGD(model.parameters(), 0.05, 0.9)
    ...
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

It holds the parameters (Values, the very objects, no copies), reads `grad` and changes `data`. What it remembers from step
to step, it remembers for each parameter by itself. `lr` may be changed between steps: `optimizer.lr = 0.01`.

    grade ext2
"""

import math

# --- Ext 2: optimizers ----------------------------------------------------------------------------------------------------


class SGD:
    """Gradient descent, with momentum: a ball that rolls downhill and keeps some of its speed.

    Every parameter p has a velocity v, which is 0 in the beginning. One step does, for every parameter:

        v = momentum * v + grad
        p = p - lr * v

    With momentum 0 that is plain gradient descent. With 0.9, gradients that agree over many steps add up to ten times
    their size, and gradients that point to and fro cancel each other.
    """

    def __init__(self, parameters, lr, momentum=0.0):
        """Ext 2. `parameters` is a list of Values. Set `self.lr`, and whatever else you need."""
        raise NotImplementedError("ext2: SGD.__init__")

    def step(self):
        """Ext 2. Move every parameter once, by the rule above. Change `data`, and no gradient.

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
        """Ext 2. Set the gradient of every parameter to 0.0. The velocities stay."""
        raise NotImplementedError("ext2: SGD.zero_grad")


class Adam:
    """Adam: every parameter gets a step size of its own, from how large its gradients have been.

    Every parameter p has two moving averages, both 0 in the beginning: m of the gradients, v of their squares. Step
    number t, counted from 1, does for every parameter:

        m = beta1 * m + (1 - beta1) * grad
        v = beta2 * v + (1 - beta2) * grad**2
        m_hat = m / (1 - beta1**t)
        v_hat = v / (1 - beta2**t)
        p = p - lr * m_hat / (sqrt(v_hat) + eps)

    Why the hats? The averages begin at 0 and are far too small at first: after one step m is a tenth of the gradient.
    The division corrects exactly that. So the first step of all moves every parameter by lr, large gradient or small.
    (Kingma and Ba, 2014, "Adam: A Method for Stochastic Optimization", algorithm 1.)
    """

    def __init__(self, parameters, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
        """Ext 2. `parameters` is a list of Values. Set `self.lr`, and whatever else you need."""
        raise NotImplementedError("ext2: Adam.__init__")

    def step(self):
        """Ext 2. Move every parameter once, by the rule above. Change `data`, and no gradient.

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
        """Ext 2. Set the gradient of every parameter to 0.0. The averages and the count of steps stay."""
        raise NotImplementedError("ext2: Adam.zero_grad")
