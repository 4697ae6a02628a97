"""Find the learner's line to blame for a failure, and what is to be said about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from grader.curriculum.faulty import Faulty
from grader.curriculum.model import Course, Graph
from grader.judge.diagnosis.advice import (
    attribute_meant,
    helpers,
    lacks_self,
    remark_on_exception,
    remarks,
    states,
    unlike,
)
from grader.judge.diagnosis.catalogue import Catalogue
from grader.judge.diagnosis.evidence import Evidence, Run
from grader.judge.diagnosis.experiments import Look
from grader.judge.diagnosis.lines_run import NEVER_RUNS, line_that_makes, lines_run
from grader.judge.diagnosis.written import Written
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.script.steps import Walk
from grader.model import ORDER, Diagnosis, Fault, Frame, Kind

_SETS = re.compile(r"#0\.(\w+) \S*=$")


class Places:
    """Finds lines in the functions of one submission, by comparing them with right code."""

    def __init__(
        self,
        course: Course,
        words: Graph,
        catalogue: Catalogue,
        written: Written,
        right: Collection[str],
    ) -> None:
        self._words, self._catalogue, self._written, self._right = words, catalogue, written, right
        self._node = words.make.rpartition(".")[2]
        self._names = [name for file in course.files for name in course.names(file)]
        self._asked = {name.rpartition(".")[2] for name in self._names}

    def of_failure(
        self,
        methods: Sequence[str],
        evidence: Evidence,
        cause: Diagnosis,
        known: Mapping[Faulty, bool],
    ) -> Frame | None:
        """Return the line to blame for a failure without a traceback."""
        fault, words, written = evidence.fault, self._words, self._written
        if fault is not None and fault.frames:
            return None
        if cause.where is not None:
            return cause.where
        for faulty, is_sure in known.items():
            line = self._catalogue.line(faulty, written, methods) if is_sure else None
            if line is not None:
                return line
        if fault is not None and fault.meant:
            return written.line(f"{self._node}.__init__", [f"#0.{fault.meant} "])
        operation = written.operation(self._node, cause.blame)
        at_hand = {written.module(name) for name in methods}
        asks_elsewhere = fault is not None and written.module(operation) not in at_hand
        if not cause.blame or (at_hand and asks_elsewhere):
            asked = written.asked(methods, evidence.steps)
            if asked and evidence.failed and _is_in(words.gradient, evidence.failed[1]):
                return written.line(asked.function, _sent_to(evidence, asked.function, words))
            return asked
        if cause.blame in ORDER:
            backward = f"{self._node}.{words.backward}"
            return written.walk(backward, cause.blame, words, self._right)
        attribute = evidence.failed[1] if evidence.failed else words.gradient
        return written.line(operation, _set_to(attribute, fault=fault))

    def in_helper(self, where: Frame | None) -> Frame | None:
        """Return a line if it is in a helper, and not in a function that the course asks for."""
        if where is None or self._written.is_inside(where, self._written.around(where)):
            return None
        return where

    def named(self, where: Frame) -> Frame:
        """Return a line, with the function around it that the course asks for, if there is one."""
        name = self._written.around(where)
        is_inside = self._written.is_inside(where, name)
        return (self._written.at(name, where.line) if is_inside else None) or where

    def closer(self, place: Frame) -> tuple[Frame | None, str]:
        """Return a line of the function that is to blame which is wrong by its look, and why.

        Otherwise return the only one that is not as in right code, if only the function is known or
        right code has the line.
        """
        name, written = place.function, self._written
        mine, right = written.function(name), self._catalogue.function(name, written)
        if not mine.line or lacks_self(name, mine):  # a helper has no right code to compare with
            return None, ""
        line, advice = next(remarks(mine, right, self._kept(name)), (0, ""))
        if not line and (written.begins(place) or states(mine, right, place.line)):
            line = unlike(mine, right) or mine.line
        return (written.at(name, line) if line else None), advice

    def making(self, place: Frame, evidence: Evidence, run: Run) -> tuple[Frame | None, str]:
        """Return the line that makes what is wrong, if all that is known is where its function
        begins, and what is to be said about it.
        """
        name, written = place.function, self._written
        function = written.function(name)
        if evidence.failed is None or evidence.long:
            return None, ""
        lines = lines_run(evidence, function.file, run) if evidence.fault is None else None
        if place.line != function.line:
            called = [step.calls for step in evidence.steps if step.calls][-1:]
            is_asked = called == [name.rpartition(".")[2]]
            never = lines is not None and place.line not in lines.ran
            return None, NEVER_RUNS if never and is_asked else ""
        line, told = line_that_makes(function, name, evidence, lines) if lines else (0, "")
        return (written.at(name, line) if line else None), told

    def ran(self, place: Frame, evidence: Evidence, run: Run) -> Frame:
        """Return the line that is to blame for a value, or where its function returned instead."""
        function = self._written.function(place.function)
        if not function.line or evidence.fault or evidence.long or evidence.failed is None:
            return place
        if self._written.begins(place) or _is_in(self._words.gradient, evidence.failed[1]):
            return place
        lines = lines_run(evidence, function.file, run)
        if lines is None or place.line in lines.ran:
            return place
        at = lines.returned.get(function.line, 0)
        return (self._written.at(place.function, at) if at else None) or place

    def never_calling(self, name: str, method: str, evidence: Evidence, run: Run) -> Frame | None:
        """Return the first line of a function that calls a method, if none of them runs."""
        function = self._written.function(name)
        calls = [fact.line for fact in function.facts if f".{method}()" in fact.text]
        lines = lines_run(evidence, function.file, run) if calls else None
        if lines is None or not lines.ran.isdisjoint(calls):
            return None
        return self._written.at(name, calls[0])

    def is_right(self, name: str) -> bool:
        """Return whether a function says the same as right code, so that it is not to blame, or is
        another name for one that passes.
        """
        if self._written.names_again(name) in self._right:
            return True
        mine = [fact.text for fact in self._written.function(name).facts]
        right = [fact.text for fact in self._catalogue.function(name, self._written).facts]
        return mine == right != [] and "return" not in mine  # which stands for a long expression

    def _kept(self, name: str) -> set[str]:
        """Return the attributes that the other methods of a class set on `self`."""
        owner = name.rpartition(".")[0]
        kin = (one for one in self._names if one != name and one.rpartition(".")[0] == owner)
        facts = [fact.text for one in kin for fact in self._written.function(one).facts]
        return {found[1] for text in facts if (found := _SETS.match(text))}

    def noticed(self, methods: Sequence[str]) -> tuple[Frame | None, str] | None:
        """Return the first line that is wrong by its look in some functions, and why."""
        for name in methods:
            right = self._catalogue.function(name, self._written)
            for line, advice in remarks(self._written.function(name), right):
                if line:
                    return self._written.at(name, line), advice
        return None

    def equality(self) -> str:
        """Return what a node's own `__eq__` may lead to, if there is one."""
        module, _, node = self._words.make.rpartition(".")
        name = f"{node}.__eq__"
        if not self._written.functions(module, [name])[name].line:
            return ""
        return f"with your `{name}`, a set or `in` may mistake one node for another; leave it out"

    def delegates(self, name: str) -> bool:
        """Whether a function calls helpers of the learner's own."""
        return bool(helpers(self._written.function(name), self._asked))

    def called_by(self, operator: str) -> list[str]:
        """Return the functions of one operand that an operation calls."""
        facts = self._written.function(self._written.operation(self._node, operator)).facts
        methods = (re.fullmatch(r"[#?].*\.(\w+)\(\)", fact.text) for fact in facts)
        called = {found[1] for found in methods if found}
        return sorted((called & FUNCTIONS.keys()) - {operator})

    def missing(self, methods: Sequence[str]) -> str:
        """Return which of these functions is missing, and the name that may be meant for it."""
        for name in methods:
            function, (owner, _, last) = self._written.function(name), name.rpartition(".")
            if self._written.lacks(name):
                told = f"`{owner}` has no `{last}`" if owner else f"there is no `{last}`"
                return f"{told}; is `{function.meant}` a typo?" if function.meant else told
        return ""

    def of_exception(self, fault: Fault, blame: str) -> tuple[str, bool]:
        """Return what is wrong by its look in the functions that an exception went through, or
        where it begins if the innermost have passed their checkpoints; and if it is the latter.
        In a helper, where the function of the operation to `blame` begins.
        """
        if "ImportError" in fault.types:
            return "", False
        written, frames = self._written, fault.frames[::-1]
        around = [(frame, name) for frame in frames if (name := written.around(frame))]
        made_by = self._written.line(self._written.operation(self._node, blame))
        if not around and made_by and fault.kind is Kind.RAISED:
            return f"look at what `{made_by.function}`, {made_by.place}, passes to this line", False
        for frame, name in around:
            mine, right = written.function(name), self._catalogue.function(name, written)
            if told := remark_on_exception(mine, right, frame.line, self._kept(name)):
                return told, False
        passed = next(
            (index for index, (_, name) in enumerate(around) if name not in self._right), 0
        )
        if passed and fault.kind is Kind.RAISED and fault.type_name != "RecursionError":
            (frame, _), inner = around[passed], around[passed - 1][1]
            return f"no check of `{inner}` fails here, so look at what {frame.place} passes", True
        return "", False

    def other(self, methods: Sequence[str]) -> Frame | None:
        """Return the only one of some functions that is not as in right code: its only such line,
        or where it begins.
        """
        written = self._written
        pairs = [(name, self._catalogue.function(name, written)) for name in methods]
        different = [
            pair
            for pair in pairs
            if not written.is_as_in(*pair) and written.names_again(pair[0]) not in self._right
        ]
        if len(different) != 1:
            return None
        ((name, right),) = different
        line = unlike(written.function(name), right)
        return written.at(name, line) if line else written.line(name)

    def of_operation(self, look: Look) -> tuple[Frame | None, str]:
        """Return the line in which an operation goes wrong, and a possible correction."""
        finding, written = look.finding, self._written
        name = written.operation(self._node, finding.blame)
        if look.none_runs:
            return written.line(name), ""
        target = finding.facts[0].rstrip() if finding.facts else ""
        place = written.line(name, finding.facts)
        for seen in look.lines():
            if not written.is_inside(seen, name):
                other = written.around(seen)
                if not written.is_inside(seen, other):
                    return seen, ""
                if other not in self._right and not finding.forward and look.is_particular:
                    there = written.at(other, seen.line)
                    return there, f"the step that runs here is that of `{other}`"
            elif not finding.forward and look.is_particular:
                place = written.at(name, seen.line)
                break
        if "." not in target or not look.is_particular:
            return place, ""
        right = self._catalogue.function(name, written)
        return place, attribute_meant(written.function(name), right, target)


