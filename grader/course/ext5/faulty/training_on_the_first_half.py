"""The network is trained on only the first half of the points.

Keeping points for a test is a good idea, but the first half is one moon, and the network never sees
the other. Shuffle before you split.
"""

CAUGHT_BY = ("ext5.learns",)


def train_moons(xs, ys):
    model = MLP(2, [16, 1], activation="relu", output="linear")
    half = len(xs) // 2
    for number in range(10):
        losses = train(model, xs[:half], ys[:half], STEPS, learning_rate(number, ROUNDS, 1.0, 0.1), max_margin_loss, batch_size=10)
        if sum(losses) / len(losses) < ENOUGH:
            break
    return model, accuracy(model, xs, ys)
