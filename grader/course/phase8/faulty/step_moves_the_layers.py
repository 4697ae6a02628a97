"""`train_step` looks for the parameters in `model.layers`.

Not every model has layers. Every model has `parameters()`: ask for them there.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    total = loss([model(x) for x in xs], ys)
    model.zero_grad()
    total.backward()
    for layer in model.layers:
        for p in layer.parameters():
            p.data -= rate * p.grad
    return total.data
