"""What a check did with the learner's code, as a straight-line script: data that can be run,
differentiated and printed.

Steps name learner's objects by `Ref`s. The script knows Python's operators, calls and attributes,
and no name of the course. What a step does and what its fields are stands in
`grader.worker.protocol`, where it crosses; here it says what it makes, reads and asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Union

from grader.judge.script.operators import BY_METHOD
from grader.worker import protocol
from grader.worker.protocol import Ref

Operand = Union[Ref, float, int, str, bool, None, list["Operand"]]
"""An argument of a step: an object in the worker, a plain value, or a list of these."""


class _Step:
    """What holds for most steps: no target, and nothing that is asked for by name."""

    __slots__ = ()

    @property
    def target(self) -> Ref | None:
        """The object that this step makes, if it makes one."""
        return None

    @property
    def operation(self) -> str:
        """What it asks the learner's code to do, as the thing that hangs or not."""
        return repr(self)

    @property
    def calls(self) -> str:
        """The learner's function or method that it calls by name, if it calls one."""
        return ""

    @property
    def made(self) -> int:
        """How many objects the learner's code makes for it, as far as that is known."""
        return 0

    @property
    def answers(self) -> bool:
        """Whether it has an answer."""
        return False

    def references(self: Any) -> list[Ref]:
        """The objects that it reads, its target aside."""
        found: list[Ref] = []
        for name, value in zip(self._fields, self):
            if name != "target":
                _collect(value, found)
        return found

    def names(self) -> set[str]:
        """The functions, methods and attributes that it asks for."""
        return set()

    def operators(self) -> set[str]:
        """The operators that it applies, or the function of one number that it calls.

        An operator with a plain number on its left is the reflected one, written `r+`.
        """
        return set()


def _collect(value: object, found: list[Ref]) -> None:
    if type(value) is Ref:
        found.append(value)
    elif isinstance(value, list):
        for item in value:
            _collect(item, found)


class Make(protocol.Make, _Step):
    """Call a function, or make an object of a class."""

    __slots__ = ()
    made = 1

    @property
    def calls(self) -> str:
        """The function."""
        return self.function

    def names(self) -> set[str]:
        """The last part of its path."""
        return {self.function.rpartition(".")[2]}

    def operators(self) -> set[str]:
        """A function beside the class that is called with one object."""
        is_of_one = len(self.args) == 1 and isinstance(self.args[0], Ref)
        return self.names() if is_of_one else set()


class Builtin(protocol.Builtin, _Step):
    """Call one of Python's own functions."""

    __slots__ = ()
    made = 1

    def operators(self) -> set[str]:
        """What `sum` is made of."""
        return {"r+", "+"} if self.function == "sum" else set()


class Apply(protocol.Apply, _Step):
    """Apply an operator."""

    __slots__ = ()
    made = 1

    @property
    def operation(self) -> str:
        """The operator."""
        return self.op

    def operators(self) -> set[str]:
        """The operator, or its reflection."""
        reflected = len(self.args) == 2 and not isinstance(self.args[0], Ref)
        return {f"r{self.op}" if reflected else self.op}


class Call(protocol.Call, _Step):
    """Call a method."""

    __slots__ = ()
    made = 1

    @property
    def operation(self) -> str:
        """The method."""
        return self.method

    @property
    def calls(self) -> str:
        """The method."""
        return self.method

    def names(self) -> set[str]:
        """The method."""
        return {self.method}

    def operators(self) -> set[str]:
        """A function of one number, as `tanh`."""
        return set() if self.args else {self.method}


class Get(protocol.Get, _Step):
    """Look an attribute up."""

    __slots__ = ()

    def names(self) -> set[str]:
        """Each word of the path."""
        return _words(self.attribute)


class Put(protocol.Put, _Step):
    """Give an attribute another value."""

    __slots__ = ()

    def names(self) -> set[str]:
        """Each word of the path."""
        return _words(self.attribute)


class Expression(protocol.Expression, _Step):
    """Evaluate an expression of the suite's."""

    __slots__ = ()

    def names(self) -> set[str]:
        """Each word in it."""
        return _words(self.source)


class Define(protocol.Define, _Step):
    """Run a few lines of the suite's that make a class or a function."""

    __slots__ = ()


class Repeat(protocol.Repeat, _Step):
    """Apply an operator many times."""

    __slots__ = ()

    @property
    def operation(self) -> str:
        """The operator."""
        return self.op

    @property
    def made(self) -> int:
        """One object in each round."""
        return self.count

    def operators(self) -> set[str]:
        """The operator."""
        return {self.op}


class Walk(protocol.Walk, _Step):
    """Call a method of all objects of a graph."""

    __slots__ = ()
    answers = True

    @property
    def operation(self) -> str:
        """The method."""
        return self.method

    def names(self) -> set[str]:
        """The method, and what it goes along."""
        return {self.along, self.method}


class Watch(protocol.Watch, _Step):
    """Note the order in which a backward pass calls the steps of the objects."""

    __slots__ = ()

    @property
    def operation(self) -> str:
        """What begins the pass."""
        return self.call

    def names(self) -> set[str]:
        """What the pass is made of."""
        return {self.along, self.method, self.call, self.noted}


class Follow(protocol.Follow, _Step):
    """Note everything that changes in a backward pass."""

    __slots__ = ()

    @property
    def operation(self) -> str:
        """What begins the pass."""
        return self.call

    def names(self) -> set[str]:
        """What the pass is made of."""
        return {self.along, self.method, self.call, self.noted}


class Read(protocol.Read, _Step):
    """Send something back."""

    __slots__ = ()
    answers = True

    def names(self) -> set[str]:
        """Each word of the path."""
        return _words(self.attribute)


def _words(path: str) -> set[str]:
    return set(re.findall(r"[^\W\d]\w*", path))


Step = Union[
    Make, Builtin, Apply, Call, Get, Put, Expression, Define, Repeat, Walk, Watch, Follow, Read
]


def used_names(
    steps: Sequence[Step], gradient_calls: Sequence[str] = (), called: Iterable[str] = ()
) -> set[str]:
    """What a script asks of the learner's code: functions, methods, attributes and operators; and
    what these have `called`.

    An operator with a plain number on its left is the reflected one, written `r+`. Where one of the
    `gradient_calls` is made, every operator was asked for its backward step as well, written `+
    gradient`.
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


def method_of(op: str) -> str:
    """The method that Python calls for an operator, `r+` being the reflected one."""
    return next(method for method, name in BY_METHOD.items() if name == op)


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
    made = step.target
    return {*step.references()} if made is None else {*step.references(), made}
