"""A sentence for the exceptions that learners meet most: what Python was missing, and where to
look.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from grader.curriculum.model import Graph
from grader.judge.diagnosis.written import Written
from grader.judge.script.operators import OPERATORS
from grader.judge.script.steps import Apply, Builtin, Repeat, Step
from grader.model import Fault, Kind

DEEP = 200


def explain(fault: Fault, steps: Sequence[Step], words: Graph, written: Written) -> str:
    """What the exception means in the script that raised it; empty where there is nothing to add to
    its own text.
    """
    if fault.kind is not Kind.RAISED:
        return ""
    for kind, pattern, sentence in _SENTENCES:
        if kind in fault.types and (match := re.search(pattern, fault.message)):
            return sentence(_Case(fault, steps, words, match.groups(), written))
    return ""


class _Case:
    """One exception, with the parts of its text that matter."""

    def __init__(
        self,
        fault: Fault,
        steps: Sequence[Step],
        words: Graph,
        parts: Sequence[str],
        written: Written,
    ) -> None:
        self.fault, self.steps, self.words, self.parts = fault, steps, words, parts
        self.written = written
        self.node = words.make.rpartition(".")[2]
        self.last = steps[-1] if steps else None

    @property
    def where(self) -> str:
        """The line of the learner's that raised."""
        return f"in {self.fault.frames[-1].place}" if self.fault.frames else "here"

    @property
    def depth(self) -> int:
        return max((step.count for step in self.steps if isinstance(step, Repeat)), default=0)


def _recursion(case: _Case) -> str:
    functions = list(dict.fromkeys(f"`{frame.function}`" for frame in case.fault.frames[-6:]))
    if case.depth >= DEEP:
        told = (
            f"the graph is {case.depth:,} nodes deep, and {functions[-1] if functions else 'this'}"
            " calls itself once for each"
        )
        return (
            f"{told}; Python allows about 1,000 calls inside each other. A loop over a list of"
            " nodes still to do needs none"
        )
    if len(functions) > 1:
        return (
            f"{' and '.join(functions)} call each other and never come to an end: one of them must"
            " do the work itself"
        )
    return (
        f"{functions[0] if functions else 'this'} calls itself and never comes to an end: nothing"
        " tells it when to stop"
    )


def _unsupported(case: _Case) -> str:
    op, left, right = case.parts
    if case.fault.frames:
        both = {left, right}
        if case.node in both and both & {"float", "int"}:
            return (
                f"{case.where} a plain number meets a {case.node}: should it be the number inside"
                f" of it, `.{case.words.data}`?"
            )
        return _none(case) if "NoneType" in both else ""
    if "NoneType" in {left, right}:
        return _none(case)
    asked = OPERATORS.get(op.split()[0].rstrip("="))
    if isinstance(case.last, Builtin) and right == case.node:
        return (
            f"`sum` begins with 0, and Python asks for `0 + {case.node.lower()}`, that is"
            f" `{case.node}.__radd__`: there is none that answers"
        )
    if isinstance(case.last, (Apply, Repeat)) and asked:
        if right == case.node and left != case.node:
            return (
                "a plain number is on the left, so Python asks"
                f" `{case.node}.{asked.reflected}`: there is none that answers"
            )
        return f"Python asks `{case.node}.{asked.method}`: there is none that answers"
    return ""


def _unary(case: _Case) -> str:
    return f"Python asks `{case.node}.__neg__`: there is none"


def _number(case: _Case) -> str:
    kind, attribute = case.parts
    if kind == "NoneType":
        return _none(case)
    return (
        f"{case.where} a plain number ({kind}) is used as if it were a {case.node} with"
        f" `.{attribute}`: it was not wrapped"
    )


def _none(case: _Case) -> str:
    return f"{case.where} something is None: most often a function without its `return`"


def _none_called(case: _Case) -> str:
    step = case.words.step
    return (
        f"something that should be a function is None: was `{step}()` called where `{step}` should"
        " be stored?"
    )


def _hash(_case: _Case) -> str:
    return (
        "a class that defines `__eq__` and no `__hash__` cannot be put into a set: leave `__eq__`"
        " out, two nodes are never the same"
    )


def _overflow(case: _Case) -> str:
    return f"{case.where} a number becomes larger than any float: `exp` of more than 709 does"


def _arguments(case: _Case) -> str:
    return (
        f"`{case.parts[0]}` is called with other arguments than it has: is `self` there, and"
        " nothing that nobody gives?"
    )


def _not_iterable(case: _Case) -> str:
    return f"{case.where} a {case.parts[0]} is gone through as if it were a list"


_SENTENCES: tuple[tuple[str, str, Callable[[_Case], str]], ...] = (
    ("RecursionError", "", _recursion),
    ("TypeError", r"unsupported operand type\(s\) for (.+): '(.+)' and '(.+)'", _unsupported),
    ("TypeError", r"bad operand type for unary -", _unary),
    ("TypeError", r"'NoneType' object is not callable", _none_called),
    ("TypeError", r"'NoneType' object is not (?:iterable|reversible|subscriptable)", _none),
    ("TypeError", r"unhashable type", _hash),
    ("TypeError", r"([\w.]+)\(\) (?:takes|missing|got)", _arguments),
    ("TypeError", r"'(\w+)' object is not (?:iterable|reversible)", _not_iterable),
    ("AttributeError", r"'(float|int|NoneType)' object has no attribute '(\w+)'", _number),
    ("OverflowError", r"math range error|too large", _overflow),
)
