"""A session with an engine that was not written for this course: every step is said in the engine's
own words.

Judged are numbers: values and gradients. What the course's stubs ask of form only, and what the
engine does not have, is
not asked: such a step raises NotAsked before anything is sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.boundary.transport import Transport
from grader.curriculum.model import Course, Graph, Stage
from grader.errors import UsageError
from grader.intake.adapter import Adapter, Template
from grader.intake.submission import Submission
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.replies import Answer, Loaded, UnexpectedType
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
from grader.judge.session import RUN_SECONDS, LearnerFault, Memory, NotAsked, Session, WorkerLost
from grader.worker.protocol import FIRST_TRANSLATED, Ref

_MAX_UNROLLED = 1000
_FORM = (
    "not asked of an engine with an adapter: it is what this course's own stubs look like, and no"
    " number"
)


class AdaptedSession(Session):
    """As a session, for one engine and its adapter."""

    def __init__(  # noqa: PLR0913 - as Session
        self,
        connect: Callable[[], Transport],
        submission: Submission,
        file: str,
        names: Sequence[str],
        *,
        adapter: Adapter,
        graph: Graph,
        memory: Memory | None = None,
        packages: Mapping[str, Sequence[Path]] | None = None,
    ) -> None:
        own = (
            list(dict.fromkeys(map(adapter.module, adapter.files)))
            if submission.is_notebook
            else []
        )
        super().__init__(connect, submission, adapter.module(file), names, own, memory, packages)
        self._adapter, self._graph = adapter, graph
        self._node = graph.make.rpartition(".")[2]
        self._form = frozenset(graph.form)
        self._origins: list[int] = []
        self._asked = 0
        self._own = FIRST_TRANSLATED
        self._made: dict[Ref, str] = {}
        self._attached: frozenset[str] | None = None
        self._multiplies: bool | None = None

    # --- what there is ---

    @property
    def is_adapted(self) -> bool:
        """Yes."""
        return True

    @property
    def clears(self) -> bool:
        """As the adapter says."""
        return self._adapter.clears

    def asked_names(self) -> list[str]:
        """The names as the engine has them; an empty one for what it has not."""
        return [self._their_name(name) for name in self.names]

    def _their_name(self, name: str) -> str:
        owner, _, method = name.partition(".")
        if (
            owner in FUNCTIONS
        ):  # a function beside the class in this course; others may call it as a method
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
        """How a method of a node is called: as the adapter says, or by its own name."""
        calls = self._adapter.calls
        op = next((op for op in calls if op in OF_NUMBERS and method == method_of(op)), method)
        if op in calls:
            return calls[op]
        if method == self._graph.backward:
            return self._adapter.backward
        return (
            Template(f"{{}}.{method}()", method, is_method=True, args=())
            if method
            else _class(self._adapter.owner)
        )

    def _has_name(self, name: str) -> bool:
        names = self.load().names
        status = names.get(name) or names.get(name.partition(".")[2])
        return status is None or status.state == "present" or name in (self._attached or ())

    def load(self) -> Loaded:
        """As Session.load. The first time, look for methods that nodes have and their class does
        not.
        """
        loaded = super().load()
        if self._attached is None:
            self._attached = frozenset()
            self._attached = frozenset(
                self._attached_to_nodes(
                    [name for name, status in loaded.names.items() if status.state == "missing"]
                )
            )
        return loaded

    def _attached_to_nodes(self, missing: Sequence[str]) -> list[str]:
        """Return those of the missing methods that a product, or at least a leaf, has as an
        attribute.
        """
        paths = {
            name: path
            for name in missing
            for owner, _, path in [str(self._their_name(name)).rpartition(".")]
            if owner == self._adapter.owner
        }
        leaf, has, answer = self._new_ref(), self._new_ref(), self._new_ref()
        make = Make(leaf, self._graph.make, [2.0])
        product = self._new_ref()
        scripts: list[tuple[list[Step], Ref]] = [
            ([make, Apply(product, "*", [leaf, leaf])], product),
            ([make], leaf),
        ]
        for steps, node in scripts if paths else ():
            asked = [
                step
                for path in paths.values()
                for step in (Call(answer, has, "__call__", [node, path]), Read(answer, "", "value"))
            ]
            try:
                said = [each for step in steps for each in self._said(step)]
                found = super().run(
                    [
                        *said,
                        Expression(has, "lambda node, name: callable(getattr(node, name, None))"),
                        *asked,
                    ],
                    fresh=True,
                )
            except (LearnerFault, WorkerLost, NotAsked):
                continue
            return [name for name, is_there in zip(paths, found) if is_there is True]
        return []

    def can(self, op: str, operands: str = "v") -> bool:
        """Whether the engine has this operation, as the adapter and a look at its class say."""
        if op in self._adapter.calls:
            return self._adapter.calls[op] is not None and self._has_name(f"{self._node}.{op}")
        if op not in OF_NUMBERS:
            return self._has_name(f"{self._node}.{op}")
        reflected = operands[:1] == "k" and len(operands) > 1 and self._adapter.numbers
        return self._has_name(f"{self._node}.{method_of(f'r{op}' if reflected else op)}")

    def multiplies(self) -> bool:
        """Whether a product sends the right gradients to its operands. To be asked before a script
        begins.
        """
        if self._multiplies is None:
            a, b, c, called = (self._new_ref() for _ in range(4))
            made = [Make(ref, self._graph.make, [number]) for ref, number in ((a, 3.0), (b, -1.5))]
            read = [Read(ref, self._graph.gradient, "number") for ref in (a, b)]
            try:
                answers = self.run(
                    [
                        *made,
                        Apply(c, "*", [a, b]),
                        Call(called, c, self._graph.backward, []),
                        *read,
                    ],
                    fresh=True,
                )
                self._multiplies = answers == [-1.5, 3.0]
            except (LearnerFault, WorkerLost, NotAsked):
                self._multiplies = False
        return self._multiplies

    def can_make(self, function: str, *args: Operand) -> bool:
        """Whether the adapter says how this is made."""
        return function == self._graph.make or self._network(function, list(args)) is not None

    def ask(self, what: str) -> None:
        """Nothing of the kind is asked."""
        raise NotAsked(f"{what}: {_FORM}")

    def unready(self, methods: Sequence[str]) -> None:
        """Raise NotAsked for a checkpoint about form, and for one about a class that is not there."""  # noqa: E501
        names = self.load().names
        for name in methods:
            if name in self._form:
                self.ask(f"`{name}`")
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

    # --- doing it ---

    def run(
        self, steps: Sequence[Step], *, fresh: bool, seconds: float = RUN_SECONDS
    ) -> list[Answer]:
        """As Session.run; a fault is that of the step that was asked for."""
        if fresh:
            self._origins, self._asked = [], 0
        self.load()
        theirs: list[Step] = []
        origins: list[int] = []
        for index, step in enumerate(steps, self._asked):
            said = self._said(step)
            theirs += said
            origins += [index] * len(said)
        self._origins += origins
        self._asked += len(steps)
        try:
            answers = super().run(theirs, fresh=fresh, seconds=seconds)
        except (LearnerFault, WorkerLost) as met:
            at = met.index
            met.index = self._origins[at] if at < len(self._origins) else max(self._asked - 1, 0)
            self._origins, self._asked = self._origins[:at], met.index
            raise
        asked = [step for step in steps if isinstance(step, (Read, Walk))]
        return [self._understood(step, answer) for step, answer in zip(asked, answers)]

    def _understood(self, step: Step, answer: Answer) -> Answer:
        """An answer; no gradient yet is a gradient of 0."""
        gradient = (
            isinstance(step, Read)
            and step.form == "number"
            and step.attribute.rpartition(".")[2] == self._graph.gradient
        )
        return 0.0 if gradient and answer == UnexpectedType("NoneType") else answer

    def called(self, steps: Sequence[Step]) -> list[str]:  # noqa: ARG002 - its functions are not those of the course
        """What an engine calls inside of itself explains nothing here."""
        return []

    def in_their_words(self, steps: Sequence[Step]) -> list[Step]:
        """The steps as they are done, as far as they are."""
        return [said for step in steps for said in self._said(step)]

    def their_path(self, path: str) -> str:
        """A path with the engine's own words in it."""
        if self._form.intersection(re.findall(r"[^\W\d]\w*", path)):
            self.ask(f"`{path}`")
        return re.sub(r"[^\W\d]\w*", lambda word: self._word(word[0]), path)

    def _word(self, word: str) -> str:
        own = {self._graph.data: self._adapter.data, self._graph.gradient: self._adapter.gradient}
        return {**own, **self._adapter.attributes}.get(word, word)

    # --- saying it ---

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
            return [step._replace(attribute=self.their_path(step.attribute))]
        if isinstance(step, (Walk, Watch)):
            self.ask(f"`{step.method}`")
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
                self.ask(f"a `{self._node}` that is given more than its number")
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
            exponent = op == "**" and index == 1  # a number by its nature
            if not self._adapter.numbers and not exponent and type(arg) in {int, float}:
                operands[index] = self._new_ref()
                before += self._said_make(Make(operands[index], self._graph.make, [arg]))  # type: ignore[arg-type]
        if (template := self._adapter.calls.get(op)) is None:
            return [*before, Apply(target, op, operands)]
        return [*before, self._by(template, target, operands)]

    def _by(
        self, template: Template, target: Ref, operands: Sequence[Any], module: str = ""
    ) -> Step:
        """A call of a template with objects as operands; a function is in the engine's file, or in
        this module.
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
        """How a method or function of a node is called. Raises NotAsked for one that is not there."""  # noqa: E501
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
            self.ask(f"`{step.method}`")
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
    """What stands for the class itself among the calls."""
    return Template(owner, owner, is_method=False, args=())


def place_of(stage: Stage, adapter: Adapter, course: Course) -> tuple[str, tuple[str, ...]]:
    """The file of the course whose counterpart is imported for a stage, and the names to look for
    in it.

    Functions beside the class may be methods of an engine's nodes: then its own file will do.
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
    """Raise UsageError for a word of the adapter that this course has not: a typing error would be
    taken for something that is missing.
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


def verify(session: Session, adapter: Adapter, node: str) -> Loaded | None:
    """Raise UsageError where the adapter's class is not there; what else may be wrong is for
    grading to tell.
    """
    try:
        loaded = session.load()
    except (LearnerFault, WorkerLost):
        return None
    if node in loaded.names and loaded.names[node].state != "present":
        raise UsageError(
            f"{adapter.where}: 'class' is {adapter.owner!r}, and {session.module} has no such"
            " class",
            "name the class of a node, or run: grade adapt",
        )
    return loaded
