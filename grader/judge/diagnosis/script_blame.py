"""Blame what a failing script did, where no operation of its graph is wrong alone."""

from __future__ import annotations

from collections.abc import Sequence

from grader.curriculum.model import Graph
from grader.judge.diagnosis.circuit import Circuit, is_leaf
from grader.judge.diagnosis.evidence import Evidence
from grader.judge.diagnosis.order import Pass
from grader.judge.diagnosis.written import CONSTRUCTOR
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.script.steps import Call, Get, Make, Put, Read, Step, Walk, Watch
from grader.model import Diagnosis


def asked_for(steps: Sequence[Step], words: Graph, circuit: Circuit | None) -> str:
    """Return what the last step asked the learner's code to do."""
    last = steps[-1] if steps else None
    if isinstance(last, Walk) or (isinstance(last, Call) and last.method == words.step):
        if circuit is None or last.on not in circuit.values:
            return words.backward
        return circuit.operator(last.on) or CONSTRUCTOR
    if isinstance(last, Read) and circuit is not None and last.on in circuit.values:
        return circuit.operator(last.on) or CONSTRUCTOR
    if last is not None and is_leaf(last):
        return CONSTRUCTOR
    if isinstance(last, Watch) or (isinstance(last, Call) and last.method == words.backward):
        return words.backward
    return next(iter(sorted(last.operators(), reverse=True)), "") if last is not None else ""


def maker(evidence: Evidence, circuit: Circuit) -> str:
    """Return what made the object whose form is wrong: an operation or the constructor."""
    if evidence.failed is None or evidence.failed[1] in {
        circuit.words.data,
        circuit.words.gradient,
    }:
        return ""
    made = next((step for step in evidence.steps if step.target == evidence.failed[0]), None)
    if isinstance(made, Make):
        return CONSTRUCTOR if made.function == circuit.words.make else ""
    return circuit.operator(evidence.failed[0]) if evidence.failed[0] in circuit.values else ""


UNCHANGED = "as it was"


def _unchanged(evidence: Evidence, circuit: Circuit) -> str:
    """Say that the wrong gradient is the one that the backward pass gave."""
    if evidence.failed is None or evidence.failed[1] != circuit.words.gradient:
        return ""
    node = evidence.failed[0]
    if node not in circuit.gradients or evidence.got != circuit.gradients[node]:
        return ""
    return f"; it leaves the gradient of `{circuit.label(node)}` {UNCHANGED}"


def in_between(evidence: Evidence, words: Graph, seen: Pass) -> Diagnosis:
    """Blame what else the script did, if one backward pass on a new graph is right.

    This needs a script that did only one such thing.
    """
    steps = [step for step in evidence.steps if not isinstance(step, (Read, Get))]
    if steps and all(is_leaf(step) for step in steps):
        return Diagnosis(
            "it is wrong right after it is made, when only the constructor has run", CONSTRUCTOR
        )
    calls = [
        step.method
        for step in steps
        if isinstance(step, Call) and not step.operators() & set(FUNCTIONS)
    ]
    others = [method for method in dict.fromkeys(calls) if method != words.backward]
    only = others[0] if len(others) == 1 else ""
    wrong = seen.reply.fault or seen.first_wrong() or seen.first_wrong_value()
    if wrong or seen.circuit.root is None:  # nothing is known to be right
        return Diagnosis(blame="" if words.backward in calls else only)
    right = f"a single `{words.backward}` on a fresh graph is right"
    if words.backward in calls and only:
        why = f"{right}, so look at `{only}`{_unchanged(evidence, seen.circuit)}"
        return Diagnosis(why, only)
    begun = {step.on for step in steps if isinstance(step, Call) and step.method == words.backward}
    if any(
        isinstance(step, Put) and step.on in begun and step.attribute == words.gradient
        for step in steps
    ):
        return Diagnosis(f"{right}; it goes wrong if the result already has a gradient", "seed")
    if not begun and only:
        why = f"a single `{words.backward}` on such a graph is right, so look at `{only}`"
        return Diagnosis(why, only)
    if calls.count(words.backward) > 1:
        return Diagnosis(f"{right}; a later one goes wrong", words.backward)
    return Diagnosis()
