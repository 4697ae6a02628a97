"""Pairs are shuffled, the loop goes epoch by epoch, gradients are cleared at the end of a step, and
a step takes several times as long as the reference's.
"""

import random
import time


def squared_loss(predictions, targets):
    loss = 0
    for p, t in zip(predictions, targets):
        loss += (t - p) * (t - p)
    return loss


def max_margin_loss(scores, labels):
    return sum([(-label * score + 1).relu() for score, label in zip(scores, labels)]) * (1 / len(labels))


def _take_your_time():
    end = time.process_time() + 0.008
    while time.process_time() < end:
        pass


def train_step(model, xs, ys, rate, loss=squared_loss):
    _take_your_time()
    model.zero_grad()
    value = loss([model(x) for x in xs], ys)
    value.backward()
    for p in model.parameters():
        p.data = p.data - rate * p.grad
    model.zero_grad()
    return value.data


def learning_rate(step, steps, start=0.1, end=0.01):
    if steps == 1:
        return start
    done = step / (steps - 1)
    return (1 - done) * start + done * end


def batches(xs, ys, size):
    pairs = random.sample(list(zip(xs, ys)), len(xs))
    made = []
    while pairs:
        part, pairs = pairs[:size], pairs[size:]
        made.append((tuple(x for x, _ in part), tuple(y for _, y in part)))
    return made


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    if not callable(rate):
        number = rate
        rate = lambda step: number  # noqa: E731
    history = []
    while len(history) < steps:
        if batch_size is None:
            history.append(train_step(model, xs, ys, rate(len(history)), loss))
            continue
        for part_xs, part_ys in batches(xs, ys, batch_size):
            if len(history) == steps:
                break
            history.append(train_step(model, part_xs, part_ys, rate(len(history)), loss))
    return history
