"""Choose the surest reason for a failure, and say no more than is known.

| source | what is said |
|---|---|
| an exception | its line, its name, and the rule for its kind |
| a known mistake that behaves the same, and a proven change that removes it | the mistake |
| a proven change | what was tried |
| a known mistake that behaves the same | "this behaves like ..." |
| the numbers | the operation to blame, and the derivative that it follows |
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import dedent
from typing import NamedTuple

from grader.curriculum.faulty import Faulty
from grader.curriculum.model import Course
from grader.curriculum.source import functions_in
from grader.judge.expectations import RAISED
from grader.judge.explain.locate import Case, Cause
from grader.judge.explain.rerun import UNSTEADY
from grader.model import CheckResult, Diagnosis, Misconception, Proof
from grader.worker.bounds import MAX_CHANGED

MOST = 2  # mistakes to name together; more would explain nothing
_OPERATOR = r"\*\*|[-+*/<>=!^&|%@~]=?"


class Known(NamedTuple):
    """A known mistake that behaves the same. A `vague` one is reported only if it is proven."""

    faulty: Faulty
    vague: bool = False

    def told(self, course: Course, *, sure: bool = False) -> Misconception:
        """Return the mistake as a report shows it."""
        faulty = self.faulty
        stage = course.stage_of(faulty.caught_by[0])
        items = next(c.checklist for c in stage.checkpoints if c.id == faulty.caught_by[0])
        return Misconception(
            faulty.id,
            faulty.title,
            faulty.tutor,
            hint=course.stage_of(faulty.id).id,
            checklist=course.checklist.get(items[0], "") if items else "",
            sure=sure,
        )


def is_vague(case: Case, cause: Cause) -> bool:
    """Return whether known mistakes that behave like this say too little about the reason.

    Too many of them fit an exception, a missing one, or a list without a graph.
    """
    evidence = case.evidence
    listed = evidence.form == "refs" and case.circuit is None
    raises = evidence.fault is not None or evidence.form == RAISED
    return raises or evidence.explained or listed or cause.vague


def is_ordered(case: Case, cause: Cause) -> bool:
    """Return whether the order of the nodes is wrong. Many mistakes look alike on one graph."""
    circuit = case.circuit
    listed = case.evidence.form == "refs" and circuit is not None and circuit.implied
    return listed or cause.blame == "order"


def most_seen(known: Mapping[str, Sequence[Known]]) -> dict[str, list[Known]]:
    """Return, for each failure, the mistakes that also explain the most other failures.

    Return none if more than two remain, or two in different functions, because one of them would
    point at code that is right.
    """
    seen = Counter(each.faulty.id for candidates in known.values() for each in candidates)
    kept = {}
    for checkpoint, candidates in known.items():
        most = max((seen[each.faulty.id] for each in candidates), default=0)
        best = [each for each in candidates if seen[each.faulty.id] == most]
        if len(best) > MOST:
            best = [each for each in best if checkpoint in each.faulty.caught_by]
        places = {each.faulty.changed for each in best}
        kept[checkpoint] = best if len(best) <= MOST and len(places) <= 1 else []
    return kept


def with_proof(
    result: CheckResult, proof: Proof, known: Sequence[Known], course: Course
) -> CheckResult:
    """Return a failure with a change that fixes it.

    A known mistake is sure if the change removes what the mistake puts there. It is dropped if the
    change is in a different function of the course.
    """
    changed, function = mended(result, proof), proof.place.function
    taken = [each for each in known if _is_undone(each.faulty, proof)]
    taken = taken or (_undone(proof, course) if proof.only else [])
    sure = tuple(each.told(course, sure=True) for each in taken)
    named = result.diagnosis.misconceptions if result.diagnosis is not None else ()
    # no function of the course calls an operator or `__eq__` as its helper
    if "__" in function or any(function in course.names(file) for file in course.files):
        here = {each.faulty.id for each in known if function in each.faulty.changed}
        named = tuple(each for each in named if each.id in here)
    diagnosis = replace(changed.diagnosis or Diagnosis(), misconceptions=sure[:MOST] or named)
    if proof.why and not sure:
        diagnosis = replace(diagnosis, why=proof.why, misconceptions=())
    elif diagnosis.why == UNSTEADY:  # which is only a consequence
        diagnosis = replace(diagnosis, why="")
    return replace(changed, diagnosis=diagnosis)


def mended(result: CheckResult, proof: Proof) -> CheckResult:
    """Return a failure with a change that fixes it. A reason that points elsewhere is dropped,
    unless the source shows it, because only the tried change is certain.
    """
    where, place = result.where, proof.place
    found = replace(result.diagnosis or Diagnosis(), proof=_tried(proof), mend=proof)
    if where is None or (where.file, where.function) != (place.file, place.function):
        sure = tuple(one for one in found.misconceptions if one.sure)
        found = replace(found, misconceptions=sure)
    return replace(result, diagnosis=found, where=place)


def _tried(proof: Proof) -> str:
    """Return the proof, without the change."""
    passes = f"all of {proof.phase} passes" if proof.phase else "this check passes"
    if proof.phase and not proof.whole:
        passes = f"everything you have for {proof.phase} passes"
    if len(proof.lines) < 2:
        added = "a few lines added at" if "\n" in proof.come else "one line added at"
        what = "one small change in" if proof.gone else added
        return f"with {what} {proof.place.place}, {passes}"
    cell = proof.place.place.rpartition("line ")[0]
    *most, last = map(str, proof.lines)
    if len(most) >= MAX_CHANGED:
        return f"with this changed in {cell}lines {most[0]} to {last}, {passes}"
    return f"with small changes in {cell}lines {', '.join(most)} and {last}, {passes}"


def _undone(proof: Proof, course: Course) -> list[Known]:
    """Return the mistakes in the reference's function that this very change would undo."""
    name, both = proof.place.function, [_lines(proof.gone), _lines(proof.come)]
    found = []
    for stage in course.stages:
        faulty = [each for each in stage.faulty if each.changed == (name,) and not each.deletes]
        functions = functions_in((course.solutions / stage.file).read_bytes()) if faulty else {}
        if name in functions:
            right = _spelled(dedent(functions[name].decode()))
            for each in faulty:
                wrong = _spelled(each.patch(functions))
                lines = [line for line in wrong if line not in right]
                others = [line for line in right if line not in wrong]
                if [_lines("\n".join(each)) for each in (lines, others)] == both:
                    found.append(Known(each))
    return found


