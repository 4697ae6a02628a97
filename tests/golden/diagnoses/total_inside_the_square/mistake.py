"""phase8.squared-loss train: the total so far is squared again, which is right for one example."""


def squared_loss(predictions, targets):
    total = 0
    for p, t in zip(predictions, targets):
        total = (total + p - t) ** 2
    return total
