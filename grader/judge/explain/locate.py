"""Find what goes wrong in a failing script: an operation, the order, or a call; and its function.

A line is claimed only if it ran and its function is the only one that can be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from grader.curriculum.model import Graph, Stage
from grader.judge.evidence import Evidence, Run
from grader.judge.excerpt import MOST_SHOWN
from grader.judge.explain.backward import Pass, backward_pass, fault_of_order, tree_of
from grader.judge.explain.change import function_at, telling_lines
from grader.judge.explain.circuit import FEW, Circuit, is_cut, is_leaf
from grader.judge.explain.exceptions import RULES
from grader.judge.explain.operation import (
    CONSTRUCTOR,
    Alone,
    Finding,
    every_operation,
    wrong_operations,
)
from grader.judge.explain.raised import explain
from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.plain_values import shown_as
from grader.judge.replies import line_of
from grader.judge.script.operators import BY_METHOD
from grader.judge.script.steps import Call, Make, Read, Step, Walk, Watch
from grader.judge.session import RUN_SECONDS, Session
from grader.judge.written import functions
from grader.model import Fault, Frame, Kind, TreeNode, WrongNode
from grader.worker.protocol import Lines, NameState, Ref

OF_THE_PASS = ("order", "seed")  # to blame if each operation on its own is right

Places = dict[tuple[str, int], tuple[str, bool]]
"""Lines of files, each with its function and whether it sets the wrong attribute."""


class Case(NamedTuple):
    """A failing checkpoint with its evidence, and the submission to run more scripts on.

    `circuit` is None if the failing script builds no graph, and so is `words` if the course has
    none. `right` are the functions whose checks pass.
    """

    id: str
    stage: Stage
    words: Graph | None
    evidence: Evidence
    circuit: Circuit | None
    session: Session
    run: Run
    right: Collection[str]


class Cause(NamedTuple):
    """The fault as a sentence, the function to blame, and the smallest `script` that shows it.

    `vague`: many mistakes look like this. `place`: the line that is wrong.
    """

    why: str = ""
    blame: str = ""
    first_wrong: WrongNode | None = None
    tree: tuple[TreeNode, ...] = ()
    script: Sequence[Step] = ()
    vague: bool = False
    place: Frame | None = None


def cause_of(case: Case) -> Cause:
    """Return the fault, if scripts show it."""
    evidence, circuit = case.evidence, case.circuit
    if evidence.fault is not None and evidence.fault.kind is Kind.TIMEOUT and evidence.fault.meant:
        names = evidence.fault.meant.replace(" or ", "` or `")
        why = f"nothing in this loop changes `{names}`, so it never ends"
        return Cause(why, evidence.fault.stub.rpartition(".")[2])
    if evidence.fault is not None and evidence.fault.kind is not Kind.TIMEOUT:
        return _of_exception(case, evidence.fault)
    if circuit is None:
        return Cause()
    maker = "" if evidence.fault else _maker(evidence, circuit)
    if maker:
        return Cause(blame=maker)
    seen = backward_pass(circuit, case.run)
    if evidence.fault is not None:  # on a small graph it ends, and shows why it takes so long
        blamed = None if seen.reply.fault else fault_of_order(seen)
        if blamed:
            return Cause(_in_few_rounds(blamed[1], evidence), blamed[0])
        return Cause(blame=evidence.fault.stub.rpartition(".")[2])
    found = _localised(circuit, seen, case)
    if evidence.form == "refs" and found.blame == "order":  # the failure says what is wrong
        found = found._replace(why="")
    return found


def function_of(case: Case, cause: Cause) -> Frame | None:
    """Return a line of the only function that can be wrong, if there is just one: the one that says
    most, or else its first.

    That is the one to blame, or one that the script calls, whose own check does not pass.
    """
    fault, session = case.evidence.fault, case.session
    if fault is not None and fault.kind is Kind.TIMEOUT:
        return None
    if fault is not None and fault.frames:  # the caller of a right function gave it what is wrong
        right = {name.rpartition(".")[2] for name in case.right}
        *others, last = fault.frames
        callers = [each for each in others if each.function.rpartition(".")[2] not in right]
        return callers[-1] if callers and last.function.rpartition(".")[2] in right else None
    if cause.place is not None:
        return cause.place
    try:
        states = session.load()
    except (LearnerFault, WorkerLost):
        return None
    called = session.called(cause.script or case.evidence.steps)
    asked = [name for name in called if name and name.rpartition(".")[2] == cause.blame]
    operators = (each for each in called if BY_METHOD.get(each.rpartition(".")[2]) == cause.blame)
    alias = next((_alias(case, states, each) for each in operators), None)
    if alias is not None:
        return alias
    if cause.blame in OF_THE_PASS and "" in called:  # the operations' helpers are right
        called = _last_called(case) or called
    if "" in called:  # the fault may be in a helper
        return None
    places = {states[name][1:]: name for name in asked or called if name not in case.right}
    if len(places) != 1:
        return None
    (((line, _, file), name),) = places.items()
    place = line_of(session.submission, file, line, name)
    begins = f"def {name.rpartition('.')[2]}("  # and not with a different name
    if place is None or not place.source.startswith(begins):
        return None
    written = functions(session.submission.files, states)[name]
    # a drawing is written in many places, and a seed before any loop
    loops = case.evidence.form != "document" and cause.blame != "seed"
    telling = telling_lines(written.decode("utf-8", "replace"), loops=loops)
    setting = [
        number
        for (where, number), (function, sets) in _last_ran(case).items()
        if sets and (where, function) == (file, name)
    ]
    lines = setting if len(setting) == 1 else [line + each for each in telling]
    return line_of(session.submission, file, lines[0], name, last=lines[-1])


def _last_ran(case: Case) -> Places:
    """Return the lines that the last call of the script runs."""
    steps = case.evidence.steps
    calls = [n for n, each in enumerate(steps) if isinstance(each, (Call, Watch))]
    on, attribute = case.evidence.failed or (Ref(0), "")
    return _ran(case, steps, calls[-1] if calls else 0, on, attribute)


def _last_called(case: Case) -> list[str]:
    """Return the functions that the last call of the script runs: a backward pass, or a list of
    nodes.
    """
    functions = [function for function, _ in _last_ran(case).values()]
    known = case.session.names
    return list(dict.fromkeys(each if each in known else "" for each in functions))


def _ran(case: Case, steps: Sequence[Step], begin: int, on: Ref, attribute: str) -> Places:
    """Return the lines that run from a step on. See `Places`."""
    files = case.session.submission.files
    rows = {each.shown: each.source.decode("utf-8", "replace").split("\n") for each in files}
    request = Lines(RUN_SECONDS, list(steps), begin, on, attribute)
    return {
        (file, number): (function_at(rows[file], number), sets)
        for file, number, sets in case.session.repeated(request)
        if 0 < number <= len(rows.get(file, ()))
    }


def _alias(case: Case, states: Mapping[str, NameState], name: str) -> Frame | None:
    """Return the line that gives this name to a right function, as in `__rsub__ = __sub__`."""
    submission, place = case.session.submission, states[name]
    same = {each for each, state in states.items() if state[1:] == place[1:]}
    given = re.compile(rb"\s*%s\s*=\s*[\w.]+\s*(#|$)" % name.rpartition(".")[2].encode())
    for each in submission.files if same.intersection(case.right) else ():
        for number, text in enumerate(each.source.splitlines(), 1):
            if each.shown == place.file and given.match(text):
                return line_of(submission, place.file, number, name)
    return None


def _of_exception(case: Case, fault: Fault) -> Cause:
    """Return the function that caused an exception, and why it was raised."""
    circuit, words = case.circuit, case.words
    wrong = wrong_operations(circuit, case.run) if circuit is not None else []
    if not fault.frames:  # found by the judge's own walk
        for finding in wrong:
            if finding.why and finding.leaf is None:
                return Cause(finding.why, finding.blame, script=finding.alone.script, vague=True)
    why = explain(RULES, fault, case.evidence.steps, words, case.run)
    asked = _asked_for(case.evidence.steps, words, circuit) if words else ""
    if words and asked == words.backward and fault.frames:
        raising = (each.blame for each in wrong if each.raised == (fault.type_name or " "))
        asked = next(raising, asked)
    return Cause(why, asked, vague=True)


def _asked_for(steps: Sequence[Step], words: Graph, circuit: Circuit | None) -> str:
    """Return the request that the last step made of the learner's code."""
    match steps, circuit:
        case [*_, Walk(on=on) | Read(on=on) | Call(on=on, method=words.step)], Circuit() if (
            on in circuit.values
        ):
            return circuit.operator(on) or CONSTRUCTOR
        case [*_, Walk() | Watch() | Call(method=words.step | words.backward)], _:
            return words.backward
        case [*_, last], _:
            return CONSTRUCTOR if is_leaf(last) else max(last.operators(), default="")
    return ""


