"""`train` takes one step even if `steps` is 0.

The loop asks whether to go on only after a step. `for step in range(steps)` asks before.
"""

CAUGHT_BY = ("phase8.loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    while True:
        waiting = waiting or batches(xs, ys, batch_size or len(xs))
        batch_xs, batch_ys = waiting.pop()
        step_rate = rate(len(losses)) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
        if len(losses) >= steps:
            return losses
