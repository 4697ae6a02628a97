"""Decide the outcome of a check from the exception that ended it: the verdict and its message."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.curriculum.imports import describe_error
from grader.curriculum.model import Checkpoint, Course, Stage
from grader.errors import GraderError
from grader.intake.run_notes import sentence
from grader.judge import oracle
from grader.judge.budget import OutOfTime
from grader.judge.evidence import Evidence
from grader.judge.expectations import Mismatch
from grader.judge.failures import LearnerFault, NotAsked, WorkerLost
from grader.judge.recorder import Recorder
from grader.judge.replies import line_of, same_every_time
from grader.judge.script.steps import Walk, used_names
from grader.judge.session import CELLS_SECONDS, LOAD_SECONDS, RUN_SECONDS, Session
from grader.judge.written import attempt, may_define
from grader.model import Ending, Fault, Frame, Kind, Verdict


@dataclass(frozen=True)
class Outcome(Ending):
    """The outcome of one test, the stub that ended it, and the names that it used."""

    stub: str = ""
    used: frozenset[str] = frozenset()
    evidence: Evidence | None = None


class NotReady(Exception):
    """A checkpoint cannot be run; the cause says why. pytest cleans up after a fixture that raises
    an Exception, but not after every BaseException.
    """


PYTHON = "{}.{}".format(*sys.version_info)
_LACKS = re.compile(r"(?:'(\w+)' object has no attribute|name) '(\w+)'")
_ON_NO_NODE = re.compile(r"'(int|float|str|NoneType|list|tuple|set|dict)' object has no attribute")
_NO_ASSERT = (
    "the course is at fault, not your code; its suite must use learner.expect(reading, wanted)"
    " instead of assert"
)


def outcome_of(
    error: BaseException, recorder: Recorder | None, checkpoint: Checkpoint, course: Course
) -> Outcome:
    """Return the outcome of a check that this exception ended.

    If no learner's code could have caused it, the grader is to blame.
    """
    if isinstance(error, NotReady):
        error = error.__cause__ or error
    if isinstance(error, NotAsked):
        return Outcome(**vars(error.ending))
    if isinstance(error, OutOfTime):
        return outcome_of_time(error)
    if recorder is not None and isinstance(error, (Mismatch, LearnerFault, WorkerLost)):
        return _failure(error, recorder, checkpoint, course)
    if isinstance(error, AssertionError):
        return Outcome(Verdict.ERROR, message=f"{describe_error(error, course)}: {_NO_ASSERT}")
    detail = error.message if isinstance(error, GraderError) else describe_error(error, course)
    return Outcome(Verdict.ERROR, message=f"the grader could not tell: {detail}")


def _failure(
    error: Mismatch | LearnerFault | WorkerLost,
    recorder: Recorder,
    checkpoint: Checkpoint,
    course: Course,
) -> Outcome:
    session = recorder.session
    if isinstance(error, Mismatch):
        found = outcome_of_mismatch(recorder, error)
    else:
        asked = checkpoint.methods if session.dialect.asks_form else ()
        missing = [name for name in asked if not session.has(name)]
        stage = course.stage_of(checkpoint.id)
        if missing and _lacks_a_name(error.fault) and untried(session, course, stage, missing):
            message = not_written(session, stage, f"`{missing[0]}`")
            return Outcome(Verdict.NOT_STARTED, message=message)
        found = outcome_of_fault(recorder, error)
        name = lacked(error.fault, course, stage)
        if not name or session.has(name):
            name = missing[0] if missing and _lacks_a_name(error.fault) else ""
        message, frames = lacking(session, course, stage, name, error.fault.meant)
        if frames:  # which explains it better than Python's message
            found = replace(found, kind=Kind.MISSING_NAME, message=message, frames=frames)
            error.fault = replace(error.fault, kind=Kind.MISSING_NAME, frames=frames)
        elif name in missing:
            message = f"{message}: {found.message}"
            found = replace(found, kind=Kind.MISSING_NAME, message=message)
    evidence, output = evidence_of(recorder, error), same_every_time(session.output())
    graph, steps = course.graph, recorder.bearing_on(error)
    called = [name for name in session.called(steps) if name]
    session.output()  # discards the output of the second run
    own = (graph.step, graph.backward) if graph else ()
    used = frozenset(used_names(steps, own, called)).union(checkpoint.needs)
    return replace(found, evidence=evidence, output=output, used=used)


def evidence_of(recorder: Recorder, error: Mismatch | LearnerFault | WorkerLost) -> Evidence:
    """Return the evidence of a failure for the diagnosis."""
    evidence = Evidence(
        recorder.session.module,
        tuple(recorder.bearing_on(error)),
        dict(recorder.names),
        long=recorder.seconds > RUN_SECONDS,
    )
    if not isinstance(error, Mismatch):
        return replace(evidence, fault=error.fault)
    reading = error.reading
    return replace(
        evidence,
        failed=(reading.on, reading.attribute) if reading else None,
        got=error.got,
        expected=error.expected,
        form=reading.form if reading else "",
        explained=error.explained,
        scripts=(recorder.before, recorder.steps),
    )


def require_written(session: Session, course: Course, checkpoint: Checkpoint) -> None:
    """Raise NotAsked if a checkpoint's names are missing or stubs."""
    stage, states = course.stage_of(checkpoint.id), session.states
    for name in checkpoint.methods:
        owner, _, method = name.partition(".")
        what = f"class `{owner}`" if method else f"`{owner}`"
        if states[owner].state == "missing":
            if untried(session, course, stage, [owner]):
                raise NotAsked(not_written(session, stage, what))
            message, frames = lacking(session, course, stage, owner)
            raise NotAsked(message, Verdict.FAILED, Kind.MISSING_NAME, frames=frames)
        if states[name].state == "not a class":
            message = f"`{owner}` in {stage.file} is not a class"
            raise NotAsked(
                message, Verdict.FAILED, Kind.BAD_TYPE, expected="a class", got="something else"
            )
    if any(states[name].state == "stub" for name in checkpoint.methods):
        raise NotAsked
    needed = [name for name in checkpoint.methods if only_a_class_has(name)]
    if missing := untried(session, course, stage, needed):
        raise NotAsked(not_written(session, stage, f"`{missing[0]}`"))


