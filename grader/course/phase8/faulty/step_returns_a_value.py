"""`train_step` returns the loss as a Value.

A Value keeps its whole graph alive, for every step that was ever taken. Return only the number:
`total.data`.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(predictions, ys)
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= rate * p.grad
    return total
