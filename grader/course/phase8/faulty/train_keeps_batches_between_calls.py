"""`train` keeps unused batches in a default argument, for the next call.

Python makes a default once, not in every call: `waiting=[]` is the same list each time. The next call
trains on the examples of this one. Make the list inside the function.
"""

CAUGHT_BY = ("phase8.batched-loop",)


def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None, waiting=[]):
    losses = []
    for step in range(steps):
        if not waiting:
            waiting += batches(xs, ys, batch_size or len(xs))
        batch_xs, batch_ys = waiting.pop()
        step_rate = rate(step) if callable(rate) else rate
        losses.append(train_step(model, batch_xs, batch_ys, step_rate, loss))
    return losses
