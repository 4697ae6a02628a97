"""What a failure is to blame on, by its script: an operation, the order or an exception."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from grader.judge.diagnosis.case import Case
from grader.judge.diagnosis.circuit import Circuit
from grader.judge.diagnosis.experiments import Look
from grader.judge.diagnosis.faults import explain
from grader.judge.diagnosis.order import Pass, backward_pass, fault_of_order
from grader.judge.diagnosis.replay import MADE, OVERWRITES, Finding, beneath, replay
from grader.judge.diagnosis.script_blame import asked_for, in_between, maker
from grader.judge.diagnosis.tree import shown, tree_of
from grader.judge.diagnosis.written import operator_of
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.script.operators import BY_METHOD
from grader.model import Diagnosis, Fault, Kind, WrongNode


def cause_of(case: Case) -> Diagnosis:
    """Return what is to blame, and why, as far as the failing script shows it."""
    evidence, circuit = case.evidence, case.circuit
    if evidence.fault is not None and evidence.fault.kind is not Kind.TIMEOUT:
        return _of_exception(case, evidence.fault)
    if circuit is None:
        return Diagnosis()
    seen = backward_pass(circuit, case.run)
    if evidence.fault is not None:  # on a small graph it ends, and shows why it takes so long
        blamed = fault_of_order(seen) if not seen.reply.fault else None
        if blamed:
            return Diagnosis(blamed[1], blamed[0])
        return Diagnosis(blame=evidence.fault.stub.rpartition(".")[2])
    found = _localised(circuit, seen, case)
    if evidence.form == "refs" and found.blame == "order":  # the failure says what is listed wrong
        found = replace(found, why="")
    found = found if found.blame else in_between(evidence, case.words, seen)
    return found if found.blame else Diagnosis(blame=maker(evidence, circuit))


def _of_exception(case: Case, fault: Fault) -> Diagnosis:
    """Return what an exception is to blame on, and why it was raised."""
    if case.circuit is not None and not fault.frames:  # met by a walk of the judge's
        for finding in replay(case.circuit, case.run):
            if finding.facts == MADE:
                where = case.sites.making(finding.alone)
                return Diagnosis(finding.why, finding.blame, where=where)
    why = explain(fault, case.evidence.steps, case.words, case.written.function)
    return Diagnosis(why, _raised_in(case, fault))


def _raised_in(case: Case, fault: Fault) -> str:
    """Return what an exception is to blame on; in a backward pass, an operation that raises it
    alone, or the function that was running.
    """
    asked, circuit = asked_for(case.evidence.steps, case.words, case.circuit), case.circuit
    if asked != case.words.backward or not fault.frames:
        return asked
    for finding in replay(circuit, case.run) if circuit is not None else ():
        if fault.type_name and finding.raised == fault.type_name:
            return finding.blame
    inside = case.written.around(fault.frames[-1])
    holder = operator_of(inside) if case.written.is_inside(fault.frames[-1], inside) else asked
    return asked if holder in {*BY_METHOD.values(), *FUNCTIONS} else holder


def _localised(circuit: Circuit, seen: Pass, case: Case) -> Diagnosis:
    """Blame the operation that is wrong alone, near the first wrong node, or the order."""
    places, sites, run = case.places, case.sites, case.run
    if seen.reply.fault:
        return Diagnosis()
    wrong_value, wrong_gradient = seen.first_wrong_value(), seen.first_wrong()
    findings = replay(circuit, run)
    finding = _to_blame(circuit, findings, wrong_value, wrong_gradient)
    if finding is not None and finding.forward:
        finding = beneath(finding, places.called_by(finding.blame), run) or finding
    look = Look(finding, run) if finding else None
    blamed = (finding.blame, look.why()) if finding and look else None
    if blamed is None and wrong_gradient is not None and wrong_value is None:
        blamed = fault_of_order(seen)
        if circuit.implied and blamed and blamed[0] == "seed":  # nothing asked for a pass
            blamed = None
    leaf = finding.alone.leaves.get(finding.leaf) if finding and finding.leaf is not None else None
    wrong = wrong_value or seen.first_wrong(leaf)
    where, advice = places.of_operation(look) if look is not None else (None, "")
    if finding is not None and finding.facts == MADE and not finding.forward:
        where = places.in_helper(sites.making(finding.alone)) or where
    if finding is not None and finding.facts == MADE and (wraps := sites.wrapping(finding.alone)):
        kind = case.words.node
        where, advice = (
            places.named(wraps),
            f"this line makes a {kind} of a {kind}; it needs a plain number",
        )
    if finding is not None and finding.leaf is not None and OVERWRITES in finding.why:
        sets = sites.overwriting(finding.alone, finding.leaf)
        where = places.named(sets) if sets else where
    if blamed is None:
        return Diagnosis()
    if wrong is None:
        return Diagnosis(blamed[1], blamed[0], where=where, advice=advice)
    node, got, want = wrong
    op = finding.blame if finding else circuit.operator(node)
    first = WrongNode(
        circuit.label(node), op, shown(got), want, "value" if wrong_value else "gradient"
    )
    return Diagnosis(
        blamed[1],
        blamed[0],
        first,
        (),
        tuple(tree_of(seen, node, finding.node if finding else None)),
        where,
        advice,
    )


def _to_blame(
    circuit: Circuit, findings: list[Finding], wrong_value: Any, wrong_gradient: Any
) -> Finding | None:
    """Return the finding that explains most, of all operations that are wrong alone.

    That is the one that makes the first wrong value, or one that uses the first node with a wrong
    gradient.
    """
    forward = [finding for finding in findings if finding.forward]
    if wrong_value is not None and forward:
        return forward[0]
    backward = findings[::-1]
    if wrong_gradient is not None:
        users = {
            node
            for step in circuit.operations
            if wrong_gradient[0] in step.references() and (node := step.target) is not None
        }
        backward = [finding for finding in backward if finding.node in users] + backward
    return backward[0] if backward else None
