"""`train_step` returns the loss after the step instead of before it.

It takes a second forward pass to know that loss. Return `total.data`, which the step has computed
already.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(predictions, ys)
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= rate * p.grad
    return loss([model(x) for x in xs], ys).data
