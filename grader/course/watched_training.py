"""Watch a learner's training at work: a stand-in for the model notes what happens, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from sensitivity import is_usual, ratio_of, times_of
from vocabulary import Learner

from grader.suite import close, number_text

_MODEL = '''
import sys

from engine import Value


class Weight(Value):
    """A parameter that notes what is done with it."""

    notes = None

    def __init__(self, name, notes, number):
        super().__init__(number)
        self.grad = 5.0
        self.name, self.notes = name, notes

    @property
    def data(self):
        return self._number

    @data.setter
    def data(self, number):
        if self.notes is not None:
            self.notes.append(["move", self.name, self._number, number, self._slope])
        self._number = number

    @property
    def grad(self):
        return self._slope

    @grad.setter
    def grad(self, number):
        if self.notes is not None:
            self.notes.append(["send" if number else "clear", self.name])
        self._slope = number


class Model:
    """A linear neuron with one input."""

    def __init__(self):
        self.notes, self.made = [], []
        self.w, self.b = Weight("w", self.notes, 0.5), Weight("b", self.notes, 0.25)

    def __call__(self, x):
        self.notes.append(["forward", x[0]])
        self.made.append((self.w * x[0] + self.b, x[0]))
        return self.made[-1][0]

    def parameters(self):
        return [self.w, self.b]

    def zero_grad(self):
        for weight in self.parameters():
            weight.grad = 0.0

    def loss(self, predictions, targets):
        note = ["loss", [], [], self.w.data, self.b.data]
        self.notes.append(note)
        for prediction in predictions:
            note[1].append(next((x for made, x in self.made if made is prediction), None))
        note[2] += targets
        return watched(sum((2 * p - y) ** 2 for p, y in zip(predictions, targets)), self.notes)

    def rate(self, step):
        self.notes.append(["rate", step])
        return 0.125 / (1 + step)


def watched(loss, notes):
    run = loss.backward

    def backward():
        notes.append(["backward"])
        run()

    loss.backward = backward
    return loss


def watch(function, *arguments):
    model = Model()
    raised = None
    home = vars(sys.modules[function.__module__])
    cut = home["batches"]

    def batches(xs, *rest):
        made = cut(xs, *rest)
        model.notes.append(["batches", len(xs), len(made)])
        return made

    home["batches"] = batches
    try:
        function(model, *[getattr(model, a) if isinstance(a, str) else a for a in arguments])
    except Exception as error:
        raised = type(error).__name__
    finally:
        home["batches"] = cut
    return [raised, model.notes]
'''
XS = [[1.5], [-0.5], [2.0], [0.75], [-1.25], [0.25]]
YS = [0.4, 1.7, -0.9, 3.1, 0.6, -1.3]
RATE, STEPS, BATCH = 0.0625, 4, 2
NAMES = {"w": "the weight", "b": "the bias"}
TARGETS = {x: y for (x,), y in zip(XS, YS)}


class Event(NamedTuple):
    """Something that the learner's code did with the model, and with what."""

    kind: str
    about: Sequence[Any]


Events = Sequence[Event]


def look_at_step(learner: Learner) -> str:
    """Return what `train_step` does with a model that it should not."""
    events = _watched(learner, "train_step", XS, YS, RATE, "loss")
    return next(_wrong_in_step(events, list(TARGETS)), "") if events else ""


