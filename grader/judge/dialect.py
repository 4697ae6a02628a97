"""Translate steps into the words of the code that runs them.

A dialect turns steps into steps and answers into answers; it sends nothing. `PLAIN` is the course's
own vocabulary and changes nothing. `Adapted` is for an engine that was not written for this course,
so only its values and gradients are judged. If a step concerns form that only the stubs require, or
something that the engine lacks, it raises NotAsked before anything is sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from grader.curriculum.model import Course, Graph, Stage
from grader.errors import UsageError
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.replies import Answer, NameStatus, UnexpectedType
from grader.judge.script.operators import OF_NUMBERS
from grader.judge.script.steps import (
    Apply,
    Builtin,
    Call,
    Expression,
    Get,
    Make,
    Operand,
    Put,
    Read,
    Repeat,
    Step,
    Walk,
    Watch,
    method_of,
)
from grader.worker.protocol import FIRST_TRANSLATED, Ref

if TYPE_CHECKING:
    from grader.intake.adapter import Adapter, Template

_MAX_UNROLLED = 1000
_FORM = (
    "not asked of an engine with an adapter: it is what this course's own stubs look like, and no"
    " number"
)


class NotAsked(BaseException):
    """The checkpoint does not apply to this code, or its subject is missing.

    Not an Exception, because a property-based test must not retry it a hundred times.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Said(NamedTuple):
    """The translated steps, and for each the index of the original step."""

    steps: Sequence[Step]
    origins: Sequence[int]


class Dialect:
    """The course's own vocabulary: every step stays as it is."""

    asks_form = True
    """Whether the form required by this course's stubs is judged as well as numbers."""

    clears = False
    """Whether the backward pass is known to clear all gradients before it begins."""

    def names(self, names: Sequence[str]) -> list[str]:
        """Return the code's own names for these, an empty text if it has none."""
        return list(names)

    def learn(self, names: Mapping[str, NameStatus]) -> None:
        """Note which names were found."""

    def probes(self) -> Iterator[list[Step]]:
        """Yield scripts that find out more. They are tried until one succeeds."""
        yield from ()

    def note(self, answers: Sequence[Answer]) -> None:
        """Note a probe's answers."""

    def product(self) -> tuple[list[Step], list[Answer]]:
        """Return a script that computes a product, and its expected answers.

        Both are empty if checks test products anyway.
        """
        return [], []

    def say(self, steps: Sequence[Step]) -> Said:
        """Return the translated steps. Raise NotAsked if they do not apply."""
        return Said(steps, range(len(steps)))

    def understand(self, steps: Sequence[Step], answers: list[Answer]) -> list[Answer]:  # noqa: ARG002 - other dialects need it
        """Translate the answers to these steps back into the course's vocabulary."""
        return answers

    def path(self, path: str) -> str:
        """Return the code's own words for an attribute. Raise NotAsked if it does not apply."""
        return path

    def can(self, op: str, operands: str = "v") -> bool:  # noqa: ARG002 - a dialect may lack it
        """Return whether the operation exists. The course's own checks notice if it is missing."""
        return True

    def can_make(self, function: str, *args: Operand) -> bool:  # noqa: ARG002 - as above
        """Return whether this can be made."""
        return True

    def ask_form(self, what: str) -> None:
        """Raise NotAsked for form that only this course's stubs require."""

    def unready(self, methods: Sequence[str]) -> None:
        """Raise NotAsked if a checkpoint for these methods cannot begin."""


PLAIN = Dialect()


