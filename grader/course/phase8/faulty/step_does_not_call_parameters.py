"""`model.parameters` lacks its parentheses.

Without `()` it is the method itself, and a method cannot be looped over. Write
`model.parameters()`.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(predictions, ys)
    model.zero_grad()
    total.backward()
    for p in model.parameters:
        p.data -= rate * p.grad
    return total.data
