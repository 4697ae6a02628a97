"""Recognise known mistakes: faulty engines that compute exactly the same as the learner's code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.curriculum.faulty import Faulty
from grader.judge.evidence import Evidence, Reply, Run
from grader.judge.explain.catalogue import Catalogue, Suspect
from grader.judge.explain.circuit import Circuit
from grader.judge.explain.locate import Case
from grader.judge.explain.similar import (
    elsewhere,
    others,
    script_of,
    took_too_long,
    variations,
    with_another_result,
    with_other_types,
)
from grader.judge.plain_values import is_same
from grader.judge.script.steps import Read, Step, Walk
from grader.model import Fault

ENOUGH = 4  # how many scripts a mistake must explain
ALONE = 2  # how many of the other scripts have only one operation
_EXACT = 1e-9  # the same formula in a different order; no other mistake comes as close


def recognise(
    case: Case, catalogue: Catalogue, known: Sequence[Faulty], *, strictly: bool
) -> list[Faulty]:
    """Return the `known` mistakes that give the learner's answers.

    They must agree on the failing script, on the same script with other numbers, and on similar
    ones; `strictly`, on many different graphs.
    """
    evidence, circuit = case.evidence, case.circuit
    steps = script_of(evidence, circuit)
    if not steps:
        return []
    scripts = [steps]
    if circuit is None:
        scripts += elsewhere(steps, case.words)
    elif evidence.fault is None or took_too_long(evidence):
        scripts += [*variations(steps), *with_another_result(steps, circuit)]
    else:
        scripts.append(with_other_types(steps))
    scripts += [[*each] for each in evidence.scripts[:1] if each]
    right, run = _uncounted(catalogue.running(evidence.module)), _uncounted(case.run)
    answered = [(each, run(each)) for each in scripts]
    wrong = _wrong(answered, right)
    if not wrong and circuit is not None and evidence.fault is None:
        # it depends on an order that happened to be right this time
        wrong = _wrong([(each, run(each)) for each in others(circuit)], right)[:ENOUGH]
    raised = evidence.fault is not None and not took_too_long(evidence)
    if not wrong or (raised and wrong[0][1].fault is None):
        return []
    # a mistake must also be right where the code is right
    asked = [*wrong, *(pair for pair in answered if pair not in wrong)]
    for suspects in catalogue.suspects(known, circuit):
        left = [
            suspect
            for suspect in suspects
            if all(same(mine, _answers(suspect, evidence, catalogue)(each)) for each, mine in asked)
        ]
        if left:
            break
    if circuit is not None and evidence.fault is None:
        left = _distinguished(left, case, circuit, catalogue, strictly=strictly)
    return list({suspect.faulty.id: suspect.faulty for suspect in left}.values())


def _answers(suspect: Suspect, evidence: Evidence, catalogue: Catalogue) -> Run:
    """Return a function that runs scripts on a faulty engine."""
    return _uncounted(catalogue.running(evidence.module, suspect))


def _wrong(
    answered: Sequence[tuple[list[Step], Reply]], right: Run
) -> list[tuple[list[Step], Reply]]:
    """Return the scripts that the learner's code answers wrongly, with its answers."""
    return [(steps, mine) for steps, mine in answered if not same(mine, right(steps))]


def _uncounted(run: Run) -> Run:
    """Run without counting steps, because an operation may be built from several."""

    def uncounted(steps: Sequence[Step]) -> Reply:
        reply = run(steps)
        asked = [step for step in steps if isinstance(step, (Read, Walk))]
        answers = zip(asked, reply.answers)
        return reply._replace(answers=[got for step, got in answers if isinstance(step, Read)])

    return uncounted


def _distinguished(
    left: list[Suspect], case: Case, circuit: Circuit, catalogue: Catalogue, *, strictly: bool
) -> list[Suspect]:
    """Return the suspects that remain after running scripts that tell them apart; `strictly`, only
    if they agree on all of them.
    """
    run = _uncounted(case.run)
    forms = {frozenset(step.operators()) for step in circuit.operations}
    for number, steps in enumerate(others(circuit)):
        if not left or (len(left) < 2 and number >= ALONE and not strictly):
            break
        replies = [(each, _answers(each, case.evidence, catalogue)(steps)) for each in left]
        is_needed = strictly or (number < ALONE and len(forms) == 1)
        if not is_needed and all(same(replies[0][1], reply) for _, reply in replies):
            continue
        mine = run(steps)
        agreeing = [suspect for suspect, reply in replies if same(mine, reply)]
        if not agreeing and is_needed:
            return []
        left = agreeing or left  # if none agrees, this script also involves a different mistake
    return left


def same(one: Reply, other: Reply) -> bool:
    """Return whether two replies agree in all digits but the last, or have the same fault."""
    if one.fault is not None and other.fault is not None:
        return _trace(one.fault, one.index) == _trace(other.fault, other.index)
    if one.fault is not None or other.fault is not None:
        return False
    return is_same([*one.answers], [*other.answers], _EXACT)


def _trace(fault: Fault, index: int) -> tuple[Any, ...]:
    said: Any = fault.message
    if fault.type_name == "RecursionError":  # which names whatever ran at the deepest point
        names = {frame.function.rpartition(".")[2] for frame in fault.frames}
        said = {name for name in names if name[-2:] == "__"}
    return fault.kind, fault.type_name, said, bool(fault.frames), index
