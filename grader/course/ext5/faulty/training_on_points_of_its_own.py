"""The network is trained on different points from those it was given.

A network learns what it is shown. Train it on `xs` and `ys`: the labels from `moons` may be
different.
"""

CAUGHT_BY = ("ext5.learns",)


def train_moons(xs, ys):
    model = MLP(2, [16, 1], activation="relu", output="linear")
    own = moons(200)
    for number in range(ROUNDS):
        losses = train(model, *own, STEPS, learning_rate(number, ROUNDS, 1.0, 0.1), max_margin_loss, batch_size=10)
        if sum(losses) / len(losses) < ENOUGH:
            break
    return model, accuracy(model, xs, ys)
