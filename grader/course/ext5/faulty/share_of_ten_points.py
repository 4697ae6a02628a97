"""The function returns the accuracy for only ten points.

That is cheaper, but the result jumps from round to round. Use all the points that the function was
given.
"""

CAUGHT_BY = ("ext5.share",)


def train_moons(xs, ys):
    model = MLP(2, [16, 1], activation="relu", output="linear")
    for number in range(ROUNDS):
        losses = train(model, xs, ys, STEPS, learning_rate(number, ROUNDS, 1.0, 0.1), max_margin_loss, batch_size=10)
        if sum(losses) / len(losses) < 0.1:
            break
    return model, accuracy(model, xs[:10], ys[:10])