class Adapted(Dialect):
    """The vocabulary of one engine, taken from its adapter. `module` is the module to import."""

    asks_form = False

    def __init__(self, adapter: Adapter, graph: Graph, module: str) -> None:
        self._adapter, self._graph, self._module = adapter, graph, module
        self._node = graph.make.rpartition(".")[2]
        self._form = frozenset(graph.form)
        self.clears = adapter.clears
        self._own = FIRST_TRANSLATED
        self._made: dict[Ref, str] = {}
        self._names: Mapping[str, NameStatus] = {}
        self._probed: list[str] = []
        self._attached: frozenset[str] = frozenset()

    # --- what the engine has ---

    def names(self, names: Sequence[str]) -> list[str]:
        """Return the engine's own names for these."""
        return [self._their_name(name) for name in names]

    def _their_name(self, name: str) -> str:
        owner, _, method = name.partition(".")
        if owner in FUNCTIONS:  # this course has a function; an engine may have a method
            owner, method = self._node, owner
        if owner == self._node:
            template = self._call_of(method)
            if template is None:
                return ""
            return f"{self._adapter.owner}.{template.path}" if template.is_method else template.path
        template = next(
            (made for words, made in self._adapter.networks.items() if words.split()[0] == owner),
            None,
        )
        if template is None:
            return ""
        return f"{template.path}.{method}" if method else template.path

    def _call_of(self, method: str) -> Template | None:
        """Return how to call a node's method: as the adapter says, or by its own name."""
        calls = self._adapter.calls
        op = next((op for op in calls if op in OF_NUMBERS and method == method_of(op)), method)
        if op in calls:
            return calls[op]
        if method == self._graph.backward:
            return self._adapter.backward
        if not method:
            return _class(self._adapter.owner)
        return _plain_call(f"{{}}.{method}()", method, is_method=True)

    def _has_name(self, name: str) -> bool:
        status = self._names.get(name) or self._names.get(name.partition(".")[2])
        return status is None or status.state in {"present", "empty"} or name in self._attached

    def learn(self, names: Mapping[str, NameStatus]) -> None:
        """Note which names were found."""
        self._names = names

    def probes(self) -> Iterator[list[Step]]:
        """Ask a product, or at least a leaf, for the methods that its class lacks.

        Nodes may have them as attributes.
        """
        paths = {
            name: path
            for name, status in self._names.items()
            if status.state == "missing"
            for owner, _, path in [self._their_name(name).rpartition(".")]
            if owner == self._adapter.owner
        }
        self._probed = list(paths)
        leaf, product, has, answer = (self._new_ref() for _ in range(4))
        make = Make(leaf, self._graph.make, [2.0])
        scripts: list[tuple[list[Step], Ref]] = [
            ([make, Apply(product, "*", [leaf, leaf])], product),
            ([make], leaf),
        ]
        for steps, node in scripts if paths else ():
            try:
                said = self.say(steps).steps
            except NotAsked:
                continue
            asked = [
                step
                for path in paths.values()
                for step in (Call(answer, has, "__call__", [node, path]), Read(answer, "", "value"))
            ]
            look = Expression(has, "lambda node, name: callable(getattr(node, name, None))")
            yield [*said, look, *asked]

    def note(self, answers: Sequence[Answer]) -> None:
        """Note which of these methods the nodes have."""
        self._attached = frozenset(
            name for name, is_there in zip(self._probed, answers) if is_there is True
        )

    def can(self, op: str, operands: str = "v") -> bool:
        """Return whether the engine has this operation, according to the adapter and its class."""
        if op in self._adapter.calls:
            return self._adapter.calls[op] is not None and self._has_name(f"{self._node}.{op}")
        if op not in OF_NUMBERS:
            return self._has_name(f"{self._node}.{op}")
        reflected = operands[:1] == "k" and len(operands) > 1 and self._adapter.numbers
        return self._has_name(f"{self._node}.{method_of(f'r{op}' if reflected else op)}")

    def product(self) -> tuple[list[Step], list[Answer]]:
        """Return a product of two nodes with its backward pass, and the expected gradients.

        Checks may only use products to make other gradients if these are right.
        """
        a, b, c, called = (self._new_ref() for _ in range(4))
        made = [Make(ref, self._graph.make, [number]) for ref, number in ((a, 3.0), (b, -1.5))]
        read = [Read(ref, self._graph.gradient, "number") for ref in (a, b)]
        multiply = Apply(c, "*", [a, b])
        return [*made, multiply, Call(called, c, self._graph.backward, []), *read], [-1.5, 3.0]

    def can_make(self, function: str, *args: Operand) -> bool:
        """Return whether the adapter says how to make this."""
        return function == self._graph.make or self._network(function, list(args)) is not None

    def ask_form(self, what: str) -> NoReturn:
        """Raise NotAsked, because form is never judged here."""
        raise NotAsked(f"{what}: {_FORM}")

    def unready(self, methods: Sequence[str]) -> None:
        """Raise NotAsked if a checkpoint is about form or about a class that the engine lacks."""
        names = self._names
        for name in methods:
            if name in self._form:
                self.ask_form(f"`{name}`")
            owner = name.partition(".")[0]
            if owner not in {self._node, *FUNCTIONS} and names[owner].state == "missing":
                raise NotAsked(
                    f"the adapter says of no class that it is `{owner}`: [networks] in"
                    f" {self._adapter.where}"
                )
        functions = [name for name in methods if name in FUNCTIONS]
        if functions and not any(map(self._has_name, functions)):
            raise NotAsked(
                f"this engine has no {' or '.join(f'`{name}`' for name in functions)}: [calls] in"
                f" {self._adapter.where}"
            )

    def say(self, steps: Sequence[Step]) -> Said:
        """Translate the steps into the engine's vocabulary. One step may become several."""
        said, origins = list[Step](), list[int]()
        for index, step in enumerate(steps):
            more = self._said(step)
            said += more
            origins += [index] * len(more)
        return Said(said, origins)

    def understand(self, steps: Sequence[Step], answers: list[Answer]) -> list[Answer]:
        """Return the answers, with 0.0 for a gradient that does not exist yet."""
        asked = [step for step in steps if isinstance(step, (Read, Walk))]
        return [
            0.0 if self._is_gradient(step) and answer == UnexpectedType("NoneType") else answer
            for step, answer in zip(asked, answers)
        ]

    def _is_gradient(self, step: Step) -> bool:
        return (
            isinstance(step, Read)
            and step.form == "number"
            and step.attribute.rpartition(".")[2] == self._graph.gradient
        )

    def path(self, path: str) -> str:
        """Return a path in the engine's vocabulary."""
        if self._form.intersection(re.findall(r"[^\W\d]\w*", path)):
            self.ask_form(f"`{path}`")
        return re.sub(r"[^\W\d]\w*", lambda word: self._word(word[0]), path)

    def _word(self, word: str) -> str:
        own = {self._graph.data: self._adapter.data, self._graph.gradient: self._adapter.gradient}
        return {**own, **self._adapter.attributes}.get(word, word)

    # --- translating steps ---

    def _said(self, step: Step) -> list[Step]:
        if isinstance(step, Make):
            return self._said_make(step)
        if isinstance(step, Apply):
            return self._said_apply(step.target, step.op, step.args)
        if isinstance(step, Call):
            return self._said_call(step)
        if isinstance(step, Repeat):
            return self._said_repeat(step)
        if isinstance(step, (Get, Put, Read)):
            return [step._replace(attribute=self.path(step.attribute))]
        if isinstance(step, (Walk, Watch)):
            self.ask_form(f"`{step.method}`")
        if (
            isinstance(step, Builtin)
            and step.function == "sum"
            and ("+" in self._adapter.calls or not self._adapter.numbers or not self.can("+", "kv"))
        ):
            raise NotAsked(
                "this engine cannot be asked for `sum([...])`, which begins with `0 + a`"
            )
        return [step]

    def _said_make(self, step: Make) -> list[Step]:
        if step.function == self._graph.make:
            if len(step.args) != 1:
                self.ask_form(f"a `{self._node}` that is given more than its number")
            return [
                self._construct(
                    step.target, self._adapter.make, self._graph.make.rpartition(".")[0], step.args
                )
            ]
        if step.function in FUNCTIONS:
            return [self._by(self._callable(step.function), step.target, step.args, self._module)]
        template = self._network(step.function, step.args)
        if template is None:
            words = " ".join(
                [
                    step.function.rpartition(".")[2],
                    *(arg for arg in step.args if isinstance(arg, str)),
                ]
            )
            raise NotAsked(
                f"the adapter does not say how to make this: {words!r} in [networks] of"
                f" {self._adapter.where}"
            )
        self._made[step.target] = step.function.rpartition(".")[2]
        plain = [arg for arg in step.args if not isinstance(arg, str)][: template.holes]
        return [self._construct(step.target, template, step.function.rpartition(".")[0], plain)]

    def _network(self, function: str, args: Sequence[Operand]) -> Template | None:
        return self._adapter.networks.get(
            " ".join([function.rpartition(".")[2], *(arg for arg in args if isinstance(arg, str))])
        )

    def _construct(
        self, target: Ref, template: Template, module: str, args: Sequence[Operand]
    ) -> Step:
        found = next(
            (
                self._adapter.module(file)
                for file in self._adapter.files
                if Path(file).stem == module
            ),
            "",
        )
        return Make(target, f"{found}:{template.path}", *template.arguments(args))

    def _said_apply(self, target: Ref, op: str, args: Sequence[Operand]) -> list[Step]:
        kinds = "".join("v" if isinstance(arg, Ref) else "k" for arg in args)
        if not self.can(op, kinds):
            a, b = (
                (["a", "b"] if "k" not in kinds else ["2", "a"] if kinds[0] == "k" else ["a", "2"])
                if len(kinds) > 1
                else ["a", ""]
            )
            raise NotAsked(
                f"this engine has no `{a} {op} {b}`"
                if b
                else f"this engine has no `{op} {a}`".replace("neg ", "-")
            )
        before: list[Step] = []
        operands = list(args)
        for index, arg in enumerate(operands):
            exponent = op == "**" and index == 1  # always a plain number
            if not self._adapter.numbers and not exponent and type(arg) in {int, float}:
                operands[index] = self._new_ref()
                before += self._said_make(Make(operands[index], self._graph.make, [arg]))  # type: ignore[arg-type]
        if (template := self._adapter.calls.get(op)) is None:
            return [*before, Apply(target, op, operands)]
        return [*before, self._by(template, target, operands)]

    def _by(
        self, template: Template, target: Ref, operands: Sequence[Any], module: str = ""
    ) -> Step:
        """Call a template with objects as operands.

        A function comes from `module` or the engine's file.
        """
        arguments = template.arguments(operands)
        if template.is_method:
            return Call(target, operands[0], template.path, *arguments)
        engine = next(
            (
                self._adapter.module(file)
                for file in self._adapter.files
                if Path(file).stem == self._graph.make.rpartition(".")[0]
            ),
            "",
        )
        return Make(target, f"{module or engine}:{template.path}", *arguments)

    def _callable(self, method: str) -> Template:
        """Return how to call a node's method or function. Raise NotAsked if it is missing."""
        template = self._call_of(method)
        if template is None or not self._has_name(f"{self._node}.{method}"):
            raise NotAsked(f"this engine has no `{method}`")
        return template

    def _said_call(self, step: Call) -> list[Step]:
        if (owner := self._made.get(step.on)) is not None:
            if not self._has_name(f"{owner}.{step.method}"):
                raise NotAsked(f"this engine's `{owner}` has no `{step.method}`")
            return [step]
        if step.method == "__call__":
            return [step]
        if step.method in self._form:
            self.ask_form(f"`{step.method}`")
        seed = (
            [Put(step.on, self._adapter.gradient, 1.0)]
            if self._adapter.seed and step.method == self._graph.backward
            else []
        )
        return [*seed, self._by(self._callable(step.method), step.target, [step.on, *step.args])]

    def _said_repeat(self, step: Repeat) -> list[Step]:
        if self._adapter.calls.get(step.op) is None and (
            self._adapter.numbers or step.other is None or isinstance(step.other, Ref)
        ):
            return [step]
        if step.count > _MAX_UNROLLED:
            raise NotAsked(f"this engine has no operator `{step.op}` for a loop of {step.count}")
        said: list[Step] = []
        at = step.start
        for number in range(step.count):
            to = step.target if number == step.count - 1 else self._new_ref()
            said += self._said_apply(to, step.op, [at, at if step.other is None else step.other])
            at = to
        return said

    def _new_ref(self) -> Ref:
        self._own += 1
        return Ref(self._own)


