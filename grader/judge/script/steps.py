"""Define the steps of a script: data that can be run, differentiated and printed.

Steps refer to the learner's objects by `Ref`s. A script knows Python's operators, calls and
attributes, but no name from the course. `grader.worker.protocol` describes what each step does and
its fields. The classes here add what a step makes, reads and uses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Union

from grader.judge.script.operators import BY_METHOD
from grader.worker import protocol
from grader.worker.protocol import Ref

Operand = Union[Ref, float, int, str, bool, None, list["Operand"]]
"""An argument of a step: an object in the worker, a plain value, or a list of these."""


class _Step:
    """Defaults for all steps: no target, no answer and no names."""

    __slots__ = ()
    answers = False
    keyed_by = ""  # the field that says what the learner's code has to do
    named_in: tuple[str, ...] = ()  # the fields with names of functions, methods and attributes

    @property
    def target(self) -> Ref | None:
        """Return the object that this step makes, or None."""
        return None

    @property
    def operation(self) -> str:
        """Return a key for what the learner's code has to do.

        `Memory.refused` holds the keys that hung.
        """
        return str(getattr(self, self.keyed_by)) if self.keyed_by else repr(self)

    @property
    def calls(self) -> str:
        """Return the name of the learner's function or method that it calls, or an empty text."""
        return ""

    @property
    def made(self) -> int:
        """Return how many objects the learner's code makes for it, as far as that is known."""
        return 0

    def references(self: Any) -> list[Ref]:
        """Return the objects that it reads, without its target."""
        found: list[Ref] = []
        for name, value in zip(self._fields, self):
            if name != "target":
                _collect(value, found)
        return found

    def names(self) -> set[str]:
        """Return the functions, methods and attributes that it uses."""
        return {word for field in self.named_in for word in _words(getattr(self, field))}

    def operators(self) -> set[str]:
        """Return the operators that it applies, or the one-argument function that it calls.

        An operator with a plain number on its left counts as reflected and is written `r+`.
        """
        return set()


def _collect(value: object, found: list[Ref]) -> None:
    if type(value) is Ref:
        found.append(value)
    elif isinstance(value, list):
        for item in value:
            _collect(item, found)


class Make(protocol.Make, _Step):
    """Call a function or make an object."""

    __slots__ = ()
    made = 1

    @property
    def calls(self) -> str:
        """Return the function."""
        return self.function

    def names(self) -> set[str]:
        """Return the last part of its path."""
        return {self.function.rpartition(".")[2]}

    def operators(self) -> set[str]:
        """Return the function's name if it is called with one object."""
        is_of_one = len(self.args) == 1 and isinstance(self.args[0], Ref)
        return self.names() if is_of_one else set()


class Builtin(protocol.Builtin, _Step):
    """Call a built-in function."""

    __slots__ = ()
    made = 1

    def operators(self) -> set[str]:
        """Return the additions that `sum` performs."""
        return {"r+", "+"} if self.function == "sum" else set()


class Apply(protocol.Apply, _Step):
    """Apply an operator."""

    __slots__ = ()
    made = 1
    keyed_by = "op"

    def operators(self) -> set[str]:
        """Return the operator or its reflected form."""
        reflected = len(self.args) == 2 and not isinstance(self.args[0], Ref)
        return {f"r{self.op}" if reflected else self.op}


class Call(protocol.Call, _Step):
    """Call a method."""

    __slots__ = ()
    made = 1
    keyed_by = "method"
    named_in = ("method",)

    @property
    def calls(self) -> str:
        """Return the method."""
        return self.method

    def operators(self) -> set[str]:
        """Return the method if it has no arguments, like `tanh`."""
        return set() if self.args else {self.method}


class Get(protocol.Get, _Step):
    """Read an attribute."""

    __slots__ = ()
    named_in = ("attribute",)


class Put(protocol.Put, _Step):
    """Set an attribute."""

    __slots__ = ()
    named_in = ("attribute",)


class Expression(protocol.Expression, _Step):
    """Evaluate an expression from the suite."""

    __slots__ = ()
    named_in = ("source",)


class Define(protocol.Define, _Step):
    """Run a few lines from the suite that define a class or a function."""

    __slots__ = ()


class Repeat(protocol.Repeat, _Step):
    """Apply an operator many times."""

    __slots__ = ()
    keyed_by = "op"

    @property
    def made(self) -> int:
        """Return the number of rounds, each of which makes one object."""
        return self.count

    def operators(self) -> set[str]:
        """Return the operator."""
        return {self.op}


class Walk(protocol.Walk, _Step):
    """Call a method on every object in a graph."""

    __slots__ = ()
    answers = True
    keyed_by = "method"
    named_in = ("along", "method")


class Watch(protocol.Watch, _Step):
    """Record the order in which a backward pass calls each object's step."""

    __slots__ = ()
    keyed_by = "call"
    named_in = ("along", "method", "call", "noted")


class Follow(protocol.Follow, _Step):
    """Record every change in a backward pass."""

    __slots__ = ()
    keyed_by = "call"
    named_in = ("along", "method", "call", "noted")


class Read(protocol.Read, _Step):
    """Send a value back."""

    __slots__ = ()
    answers = True
    named_in = ("attribute",)


def _words(path: str) -> set[str]:
    return set(re.findall(r"[^\W\d]\w*", path))


Step = Union[
    Make, Builtin, Apply, Call, Get, Put, Expression, Define, Repeat, Walk, Watch, Follow, Read
]


def used_names(
    steps: Sequence[Step], gradient_calls: Sequence[str] = (), called: Iterable[str] = ()
) -> set[str]:
    """Return the functions, methods, attributes and operators that a script uses.

    `called` lists the functions that were called along the way; they are included. An operator with
    a plain number on its left is reflected and written `r+`. If the script makes one of the
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
    """Return whether these used names include a function. If Python calls a method by no name of
    its own, as `__call__`, its class must be used.
    """
    owner, _, name = function.rpartition(".")
    special = name.startswith("__") and name not in BY_METHOD
    return (owner if special else BY_METHOD.get(name, name)) in used


def method_of(op: str) -> str:
    """Return the method that Python calls for an operator. `r+` is the reflected `+`."""
    return next(method for method, name in BY_METHOD.items() if name == op)


def slice_for(steps: Sequence[Step], wanted: Ref) -> list[Step]:
    """Return the steps that can affect `wanted`, connected with it by a chain of shared objects."""
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
    """Return every object that a step reads or makes."""
    made = step.target
    return {*step.references()} if made is None else {*step.references(), made}
