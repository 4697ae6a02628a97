"""Your training loop.

The loss is one number that says how wrong the network is. Its gradient says, for every weight, in which direction that number
grows; a small step the other way makes it less. Again and again: that is all that training is.

    grade phase8

`model` is always something like your MLP: it can be called, and has `parameters()` and `zero_grad()`.
"""

import random

# --- Phase 8: training --------------------------------------------------------------------------------------------------


def squared_loss(predictions, targets):
    """Phase 8. The sum over all examples of (prediction - target) squared: one Value.

    `predictions` are Values, `targets` plain numbers.

    >>> from engine import Value
    >>> squared_loss([Value(1.0), Value(3.0)], [2.0, 1.0]).data
    5.0
    """
    raise NotImplementedError("phase 8: squared_loss")


def max_margin_loss(scores, labels):
    """Phase 8. The mean over all examples of relu(1 - label * score): one Value. Each label is 1 or -1.

    It asks for the right sign with a margin: a score of the label's sign and at least 1 costs nothing.

    >>> from engine import Value
    >>> max_margin_loss([Value(0.5), Value(-2.0)], [1, -1]).data
    0.25
    """
    raise NotImplementedError("phase 8: max_margin_loss")


def train_step(model, xs, ys, rate, loss=squared_loss):
    """Phase 8. One step of gradient descent on the examples `xs` with targets `ys`; returns the loss as a plain number.

    Four things, and their order matters:

    1. forward: the model's prediction for every x, and the loss over all of them, `loss(predictions, ys)`;
    2. zero: clear the gradients of the parameters, which still hold those of the step before;
    3. backward: from the loss;
    4. update: move every parameter by -rate times its gradient. Change its `data`, and nothing else.

    (Zero may come before forward as well; between backward and update it would be fatal.) The loss that is returned is
    the one of the forward pass, before the update.
    """
    raise NotImplementedError("phase 8: train_step")


def learning_rate(step, steps, start=0.1, end=0.01):
    """Phase 8. A schedule: the rate for step 0, 1, ... steps-1, in a straight line from `start` to `end`.

    Large steps while there is far to go, small ones near the goal. The first step has exactly `start`, the last `end`. If there is
    only one step, it has `start`: `learning_rate(0, 1)` is 0.1.

    >>> [round(learning_rate(step, 4), 3) for step in range(4)]
    [0.1, 0.07, 0.04, 0.01]
    """
    raise NotImplementedError("phase 8: learning_rate")


def batches(xs, ys, size):
    """Phase 8. The examples in random order, cut into mini-batches of `size`: a list of pairs (xs, ys).

    Every example is in exactly one batch, still with its own target. The last batch may be smaller. Shuffle all
    examples before you cut, or the same ones meet every time; and shuffle a copy: the caller's `xs` and `ys` stay as
    they are. A mini-batch costs less than all examples, and its gradient points in nearly the same direction.

    >>> parts = batches([[1.0], [2.0], [3.0]], [10.0, 20.0, 30.0], 2)
    >>> len(parts), sorted(y for _, ys in parts for y in ys)
    (2, [10.0, 20.0, 30.0])
    """
    raise NotImplementedError("phase 8: batches")


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    """Phase 8. So many `train_step`s; returns the list of their losses, one plain number a step.

    - `rate` is a number, or a function that gives the rate for a step: `lambda step: learning_rate(step, 100)`.
      (`callable(rate)` tells which.)
    - Every step uses this `loss`.
    - Without `batch_size` every step sees all examples. With it, every step sees one mini-batch; when all have been
      used, draw new ones.
    """
    raise NotImplementedError("phase 8: train")