def _class(owner: str) -> Template:
    """Return a call of the class itself."""
    return _plain_call(owner, owner, is_method=False)


def _plain_call(text: str, path: str, *, is_method: bool) -> Template:
    from grader.intake.adapter import Template  # most engines have no adapter

    return Template(text, path, is_method=is_method, args=())


def place_of(stage: Stage, adapter: Adapter, course: Course) -> tuple[str, tuple[str, ...]]:
    """Return the course file to import the counterpart of for a stage, and names to look for.

    An engine may have the course's plain functions as methods of its nodes; then its own file is
    used.
    """
    assert course.graph is not None
    names = course.names(stage.file)
    if not names or not FUNCTIONS.keys() >= set(names):
        return stage.file, names
    engine = next(
        file for file in course.files if Path(file).stem == course.graph.make.rpartition(".")[0]
    )
    return stage.file if adapter.module(stage.file) else engine, (*course.names(engine), *names)


def check_words(adapter: Adapter, course: Course) -> None:
    """Raise UsageError for a word in the adapter that this course does not know.

    Otherwise a typing error would look like something the engine lacks.
    """
    assert course.graph is not None
    node = course.graph.make.rpartition(".")[2]
    names = {name for file in course.files for name in course.names(file)}
    own = sorted(
        {
            name.partition(".")[2]
            for name in names
            if name.startswith(f"{node}.") and not name.endswith("__")
        }
        - {course.graph.backward, *course.graph.form}
    )
    own += sorted(names & FUNCTIONS.keys())
    classes = sorted({name.partition(".")[0] for name in names if "." in name} - {node})
    known = {
        "files": (adapter.files, list(course.files)),
        "calls": (adapter.calls, [*own, *OF_NUMBERS]),
        "networks": ([words.split()[0] for words in adapter.networks if words.split()], classes),
    }
    for table, (words, allowed) in known.items():
        if unknown := [word for word in words if word not in allowed]:
            raise UsageError(
                f"{adapter.where}: [{table}]: there is no {unknown[0]!r} in this course",
                f"the names are {', '.join(allowed)}",
            )
    file = next(
        file for file in course.files if Path(file).stem == course.graph.make.rpartition(".")[0]
    )
    if file not in adapter.files:
        raise UsageError(
            f"{adapter.where}: [files] does not say where {file!r} is",
            f'write "{file}" = "path/of/the/engine.py"',
        )
