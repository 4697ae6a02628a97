"""What a check did with the learner's code, as a straight-line script: data that can be run,
differentiated and printed.

Steps name learner's objects by `Ref`s. The script knows Python's operators, calls and attributes,
and no name of the course.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Union

from grader.judge.script.operators import BY_METHOD
from grader.worker.protocol import Ref, Wire

Operand = Union[Ref, float, int, str, bool, None, list["Operand"]]
"""An argument of a step: an object in the worker, a plain value, or a list of these."""


class Make(NamedTuple):
    """`target = function(*args)`, a name of the learner's module, or of another of their files:
    `engine.Value`.

    What is not at the top of its module is written with a colon: `package.engine:Value.leaf`.
    `named` are keyword arguments, each a name and a value.
    """

    target: Ref
    function: str
    args: list[Operand]
    named: list[list[Operand]] = []  # noqa: RUF012 - nobody changes a step


class Builtin(NamedTuple):
    """`target = function(*args)`, one of Python's own functions."""

    target: Ref
    function: str
    args: list[Operand]


class Apply(NamedTuple):
    """`target = left op right`, or `op left` for the unary minus `neg`."""

    target: Ref
    op: str
    args: list[Operand]


class Call(NamedTuple):
    """`target = on.method(*args)`; `named` are keyword arguments, each a name and a value."""

    target: Ref
    on: Ref
    method: str
    args: list[Operand]
    named: list[list[Operand]] = []  # noqa: RUF012 - nobody changes a step


class Get(NamedTuple):
    """`target = on.attribute`."""

    target: Ref
    on: Ref
    attribute: str


class Put(NamedTuple):
    """`on.attribute = value`."""

    on: Ref
    attribute: str
    value: Operand


class Expression(NamedTuple):
    """`target` is what an expression of the suite's gives in the learner's module: a function by
    its name, a lambda.
    """

    target: Ref
    source: str


class Define(NamedTuple):
    """`target` is the class or function of that name, once a few lines of the suite's have run
    beside the learner's module.
    """

    target: Ref
    name: str
    source: str


class Repeat(NamedTuple):
    """`target = start`, then `count` times `target = target op other`; without `other`, the target
    itself.
    """

    target: Ref
    count: int  # type: ignore[assignment] # a tuple's method of that name is not missed
    op: str
    start: Ref
    other: Operand


class Walk(NamedTuple):
    """Call `method` on `on` and on what it was made of (`along`), results before operands, short of
    the `until` objects.
    """

    on: Ref
    along: str
    method: str
    until: list[Ref]


class Watch(NamedTuple):
    """Call `on.call()` and note in `target` whenever `method` of an object below `on` is called.

    `target.nodes` are the objects in the order of the calls, `target.numbers` what the attribute
    `noted` of each held then.
    """

    target: Ref
    on: Ref
    along: str
    method: str
    call: str
    noted: str


class Follow(NamedTuple):
    """As Watch, with every change of `noted`, of the objects below `on` and those in `also`; see
    `grader.worker.pass_trace` for what `target` has.

    Without a `call` it is a walk: `method` of `on` and of all objects below it, results before
    operands, short of `until`.
    """

    target: Ref
    on: Ref
    along: str
    also: list[Ref]
    method: str
    call: str
    noted: str
    until: list[Ref]


class Read(NamedTuple):
    """Send back `on.attribute` (or `on` itself) as a `number`, `array`, `text`, `document`,
    `value`, `ref`, `refs`, `callable` or `graph`.

    An attribute may be a path, such as `layers[0].w[2].data`. A `text` is short, a `document` long.
    `ref` numbers the object, `refs` numbers the objects of a collection; `graph` those that can be
    reached from `on` through `attribute`.
    """

    on: Ref
    attribute: str
    form: str


Step = Union[
    Make, Builtin, Apply, Call, Get, Put, Expression, Define, Repeat, Walk, Watch, Follow, Read
]

