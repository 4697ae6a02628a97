"""The last, smaller batch is never used.

`len(xs) // batch_size` counts only the full batches, so every round leaves some examples out. Go
through the list that `batches` returns.
"""

CAUGHT_BY = ("phase8.batched-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses = []
    size = batch_size or len(xs)
    count = len(xs) // size
    for step in range(steps):
        if step % count == 0:
            parts = batches(xs, ys, size)
        batch_xs, batch_ys = parts[step % count]
        step_rate = rate(step) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
