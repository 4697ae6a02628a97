"""The arguments of the loss are swapped: `loss(ys, predictions)`.

The two losses of this course do not notice, but a different loss does. The predictions come first:
`loss(predictions, ys)`.
"""

CAUGHT_BY = ("phase8.other-loss",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(ys, predictions)
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= rate * p.grad
    return total.data
