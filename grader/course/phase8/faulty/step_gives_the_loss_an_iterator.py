"""`train_step` gives the loss an iterator.

A loss gets a list: it may ask for its length, or go through it twice. Write
`[model(x) for x in xs]`.
"""

CAUGHT_BY = ("phase8.other-loss",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    total = loss(map(model, xs), ys)
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= rate * p.grad
    return total.data
