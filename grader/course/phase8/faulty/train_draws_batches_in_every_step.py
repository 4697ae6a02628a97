"""`train` draws new batches in every step and uses only the first of them.

Some examples may then wait a long time for their turn while others come up again and again. Use up
all batches before you draw new ones.
"""

CAUGHT_BY = ("phase8.batched-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses = []
    for step in range(steps):
        batch_xs, batch_ys = batches(xs, ys, batch_size or len(xs))[0]
        step_rate = rate(step) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
