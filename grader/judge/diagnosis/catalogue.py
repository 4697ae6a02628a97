"""Recognise known mistakes: faulty engines that compute exactly what the learner's code does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple

from grader.boundary.transport import Transport
from grader.curriculum import packages
from grader.curriculum.faulty import Faulty
from grader.curriculum.model import Course, Graph, Stage
from grader.curriculum.source import functions_in
from grader.intake.read import read_submission
from grader.intake.submission import Submission
from grader.judge import oracle
from grader.judge.diagnosis.advice import bears_out, said
from grader.judge.diagnosis.circuit import FEW, Circuit
from grader.judge.diagnosis.evidence import Evidence, Reply, Run, running
from grader.judge.diagnosis.written import Written
from grader.judge.oracle import programs
from grader.judge.oracle.programs import Form, Program
from grader.judge.replies import Array, UnexpectedType
from grader.judge.script.steps import Apply, Call, Make, Put, Read, Repeat, Step, Walk
from grader.judge.session import Session
from grader.model import Fault, Frame, Kind
from grader.worker.protocol import Function, Patch, Ref, pack

MAX_ANSWERED = 20_000  # about a kilobyte each
VARIATIONS = 3
ENOUGH = 4  # how many scripts a mistake must explain
GRAPHS = 24
PER_FORM = 6
_EXACT = 1e-9  # the same formula in a different order; no other mistake comes as close


class Suspect(NamedTuple):
    """A mistake, made in the reference or in a correct engine of a different style."""

    faulty: Faulty
    style: str = ""


class Catalogue:
    """Holds the reference solution in a worker, into which one mistake after another is patched."""

    def __init__(
        self,
        course: Course,
        words: Graph,
        connect: Callable[[Sequence[str]], Transport],
        answered: dict[bytes, Reply] | None = None,
    ) -> None:
        self._course, self._words = course, words
        self._asked = {
            name.rpartition(".")[2] for file in course.files for name in course.names(file)
        }
        self._connect = connect
        # a mistake's answers are the same for every submission
        self._answered = {} if answered is None else answered
        self._styles = [
            (course.folder / name).read_text(encoding="utf-8") for name in course.styles
        ]
        self._sessions: dict[str, Session] = {}
        self._changes: dict[str, dict[str, tuple[Function, Function]]] = {}

    def known(self, stage: Stage) -> Iterator[Faulty]:
        """Yield the mistakes that are possible by the end of a stage, in the files it builds on."""
        if not self._course.has_solutions:  # a mistake is patched into the reference
            return
        stages, modules = self._course.stages, self._course.modules_until(stage)
        for earlier in stages[: stages.index(stage) + 1]:
            if earlier.module in modules and (earlier == stage or not earlier.optional):
                yield from earlier.faulty

    def right(self, module: str) -> Run:
        """Return a function that runs scripts on the reference solution."""
        return self._once(module, lambda: running(self._session(module), self._words))

    def wrong(self, module: str, suspect: Suspect) -> Run:
        """Return a function that runs scripts on a faulty engine."""
        faulty, words = suspect.faulty, self._words
        style = [Patch(words.make.rpartition(".")[0], suspect.style)] if suspect.style else []
        home = self._course.stage_of(faulty.id).module
        patch = Patch(home, faulty.source, faulty.deletes)
        return self._once(
            module,
            lambda: running(self._session(module), words, *style, patch),
            faulty.id,
            suspect.style,
        )

    def borne_out(self, faulty: Faulty, module: str, written: Written) -> bool | None:
        """Return whether the learner's source differs from the reference like the mistake does.

        One of the functions that it replaces is enough. Return None if the source cannot tell.
        """
        home = self._course.stage_of(faulty.id).module
        changes = self._changes_of(faulty, home, module)
        mine = written.functions(home, list(changes))
        found = {bears_out(mine[name], *change, self._asked) for name, change in changes.items()}
        return True if True in found else False if False in found else None

    def _changes_of(
        self, faulty: Faulty, home: str, module: str
    ) -> dict[str, tuple[Function, Function]]:
        """Return each function that a mistake replaces: the right one and the wrong one."""
        if faulty.id not in self._changes:
            names = [*functions_in(faulty.source.encode()), *faulty.deletes]
            session = self._session(module)
            right = session.describe(home, names)
            wrong = session.describe(home, names, faulty.source) if right else {}
            self._changes[faulty.id] = {name: (right[name], wrong[name]) for name in wrong}
        return self._changes[faulty.id]

    def function(self, name: str, written: Written) -> Function:
        """Return the facts about the reference's function of this name, if there is one."""
        if not self._course.has_solutions:
            return Function()
        module = written.module(name)
        return self._session(module).describe(module, [name]).get(name, Function())

    def line(self, faulty: Faulty, written: Written) -> Frame | None:
        """Return the learner's line that makes a mistake which the source bears out."""
        home = self._course.stage_of(faulty.id).module
        changes = self._changes[faulty.id]
        for name, function in written.functions(home, list(changes)).items():
            right, wrong = map(said, changes[name])
            if right != wrong and function.line:
                texts = [fact.text for fact in function.facts]
                return written.line(name, [text for text in texts if text in wrong - right])
        return None

    def _once(self, module: str, begin: Callable[[], Run], *who: str) -> Run:
        """Return a function that runs each script only once. Its first script starts a worker."""

        def run(steps: Sequence[Step]) -> Reply:
            key = blake2b(pack([module, *who, list(steps)]), digest_size=16).digest()
            if key in self._answered:
                return self._answered[key]
            reply = begin()(steps)
            if len(self._answered) < MAX_ANSWERED and (
                reply.fault is None or reply.fault.kind is Kind.RAISED
            ):
                self._answered[key] = reply
            return reply

        return run

    def suspects(self, known: Sequence[Faulty], circuit: Circuit | None) -> Iterator[list[Suspect]]:
        """Yield each mistake in the reference's style, then in others if operand order may show."""
        yield [Suspect(faulty) for faulty in known]
        if circuit is not None and circuit.upstream is None:
            yield from ([Suspect(faulty, style) for faulty in known] for style in self._styles)

    def _session(self, module: str) -> Session:
        if module not in self._sessions:
            files = read_submission(self._course.solutions, self._course.files).files
            located = packages.locate(
                name
                for stage in self._course.stages
                if stage.module == module
                for name in stage.packages
            )
            connect = partial(self._connect, packages.readable(located))
            solutions = Submission("solutions", files)
            self._sessions[module] = Session(
                connect, solutions, module, [], self._course.modules, packages=located
            )
        return self._sessions[module]

    def close(self) -> None:
        """End the workers."""
        for session in self._sessions.values():
            session.close()


