"""The rate function is called only once, for step 0.

All steps then have the first rate, and the schedule has no effect. Call `rate(step)` inside the
loop.
"""

CAUGHT_BY = ("phase8.scheduled-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    step_rate = rate(0) if callable(rate) else rate
    for _ in range(steps):
        if not waiting:
            waiting = batches(xs, ys, batch_size or len(xs))
        batch_xs, batch_ys = waiting.pop()
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
