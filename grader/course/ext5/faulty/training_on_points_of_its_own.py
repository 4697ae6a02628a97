"""The network is trained on other points than those that it was given.

What a network learns is what it is shown. `xs` and `ys` are the arguments; calling `moons` here learns other labels.
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