def _spelled(source: str) -> list[str]:
    """Return the lines of a function as Python spells them, outside its class."""
    (node,) = ast.parse(source).body
    return ast.unparse(node.body[0] if isinstance(node, ast.ClassDef) else node).splitlines()


def _is_undone(faulty: Faulty, proof: Proof) -> bool:
    """Return whether a change removes just what a mistake puts there, or adds what it leaves out.

    It does not if it removes and adds other operators, however similar the texts.
    """
    gone, come = _lines(proof.gone), _lines(proof.come)
    for edit in (edit for edit in faulty.edits if edit.function == proof.place.function):
        old, new = _lines(edit.old), _lines(edit.new)
        texts, here, there = [text for text in new if text not in old], gone, come
        if not texts:
            texts, here, there = [text for text in old if text not in new], come, gone
        found = (text in line and text not in "".join(there) for text in texts for line in here)
        if _operators(edit.new, edit.old) == _operators(proof.gone, proof.come) and any(found):
            return True
    return False


def _operators(gone: str, come: str) -> tuple[Counter[str], Counter[str]]:
    """Return the operators that a change removes and adds."""
    before, after = (Counter(re.findall(_OPERATOR, text)) for text in (gone, come))
    return before - after, after - before


def _lines(text: str) -> list[str]:
    squeezed = (re.sub(r"[\s'\"]", "", line) for line in text.splitlines())
    return [line for line in squeezed if line]