def _is_in(attribute: str, path: str) -> bool:
    """Return whether a path leads to an attribute, or to an item of it."""
    return re.search(rf"(^|\.){re.escape(attribute)}(\[\d+\])*$", path) is not None


def _sent_to(evidence: Evidence, function: str, words: Graph) -> list[str]:
    """Return how the facts begin about the line that sets the gradient which is wrong: that of the
    object itself, or of another one.
    """
    assert evidence.failed is not None
    own, other = f"#0.{words.gradient} ", [f"#.{words.gradient} ", f"#1.{words.gradient} "]
    if function.rpartition(".")[2] == words.backward:
        return []
    walked = {step.on for step in evidence.steps if isinstance(step, Walk)}
    operands = [step.references() for step in evidence.steps if step.target in walked]
    first = bool(operands and operands[-1] and operands[-1][0] == evidence.failed[0])
    return [own, *other] if first else [*other, own]


def _set_to(attribute: str, *, fault: Fault | None) -> list[str]:
    """Return how the facts about the line begin that makes something wrong: the one that sets an
    attribute, in the object itself or another one; or whatever is returned.
    """
    if fault is not None and "TypeError" in fault.types:
        return ["#def"] if "<lambda>()" in fault.message or "<locals>" in fault.message else []
    if fault is not None:
        return ["return "]
    if not attribute:  # what a function returns; a bare `return` is none
        return [f"return {begin}" for begin in ("#", "sorted(", "list(", "[")]
    return [f"#0.{attribute} ", f"#.{attribute} ", "#."]
