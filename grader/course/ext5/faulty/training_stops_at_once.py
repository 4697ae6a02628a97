"""The training stops after the first round.

The loss has started to fall but is far from small. Print it, and go on until it is small.
"""

CAUGHT_BY = ("ext5.learns",)


def train_moons(xs, ys):
    model = MLP(2, [16, 1], activation="relu", output="linear")
    for number in range(1):
        losses = train(model, xs, ys, STEPS, learning_rate(number, ROUNDS, 1.0, 0.1), max_margin_loss, batch_size=10)
        if sum(losses) / len(losses) < ENOUGH:
            break
    return model, accuracy(model, xs, ys)
