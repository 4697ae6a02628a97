"""The update changes `p.grad` instead of `p.data`.

The network computes with `p.data`, so nothing is learnt. Write `p.data -= rate * p.grad`.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(predictions, ys)
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.grad -= rate * p.grad
    return total.data
