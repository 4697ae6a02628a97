"""The step goes up the gradient: `p.data += rate * p.grad`.

The gradient points to where the loss grows, so the step makes the loss larger. Go the other way:
`p.data -= rate * p.grad`.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(predictions, ys)
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data += rate * p.grad
    return total.data
