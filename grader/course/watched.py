"""Watch a learner's code at work: stand-ins note what it does with a model, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from networks import Copy, Network, Shape, make, weights
from sensitivity import Numbers, is_usual
from vocabulary import Learner

from grader.suite import Mismatch, close, number_text

# --- neurons and layers: what each gets and gives ---

_WATCH = '''
class Watched:
    """A neuron or a layer that notes its inputs and outputs."""

    def __init__(self, inner, place, notes):
        self.inner, self.place, self.notes = inner, place, notes

    def __call__(self, x):
        given = numbers_in(x)
        made = self.inner(x)
        self.notes.append([self.place, given, numbers_in(made)])
        return made

    def __getattr__(self, name):
        return getattr(self.inner, name)


def numbers_in(items):
    items = items if isinstance(items, (list, tuple)) else [items]
    return [getattr(item, "data", item) for item in items]


def watch(network, attribute, x):
    notes = []
    parts = getattr(network, attribute)
    setattr(network, attribute, [Watched(part, n, notes) for n, part in enumerate(parts)])
    made = network(x)
    return [notes, numbers_in(made)]
'''


def look_at_layer(learner: Learner, shape: Shape) -> str:
    """Return which neuron of a layer gets or gives something wrong."""
    numbers, x = weights(shape, 3), [0.75, -1.5, 0.5][: shape.inputs]
    layer = make(learner, "Layer", shape.inputs, *shape.layers, *shape.kinds, name="layer")
    layer.set([path.partition(".")[2] for path in shape.paths], numbers)
    notes, made = _watched(learner, layer, "neurons", x)
    if told := _order([place for place, _, _ in notes], shape.layers[0], "neurons"):
        return told
    for place, given, out in notes:
        if given != x:
            return (
                f"`neurons[{place}]` gets {_list(given)}; give every neuron all inputs, {_list(x)}"
            )
        want = Copy(shape, numbers)
        if not close(out[0], want.value(want(x)[place])):
            return f"`neurons[{place}](x)` already gives a wrong number"
    outs = [out[0] for _, _, out in notes]
    if outs and made != outs:
        return f"the neurons give {_list(outs)}, but the layer returns {_list(made)}"
    return ""


def look_at_network(learner: Learner, shape: Shape) -> str:
    """Return which layer of a network gets or gives something wrong."""
    numbers, x = weights(shape, 3), [0.75, -1.5, 0.5][: shape.inputs]
    kinds = shape.kinds[0], shape.kinds[-1]
    model = make(learner, "MLP", shape.inputs, list(shape.layers), *kinds, name="model")
    model.set(shape.paths, numbers)
    notes, made = _watched(learner, model, "layers", x)
    if told := _order([place for place, _, _ in notes], len(shape.layers), "layers"):
        return told
    before, source = x, "the inputs of the network are"
    for place, given, out in notes:
        if given != before:
            return f"`layers[{place}]` gets {_list(given)}, but {source} {_list(before)}"
        want = _layer(shape, numbers, place, given)
        if len(out) != len(want) or not all(map(close, out, want)):
            kind = shape.kinds[place]
            return (
                f"`layers[{place}]` gives {_list(out)} for the inputs {_list(given)}; with its"
                f' weights and "{kind}", that should be {_list(want)}'
            )
        before, source = out, f"the outputs of `layers[{place}]` are"
    if notes and made != before:
        return f"the last layer gives {_list(before)}, but the network returns {_list(made)}"
    return ""


@contextmanager
def contrasting(learner: Learner, shape: Shape) -> Iterator[None]:
    """Add to a failure in the block that a network with layers of different sizes is right, if the
    sizes of this one do not tell its layers apart.
    """
    try:
        yield
    except Mismatch as wrong:
        sizes, found = tuple(range(len(shape.layers), 0, -1)), False
        if learner.is_adapted or len(set(shape.layers)) == len(sizes):
            raise
        with learner.experiment():
            found = _is_right(learner, Shape(shape.inputs, sizes, shape.kinds))
        if found:
            wrong.message += f"; with `nouts` = {list(sizes)} it is right"
        raise


def _is_right(learner: Learner, shape: Shape) -> bool:
    """Return whether a network of this shape gives the right output."""
    numbers, x = weights(shape, 3), [0.75, -1.5, 0.5][: shape.inputs]
    kinds, want = (shape.kinds[0], shape.kinds[-1]), Copy(shape, numbers)
    model = make(learner, "MLP", shape.inputs, list(shape.layers), *kinds, name="model")
    model.set(shape.paths, numbers)
    (got,) = learner.read([model(x).reading("data")])
    return is_usual(got) and close(got, want.value(want(x)[0]))  # type: ignore[arg-type]


def _watched(
    learner: Learner, network: Network, attribute: str, x: Numbers
) -> tuple[list[tuple[int, list[float], list[float]]], list[float]]:
    """Return what each part of a network got and gave, with its place, and the outputs."""
    watch = learner.define("watch", _WATCH)
    seen = learner.symbol(watch.call("__call__", network, attribute, list(x)))
    answer: Any = learner.read([seen.reading("", "value")])[0]
    if len(answer) < 2:  # too much was noted
        return [], []
    notes, made = answer
    lists = [made, *(numbers for _, *both in notes for numbers in both)]
    if not all(is_usual(number) for numbers in lists for number in numbers):
        return [], []
    return [tuple(note) for note in notes], made


def _order(places: Sequence[int], count: int, what: str) -> str:
    """Return how parts run that should run once each, from the first to the last."""
    for place in range(count) if places else ():
        if (times := places.count(place)) != 1:
            often = {0: "never runs", 2: "runs twice"}.get(times, f"runs {times} times")
            return f"`{what}[{place}]` {often}; each of the `{what}` must run once"
    if list(places) not in ([], sorted(places)):
        return f"the `{what}` run in the order {', '.join(map(str, places))}"
    return ""


def _layer(shape: Shape, numbers: Numbers, layer: int, x: Numbers) -> list[float]:
    """Return the right outputs of one layer for its inputs."""
    sizes = (shape.inputs, *shape.layers)
    first = sum((sizes[n] + 1) * sizes[n + 1] for n in range(layer))
    count = (sizes[layer] + 1) * sizes[layer + 1]
    alone = Shape(sizes[layer], shape.layers[layer : layer + 1], shape.kinds[layer : layer + 1])
    copy = Copy(alone, numbers[first : first + count])
    return [copy.value(ref) for ref in copy(x)]


def _list(numbers: Sequence[float]) -> str:
    return f"[{', '.join(map(number_text, numbers))}]"
