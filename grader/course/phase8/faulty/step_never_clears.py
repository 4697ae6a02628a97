"""`train_step` does not clear the gradients.

The first step is right. After that each gradient also holds those of all earlier steps, and the
weights move in directions that were right long ago. Call `model.zero_grad()` before `backward()`.
"""

CAUGHT_BY = ("phase8.zeroed",)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(predictions, ys)
    total.backward()
    for p in model.parameters():
        p.data -= rate * p.grad
    return total.data