def _localised(circuit: Circuit, seen: Pass, case: Case) -> Cause:
    """Blame the one wrong operation, near the first wrong node, or the order."""
    if seen.reply.fault:
        return Cause()
    wrong_value, wrong_gradient = seen.first_wrong_value(), seen.first_wrong()
    findings = wrong_operations(circuit, case.run)
    finding = _to_blame(circuit, findings, wrong_value, wrong_gradient)
    if finding is not None:
        alone = finding.alone
        place = _place(case, finding)
        cause = Cause(
            finding.why, finding.blame, script=alone.script, vague=finding.idle, place=place
        )
        leaf = alone.leaves.get(finding.leaf) if finding.leaf is not None else None
        wrong = wrong_value or seen.first_wrong(leaf)
    else:
        order = fault_of_order(seen) if wrong_gradient and not wrong_value else None
        if order is None or (circuit.implied and order[0] == "seed"):  # nothing asked for a pass
            return Cause()
        told = _in_few_rounds(order[1], case.evidence)
        cause, wrong = Cause(told, order[0]), wrong_gradient
    if wrong is None or is_cut(case.evidence):  # the script has other numbers
        return cause
    node, got, want = wrong
    op = finding.blame if finding else circuit.operator(node)
    kind = "value" if wrong_value else "gradient"
    return cause._replace(
        first_wrong=WrongNode(circuit.label(node), op, shown_as(got), want, kind),
        tree=tuple(tree_of(seen, node, finding.node if finding else None)),
    )


