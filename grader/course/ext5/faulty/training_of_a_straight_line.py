"""All layers of the network are linear.

Sums of sums are sums, so a linear network draws a straight line, however many layers it has. The
hidden layer needs "relu" or "tanh".
"""

CAUGHT_BY = ("ext5.learns",)


def train_moons(xs, ys):
    model = MLP(2, [16, 1], activation="linear", output="linear")
    for number in range(8):
        losses = train(model, xs, ys, STEPS, learning_rate(number, ROUNDS, 1.0, 0.1), max_margin_loss, batch_size=10)
        if sum(losses) / len(losses) < ENOUGH:
            break
    return model, accuracy(model, xs, ys)
