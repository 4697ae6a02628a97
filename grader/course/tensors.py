"""The vocabulary of extension 4: a learner's tensors, and the checks on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from arrays import Node, Shape, Sheet, nested, places
from graphs import graph
from vocabulary import Learner

from grader.suite import (
    Array,
    Choose,
    InTurn,
    Kind,
    Mismatch,
    Operand,
    Reading,
    Symbol,
    UnexpectedType,
    for_all,
    kind_of,
    oracle,
    programs,
)

UPSTREAM = (3.0, -2.0, 0.5, 1.0, -1.5, 2.5, -0.25)
SHOWN = 12  # numbers of an array that fit into a message


class Tensor(Symbol):
    """A learner's `Tensor`."""

    @property
    def data(self) -> Reading:
        """A reading of `data`."""
        return self.reading("data", "array")

    @property
    def grad(self) -> Reading:
        """A reading of `grad`."""
        return self.reading("grad", "array")

    def __matmul__(self, other: Tensor) -> Tensor:
        return self._apply("@", self, other)

    def method(self, name: str, *args: Operand) -> Tensor:
        """Record `self.name(*args)`."""
        return Tensor(self.recorder, self.call(name, *args))


def array(learner: Learner, shape: Shape, numbers: Sequence[float], name: str = "") -> Symbol:
    """Record `name = numpy.array(...)` with these numbers."""
    return learner.make(Symbol, "numpy.array", nested(shape, numbers), name=name)


# --- recording and expecting ---


def write(
    learner: Learner, *roots: Node, written: dict[Node, Tensor] | None = None
) -> dict[Node, Tensor]:
    """Record how these tensors are made, operands first, except for those already in `written`."""
    written = {} if written is None else written
    names = iter("abcdefgh"[len(written) :])

    def visit(node: Node) -> None:
        for operand in node.operands:
            if isinstance(operand, Node) and operand not in written:
                visit(operand)
        if node.op == "leaf":
            written[node] = learner.make(
                Tensor, "Tensor", nested(node.shape, node.args), name=next(names)
            )
        else:
            written[node] = _applied(learner, node, written)

    for root in roots:
        visit(root)
    return written


def _applied(learner: Learner, node: Node, written: Mapping[Node, Tensor]) -> Tensor:
    operands = [
        written[part]
        if isinstance(part, Node)
        else array(learner, part.shape, part.items, "w")
        if part.shape
        else part.items[0]
        for part in node.operands
    ]
    tensors = [operand for operand in operands if isinstance(operand, Tensor)]
    if node.op in {"sum", "relu"}:
        return tensors[0].method(node.op, *node.args)
    if learner.recorder.mirror and node.op in {"+", "*"} and tensors == operands:
        operands.reverse()
    return tensors[0]._apply(node.op, *operands)  # noqa: SLF001 - either operand may be the tensor


class Wanted(NamedTuple):
    """An array that a reading must give. `confirm` computes one number by the second method."""

    reading: Reading
    shape: Shape
    numbers: Sequence[float]
    confirm: Callable[[int], float] | None = None


def expect_all(learner: Learner, wanted: Sequence[Wanted], why: str = "") -> None:
    """Read all arrays in one message; raise Mismatch for the first with a wrong shape or number."""
    for want, got in zip(wanted, learner.read([want.reading for want in wanted])):
        right = (
            isinstance(got, Array)
            and got.shape == want.shape
            and all(map(oracle.close, got.numbers, want.numbers))
        )
        if not right:
            raise _mismatch(learner.recorder.describe(want.reading), want, got, why)


def _mismatch(what: str, want: Wanted, got: object, why: str) -> Mismatch:
    """Describe the fault of an array: its type, its shape or its first wrong number."""
    reading = want.reading
    if isinstance(got, UnexpectedType) and got.type_name == "memoryview":  # `data` of a numpy array
        return Mismatch(
            f"`{what.rpartition('.')[0]}` is a numpy array, not a Tensor: put"
            " `__array_ufunc__ = None` into the class",
            kind=Kind.BAD_TYPE,
            expected="a Tensor",
            got="an array",
            reading=Reading(reading.on, "", "value"),
        )
    if isinstance(got, UnexpectedType):
        return Mismatch(
            why or f"`{what}` is {kind_of(got)}; it must be an array of numbers",
            kind=Kind.BAD_TYPE,
            expected=f"an array of shape {want.shape}",
            got=kind_of(got),
            reading=reading,
        )
    assert isinstance(got, Array)
    if got.shape != want.shape:
        place = f"{reading.attribute}.shape" if reading.attribute else "shape"
        expected, found = (
            (str(want.shape), str(got.shape))
            if got.shape
            else (f"an array of shape {want.shape}", "a single number")
        )
        return Mismatch(
            why or f"`{what}` has the shape {got.shape}; it must have {want.shape}",
            expected=expected,
            got=found,
            reading=Reading(reading.on, place if got.shape else reading.attribute, "value"),
        )
    at = next(
        at for at, pair in enumerate(zip(got.numbers, want.numbers)) if not oracle.close(*pair)
    )
    place = _place(at, want.shape)
    return Mismatch(
        (why or f"`{what}` is wrong{place and f' at {place}'}") + _whole(got.numbers, want),
        expected=want.numbers[at],
        got=got.numbers[at],
        reading=Reading(reading.on, f"{reading.attribute}{place}", "number"),
        confirm=want.confirm and partial(want.confirm, at),
    )


