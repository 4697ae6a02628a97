"""`train_step` never calls `backward()`.

Without it every gradient is still 0 and no parameter moves. Call `total.backward()` after
`model.zero_grad()`.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(predictions, ys)
    model.zero_grad()
    for p in model.parameters():
        p.data -= rate * p.grad
    return total.data
