"""Run a failing script again, and find the line that makes the wrong result: the `return` that
ran, what builds the list that is returned, or what sets an attribute.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from grader.judge.diagnosis.evidence import Evidence, Run
from grader.judge.script.steps import Builtin, Call, Define, Get, Make, Read
from grader.worker.protocol import Function, Ref

NEVER_RUNS = "this line never runs here"
_NOTES = '''
import sys

class Lines:
    """Notes the lines of one file that run, and where each function returns."""

    def __init__(self, file):
        self.file, self.ran, self.returned = file, set(), {}

    def begin(self):
        sys.settrace(self.enter)

    def end(self):
        sys.settrace(None)
        return [sorted(self.ran), list(map(list, self.returned.items()))]

    def enter(self, frame, event, argument):
        return self.note if frame.f_code.co_filename == self.file else None

    def note(self, frame, event, argument):
        if event == "line":
            self.ran.add(frame.f_lineno)
        elif event == "return":
            self.returned[frame.f_code.co_firstlineno] = frame.f_lineno
        return self.note
'''
_GROWS = re.compile(
    r"says (#(out)? \+= |expr #(out)?\.(append|extend|insert)\()|#out(\[\])? [-+*]=$"
)
_PLACES = re.compile(r"#out\[\] =$")
_SETS = re.compile(r"says #out = ")


class Lines(NamedTuple):
    """The lines of a file that ran, and the line where each function returned the last time, by the
    function's first line.
    """

    ran: frozenset[int]
    returned: dict[int, int]


def lines_run(evidence: Evidence, file: str, run: Run) -> Lines | None:
    """Run the script again and return what it runs in a file, or None if it now fails."""
    first = 1 + max((step.target or 0 for step in evidence.steps), default=0)
    kind, notes, ignored, result = map(Ref, range(first, first + 4))
    define, make = Define(kind, "Lines", _NOTES), Call(notes, kind, "__call__", [file])
    begin, end = Call(ignored, notes, "begin", []), Call(result, notes, "end", [])
    reply = run([define, make, begin, *evidence.steps, end, Read(result, "", "value")])
    if reply.fault is not None:
        run([define, make, end])  # a trace would slow down all later scripts
        return None
    answer: Any = reply.answers[-1]
    try:
        ran, returned = answer
        return Lines(frozenset(map(int, ran)), {int(at): int(line) for at, line in returned})
    except (TypeError, ValueError):  # from a submission that interferes
        return None


def line_that_makes(
    function: Function, name: str, evidence: Evidence, lines: Lines
) -> tuple[int, str]:
    """Return the line of a function that makes what is wrong (0 if unknown), and a remark on it."""
    made_by, attributes = _origin(evidence)
    if name.endswith(".__init__"):
        return _setting(function, attributes), ""
    if made_by != name.rpartition(".")[2]:
        return 0, ""
    if evidence.form == "document":  # a text has many parts
        return 0, ""
    growing = [fact.line for fact in function.facts if _GROWS.match(fact.text)]
    if growing and lines.ran.isdisjoint(growing):
        return growing[0], NEVER_RUNS
    at = lines.returned.get(function.line, 0)
    is_bare = any(fact.line == at and fact.text == "return #out" for fact in function.facts)
    setting = [fact.line for fact in function.facts if _SETS.match(fact.text)]
    placing = [fact.line for fact in function.facts if _PLACES.match(fact.text)]
    made = [line for line in [*growing, *placing] or setting if line in lines.ran]
    return (max(made) if is_bare and made else at), ""


def _setting(function: Function, attributes: list[str]) -> int:
    """Return the line of a constructor that fills an attribute, or else sets it."""
    own = [fact for fact in function.facts if fact.text.startswith("#0.")]
    set_here = [fact.text.split()[0].removeprefix("#0.") for fact in own if " =" in fact.text]
    only = set_here if len(set_here) == 1 else []
    for begin in ("#0.{}.append()", "#0.{}.extend()", "#0.{} +=", "#0.{} ="):
        for attribute in [*attributes, *only]:
            for fact in own:
                if fact.text.startswith(begin.format(attribute)):
                    return fact.line
    return 0


def _origin(evidence: Evidence) -> tuple[str, list[str]]:
    """Return the function whose result is wrong, and the attributes that lead to what is."""
    assert evidence.failed is not None
    ref, path = evidence.failed
    attributes = re.findall(r"[A-Za-z_]\w*", path)
    made = {step.target: step for step in evidence.steps if step.target is not None}
    while (step := made.get(ref)) is not None:
        if isinstance(step, Get):
            ref, attributes = step.on, re.findall(r"[A-Za-z_]\w*", step.attribute) + attributes
        elif isinstance(step, Builtin) and len(references := step.references()) == 1:
            ref = references[0]
        elif isinstance(step, (Make, Call)):
            return step.calls.rpartition(".")[2], attributes
        else:
            break
    return "", attributes