def look_at_training(learner: Learner, *, scheduled: bool = False, batched: bool = False) -> str:
    """Return in which step `train` does something with a model that it should not."""
    rate, size = "rate" if scheduled else RATE, BATCH if batched else None
    events = _watched(learner, "train", XS, YS, STEPS, rate, "loss", size)
    asked = [event.about[0] for event in events if event.kind == "rate"]
    if scheduled and events and asked != list(range(STEPS)):
        given = f"is called with {_series(asked)}" if asked else "is never called"
        return f"`rate` {given}; in {STEPS} steps, call it with {_series(range(STEPS))}"
    steps = _steps(events)
    if batched and (found := _wrong_batches(events)):
        return found
    used = [[x for event in step if event.kind == "loss" for x in event.about[0]] for step in steps]
    for number, step in enumerate(steps):
        xs = used[number] if batched else list(TARGETS)
        if batched and len(xs) != BATCH:
            return f"with `batch_size` = {BATCH}, step {number} uses {len(xs)} examples"
        at = 2 * RATE / (1 + number) if scheduled else RATE
        if found := next(chain(_wrong_in_step(step, xs), _wrong_updates(step, at)), ""):
            return f"in step {number}, {found}"
    if events and len(steps) != STEPS:
        given = (
            f", `batch_size` = {BATCH} and `steps` = {STEPS}"
            if batched
            else f" and `steps` = {STEPS}"
        )
        return f"with {len(XS)} examples{given}, `train` takes {len(steps)} steps"
    epoch = [x for xs in used[: len(XS) // BATCH] for x in xs]
    if batched and (left := [x for x in TARGETS if x not in epoch]):
        return (
            f"of {len(XS)} examples in batches of {BATCH}, the first {len(XS) // BATCH} steps never"
            f" use [{number_text(left[0])}]"
        )
    return ""


def _wrong_batches(events: Events) -> str:
    """Return when `batches` is called with something else than all examples, or at a wrong time."""
    step, left, moved = -1, 0, True
    for kind, about in events:
        if kind == "forward" and moved:
            step, left, moved = step + 1, left - 1, False
        moved = moved or kind == "move"
        if kind == "batches" and about[0] != len(XS):
            return f"for step {step + 1}, `batches` gets {about[0]} of the {len(XS)} examples"
        if kind == "batches" and left > 0:
            many = "1 batch is" if left == 1 else f"{left} batches are"
            return f"for step {step + 1}, `batches` is called while {many} left"
        left = about[1] if kind == "batches" else left
    if left < 0 and any(event.kind == "batches" for event in events):
        return "`batches` is not called again when all batches have been used"
    return ""


def _watched(learner: Learner, function: str, *arguments: object) -> Events:
    """Return what a function does with a model; nothing if it raises something."""
    watch = learner.define("watch", _MODEL)
    given = [learner.expression(function), *arguments]
    seen = learner.symbol(watch.call("__call__", *given))  # type: ignore[arg-type]
    answer: Any = learner.read([seen.reading("", "value")])[0]
    if len(answer) < 2:  # too much was noted
        return []
    raised, notes = answer
    events = [Event(kind, about) for kind, *about in notes]
    return events if not raised and all(map(_is_plain, events)) else []


def _is_plain(event: Event) -> bool:
    """Return whether everything that can be computed with is a number."""
    if event.kind != "loss":
        return True
    return all(map(is_usual, (*event.about[1], *event.about[2:])))


def _steps(events: Events) -> list[list[Event]]:
    """Return the events of each step: one begins with the first prediction after an update."""
    steps: list[list[Event]] = []
    moved = True
    for event in events:
        if event.kind == "forward" and moved:
            steps.append([])
            moved = False
        moved = moved or event.kind == "move"
        if steps:
            steps[-1].append(event)
    return steps


def _wrong_in_step(events: Events, xs: Sequence[float]) -> Iterator[str]:
    """Yield what is wrong about one step with these examples, except its updates."""
    seen = [event.about[0] for event in events if event.kind == "forward"]
    if any(type(x) is not float for x in seen):
        yield "the model gets something other than one example"
        return
    for x in xs:
        if x not in seen:
            yield f"the model never computes a prediction for [{number_text(x)}]"
    losses = [event for event in events if event.kind == "loss"]
    if not losses:
        yield "the function `loss` is never called"
        return
    if len(losses) > 1:
        yield (
            f"with {len(xs)} examples, `loss` is called {len(losses)} times; call it once, with all"
            " predictions"
        )
    yield from _wrong_in_loss(losses[0], xs)
    yield from _wrong_order(events, losses[0])
    for name in "wb":
        yield from _wrong_move(name, events, losses[0])


def _wrong_in_loss(event: Event, xs: Sequence[float]) -> Iterator[str]:
    """Yield what is wrong about what the loss gets."""
    examples, targets = event.about[:2]
    if None in examples:
        yield "`loss` gets something other than the predictions that the model returned"
        return
    if len(examples) != len(targets):
        yield f"`loss` gets {len(examples)} predictions and {len(targets)} targets"
    for x, y in zip(examples, targets):
        if y != TARGETS[x]:
            yield (
                f"`loss` compares the prediction for [{number_text(x)}] with the target"
                f" {number_text(y)}, which is that of another example"
            )
    for x in xs:
        if examples.count(x) != 1:
            often = "never" if x not in examples else f"{examples.count(x)} times"
            yield f"the prediction for [{number_text(x)}] enters the loss {often}"


def _wrong_order(events: Events, loss: Event) -> Iterator[str]:
    """Yield what comes too early, too late or not at all."""
    kinds = [event.kind for event in events]
    if "send" not in kinds:
        yield "no gradient arrives at the parameters: is `backward()` called on the loss?"
    elif "move" not in kinds:
        yield "no parameter gets a new `data`: does the update change `p.data`?"
    else:
        first, move = kinds.index("send"), kinds.index("move")
        name, *_, gradient = events[move].about
        if move < first:
            yield "the parameters move before `backward()` has computed their gradients"
        elif (times := kinds.count("backward")) > 1:
            yield f"`backward()` runs {times} times; run it once"
        elif gradient == 0 and "clear" in kinds[first:move]:
            yield "the gradients are cleared after `backward()` and before the parameters move"
        elif "clear" not in kinds[:first] and gradient != _slope(name, loss):
            yield (
                "the gradients from before are still there when `backward()` adds the new ones;"
                " clear them first"
            )


def _wrong_move(name: str, events: Events, loss: Event) -> Iterator[str]:
    """Yield what is wrong about how a parameter moves, whatever the update is."""
    moves = [event.about[1:] for event in events if event.kind == "move" and event.about[0] == name]
    what, other = NAMES[name], NAMES["b" if name == "w" else "w"]
    if len(moves) != 1:
        yield f"{what} moves {len(moves)} times" if moves else f"{other} moves but {what} does not"
        return
    before, after, gradient = moves[0]
    if not all(map(is_usual, (before, after, gradient))):
        return
    right = _slope(name, loss)
    if gradient == 0 and right:
        yield f"when {what} moves, its gradient has been cleared already"
    elif not close(gradient, right):
        by = ratio_of([gradient], [right])
        size = f"{times_of(by)} the right one" if by else f"not {number_text(right)}"
        yield f"when {what} moves, its gradient is {size}, with {len(loss.about[0])} examples"


def _wrong_updates(events: Events, rate: float) -> Iterator[str]:
    """Yield what is wrong about updates whose gradient is right."""
    for name, before, after, gradient in (e.about for e in events if e.kind == "move"):
        if not close(after, before - rate * gradient):
            by = ratio_of([after - before], [-rate * gradient])
            size = f"{times_of(by)} that" if by else number_text(after - before)
            yield (
                f"the gradient of {NAMES[name]} is right, but the update is not: it should add"
                f" -rate * gradient = {number_text(-rate * gradient)}, but it adds {size}"
            )


def _slope(name: str, event: Event) -> float:
    return sum(
        4 * (2 * (w * x + b) - y) * (x if name == "w" else 1) for x, y, w, b in _pairs(event)
    )


def _pairs(event: Event) -> Iterator[tuple[float, float, float, float]]:
    examples, targets, w, b = event.about
    return ((x, y, w, b) for x, y in zip(examples, targets))


def _series(numbers: Sequence[float]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last