def recognise(
    evidence: Evidence,
    circuit: Circuit | None,
    run: Run,
    catalogue: Catalogue,
    known: Sequence[Faulty],
) -> list[Faulty]:
    """Return the `known` mistakes that answer as the learner's code does.

    They must agree on the failing script, on the same script with other numbers, and on similar
    ones.
    """
    scripts = [script] if (script := _script(evidence, circuit)) else []
    if circuit is not None and (evidence.fault is None or _took_too_long(evidence)):
        scripts += _variations(script)
    right, run = _uncounted(catalogue.right(evidence.module)), _uncounted(run)
    answered = [(script, run(script)) for script in scripts]
    wrong = _wrong(answered, right)
    if (
        not wrong and circuit is not None and evidence.fault is None
    ):  # it depends on an order that happened to be right this time
        wrong = _wrong([(script, run(script)) for script in _others(circuit)], right)[:ENOUGH]
    if not wrong or (
        evidence.fault is not None and wrong[0][1].fault is None and not _took_too_long(evidence)
    ):
        return []
    left: list[Suspect] = []
    for suspects in catalogue.suspects(known, circuit):
        left = suspects
        for asked, mine in [
            *wrong,
            *(pair for pair in answered if pair not in wrong),
        ]:  # a mistake must also be right where the code is right
            left = [
                suspect
                for suspect in left
                if same(mine, _uncounted(catalogue.wrong(evidence.module, suspect))(asked))
            ]
        if left:
            break
    if circuit is not None and evidence.fault is None:
        left = _told_apart(left, evidence, circuit, run, catalogue)
    return list({suspect.faulty.id: suspect.faulty for suspect in left}.values())


