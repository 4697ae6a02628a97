"""Every step of `train` goes through all the batches.

One step is one batch and one update. A round through all batches is an epoch, which takes as many
steps as there are batches.
"""

CAUGHT_BY = ("phase8.batched-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses = []
    for step in range(steps):
        step_rate = rate(step) if callable(rate) else rate
        for batch_xs, batch_ys in batches(xs, ys, batch_size or len(xs)):
            losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
