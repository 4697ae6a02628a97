"""The update uses `p.data` instead of `p.grad`.

Every parameter then shrinks, whatever the loss says. The gradient says which way is down: `p.data
-= rate * p.grad`.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(predictions, ys)
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= rate * p.data
    return total.data
