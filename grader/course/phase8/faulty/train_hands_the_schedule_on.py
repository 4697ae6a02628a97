"""`train` gives `train_step` the rate function instead of a rate.

A function cannot be multiplied by a gradient. Call it first: `rate(step)`.
"""

CAUGHT_BY = ("phase8.scheduled-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    for step in range(steps):
        if not waiting:
            waiting = batches(xs, ys, batch_size or len(xs))
        batch_xs, batch_ys = waiting.pop()
        losses.append(train_step(model, batch_xs, batch_ys, rate, loss))
    return losses
