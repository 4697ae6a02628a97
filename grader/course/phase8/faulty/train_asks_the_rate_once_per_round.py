"""The rate changes only when new batches are drawn.

`rate` is a function of the step. Call it with the number of the step, in every step.
"""

CAUGHT_BY = ("phase8.batched-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting, rounds = [], [], -1
    for step in range(steps):
        if not waiting:
            waiting = batches(xs, ys, batch_size or len(xs))
            rounds += 1
        batch_xs, batch_ys = waiting.pop()
        number = rounds if batch_size else step
        step_rate = rate(number) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
