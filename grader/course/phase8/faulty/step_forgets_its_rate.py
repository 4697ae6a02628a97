"""The update leaves out the rate.

The gradient says which way to go, and the rate how far. Write `p.data -= rate * p.grad`.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(predictions, ys)
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= p.grad
    return total.data
