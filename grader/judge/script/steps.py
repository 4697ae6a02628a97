"""Define the steps of a script: data that can be run, differentiated and printed.

Steps refer to the learner's objects by `Ref`s. A script knows Python's operators, calls and
attributes, but no name from the course. A step crosses to the worker like any record of
`grader.worker.protocol`, and there `grader/worker/steps.py` has a method that runs it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Union

from grader.judge.script.operators import BY_METHOD
from grader.worker.protocol import Ref

Operand = Union[Ref, float, int, str, bool, None, list["Operand"]]
"""An argument of a step: an object in the worker, a plain value, or a list of these."""

# A script numbers its objects from 1. Code that adds objects to another script takes numbers from a
# separate range:
FIRST_TRIED = 90_000  # `grade adapt`: objects it makes while it tries an engine
FIRST_TRANSLATED = 1 << 30  # the dialect: objects that only a translation needs
FIRST_ROUND = 1 << 34  # a circuit: ROUNDS numbers for each loop, one per round
ROUNDS = 64
UNUSED = Ref((1 << 39) - 2)  # a circuit, a drawing: a result that nobody reads
WATCHED = Ref((1 << 39) - 1)  # a diagnosis, a drawing: the backward pass under watch


# the fields with names of functions, methods and attributes
_NAMING = frozenset(("along", "attribute", "call", "method", "noted", "source"))


class _Step:
    """Defaults for all steps: no target, no answer and no names."""

    form = ""  # of its answer
    __match_args__: ClassVar[tuple[str, ...]] = ()  # its fields

    @property
    def calls(self) -> str:
        """Return the name of the learner's function or method that it calls, or an empty string."""
        match self:
            case Make(function=name) | Call(method=name):
                return name
        return ""

    def references(self) -> list[Ref]:
        """Return the objects that it reads, without its target."""
        fields = [getattr(self, name) for name in self.__match_args__ if name != "target"]
        return list(_refs_in(fields))

    def names(self) -> set[str]:
        """Return the functions, methods and attributes that it uses."""
        paths = [getattr(self, field) for field in self.__match_args__ if field in _NAMING]
        return {word for path in paths for word in re.findall(r"[^\W\d]\w*", path)}

    def operators(self) -> set[str]:
        """Return the operators that it applies, or the one-argument function that it calls.

        An operator with a plain number on its left counts as reflected and is written `r+`.
        """
        match self:
            case Make(args=[Ref()]):
                return self.names()
            case Builtin(function="sum"):
                return {"r+", "+"}
            case Apply(op=op, args=[first, _]) if not isinstance(first, Ref):
                return {f"r{op}"}
            case Apply(op=op) | Repeat(op=op) | Call(method=op, args=[]):
                return {op}
        return set()


def _refs_in(value: object) -> Iterator[Ref]:
    if type(value) is Ref:
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _refs_in(item)


@dataclass(frozen=True)
class Make(_Step):
    """`target = function(*args)`.

    The function is a name in the learner's module or, like `engine.Value`, in another of their
    files. A colon separates the module from a name that is not at its top level:
    `package.engine:Value.leaf`. `named` holds keyword arguments, each a name and a value.
    """

    target: Ref
    function: str
    args: list[Operand]
    named: Sequence[list[Operand]] = ()

    def names(self) -> set[str]:
        """Return the last part of its path."""
        return {self.function.rpartition(".")[2]}


@dataclass(frozen=True)
class Builtin(_Step):
    """`target = function(*args)` with one of the BUILTINS."""

    target: Ref
    function: str
    args: list[Operand]


@dataclass(frozen=True)
class Apply(_Step):
    """`target = left op right` with one of `+ - * / ** @`, or `target = -left` with `neg`."""

    target: Ref
    op: str
    args: list[Operand]


@dataclass(frozen=True)
class Call(_Step):
    """`target = on.method(*args)`. `named` holds keyword arguments, each a name and a value."""

    target: Ref
    on: Ref
    method: str
    args: list[Operand]
    named: Sequence[list[Operand]] = ()


@dataclass(frozen=True)
class Get(_Step):
    """`target = on.attribute`."""

    target: Ref
    on: Ref
    attribute: str


@dataclass(frozen=True)
class Put(_Step):
    """`on.attribute = value`."""

    on: Ref
    attribute: str
    value: Operand
    target = None


