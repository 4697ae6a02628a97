"""The default of `rate` is 0.01 instead of 0.05.

Whoever calls `train` without a rate relies on the default. Keep the first line as it was given.
"""

CAUGHT_BY = ("phase8.loop",)


def train(model, xs, ys, steps, rate=0.01, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    for step in range(steps):
        waiting = waiting or batches(xs, ys, batch_size or len(xs))
        batch_xs, batch_ys = waiting.pop()
        step_rate = rate(step) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