def _in_few_rounds(why: str, evidence: Evidence) -> str:
    """Return a sentence about a circuit, which may have fewer nodes than the script."""
    return f"with {FEW} rounds of the loop, {why}" if is_cut(evidence) else why


def _to_blame(
    circuit: Circuit, findings: list[Finding], wrong_value: Any, wrong_gradient: Any
) -> Finding | None:
    """Return the finding that explains most, of all operations that are wrong on their own.

    It makes the first wrong value, or uses the first node with a wrong gradient.
    """
    forward = [finding for finding in findings if finding.forward]
    if wrong_value is not None and forward:
        return forward[0]
    backward = findings[::-1]
    if wrong_gradient is not None:
        users = {
            step.target for step in circuit.operations if wrong_gradient[0] in step.references()
        }
        backward = [finding for finding in backward if finding.node in users] + backward
    return backward[0] if backward else None


def _place(case: Case, finding: Finding) -> Frame | None:
    """Return the line that is wrong in an operation: the only one that no right operation runs, or
    the only one of these that sets the wrong number. Every other wrong operation must run it, too.
    Return several lines if they are next to each other.

    If its backward step has none, the operation itself may have one.
    """
    begins = [0] if finding.forward or finding.wrong is None else [1, 0]
    for after in begins:
        own = _own_lines(case, finding, after)
        if not own:
            continue
        functions = {place: function for place, (function, _) in own.items()}
        setting = [place for place, (_, sets) in own.items() if sets and finding.wrong]
        is_one = len(setting) == 1 and (finding.forward or len({*functions.values()}) == 1)
        only = setting if is_one else sorted(own)
        (file, first), (_, last) = only[0], only[-1]
        function = functions[only[0]]
        is_helper = after < begins[0] and function not in case.session.names
        several = len({(place[0], functions[place]) for place in only}) > 1
        if is_helper or several or last - first >= MOST_SHOWN:
            return None
        return line_of(case.session.submission, file, first, function, last=last)
    return None


def _own_lines(case: Case, finding: Finding, after: int) -> Places:
    """Return the lines that an operation runs and no right operation does. Look only at what runs
    `after` that many steps from the operation on.
    """
    alone = finding.alone

    def lines(each: Alone, on: Ref, attribute: str) -> Places:
        return _ran(case, each.script, len(each.steps) + after, on, attribute)

    on, attribute = finding.wrong or (alone.result, alone.circuit.words.data)
    ran = lines(alone, on, attribute)
    possible, right = set(ran), set[tuple[str, int]]()
    for other in every_operation(alone.circuit):
        if alone.shared or not other.step.operators() & alone.step.operators():
            found, others = other.finding(case.run), lines(other, other.result, attribute).keys()
            if found is None:
                right |= others
            elif not found.raised:
                possible &= others
    if not right and not (finding.wrong and finding.forward):
        return {}
    return {place: ran[place] for place in possible - right}


def _maker(evidence: Evidence, circuit: Circuit) -> str:
    """Return the maker of the object whose form is wrong: an operation or the constructor."""
    words = circuit.words
    if evidence.failed is None or evidence.failed[1] in {words.data, words.gradient}:
        return ""
    made = next((step for step in evidence.steps if step.target == evidence.failed[0]), None)
    if isinstance(made, Make):
        return CONSTRUCTOR if made.function == words.make else ""
    return circuit.operator(evidence.failed[0]) if evidence.failed[0] in circuit.values else ""