def _wrong(
    answered: Sequence[tuple[list[Step], Reply]], right: Run
) -> list[tuple[list[Step], Reply]]:
    """Return the scripts that the learner's code answers wrongly, with its answers."""
    return [(script, mine) for script, mine in answered if not same(mine, right(script))]


def _uncounted(run: Run) -> Run:
    """Return the same, without how many steps a walk ran: an operation may be made of others."""

    def uncounted(steps: Sequence[Step]) -> Reply:
        reply = run(steps)
        asked = [step for step in steps if isinstance(step, (Read, Walk))]
        answers = zip(asked, reply.answers)
        return reply._replace(answers=[got for step, got in answers if isinstance(step, Read)])

    return uncounted


def _told_apart(
    left: list[Suspect], evidence: Evidence, circuit: Circuit, run: Run, catalogue: Catalogue
) -> list[Suspect]:
    """Return the suspects that remain after running scripts on which they differ."""
    for script in _others(circuit) if len(left) > 1 else ():
        replies = [
            (suspect, _uncounted(catalogue.wrong(evidence.module, suspect))(script))
            for suspect in left
        ]
        if all(same(replies[0][1], reply) for _, reply in replies):
            continue
        mine = run(script)
        agreeing = [suspect for suspect, reply in replies if same(mine, reply)]
        left = agreeing or left  # if none agrees, this script also involves a different mistake
        if len(left) == 1:
            break
    return left


def _took_too_long(evidence: Evidence) -> bool:
    return evidence.fault is not None and evidence.fault.kind is Kind.TIMEOUT


def _script(evidence: Evidence, circuit: Circuit | None) -> list[Step]:
    """Return the script with the value and gradient of every node read at the end.

    A long loop is cut down to a few rounds. Return nothing if that is impossible, or if the script
    did not end and would not end again.
    """
    if circuit is None:
        asked = [Read(*evidence.failed, "value")] if evidence.failed else []
        return [] if _took_too_long(evidence) or _is_long(evidence) else [*evidence.steps, *asked]
    if _took_too_long(evidence) or _is_long(evidence):
        kept = [*circuit.steps, *circuit.begin()]
    else:
        numbers = evidence.form == "number"  # a graph may be right in many ways
        unasked = {"number", "graph", "refs"} if numbers else {"number"}
        kept = [step for step in evidence.steps if getattr(step, "form", "") not in unasked]
    made = set(oracle.evaluate(kept))
    return kept + [
        Read(node, name, "number")
        for node in sorted(made)
        for name in (circuit.words.data, circuit.words.gradient)
    ]


def _is_long(evidence: Evidence) -> bool:
    return evidence.long or any(
        isinstance(step, Repeat) and step.count > FEW for step in evidence.steps
    )


def _variations(script: Sequence[Step]) -> Iterator[list[Step]]:
    """Yield the script with different numbers in its leaves. Equal numbers stay equal."""
    found = 0
    for shift in range(1, len(programs.LEAVES)):
        numbers: dict[float, float] = {}
        varied = [_varied(step, numbers, shift) for step in script]
        if _tame(varied):
            yield varied
            found += 1
        if found == VARIATIONS:
            return


def _varied(step: Step, numbers: dict[float, float], shift: int) -> Step:
    if not isinstance(step, Make) or not step.args or not isinstance(step.args[0], (int, float)):
        return step
    old = step.args[0]
    new = numbers.setdefault(
        old, programs.LEAVES[(5 * shift + 3 * len(numbers)) % len(programs.LEAVES)]
    )
    return step._replace(args=[new, *step.args[1:]])


