"""The network learns the opposite labels.

The loss falls as it should, but towards the opposite of what was asked. Use `ys` both for the loss
and for the accuracy.
"""

CAUGHT_BY = ("ext5.learns",)


def train_moons(xs, ys):
    model = MLP(2, [16, 1], activation="relu", output="linear")
    for number in range(ROUNDS):
        losses = train(model, xs, [-y for y in ys], STEPS, learning_rate(number, ROUNDS, 1.0, 0.1), max_margin_loss, batch_size=10)
        if sum(losses) / len(losses) < ENOUGH:
            break
    return model, accuracy(model, xs, ys)
