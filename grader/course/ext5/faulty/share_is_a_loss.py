"""The loss is returned instead of the accuracy.

Training makes the loss small. The accuracy is the share of points on the right side:
`accuracy(model, xs, ys)`.
"""

CAUGHT_BY = ("ext5.share",)


def train_moons(xs, ys):
    model = MLP(2, [16, 1], activation="relu", output="linear")
    for number in range(ROUNDS):
        losses = train(model, xs, ys, STEPS, learning_rate(number, ROUNDS, 1.0, 0.1), max_margin_loss, batch_size=10)
        if sum(losses) / len(losses) < ENOUGH:
            break
    return model, sum(losses) / len(losses)