def _place(at: int, shape: Shape) -> str:
    """Return the indices of the number, such as `[0][1]`; '' if there is no axis."""
    place = next(place for number, place in enumerate(places(shape)) if number == at)
    return "".join(f"[{index}]" for index in place)


def _whole(got: Sequence[float], want: Wanted) -> str:
    if not 1 < len(got) <= SHOWN:
        return ""
    return f"; it is {_text(want.shape, got)} and must be {_text(want.shape, want.numbers)}"


def _text(shape: Shape, numbers: Sequence[float]) -> str:
    return str(nested(shape, [float(f"{value:.4g}") for value in numbers]))


# --- checks ---

Build = Callable[[Sheet, Choose[Any], int], Node]
"""Builds an example of an operation on a new sheet, and returns the result. The number counts the
examples from 0.
"""


def check_operation(  # noqa: PLR0913 - which examples, how many, and what to check in them
    learner: Learner,
    name: str,
    build: Build,
    count: int,
    *,
    data: bool = True,
    gradient: bool = True,
) -> None:
    """Check `count` examples of an operation: its result, and what its `_backward` adds to the
    gradients of its operands.
    """
    source = programs.choices(learner.seed, name)
    wanted: list[Wanted] = []
    for turn in range(count):
        sheet = Sheet()
        choose = source.choice if turn else InTurn()
        root = build(sheet, choose, turn)
        written = write(learner, root)
        if data:
            wanted.append(Wanted(written[root].data, root.shape, sheet.values(root)))
        if gradient:
            wanted += _sent_back(learner, sheet, root, written, choose, before=turn % 3 == 2)
            if not turn:
                parts = [written[part] for part in root.operands if isinstance(part, Node)]
                learner.expect_in_graph(written[root], parts)
    expect_all(learner, wanted)
    learner.fresh()


def _sent_back(  # noqa: PLR0913 - one example, and how to record it
    learner: Learner,
    sheet: Sheet,
    root: Node,
    written: Mapping[Node, Tensor],
    choose: Choose[Any],
    *,
    before: bool,
) -> list[Wanted]:
    """Give `root` a gradient, run `_backward`, and return what to expect; with `before`, the
    operands already have a gradient.
    """
    nodes = list(dict.fromkeys(part for part in root.operands if isinstance(part, Node)))
    held = {
        node: [choose(UPSTREAM) for _ in node.items] if before else [0.0] * len(node.items)
        for node in nodes
    }
    for node, name in zip(nodes, "vw"):
        if before:
            written[node].put("grad", array(learner, node.shape, held[node], name))
    upstream = [choose(UPSTREAM) for _ in root.items]
    written[root].put("grad", array(learner, root.shape, upstream, "u"))
    learner.walk(written[root], "_prev", "_backward", [written[node] for node in nodes])
    goal = sheet.goal(root, upstream)
    wanted = [Wanted(written[root].grad, root.shape, upstream)]
    for node, slopes in sheet.slopes(goal, nodes).items():
        numbers = [first + slope for first, slope in zip(held[node], slopes)]
        wanted.append(
            Wanted(written[node].grad, node.shape, numbers, sheet.confirm(goal, node, held[node]))
        )
    return wanted


def check_backward(learner: Learner, build: Callable[[Sheet], Node]) -> None:
    """Build a graph, run `backward()`, and expect every number and gradient, even with `+` and `*`
    mirrored.
    """
    mirrored = learner.recorder.mirror
    for mirror in (mirrored, not mirrored):
        learner.recorder.mirror = mirror
        sheet = Sheet()
        expect_all(learner, after_backward(learner, sheet, build(sheet)))
        learner.fresh()
    learner.recorder.mirror = mirrored


def after_backward(
    learner: Learner, sheet: Sheet, root: Node, *, leaves_only: bool = False
) -> list[Wanted]:
    """Record a graph and its `backward()`; return what to expect of every tensor, results first."""
    written = write(learner, root)
    written[root].call("backward")
    goal = sheet.goal(root, [1.0] * len(root.items))
    wanted = [
        Wanted(tensor.data, node.shape, sheet.values(node)) for node, tensor in written.items()
    ]
    asked = [node for node in reversed(written) if node.op == "leaf" or not leaves_only]
    for node, slopes in sheet.slopes(goal, asked).items():
        confirm = sheet.confirm(goal, node)
        wanted.append(Wanted(written[node].grad, node.shape, slopes, confirm))
    return wanted


def check_random_graphs(learner: Learner, examples: int = 60, together: int = 5) -> None:
    """Check random graphs; shrink one with a wrong number to a small graph."""

    def check(drawn: Sequence[tuple[Sheet, Node]]) -> None:
        learner.fresh()
        expect_all(
            learner,
            [
                want
                for sheet, root in drawn
                for want in after_backward(learner, sheet, root, leaves_only=True)
            ],
        )

    for_all(graph, check, learner.recorder, examples, together)
