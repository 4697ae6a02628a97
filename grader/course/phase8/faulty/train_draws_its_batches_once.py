"""The batches are drawn once and used again and again.

Every round through the examples then has the same batches in the same order. When all batches have
been used, draw new ones.
"""

CAUGHT_BY = ("phase8.batched-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses = []
    parts = batches(xs, ys, batch_size or len(xs))
    for step in range(steps):
        batch_xs, batch_ys = parts[step % len(parts)]
        step_rate = rate(step) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