def _tame(script: Sequence[Step]) -> bool:
    try:
        values = oracle.evaluate(script)
        return all(
            isinstance(value, (int, float)) and abs(value) < 1e3 for value in values.values()
        )
    except (ArithmeticError, ValueError):
        return False


def _others(circuit: Circuit) -> Iterator[list[Step]]:
    """Yield scripts made from this one's operations, joined by + and *.

    If the failing script ends with a backward pass, so do these.
    """
    forms = tuple(
        dict.fromkeys(form for step in circuit.operations if (form := _form(step)) is not None)
    )
    make = circuit.words.make
    for form in forms:
        choose = programs.choices(0, f"told apart {form.op}{form.operands}").choice
        for number in range(PER_FORM):
            program, operands = programs.focus(make, form, choose, choose, inside=number > 1)
            yield _asking(circuit, program, operands)
    if circuit.upstream is None and circuit.root is not None:
        draw = programs.choices(0, "told apart")
        joined = (*forms, Form("+", "vv"), Form("*", "vv"))
        for number in range(GRAPHS):
            yield _asking(
                circuit, programs.graph(make, joined, draw.choice), None, twice=number % 4 == 3
            )


def _form(step: Step) -> Form | None:
    if isinstance(step, Apply):
        return Form(step.op, "".join("v" if isinstance(arg, Ref) else "k" for arg in step.args))
    return Form(step.method, "v") if isinstance(step, Call) else None


def _asking(
    circuit: Circuit, program: Program, operands: Sequence[Ref] | None, *, twice: bool = False
) -> list[Step]:
    words, steps = circuit.words, list(program.steps)
    end = Ref(len(program.values) + 1)
    if operands is not None and circuit.upstream is not None:
        steps += [Put(operand, words.gradient, 0.25) for operand in operands]
        steps += [
            Put(program.root, words.gradient, -1.5),
            Walk(program.root, words.operands, words.step, list(operands)),
        ]
        # a step may be attached to an operand by mistake
        steps += [Call(end, operand, words.step, []) for operand in operands]
    elif circuit.root is not None:
        steps += [Call(end, program.root, words.backward, [])] * (2 if twice else 1)
    return steps + [
        Read(node, name, "number")
        for node in program.values
        for name in (words.data, words.gradient)
    ]


def same(one: Reply, other: Reply) -> bool:
    """Return whether two replies agree in all digits but the last, or have the same fault."""
    if one.fault is not None or other.fault is not None:
        return (
            one.fault is not None
            and other.fault is not None
            and _trace(one.fault, one.index) == _trace(other.fault, other.index)
        )
    return len(one.answers) == len(other.answers) and all(map(_same, one.answers, other.answers))


def _trace(fault: Fault, index: int) -> tuple[Any, ...]:
    if (
        fault.type_name == "RecursionError"
    ):  # its message names whatever was running at the deepest point
        circle = {name for frame in fault.frames for name in [_name(frame)] if name[-2:] == "__"}
        return fault.kind, fault.type_name, circle, bool(fault.frames), index
    return fault.kind, fault.type_name, fault.message, bool(fault.frames), index


def _name(frame: Frame) -> str:
    return frame.function.rpartition(".")[2]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, Array) and isinstance(other, Array):
        return one.shape == other.shape and all(map(_same, one.numbers, other.numbers))
    if type(one) in {int, float} and type(other) in {int, float}:
        return (
            bool(abs(one - other) <= _EXACT * (1 + abs(other)))
            if math.isfinite(one - other)
            else repr(float(one)) == repr(float(other))
        )
    if isinstance(one, UnexpectedType) or isinstance(other, UnexpectedType):
        return bool(one == other)
    return type(one) is type(other) and bool(one == other)
