"""The parts of an exception that rules look at, and the conditions for a rule to fit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from string import Formatter
from typing import NamedTuple

from grader.curriculum.model import Graph
from grader.judge.evidence import Run
from grader.judge.script.operators import OPERATORS
from grader.judge.script.steps import (
    Apply,
    Builtin,
    Call,
    Make,
    Read,
    Repeat,
    Step,
    Walk,
    method_of,
)
from grader.model import Fault, Kind
from grader.text import article
from grader.worker.protocol import Ref

DEEP = 200
NO_WORDS = Graph("", "", "", "", "", "")  # of a course without a graph


class Raised:
    """An exception, with the parts of its text and of the learner's line that matter."""

    def __init__(self, fault: Fault, steps: Sequence[Step], words: Graph | None, run: Run) -> None:
        self.fault, self.steps, self.run = fault, steps, run
        self.words = words or NO_WORDS
        made = (step.names() for step in steps if isinstance(step, Make))
        classes = [name for names in made for name in names if name[:1].isupper()]
        self.node = self.words.node or next(iter(classes), "")
        self.last = steps[-1] if steps else None
        # most of a recursion is at its cause, not where it happens to end
        counts = Counter(fault.frames if fault.type_name == "RecursionError" else ())
        self.frame = max(reversed(fault.frames), key=counts.__getitem__, default=None)
        self.source = self.frame.source if self.frame else ""
        self.parts: Sequence[str] = ()
        nested = Counter(frame.function for frame in fault.frames)
        most = max(nested.values(), default=0)  # the innermost may only be the last one called
        self.nested = [name for name, count in nested.items() if count > 1 or most == 1]

    def fields(self) -> dict[str, str]:
        """Return the names that a sentence may use; an empty string for missing ones."""
        last, words, place = self.last, self.words, self.fault.place
        depth = max((step.count for step in self.steps if isinstance(step, Repeat)), default=0)
        operands = last.args if isinstance(last, Apply) else []
        own = {words.step, words.backward}  # neither is the other, misspelt
        other = (repr(each) for each in operands if each is None or isinstance(each, (str, list)))
        return {
            "there": place or "the code",
            "where": f"in {place}" if place else "here",
            "node": self.node,
            "step": words.step,
            "data": words.data,
            "backward": words.backward,
            "line": self.source,
            "function": self.frame.function if self.frame else "this method",
            "caller": f"`{self.nested[-1]}`" if self.nested else "the code",
            "cycle": self.cycle,
            "depth": f"{depth:,}" if depth >= DEEP else "",
            "method": self.method,
            "called": last.method if isinstance(last, (Call, Walk)) else "",
            "owner": last.attribute.rpartition(".")[0] if isinstance(last, Read) else "",
            "meant": self.fault.meant if self.fault.meant not in own else "",
            "operand": next(other, ""),
            "a": article(self.parts[0]) if self.parts else "",
        }

    @property
    def cycle(self) -> str:
        """Return the functions that call each other, each with its most frequent line."""
        lines = Counter((frame.function, frame.place) for frame in self.fault.frames)
        places = dict(pair for pair, _ in lines.most_common()[::-1])
        told = [f"`{name}` ({places[name]})" for name in self.nested]
        return " and ".join(told) if len(told) > 1 else ""

    @property
    def method(self) -> str:
        """Return the method that Python calls for an operator which it does not support."""
        found = re.match(r"unsupported operand type\(s\) for (\S+?)=?[: ]", self.fault.message)
        sign = found[1] if found else ""
        if sign not in OPERATORS:
            return ""
        left = re.search(rf"'{self.node}' and '", self.fault.message)
        return method_of(sign if left else f"r{sign}")


class Rule(NamedTuple):
    """An explanation for exceptions of a kind whose message, and the learner's line, fit a pattern.

    `NODE` in a pattern is the class of a node. In the sentence, numbers are groups of both patterns
    and names are the fields of `Raised`. Without one of them, the rule does not fit.
    """

    kind: str
    message: str
    says: str
    line: str = ""
    when: Callable[[Raised], object] = lambda _raised: True

    def says_of(self, raised: Raised) -> str:
        """Return the sentence for an exception, or an empty string."""
        if self.kind and self.kind not in raised.fault.types:
            return ""
        message, line = (
            re.search(pattern.replace("NODE", raised.node or "(?!)"), text)
            for pattern, text in ((self.message, raised.fault.message), (self.line, raised.source))
        )
        if message is None or line is None:
            return ""
        raised.parts = (*message.groups(), *line.groups())
        fields = raised.fields()
        named = {name for _, name, _, _ in Formatter().parse(self.says) if name}
        if not self.when(raised) or not all(fields.get(name, "0") for name in named):
            return ""
        return self.says.format(*raised.parts, **fields)


def explain(
    rules: Sequence[Rule], fault: Fault, steps: Sequence[Step], words: Graph | None, run: Run
) -> str:
    """Explain the exception in the script that raised it, or return an empty string."""
    if fault.kind is not Kind.RAISED:
        return ""
    raised = Raised(fault, steps, words, run)
    return next(filter(None, (rule.says_of(raised) for rule in rules)), "")


def in_own_code(raised: Raised) -> bool:
    """Return whether one of the learner's lines raised."""
    return raised.frame is not None


def in_sum(raised: Raised) -> bool:
    """Return whether the script called a built-in function, such as `sum`."""
    return isinstance(raised.last, Builtin)


def in_operator(raised: Raised) -> bool:
    """Return whether Python itself refused an operator."""
    return raised.frame is None and isinstance(raised.last, (Apply, Repeat))


def in_graph_file(raised: Raised) -> bool:
    """Return whether it was raised in the file of the graph, or in none."""
    return raised.frame is None or raised.frame.file.endswith(f"{raised.words.module}.py")


def is_never_set(raised: Raised) -> bool:
    """Return whether a new object lacks this attribute, too."""
    owner, attribute = raised.parts
    if owner != raised.words.node:
        return False
    asked: list[Step] = [Make(Ref(0), raised.words.make, [2.0]), Read(Ref(0), attribute, "value")]
    new = raised.run(asked).fault
    return new is not None and new.message == raised.fault.message


def is_set(raised: Raised) -> bool:
    """Return whether the line sets the missing attribute, on an object of one of the classes."""
    owner, attribute = raised.parts
    sets = rf"[^=(]*\.{attribute}\b[^=(]*(?<![-+*/%&|^@<>!])=(?!=)"
    return owner[0].isupper() and re.match(sets, raised.source) is not None


def is_called(raised: Raised) -> bool:
    """Return whether the line calls the missing thing."""
    return f".{raised.parts[1]}(" in raised.source


def is_asked_for(raised: Raised) -> bool:
    """Return whether the script asks for the missing thing."""
    return raised.parts[1] in {step.calls.rpartition(".")[2] for step in raised.steps}


def backward_on_every_node(raised: Raised) -> bool:
    """Return whether each backward pass starts more of them."""
    backward = raised.words.backward
    nested = [each for each in raised.fault.frames if each.function == backward]
    return len(nested) > 1 and f".{backward}()" in nested[0].source
