"""Speak the dialect of an engine that was not written for this course, from its adapter.

Only its values and gradients are judged. A step about form that only the stubs require, or about
something that the engine lacks, raises NotAsked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, NoReturn

from grader.curriculum.model import Course, Graph, Stage
from grader.intake.adapter import SINGLE, Adapter, Template
from grader.judge.dialect import Dialect
from grader.judge.failures import LearnerFault, NotAsked, WorkerLost
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.gradients import as_single, close
from grader.judge.replies import Answer
from grader.judge.script.operators import OF_NUMBERS
from grader.judge.script.steps import (
    FIRST_TRANSLATED,
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
from grader.worker.protocol import NameState, Ref, UnexpectedType

_MAX_UNROLLED = 1000
_SINGLE_TOLERANCE = 1e-3  # hundreds of operations with 7 digits, some of which cancel
_FORM = "not checked for an engine with an adapter: only this course's stubs require this form"


class Adapted(Dialect):
    """The vocabulary of one engine, taken from its adapter. `module` is the module to import."""

    asks_form = False

    def __init__(self, adapter: Adapter, graph: Graph, module: str) -> None:
        self._adapter, self._graph, self._module = adapter, graph, module
        self._words = {
            graph.node: adapter.owner,
            graph.data: adapter.data,
            graph.gradient: adapter.gradient,
            **adapter.attributes,
        }
        self._calls = {
            "": Template(adapter.owner, adapter.owner, is_method=False, args=()),
            graph.backward: adapter.backward,
            **{method_of(op) if op in OF_NUMBERS else op: t for op, t in adapter.calls.items()},
        }
        networks = [*adapter.networks.items()][::-1]  # the first of a class counts
        self._classes = {words.split()[0]: template.path for words, template in networks}
        self.clears, self.intermediate = adapter.clears, adapter.intermediate
        self._refs = map(Ref, count(FIRST_TRANSLATED + 1))  # of objects that only it needs
        self._made: dict[Ref, str] = {}
        self._names: Mapping[str, NameState] = {}
        self._without_numbers: set[str] = set()
        self._fixed: set[str] = set()  # attributes that cannot be set

    # --- what the engine has ---

    def names(self, names: Sequence[str]) -> list[str]:
        """Return the engine's own names for these."""
        return [self._their_name(name) for name in names]

    def _their_name(self, name: str) -> str:
        owner, _, method = name.partition(".")
        if owner in FUNCTIONS:  # this course has a function; an engine may have a method
            owner, method = self._graph.node, owner
        if owner != self._graph.node:
            path = self._classes.get(owner, "")
            return f"{path}.{method}" if path and method else path
        template = self._call_of(method)
        if template is None:
            return ""
        return f"{self._adapter.owner}.{template.path}" if template.is_method else template.path

    def _call_of(self, method: str) -> Template | None:
        """Return how to call a node's method, with the adapter's words or by its own name."""
        return self._calls.get(
            method, Template(f"{{}}.{method}()", method, is_method=True, args=())
        )

    def _has_name(self, name: str) -> bool:
        status = self._names.get(name) or self._names.get(name.partition(".")[2])
        return status is None or status.state in {"present", "empty"}

    def learn(
        self, names: Mapping[str, NameState], run: Callable[[Sequence[Step]], Sequence[Answer]]
    ) -> None:
        """Note which names were found, which methods a product has that its class lacks, whether
        its gradients are right, which operators fail on a node and a plain number, and which
        attributes cannot be set.
        """
        self._names = names
        paths = {
            name: path
            for name, status in names.items()
            if status.state == "missing"
            for owner, _, path in [self._their_name(name).rpartition(".")]
            if owner == self._adapter.owner
        }
        a, b, c, has, answer = (next(self._refs) for _ in range(5))
        make, gradient = self._graph.make, self._graph.gradient
        product: list[Step] = [Make(a, make, [3.0]), Make(b, make, [-1.5]), Apply(c, "*", [a, b])]
        source = f"lambda node: [callable(getattr(node, at, None)) for at in {[*paths.values()]}]"
        look: list[Step] = [Expression(has, source), Call(answer, has, "__call__", [c])]
        try:
            (found,) = run([*self.say(product), *look, Read(answer, "", "value")])
            attached = found if isinstance(found, list) else []
            there = {name for name, is_there in zip(paths, attached) if is_there is True}
            self._names = {name: status for name, status in names.items() if name not in there}
            product += [Call(answer, c, self._graph.backward, [])]
            product += [Read(ref, gradient, "number") for ref in (a, b)]
            answers = self.understand(product, [*run(self.say(product))])
            self.multiplies = answers == [-1.5, 3.0]
        except (LearnerFault, WorkerLost, NotAsked):
            self.multiplies = False

        def works(*steps: Step) -> bool:
            try:
                run(self.say([*product[:2], *steps]))
            except (LearnerFault, WorkerLost, NotAsked):
                return False
            return True

        self._without_numbers = {
            op for op in "+-*/" if not works(Apply(c, op, [a, 2.0])) and works(Apply(c, op, [a, b]))
        }
        attributes = (self._graph.data, gradient) if works() else ()
        self._fixed = {name for name in attributes if not works(Put(a, name, 1.0))}

    def close(self, got: float, want: float) -> bool:
        """Return whether a number is right, within the precision of the engine's arithmetic."""
        if self._adapter.precision == SINGLE:
            return close(got, as_single(want), _SINGLE_TOLERANCE)
        return close(got, want)

    def can(self, op: str, operands: str = "v") -> bool:
        """Return whether the engine has this operation. It may have `a / b`, but no `a / 2`."""
        is_tried = operands == "vk" and op in self._without_numbers
        return self._names_operation(op, operands) and not is_tried

    def _names_operation(self, op: str, operands: str) -> bool:
        """Return whether the adapter and the class of a node have this operation."""
        if op in self._adapter.calls:
            template = self._adapter.calls[op]
            is_called = template is not None and not (template.is_method and operands[0] == "k")
            return is_called and self._has_name(f"{self._graph.node}.{op}")
        if op not in OF_NUMBERS:
            return self._has_name(f"{self._graph.node}.{op}")
        reflected = operands[:1] == "k" and len(operands) > 1 and self._adapter.numbers
        return self._has_name(f"{self._graph.node}.{method_of(f'r{op}' if reflected else op)}")

    def can_make(self, function: str, *args: Operand) -> bool:
        """Return whether the adapter says how to make this."""
        return (
            function == self._graph.make or _network_words(function, args) in self._adapter.networks
        )

    def ask_form(self, what: str) -> NoReturn:
        """Raise NotAsked, because form is never judged here."""
        raise NotAsked(f"{what}: {_FORM}")

    def unready(self, methods: Sequence[str]) -> None:
        """Raise NotAsked if a checkpoint is about form or about a class that the engine lacks."""
        names = self._names
        for name in methods:
            if name in self._graph.form:
                self.ask_form(f"`{name}`")
            owner = name.partition(".")[0]
            if owner not in {self._graph.node, *FUNCTIONS} and names[owner].state == "missing":
                raise NotAsked(
                    f"the adapter names no class for `{owner}`; see [networks] in"
                    f" {self._adapter.where}"
                )
        functions = [name for name in methods if name in FUNCTIONS]
        if functions and not any(map(self._has_name, functions)):
            raise NotAsked(
                f"this engine has no {' or '.join(f'`{name}`' for name in functions)}: [calls] in"
                f" {self._adapter.where}"
            )

    def say(self, steps: Sequence[Step]) -> list[Step]:
        """Translate the steps into the engine's vocabulary. One step may become several."""
        return [each for step in steps for each in self._said(step)]

    def understand(self, steps: Sequence[Step], answers: list[Answer]) -> list[Answer]:
        """Return the answers, with 0.0 for a gradient that does not exist yet."""
        asked = [step for step in steps if step.form]
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
        if not set(self._graph.form).isdisjoint(re.findall(r"[^\W\d]\w*", path)):
            self.ask_form(f"`{path}`")
        return self.source(path)

    def source(self, text: str) -> str:
        """Return a text with the engine's words for nodes and their attributes."""
        return re.sub(r"[^\W\d]\w*", lambda word: self._words.get(word[0], word[0]), text)

    # --- translating steps ---

    def _said(self, step: Step) -> list[Step]:
        match step:
            case Make():
                return self._said_make(step)
            case Apply(target, op, args):
                return self._said_apply(target, op, args)
            case Call():
                return self._said_call(step)
            case Repeat():
                return self._said_repeat(step)
            case Put() if not self._may_put(step.attribute):
                raise NotAsked(f"this engine has no way to set `{step.attribute}`")
            case Read() if self._is_gradient(step) and "." in self._adapter.gradient:
                return self._said_gradient(step)
            case Get() | Put() | Read():
                return [replace(step, attribute=self.path(step.attribute))]
            case Walk() | Watch():
                self.ask_form(f"`{step.method}`")
            case Builtin(function="sum") if "+" in self._adapter.calls or not (
                self._adapter.numbers and self._names_operation("+", "kv")
            ):
                raise NotAsked("this engine cannot do `sum([...])`, which begins with `0 + a`")
        return [step]

    def _may_put(self, attribute: str) -> bool:
        path = self.path(attribute)
        is_of_none = path.endswith(self._adapter.gradient) and "." in self._adapter.gradient
        is_fixed = path.endswith("()") or attribute.rpartition(".")[2] in self._fixed
        return not is_fixed and not is_of_none

    def _said_gradient(self, step: Read) -> list[Step]:
        """Read a gradient that is a node itself. Before the first backward pass it may be None or
        not be there.
        """
        path = self.path(step.attribute)
        holder = path.rpartition(".")[0]
        source = f"lambda node: None if getattr(node, '{holder}', None) is None else node.{path}"
        read, gradient = next(self._refs), next(self._refs)
        return [
            Expression(read, source),
            Call(gradient, read, "__call__", [step.on]),
            replace(step, on=gradient, attribute=""),
        ]

    def _said_make(self, step: Make) -> list[Step]:
        if step.function == self._graph.make:
            if len(step.args) != 1:
                self.ask_form(f"making a `{self._graph.node}` from more than a number")
            return [self._by(self._adapter.make, step.target, step.args)]
        if step.function in FUNCTIONS:
            return [self._by(self._callable(step.function), step.target, step.args, self._module)]
        words = _network_words(step.function, step.args)
        if (template := self._adapter.networks.get(words)) is None:
            raise NotAsked(
                f"the adapter does not say how to make {words!r}; see [networks] in"
                f" {self._adapter.where}"
            )
        self._made[step.target] = step.function.rpartition(".")[2]
        plain = [arg for arg in step.args if not isinstance(arg, str)][: template.holes]
        module = self._adapter.module(f"{step.function.rpartition('.')[0]}.py")
        return [self._by(template, step.target, plain, module)]

    def _said_apply(self, target: Ref, op: str, args: Sequence[Operand]) -> list[Step]:
        kinds = "".join("v" if isinstance(arg, Ref) else "k" for arg in args)
        if not self._names_operation(op, kinds):
            shown = {"vv": f"a {op} b", "kv": f"2 {op} a", "vk": f"a {op} 2", "v": "-a"}[kinds]
            raise NotAsked(f"this engine has no `{shown}`")
        before, operands = list[Step](), list(args)
        for index, arg in enumerate(operands):
            exponent = op == "**" and index == 1  # always a plain number
            if not self._adapter.numbers and not exponent and type(arg) in {int, float}:
                operands[index] = next(self._refs)
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
        module = module or self._adapter.module(f"{self._graph.module}.py")
        return Make(target, f"{module}:{template.path}", *arguments)

    def _callable(self, method: str) -> Template:
        """Return how to call a node's method or function. Raise NotAsked if it is missing."""
        template = self._call_of(method)
        if template is None or not self._has_name(f"{self._graph.node}.{method}"):
            raise NotAsked(f"this engine has no `{method}`")
        return template

    def _said_call(self, step: Call) -> list[Step]:
        if (owner := self._made.get(step.on)) is not None:
            if not self._has_name(f"{owner}.{step.method}"):
                raise NotAsked(f"this engine's `{owner}` has no `{step.method}`")
            return [step]
        if step.method == "__call__":
            return [step]
        if step.method in self._graph.form:
            self.ask_form(f"`{step.method}`")
        said: list[Step] = []
        if self._adapter.seed and step.method == self._graph.backward:
            said.append(Put(step.on, self._adapter.gradient, 1.0))
        return [*said, self._by(self._callable(step.method), step.target, [step.on, *step.args])]

    def _said_repeat(self, step: Repeat) -> list[Step]:
        if self._adapter.calls.get(step.op) is None and (
            self._adapter.numbers or step.other is None or isinstance(step.other, Ref)
        ):
            return [step]
        if step.count > _MAX_UNROLLED:
            raise NotAsked(f"this engine has no operator `{step.op}` for a loop of {step.count}")
        said, at = list[Step](), step.start
        for number in range(step.count):
            to = step.target if number == step.count - 1 else next(self._refs)
            said += self._said_apply(to, step.op, [at, at if step.other is None else step.other])
            at = to
        return said


def _network_words(function: str, args: Sequence[Operand]) -> str:
    """Return the name of a part of a network in an adapter: `Neuron relu`."""
    return " ".join([function.rpartition(".")[2], *(arg for arg in args if isinstance(arg, str))])


def place_of(stage: Stage, adapter: Adapter, course: Course) -> tuple[str, tuple[str, ...]]:
    """Return the course file whose counterpart a stage imports, and the names to look for.

    An engine may have the course's plain functions as methods of its nodes; then its own file is
    used.
    """
    names = course.names(stage.file)
    if not names or not FUNCTIONS.keys() >= set(names):
        return stage.file, names
    file = stage.file if adapter.module(stage.file) else course.engine
    return file, (*course.names(course.engine), *names)
