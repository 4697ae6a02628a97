"""`return` is inside the loop, so `train` stops after one step.

A function ends at its first `return`. Move it out of the loop, level with the `for`.
"""

CAUGHT_BY = ("phase8.loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    for step in range(steps):
        if not waiting:
            waiting = batches(xs, ys, batch_size or len(xs))
        batch_xs, batch_ys = waiting.pop()
        step_rate = rate(step) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
        return losses
