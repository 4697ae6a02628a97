"""What experiments say of code with a mistake that is on no list, and that right code is safe."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.boundary.pool import ProcessHost
from grader.curriculum.imports import files_of
from grader.curriculum.load import load_course
from grader.curriculum.source import splice
from grader.judge.recorder import Recorder
from grader.learner.own_code import session_at
from support import kit_folder

COURSE = load_course()
with files_of(COURSE):
    from networks import Shape
    from vocabulary import Learner
    from watched import look_at_layer, look_at_network
    from watched_training import look_at_step, look_at_training

LAYER = Shape(3, (2,), ("tanh",))
NETWORK = Shape(2, (3, 2, 1), ("relu", "relu", "linear"))


LOOKS: dict[str, tuple[str, Callable[[Learner], str]]] = {
    "layer": ("nn.py", lambda learner: look_at_layer(learner, LAYER)),
    "network": ("nn.py", lambda learner: look_at_network(learner, NETWORK)),
    "step": ("train.py", look_at_step),
    "train": ("train.py", look_at_training),
    "scheduled": ("train.py", lambda learner: look_at_training(learner, scheduled=True)),
    "batched": ("train.py", lambda learner: look_at_training(learner, batched=True)),
}
STEP = """def train_step(model, xs, ys, rate, loss=squared_loss):
    total = loss([model(x) for x in xs], ys)
    model.zero_grad()
    total.backward()
"""
UPDATE = (
    "    for p in model.parameters():\n        p.data -= rate * p.grad\n    return total.data\n"
)
TRAIN = """def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses, waiting = [], []
    for step in range(steps):
"""
BATCHES = f"""{TRAIN}        if not waiting:
            waiting = batches(xs, ys, batch_size)
        a, b = waiting.pop()
        losses.append(train_step(model, a, b, rate, loss))
    return losses
"""
MISTAKES = [
    ("layer", ("class Layer:\n    def __call__(self, x):\n"
     "        return [n(x[:1] * 3) for n in self.neurons]\n"),
     "`neurons[0]` gets [0.75, 0.75, 0.75]; give every neuron all inputs, [0.75, -1.5, 0.5]"),
    ("network", ("class MLP:\n    def __call__(self, x):\n"
     "        for layer in [self.layers[0], *self.layers]:\n            x = layer(x)\n"
     "        return x[0]\n"),
     "`layers[0]` runs twice; each of the `layers` must run once"),
    ("step", f"{STEP}    total.backward()\n{UPDATE}", "`backward()` runs 2 times; run it once"),
    ("step", f"{STEP}    model.zero_grad()\n{UPDATE}",
     "the gradients are cleared after `backward()` and before the parameters move"),
    ("step", STEP + UPDATE.replace("parameters()", "parameters()[:1]"),
     "the weight moves but the bias does not"),
    ("train", f"{TRAIN}        losses.append(train_step(model, xs, ys, rate))\n    return losses\n",
     "in step 0, the function `loss` is never called"),
    ("scheduled", (f"{TRAIN}        rate = rate(step) if callable(rate) else rate\n"
     "        losses.append(train_step(model, xs, ys, rate, loss))\n    return losses\n"),
     "`rate` is called with 0; in 4 steps, call it with 0, 1, 2 and 3"),
    ("batched", (f"{TRAIN}        a, b = xs[:batch_size], ys[:batch_size]\n"
     "        losses.append(train_step(model, a, b, rate, loss))\n    return losses\n"),
     "of 6 examples in batches of 2, the first 3 steps never use [2]"),
    ("batched", BATCHES.replace("a, b", "xs, ys"),
     "for step 3, `batches` gets 2 of the 6 examples"),
    ("batched", BATCHES.replace("if not waiting", "if len(waiting) < 2"),
     "for step 2, `batches` is called while 1 batch is left"),
]  # fmt: skip


def seen(folder: Path, look: str) -> str:
    file, experiment = LOOKS[look]
    with ProcessHost() as host, session_at(COURSE, folder, file, host) as session:
        return experiment(Learner(Recorder(session, file.removesuffix(".py"), seed=0)))


@pytest.mark.parametrize("look", LOOKS)
def test_an_experiment_with_right_code_shows_nothing(look: str) -> None:
    elsewhere = "`learning_rate(2, 6, 1.0, 0.125)` is right; what is different here?"
    assert seen(kit_folder("solutions"), look) == (elsewhere if look == "rate" else "")


@pytest.mark.parametrize(("look", "code", "sentence"), MISTAKES)
def test_an_experiment_says_what_is_seen_first(
    tmp_path: Path, look: str, code: str, sentence: str
) -> None:
    folder = Path(shutil.copytree(kit_folder("solutions"), tmp_path / "work"))
    file = folder / LOOKS[look][0]
    file.write_text(splice(file.read_text(encoding="utf-8"), code), encoding="utf-8")
    assert sentence in seen(folder, look)
