"""Use the facts about the learner's functions to find the line to blame and confirm mistakes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from grader.curriculum.model import Course, Graph
from grader.judge.replies import line_of
from grader.judge.script.operators import BY_METHOD
from grader.judge.script.steps import Builtin, Step
from grader.judge.session import Session
from grader.model import Frame
from grader.worker.protocol import Function

CONSTRUCTOR = "constructor"
ALIKE = 0.3  # the share of facts in common, below which two functions cannot be compared
MUCH_ALIKE = 0.5  # and from which on they differ in something that matters
THERE = ""  # the fact that a function is there at all
Said = frozenset[str]
"""Facts about one function."""

SHARED = "default "  # a mutable default argument
IDLE = "unused "  # an expression that does nothing
INSIDE = "#def"  # the beginning of a function inside another
_METHODS = {sign: method for method, sign in BY_METHOD.items()}
_PARAMETERS, _RESULT = "def (", "def #out is "
SLIP = "slip "  # something that is wrong by the look of it
_NO_DIFFERENCE = ("def ", INSIDE, SLIP, "set()", "isinstance()")  # style, not meaning
_SLIPS = {
    "unreached": "this line never runs, because it comes after a `{}`",
    "loop-ends": "this `return` is inside the loop, so the loop ends in its first round",
    "loop-ignores": "this loop never uses `{}`",
    "sign": "this assigns a number with a sign; did you mean `{}=`?",
    "dropped": "the result of this line is not used; is a `return` missing?",
    "never-called": "`{}` is defined here, but nothing calls or stores it",
    "never-read": "`{}` is set here, but nothing reads it",
    "returns-inside": "this `return` belongs to `{}`, the function inside",
    "made-anew": "every call makes a new `{}`; make it once, outside the inner function",
    "outer": "the inner function gets other nodes, too; did you mean `{}`?",
    "append-in-loop": "this line is inside the loop, so it runs once for each operand",
}


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
        """Return the facts about a function or method, in the file where the course asks for it."""
        return self.functions(self.module(name), [name])[name] if self.module(name) else Function()

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
            helper = next(helpers, backward)
            return self.line(backward, steps) if helper in right else self.line(helper)
        return self.line(backward, [f"#0.{words.gradient} "] if blame == "seed" else steps)

    def keeps_state(self, names: Iterable[str]) -> Frame | None:
        """Return the first of these functions with a default argument that all calls share."""
        for name in names:
            if any(fact.text.startswith(SHARED) for fact in self.function(name).facts):
                return self.line(name, [SHARED])
        return None

    def idle(self, name: str) -> tuple[Frame | None, str]:
        """Return a line of a function that has no effect, and a question about it."""
        for fact in self.function(name).facts:
            if fact.text.startswith(IDLE):
                meant = "`=`" if " == " in fact.text else "a call, with `()`"
                told = f"this line has no effect; did you mean {meant}?"
                return self.line(name, [fact.text]), told
        for fact in self.function(name).facts:
            kind, _, what = fact.text.removeprefix(SLIP).partition(" ")
            if fact.text.startswith(SLIP) and kind in _SLIPS:
                return self.line(name, [fact.text]), _SLIPS[kind].format(what)
        return None, ""

    def unlike(self, name: str, right: Function) -> tuple[Frame | None, str]:
        """The first line that does not say what right code does, or the attribute that is never
        used, in a function that is much like it or has a single line.
        """
        mine = self.function(name)
        ours, theirs = said(mine), said(right)
        lines = {fact.line for fact in mine.facts} - {mine.line}
        if ours == theirs or not right.line:  # copies for learners have no right code
            return None, ""
        if len(lines) == 1:
            return self._at(name, lines.pop()), ""
        if _likeness(ours, theirs) < MUCH_ALIKE:
            return None, ""
        added = [fact.line for fact in mine.facts if fact.text in ours - theirs]
        if added:
            return self._at(name, added[0]), ""
        used = {word for text in ours for word in text.split(".")}
        for text in sorted(theirs - ours):
            begin, _, attribute = text.partition(".")
            if begin == "#0" and attribute.isidentifier() and attribute not in used:
                return None, f"this function never uses `self.{attribute}`"
        for text in sorted(theirs - ours):
            target = f"{text.partition(' ')[0]} "
            same = [fact.line for fact in mine.facts if fact.text.startswith(target)]
            if target.startswith(("#0.", "#out")) and same:
                return self._at(name, max(same)), ""
        return None, ""

    def is_as_in(self, name: str, right: Function) -> bool:
        """Whether a function says just what right code does."""
        return said(self.function(name)) == said(right)

    def _at(self, name: str, line: int) -> Frame | None:
        return line_of(self._session.submission, self.function(name).file, line, name)

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


def lacks_self(function: Function) -> bool:
    """Return whether a method has no parameter `self` in first place."""
    parameters = [
        fact.text.removeprefix(_PARAMETERS).rstrip(")").partition(",")[0]
        for fact in function.facts
        if fact.text.startswith(_PARAMETERS)
    ]
    return bool(parameters) and parameters[0] != "self"


def slip(mine: Function, right: Function, target: str) -> str:
    """Ask whether the learner meant a different attribute in an assignment to the target.

    Return an empty text unless that attribute is the only difference from the right code.
    """
    read, wanted = _attributes(mine, target), _attributes(right, target)
    if len(read - wanted) != 1 or len(wanted - read) != 1:
        return ""
    (wrong,), (better,) = read - wanted, wanted - read
    return f"did you mean `{_spelled(better, mine)}` instead of `{_spelled(wrong, mine)}`?"


def _attributes(function: Function, target: str) -> set[str]:
    """Return the attributes of parameters and of the result that are read for a target."""
    begin = f"{target} <- #"
    texts = (fact.text for fact in function.facts if fact.text.startswith(begin))
    found = {text.removeprefix(f"{target} <- ") for text in texts}
    return {path for path in found if path.count(".") == 1 and not path.startswith("#.")}


def _spelled(path: str, function: Function) -> str:
    """Return a path with the function's own variable names."""
    variable, _, attribute = path.partition(".")
    for fact in function.facts:
        if variable == "#out" and fact.text.startswith(_RESULT):
            variable = fact.text.removeprefix(_RESULT)
        elif variable[1:].isdigit() and fact.text.startswith(_PARAMETERS):
            names = fact.text.removeprefix(_PARAMETERS).rstrip(")").split(", ")
            variable = names[int(variable[1:])] if int(variable[1:]) < len(names) else variable
    return f"{variable}.{attribute}"


def said(function: Function) -> Said:
    """Return all facts about a function that make a difference, among them that it exists."""
    texts = {fact.text for fact in function.facts if not fact.text.startswith(_NO_DIFFERENCE)}
    return frozenset(texts | {THERE}) if function.line else frozenset()


def bears_out(mine: Said, right: Said, wrong: Said) -> bool | None:
    """Return whether the code has everything that makes the wrong code differ from the right.

    Return None if that cannot be told, as for code in a different style.
    """
    added, removed, common = wrong - right, right - wrong, wrong & right
    like_right, like_wrong = _likeness(mine, right), _likeness(mine, wrong)
    if mine == wrong != right:
        return True
    if mine and max(like_right, like_wrong) < ALIKE:
        return None
    if not mine or removed & mine:
        return False
    if added <= mine:  # if the wrong code only lacks something, this code must have the rest
        return True if added or (removed and 2 * len(common & mine) >= len(common)) else None
    return None if added & mine and like_wrong > like_right else False


def _likeness(one: Said, other: Said) -> float:
    return len(one & other) / (len(one | other) or 1)
