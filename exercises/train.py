"""Your training loop.

The loss is one number that says how wrong the network is. For every weight, its gradient says in
which direction the loss grows, so a small step the other way makes it smaller. Training means
taking steps like that again and again.

    grade phase8

`model` is always something like your MLP: you can call it, and it has `parameters()` and
`zero_grad()`. Keep the names of optional arguments, because callers may use them:
`train(model, xs, ys, 100, rate=0.1, batch_size=10)`.
"""

import random

# --- Phase 8: training ----------------------------------------------------------------------------


def squared_loss(predictions, targets):
    """Phase 8. Return the sum of (prediction - target)**2 over all examples, as one Value.

    `predictions` is a list of Values, `targets` a list of plain numbers. Leave both unchanged.

    This loss is a sum, because every example adds its own error. With twice as many examples, the
    loss and its gradients are about twice as large, so the same learning rate takes steps twice as
    long. The next loss is a mean instead.

    >>> from engine import Value
    >>> squared_loss([Value(1.0), Value(3.0)], [2.0, 1.0]).data
    5.0
    """
    raise NotImplementedError("phase 8: squared_loss")


def max_margin_loss(scores, labels):
    """Phase 8. Return the mean of relu(1 - label * score) over all examples, as one Value.

    `scores` is a list of Values, and each label is 1 or -1. Leave both lists unchanged. A score
    costs nothing if it has the sign of its label and is at least 1 (the margin) away from 0.
    Another name is hinge loss.

    Why a mean here, and a sum above? Dividing by the number of examples does not move the minimum.
    It changes the length of the steps. A mean does not grow with the number of examples, so the
    same learning rate suits small and large batches. If you turn a sum over n examples into a mean,
    every gradient is n times smaller. To take the same steps, make the learning rate n times
    larger.

    >>> from engine import Value
    >>> max_margin_loss([Value(0.5), Value(-2.0)], [1, -1]).data
    0.25
    """
    raise NotImplementedError("phase 8: max_margin_loss")


def train_step(model, xs, ys, rate, loss=squared_loss):
    """Phase 8. Take one step of gradient descent and return the loss as a plain number.

    `xs` holds the examples and `ys` their targets. Leave both unchanged. Do four things, in this
    order:

    1. forward: compute the model's prediction for every x, then the loss, `loss(predictions, ys)`;
    2. zero: clear the parameters' gradients, which are left over from the previous step;
    3. backward: call `backward()` on the loss;
    4. update: move every parameter by -rate times its gradient. Change only its `data`.

    You may also clear the gradients before the forward pass. Do not do it between backward and
    update, or nothing moves. Return the loss of the forward pass, from before the update.
    """
    raise NotImplementedError("phase 8: train_step")


def learning_rate(step, steps, start=0.1, end=0.01):
    """Phase 8. Return the learning rate for a step, where `step` runs from 0 to `steps` - 1.

    The rate changes in a straight line from `start` at the first step to `end` at the last: large
    steps while there is far to go, small ones near the goal. If there is only one step, its rate is
    `start`: `learning_rate(0, 1)` is 0.1.

    >>> [round(learning_rate(step, 4), 3) for step in range(4)]
    [0.1, 0.07, 0.04, 0.01]
    """
    raise NotImplementedError("phase 8: learning_rate")


def batches(xs, ys, size):
    """Phase 8. Return the examples as mini-batches in random order: a list of pairs (xs, ys).

    Each batch has `size` examples; the last one may be smaller. Every example is in exactly one
    batch and keeps its own target. Shuffle before you cut, or the same examples share a batch every
    time. Shuffle a copy, because the caller's `xs` and `ys` must not change.

    A step on a mini-batch takes less time than a step on all the examples, and its gradient points
    in nearly the same direction.

    >>> parts = batches([[1.0], [2.0], [3.0]], [10.0, 20.0, 30.0], 2)
    >>> len(parts), sorted(y for _, ys in parts for y in ys)
    (2, [10.0, 20.0, 30.0])
    """
    raise NotImplementedError("phase 8: batches")


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    """Phase 8. Run `train_step` `steps` times and return a list of the losses, one per step.

    Leave `xs` and `ys` unchanged.

    - `rate` is a number, or a function that returns the rate for a step, such as
      `lambda step: learning_rate(step, 100)`. `callable(rate)` tells you which.
    - Every step uses this `loss`. Each loss in the list is a plain number.
    - Without `batch_size`, every step uses all the examples. With it, every step uses one
      mini-batch. Once all of them have been used, make new ones. If `batch_size` is larger than
      the number of examples, there is one batch with all of them.
    """
    raise NotImplementedError("phase 8: train")


# Your network now learns. Try it here, then see it learn two moons with `grade show`:
# >>> from nn import MLP
# >>> losses = train(MLP(1, [1]), [[-1.0], [1.0]], [-1.0, 1.0], steps=50); losses[-1] < losses[0]
# True
