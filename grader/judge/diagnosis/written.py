"""Use the facts about the learner's functions to find the line to blame and confirm mistakes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from grader.curriculum.model import Course, Graph
from grader.judge.replies import line_of
from grader.judge.script.operators import BY_METHOD
from grader.judge.script.steps import Builtin, Step
from grader.judge.session import Session
from grader.model import Frame
from grader.worker.protocol import Function

CONSTRUCTOR = "constructor"
SHARED = "default "  # a mutable default argument
_METHODS = {sign: method for method, sign in BY_METHOD.items()}


def operator_of(name: str) -> str:
    """Return what a function or method of the node's class is for, as a diagnosis calls it."""
    method = name.rpartition(".")[2]
    return CONSTRUCTOR if method == "__init__" else BY_METHOD.get(method, method)


class Written:
    """The functions of one submission, each described only once."""

    def __init__(self, session: Session, course: Course) -> None:
        self._session, self._course = session, course
        self._known: dict[tuple[str, str], Function] = {}

    def functions(self, module: str, names: Sequence[str]) -> dict[str, Function]:
        """Return the facts about these functions of a module."""
        missing = [name for name in names if (module, name) not in self._known]
        found = self._session.describe(module, missing) if missing else {}
        self._known.update(((module, name), found.get(name, Function())) for name in missing)
        return {name: self._known[module, name] for name in names}

    def function(self, name: str) -> Function:
        """Return the facts about a function or method, in the file where the course asks for it or
        for others of its class.
        """
        module = self.module(name) or self._module_of_class(name.rpartition(".")[0])
        return self.functions(module, [name])[name] if module else Function()

    def _module_of_class(self, owner: str) -> str:
        names = (name for file in self._course.files for name in self._course.names(file))
        return next((self.module(name) for name in names if name.startswith(f"{owner}.")), "")

    def lacks(self, name: str) -> bool:
        """Return whether the file that is graded has no such function."""
        status = self._session.load().names.get(name)
        return status is not None and status.state == "missing"

    def module(self, name: str) -> str:
        """Return the module in which the course asks for a function, or an empty text."""
        files = (file for file in self._course.files if name in self._course.names(file))
        return next(files, "").rpartition("/")[2].removesuffix(".py")

    def line(self, name: str, wanted: Iterable[str] = ()) -> Frame | None:
        """Return the first line of a function that states a wanted fact, or the function's first
        line.

        Earlier wanted facts come first.
        """
        function = self.function(name)
        if not function.line and function.meant:  # it exists under a misspelt name
            module = self.module(name)
            name = f"{name.rpartition('.')[0]}.{function.meant}".lstrip(".")
            function = self.functions(module, [name])[name]
        lines = (
            fact.line
            for beginning in wanted
            for fact in function.facts
            if fact.text.startswith(beginning)
        )
        line = next(lines, function.line)
        return line_of(self._session.submission, function.file, line, name) if line else None

    def walk(self, backward: str, blame: str, words: Graph, right: Collection[str]) -> Frame | None:
        """Where the backward pass goes wrong: at its seed, or where it gets its order from, unless
        that is right; then where it runs the steps.
        """
        function, node = self.function(backward), backward.rpartition(".")[0]
        steps = [f"#.{words.step}", f"#0.{words.step}"]
        if blame == "order":
            called = (
                f"{node}.{fact.text[3:-2]}"
                for fact in function.facts
                if fact.text.startswith("#0.") and fact.text.endswith("()")
            )
            helpers = (name for name in called if self.function(name).line)
            helper = next(helpers, None)
            if helper is not None and helper not in right:
                return self.line(helper)
            return self.line(backward, steps)
        return self.line(backward, [f"#0.{words.gradient} "] if blame == "seed" else steps)

    def keeps_state(self, names: Iterable[str]) -> Frame | None:
        """Return the first of these functions with a default argument that all calls share."""
        for name in names:
            if any(fact.text.startswith(SHARED) for fact in self.function(name).facts):
                return self.line(name, [SHARED])
        return None

    def at(self, name: str, line: int) -> Frame | None:
        """Return a line of a function."""
        return line_of(self._session.submission, self.function(name).file, line, name)

    def names_again(self, name: str) -> str:
        """Return the function that a method is another name for, as in `__radd__ = __add__`."""
        owner, _, last = name.rpartition(".")
        begins = self.line(name)
        made = re.match(r"def (\w+)", begins.source) if owner and begins else None
        return f"{owner}.{made[1]}" if made and made[1] != last else ""

    def is_inside(self, place: Frame, *names: str) -> bool:
        """Whether a line belongs to one of these functions, or to a function inside it."""
        return any(
            function.line <= place.line <= max(fact.line for fact in function.facts)
            for function in map(self.function, names)
            if function.line and function.facts
            if function.file.rpartition("/")[2] == place.file.rpartition("/")[2]
        )

    def around(self, place: Frame) -> str:
        """Return the function that the course asks for and that a line is in."""
        names = [
            name
            for file in self._course.files
            if file.rpartition("/")[2] == place.file.rpartition("/")[2]
            for name in self._course.names(file)
        ]
        for module in dict.fromkeys(map(self.module, names)):  # asked for together
            self.functions(module, [name for name in names if self.module(name) == module])
        before = [name for name in names if 0 < self.function(name).line <= place.line]
        return max(before, key=lambda name: self.function(name).line, default="")

    def is_as_in(self, name: str, right: Function) -> bool:
        """Return whether a function says just what right code does."""
        mine = {fact.text for fact in self.function(name).facts}
        return mine == {fact.text for fact in right.facts}

    def begins(self, place: Frame) -> bool:
        """Whether a place is only where its function begins."""
        return place.line == self.function(place.function).line

    def asked(self, methods: Sequence[str], steps: Sequence[Step]) -> Frame | None:
        """Return the first line of the checkpoint's function that a script calls last."""
        called = [
            name.rpartition(".")[2]
            for step in steps
            for name in (step.calls, *(_METHODS.get(sign, "") for sign in step.operators()))
            if name
        ]
        meant = [
            name for each in reversed(called) for name in methods if name.rpartition(".")[2] == each
        ]
        # a built-in, such as `repr`, asks for the method of its name
        asked = [f"__{step.function}__" for step in steps if isinstance(step, Builtin)]
        alone = [name for name in methods if len(methods) == 1 or name.rpartition(".")[2] in asked]
        return next(filter(None, map(self.line, [*meant, *alone])), None)

    def operation(self, node: str, operator: str) -> str:
        """Return the function behind an operator: a method of the node's class, or a plain one."""
        method = {**_METHODS, CONSTRUCTOR: "__init__"}.get(operator, operator)
        return f"{node}.{method}" if self.module(f"{node}.{method}") else method
