"""The rate function gets the number of the step counted from 1.

The first step is step 0, so that `learning_rate` begins at `start`. Call `rate(step)`, not
`rate(step + 1)`.
"""

CAUGHT_BY = ("phase8.scheduled-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    for step in range(steps):
        if not waiting:
            waiting = batches(xs, ys, batch_size or len(xs))
        batch_xs, batch_ys = waiting.pop()
        step_rate = rate(step + 1) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