@dataclass(frozen=True)
class Expression(_Step):
    """Evaluate an expression of the suite in the learner's module. `target` is the result.

    The expression may be a function's name or a lambda.
    """

    target: Ref
    source: str


@dataclass(frozen=True)
class Define(_Step):
    """Run a few lines of the suite in a copy of the learner's namespace.

    `target` is the class or function of that name.
    """

    target: Ref
    name: str
    code: str


@dataclass(frozen=True)
class Repeat(_Step):
    """`target = start`, then `target = target op other`, `count` times.

    Without `other`, use the target itself.
    """

    target: Ref
    count: int
    op: str
    start: Ref
    other: Operand


@dataclass(frozen=True)
class Walk(_Step):
    """Call `method` on `on` and everything below it (its operands, listed in `along`), results
    before operands, except on and below the `until` objects.

    The answer is a `count` of the objects.
    """

    on: Ref
    along: str
    method: str
    until: list[Ref]
    target = None
    form = "count"


@dataclass(frozen=True)
class Watch(_Step):
    """Call `on.call()` and record every call of `method` on an object below `on`.

    `target.nodes` holds the objects in the order of the calls, `target.held` the value that the
    attribute `noted` of each had at that moment.

    With `also`, record every change of `noted` in the objects below `on` and in `also`. Change
    number i happened to `target.changed[i]`, to `target.after[i]`, during the call
    `target.during[i]` (-1: outside every call), when `target.at[i]` calls had begun.
    `target.first` and `target.last` are the values that `target.objects` had at the beginning and
    at the end; `target.stopped` says whether the recording was cut short.

    Without a `call`, walk instead: call `method` on `on` and on every object below it, results
    before operands, except on and below `until`.
    """

    target: Ref
    on: Ref
    along: str
    method: str
    call: str
    noted: str
    also: Sequence[Ref] | None = None
    until: Sequence[Ref] = ()


@dataclass(frozen=True)
class Read(_Step):
    """Send back `on.attribute` (or `on` itself) in a form. An attribute may be a path, such as
    `layers[0].w[2].data`.

    - `number`: a float or an int; `array`: its shape and its items, the last axis fastest;
      `text`: up to MAX_TEXT characters; `document`: up to MAX_DOCUMENT; `refs`: the numbers of the
      objects in a collection. If the thing has a different type, the answer is an UnexpectedType.
    - `callable`: a bool. `ref`: the object's own number; new ones start from FIRST_FOUND.
    - `graph`: a list of [object, its operands] for every object reachable from `on` through
      `attribute`, operands first.
    - `value`: None, bools, numbers, texts and lists of these, and an UnexpectedType for anything
      else.
    """

    on: Ref
    attribute: str
    form: str
    target = None


Step = Union[Make, Builtin, Apply, Call, Get, Put, Expression, Define, Repeat, Walk, Watch, Read]


def used_names(
    steps: Sequence[Step], gradient_calls: Sequence[str] = (), called: Iterable[str] = ()
) -> set[str]:
    """Return the functions, methods, attributes and operators that a script uses.

    `called` lists the functions called along the way; they are included. An operator with a plain
    number on its left is reflected and written `r+`. If the script makes one of the
    `gradient_calls`, it also uses each operator's backward step, written `+ gradient`.
    """
    inside = [name.rpartition(".") for name in called]
    applied = {name for step in steps for name in step.operators()} | {
        BY_METHOD.get(name, name) for _, _, name in inside
    }
    names = {name for step in steps for name in step.names()} | {
        owner for owner, _, _ in inside if owner
    }
    backward = {f"{name} gradient" for name in applied} if names & set(gradient_calls) else set()
    return names | applied | backward


def is_used(function: str, used: Collection[str]) -> bool:
    """Return whether these used names include a function. If Python itself calls a method, such as
    `__call__`, its class must be used.
    """
    owner, _, name = function.rpartition(".")
    special = name.startswith("__") and name not in BY_METHOD
    return (owner if special else BY_METHOD.get(name, name)) in used


def method_of(op: str) -> str:
    """Return the method that Python calls for an operator. `r+` is the reflected `+`."""
    return next(method for method, name in BY_METHOD.items() if name == op)


def slice_for(steps: Sequence[Step], wanted: Ref) -> list[Step]:
    """Return the steps that can affect `wanted`, connected with it by a chain of shared objects."""
    touched: list[set[Ref]] = [{*step.references(), step.target} - {None} for step in steps]  # type: ignore[misc]
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
