"""All gradients are 0 when the update runs.

Every parameter then moves by rate times 0, and the network learns nothing. Call `model.zero_grad()`
first, then `backward()`, then update.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(predictions, ys)
    total.backward()
    model.zero_grad()
    for p in model.parameters():
        p.data -= rate * p.grad
    return total.data