def only_a_class_has(name: str) -> bool:
    """Return whether Python looks for a method only in the class, unless a different method
    replaces it, as `__new__` replaces `__init__`.
    """
    method = name.partition(".")[2]
    return method.startswith("__") and method != "__init__"


def untried(session: Session, course: Course, stage: Stage, names: Sequence[str]) -> list[str]:
    """Return the missing names among these, if the code does not seem to define any of them.

    If a file lacks a function of a stage that it has begun, the learner forgot it, so it fails; in
    a notebook its cell may not have run.
    """
    missing = [name for name in names if not session.has(name)]
    begun = any(
        session.states[name].state in {"present", "empty"} for name in course.functions(stage)
    )
    if begun and not session.submission.is_notebook:
        return []
    is_tried = any(attempt(session.submission.files, name, course) for name in missing)
    return [] if is_tried else missing


def lacked(fault: Fault, course: Course, stage: Stage) -> str:
    """Return the required name that this exception found missing, or an empty string.

    A variable counts only in the stage's own file: a different one may only lack an import.
    """
    if fault.kind is not Kind.RAISED or not (match := _LACKS.match(fault.message)):
        return ""
    name = ".".join(filter(None, match.groups()))
    files = course.files if match[1] else (stage.file,)
    asked = {name for file in files for name in course.names(file)}
    if (graph := course.graph) is not None:
        own = (graph.data, graph.gradient, graph.operands, graph.op, graph.step)
        asked |= {f"{graph.node}.{each}" for each in own}
    return name if name in asked else ""


def lacking(
    session: Session, course: Course, stage: Stage, name: str, meant: str = ""
) -> tuple[str, tuple[Frame, ...]]:
    """Return the outcome for a missing name, with the line that seems to define it. `meant` is an
    existing name in its place.
    """
    file = next((file for file in course.files if name in course.names(file)), stage.file)
    if course.graph is not None and name.partition(".")[0] == course.graph.node:
        file = course.engine
    message = f"{file} does not define `{name}`"
    found = attempt(session.submission.files, name, course, meant) if name else None
    if found is None or not (reason := found.instead_of(name, file)):
        return message, ()
    line = line_of(session.submission, found.file, found.line, "")
    return f"{message}{reason}", (line,) if line else ()


def not_written(session: Session, stage: Stage, what: str) -> str:
    """Return the message for code that is missing, even as a stub."""
    where = "your code" if session.submission.is_notebook else stage.file
    return f"{where} has no {what} yet"


def require_reached(session: Session, checkpoint: Checkpoint) -> None:
    """Raise NotAsked for a checkpoint whose names are missing because the code that may
    define them did not run.

    A notebook has no stubs, so any other class or function that it lacks is not started.
    """
    files = session.submission.files
    for name in checkpoint.methods:
        owner, _, method = name.partition(".")
        missing = name if session.has(owner) else owner
        if session.has(missing):
            continue
        last = method if missing == name and method else owner
        trouble = next(
            (note for note in session.memory.notes if may_define(files, note, last)), None
        )
        if trouble is not None:
            kind = Kind.SYNTAX if trouble.how == "syntax" else Kind.MISSING_NAME
            line = line_of(session.submission, trouble.shown, trouble.line, "")
            message = sentence(replace(trouble, source="") if line else trouble)
            frames = (line,) if line else ()
            raise NotAsked(message, Verdict.FAILED, kind, frames=frames)
        if missing == owner and session.submission.is_notebook:
            raise NotAsked(f"your code has no `{owner}` yet")


