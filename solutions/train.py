"""Training: a loss that says how wrong the network is, and steps that reduce it."""

import random


def squared_loss(predictions, targets):
    return sum((prediction - target) ** 2 for prediction, target in zip(predictions, targets))


def max_margin_loss(scores, labels):
    losses = [(1 - label * score).relu() for score, label in zip(scores, labels)]
    return sum(losses) / len(losses)


def train_step(model, xs, ys, rate, loss=squared_loss):
    predictions = [model(x) for x in xs]
    total = loss(predictions, ys)
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= rate * p.grad
    return total.data


def learning_rate(step, steps, start=0.1, end=0.01):
    return start + (end - start) * step / max(1, steps - 1)


def batches(xs, ys, size):
    order = list(range(len(xs)))
    random.shuffle(order)
    parts = [order[first : first + size] for first in range(0, len(order), size)]
    return [([xs[i] for i in part], [ys[i] for i in part]) for part in parts]


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    for step in range(steps):
        if not waiting:
            waiting = batches(xs, ys, batch_size or len(xs))
        batch_xs, batch_ys = waiting.pop()
        step_rate = rate(step) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
