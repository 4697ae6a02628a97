"""The second half of the points is kept for a test.

A good idea with one mistake: the first half is one moon, and the network has never seen the other. Shuffle before you split.
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