def not_loaded(stage: Stage, fault: Fault, output: str, *, notebook: bool) -> NotAsked:
    """Return the end of a check of code that cannot be imported."""
    frames = fault.frames
    line = where = f" in {frames[-1].place}" if frames else ""
    # the file at fault may be one that it imports
    file = Path(frames[-1].file).name if frames else stage.file
    if frames and not notebook and file != stage.file:
        where = f" in {file}, {frames[-1].place}"
    what = "running the cells" if notebook else f"importing {stage.file}"
    too_long = (
        f"{what} did not finish in {CELLS_SECONDS if notebook else LOAD_SECONDS:g} s and was"
        f' stopped{where}; code that trains belongs under `if __name__ == "__main__":`'
    )
    raised = f"{what} raises {fault.type_name}: {fault.told}{where}"
    messages = {
        Kind.SYNTAX: f"{file} is not valid Python{line}: {fault.message} (Python {PYTHON})",
        Kind.TIMEOUT: too_long,
        Kind.EXITED: f"{what} ends the interpreter{where}",
    }
    message = messages.get(fault.kind, raised if fault.type_name else f"{what}: {fault.message}")
    return NotAsked(
        message,
        Verdict.FAILED,
        fault.kind,
        reproduce="" if notebook else f"import {stage.module}",
        frames=frames,
        output=output,
    )


def outcome_of_mismatch(recorder: Recorder, error: Mismatch) -> Outcome:
    """Return the outcome of a wrong answer, or an error if the oracle's second method disagrees."""
    if error.confirm is not None and not oracle.close(
        second := error.confirm(), float(error.expected or 0.0)
    ):
        message = (
            f"the grader could not tell: its two methods disagree, {error.expected!r} and"
            f" {second!r}"
        )
        return Outcome(Verdict.ERROR, message=message)
    return Outcome(
        Verdict.FAILED,
        error.kind,
        error.message,
        expected=error.expected,
        got=error.got,
        reproduce=recorder.reproduce(error.reading, error) if error.reading is not None else "",
        how=oracle.HOW if error.confirm is not None else "",
    )


def outcome_of_fault(recorder: Recorder, error: LearnerFault | WorkerLost) -> Outcome:
    """Return the outcome for code that raised, did not end, or killed the worker."""
    fault = error.fault
    raised = f"{fault.type_name}: {fault.message}" if fault.message else fault.type_name
    verb = "while grading:" if "ImportError" in fault.types else "raises"
    last = recorder.steps[-1] if recorder.steps else None
    if isinstance(last, Walk) and not fault.frames and _ON_NO_NODE.match(fault.message):
        verb = f"ends, but then, along {last.along}, the next step raises"
    comments = {
        Kind.TIMEOUT: f"does not end within {recorder.seconds:g} s",
        Kind.EXITED: "ends the interpreter",
        Kind.MEMORY: "uses up the memory",
        Kind.CRASHED: "brings the interpreter down",
    }
    messages = {
        Kind.TIMEOUT: _of_time(fault, recorder.seconds),
        Kind.EXITED: f"ended: {fault.message or raised}",
        Kind.MEMORY: f"out of memory: {fault.message or raised}",
        Kind.CRASHED: fault.message,
    }
    comment = f"{verb} {raised}" if fault.kind is Kind.RAISED else raised
    return Outcome(
        Verdict.FAILED,
        fault.kind,
        messages.get(fault.kind, raised),
        got=raised or None,
        reproduce=recorder.listing_until_last(comments.get(fault.kind, comment)),
        frames=fault.frames,
        stub=fault.stub,
    )


def _lacks_a_name(fault: Fault) -> bool:
    """Return whether a missing method or function may have raised this."""
    return fault.kind is Kind.RAISED and not {"TypeError", "AttributeError"}.isdisjoint(fault.types)


def outcome_of_time(error: OutOfTime) -> Outcome:
    """Return a failure if the submission's own code is to blame, an error if the machine is."""
    if error.slow:
        why = "because its code hangs or sleeps"
        return Outcome(Verdict.FAILED, Kind.TIMEOUT, f"not run: {error}, {why}")
    hint = "grade fewer phases at once, or when this machine has less to do"
    return Outcome(Verdict.ERROR, message=f"the grader could not tell: {error}; {hint}")


def _of_time(fault: Fault, seconds: float) -> str:
    if not fault.frames:
        return f"this does not end: {fault.message}" if fault.message else "this does not end"
    last = fault.frames[-1]
    loop = "the loop of " if last.source.startswith(("for ", "while ")) else ""
    where = f"{loop}{fault.place}, in `{last.function}`"
    return f"this did not finish in {seconds:g} s and was stopped in {where}"
