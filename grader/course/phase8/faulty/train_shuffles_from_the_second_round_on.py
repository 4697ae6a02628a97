"""The first round of batches is not shuffled.

Every round needs its own random order. Call `batches` for the first one, too.
"""

CAUGHT_BY = ("phase8.batched-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    size = batch_size or len(xs)
    waiting = [(xs[at : at + size], ys[at : at + size]) for at in range(0, len(xs), size)]
    losses = []
    for step in range(steps):
        if not waiting:
            waiting = batches(xs, ys, size)
        batch_xs, batch_ys = waiting.pop(0)
        step_rate = rate(step) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
