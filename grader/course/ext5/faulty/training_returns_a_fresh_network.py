"""The returned network is not the one that was trained.

`MLP(...)` makes new neurons with new random weights. Return the network that you trained.
"""

CAUGHT_BY = ("ext5.learns",)


def train_moons(xs, ys):
    model = MLP(2, [16, 1], activation="relu", output="linear")
    for number in range(ROUNDS):
        losses = train(model, xs, ys, STEPS, learning_rate(number, ROUNDS, 1.0, 0.1), max_margin_loss, batch_size=10)
        if sum(losses) / len(losses) < ENOUGH:
            break
    share = accuracy(model, xs, ys)
    return MLP(2, [16, 1], activation="relu", output="linear"), share
