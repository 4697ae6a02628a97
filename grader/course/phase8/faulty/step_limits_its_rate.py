"""`train_step` limits the rate to 1.

The caller chooses the rate. Use it as it is.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    total = loss([model(x) for x in xs], ys)
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= min(rate, 1.0) * p.grad
    return total.data
