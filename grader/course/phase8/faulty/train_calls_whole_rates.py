"""`train` calls a rate that is not a float.

A rate may be an int, such as 1. Do not ask for its type: `callable(rate)` tells you whether it can be
called.
"""

CAUGHT_BY = ("phase8.loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    for step in range(steps):
        if not waiting:
            waiting = batches(xs, ys, batch_size or len(xs))
        batch_xs, batch_ys = waiting.pop()
        step_rate = rate if isinstance(rate, float) else rate(step)
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
