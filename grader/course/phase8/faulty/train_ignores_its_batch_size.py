"""`train` uses all the examples in every step, whatever `batch_size` says.

A step on a small batch is much quicker. Ask `batches` for batches of `batch_size`, and use one in
each step.
"""

CAUGHT_BY = ("phase8.batched-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses = []
    for step in range(steps):
        step_rate = rate(step) if callable(rate) else rate
        losses.append(train_step(model, xs, ys, step_rate, loss))
    return losses
