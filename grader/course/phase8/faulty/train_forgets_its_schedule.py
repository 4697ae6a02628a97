"""`train` uses 0.05 whenever the rate is a function.

The schedule is never used. If `rate` is callable, the rate of a step is `rate(step)`.
"""

CAUGHT_BY = ("phase8.scheduled-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    for step in range(steps):
        if not waiting:
            waiting = batches(xs, ys, batch_size or len(xs))
        batch_xs, batch_ys = waiting.pop()
        step_rate = 0.05 if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
