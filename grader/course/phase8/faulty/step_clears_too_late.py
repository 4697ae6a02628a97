"""The gradients are cleared between `backward()` and the update.

Then every parameter moves by rate times 0, and the network learns nothing. Call `model.zero_grad()`
before `backward()`.
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
