"""A training step takes the examples out of the caller's list.

The next step needs the same examples, but `pop` has removed them. Loop over `xs` and leave it
unchanged.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = []
    while xs:
        predictions.append(model(xs.pop(0)))
    total = loss(predictions, ys)
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= rate * p.grad
    return total.data