_BINDING = (Make, Builtin, Apply, Call, Get, Expression, Define, Repeat, Watch, Follow)


def to_wire(steps: Iterable[Step]) -> list[Wire]:
    """The steps as plain lists, each led by its name in lower case."""
    return [[type(step).__name__.lower(), *step] for step in steps]


def references(step: Step) -> list[Ref]:
    """The objects that a step reads, its target aside."""
    found: list[Ref] = []
    for name, value in zip(step._fields, step):
        if name != "target":
            _collect(value, found)
    return found


def _collect(value: object, found: list[Ref]) -> None:
    if type(value) is Ref:
        found.append(value)
    elif isinstance(value, list):
        for item in value:
            _collect(item, found)


def target(step: Step) -> Ref | None:
    """The object that a step makes, if it makes one."""
    return step.target if isinstance(step, _BINDING) else None


def used_names(
    steps: Sequence[Step], gradient_calls: Sequence[str] = (), called: Iterable[str] = ()
) -> set[str]:
    """What a script asks of the learner's code: functions, methods, attributes and operators; and
    what these have `called`.

    An operator with a plain number on its left is the reflected one, written `r+`. Where one of the
    `gradient_calls` is
    made, every operator was asked for its backward step as well, written `+ gradient`.
    """
    inside = [name.rpartition(".") for name in called]
    applied = {name for step in steps for name in operators(step)} | {
        BY_METHOD.get(name, name) for _, _, name in inside
    }
    names = {name for step in steps for name in _names(step)} | {
        owner for owner, _, _ in inside if owner
    }
    backward = {f"{name} gradient" for name in applied} if names & set(gradient_calls) else set()
    return names | applied | backward


def method_of(op: str) -> str:
    """The method that Python calls for an operator, `r+` being the reflected one."""
    return next(method for method, name in BY_METHOD.items() if name == op)


def operators(step: Step) -> set[str]:
    """The operators that a step applies, or the function of one number that it calls."""
    if isinstance(step, Apply):
        reflected = len(step.args) == 2 and not isinstance(step.args[0], Ref)
        return {f"r{step.op}" if reflected else step.op}
    if isinstance(step, Repeat):
        return {step.op}
    if isinstance(step, Call) and not step.args:  # a function of one number, as `tanh`
        return {step.method}
    if (
        isinstance(step, Make) and len(step.args) == 1 and isinstance(step.args[0], Ref)
    ):  # as a function beside the class
        return {step.function.rpartition(".")[2]}
    return {"r+", "+"} if isinstance(step, Builtin) and step.function == "sum" else set()


def _names(step: Step) -> set[str]:
    if isinstance(step, Make):
        return {step.function.rpartition(".")[2]}
    if isinstance(step, Call):
        return {step.method}
    if isinstance(step, (Get, Put, Read)):
        return set(re.findall(r"[^\W\d]\w*", step.attribute))
    if isinstance(step, Expression):
        return set(re.findall(r"[^\W\d]\w*", step.source))
    if isinstance(step, Walk):
        return {step.along, step.method}
    return (
        {step.along, step.method, step.call, step.noted}
        if isinstance(step, (Watch, Follow))
        else set()
    )


def slice_for(steps: Sequence[Step], wanted: Ref) -> list[Step]:
    """The steps that can bear on `wanted`: those connected with it through any chain of shared
    objects.
    """
    touched = [_objects(step) for step in steps]
    touching: dict[Ref, list[set[Ref]]] = {}
    for objects in touched:
        for ref in objects:
            touching.setdefault(ref, []).append(objects)
    group, frontier = {wanted}, [wanted]
    while frontier:
        for objects in touching.pop(frontier.pop(), ()):
            frontier += objects - group
            group |= objects
    return [step for step, objects in zip(steps, touched) if objects & group]


def _objects(step: Step) -> set[Ref]:
    """Every object that a step reads or makes."""
    made = target(step)
    return {*references(step)} if made is None else {*references(step), made}
