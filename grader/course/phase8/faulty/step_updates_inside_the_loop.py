"""`train_step` takes a step after every example.

The weights then move between two examples. Add up the loss of all examples first, and take one
step.
"""

CAUGHT_BY = ("phase8.one-step",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    reported = 0.0
    for x, y in zip(xs, ys):
        total = loss([model(x)], [y])
        model.zero_grad()
        total.backward()
        for p in model.parameters():
            p.data -= rate * p.grad
        reported += total.data
    return reported
