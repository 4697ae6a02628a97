"""`train` uses all the examples if `batch_size` is 1.

Only None means all of them. A batch may well hold a single example.
"""

CAUGHT_BY = ("phase8.batched-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    for step in range(steps):
        if not waiting:
            waiting = batches(xs, ys, batch_size if batch_size and batch_size > 1 else len(xs))
        batch_xs, batch_ys = waiting.pop()
        step_rate = rate(step) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
