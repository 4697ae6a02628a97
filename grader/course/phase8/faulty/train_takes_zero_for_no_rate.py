"""`rate or 0.05`: a rate of 0 is replaced by the default.

0 counts as False in Python. A default belongs in the first line of the function, where it already
is.
"""

CAUGHT_BY = ("phase8.loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    for step in range(steps):
        if not waiting:
            waiting = batches(xs, ys, batch_size or len(xs))
        batch_xs, batch_ys = waiting.pop()
        step_rate = rate(step) if callable(rate) else rate or 0.05
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
