"""Find the next hint: the open checkpoint and its function."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from grader.curriculum.model import Checkpoint, Course, Stage
from grader.curriculum.select import checkpoints_named, knows
from grader.errors import SubmissionError, UsageError
from grader.intake.submission import Submission
from grader.judge.written import with_files_joined
from grader.learner.editing import functions_in, functions_of, is_stub
from grader.learner.progress import Failure, Progress, load, save, stages_ahead


class Topic(NamedTuple):
    """A function, the stage that introduces it, and its hints, each with a name.

    `key` is the name under which opened hints are remembered. `checkpoint` and `title` belong to
    the open checkpoint that leads here, and `others` are its other functions. Two hints about the
    wrong line come first, if a change to it is proven; after the code `is_changed`, none does.
    """

    stage: Stage
    function: str
    hints: tuple[tuple[str, str], ...]
    key: str
    checkpoint: str = ""
    title: str = ""
    others: tuple[str, ...] = ()
    is_changed: bool = False


def find_topic(
    course: Course, submission: Submission | None, known: Progress, word: str | None
) -> Topic:
    """Return the function, checkpoint or phase that a word names. Raise UsageError.

    Default: the first failure of the last grading, or else the next stub.
    """
    functions = [(stage, function) for stage in course.stages for function in stage.hints]
    function = "" if word is None or knows(course.stages, word) else word
    named = [found for found in functions if found[1] == function] or [
        found for found in functions if function and found[1].endswith(f".{word}")
    ]
    if len(named) > 1:
        raise UsageError(
            f"several functions are called {word!r}",
            f"name one of {', '.join(name for _, name in named)}",
        )
    if named:
        return _about(course, *named[0])
    if near := get_close_matches(function, [name for _, name in functions], 1, 0.8):
        raise UsageError(f"there is no function {word!r}", f"did you mean {near[0]}?")
    if word is not None and "." in word:
        (id,) = checkpoints_named(course.stages, word)
        return topic_of(course, submission, known, id)
    return topic_in(course, submission, known, course.select([word]) if word else course.stages)


def topic_in(
    course: Course, submission: Submission | None, known: Progress, stages: Sequence[Stage]
) -> Topic:
    """Return the first failure in these stages, or else their next stub."""
    inside = {checkpoint.id for stage in stages for checkpoint in stage.checkpoints}
    stage = [*stages_ahead(stages, known.phases), *stages_ahead(stages, {})][0]
    stubs = _stubs(course, submission, stage)
    ids = [
        id for id, failure in known.failures.items() if id in inside and failure.cause in course.ids
    ]
    ids += [checkpoint.id for checkpoint in stage.checkpoints if stubs & {*checkpoint.methods}]
    counting = [checkpoint.id for checkpoint in stage.checkpoints if not checkpoint.bonus]
    ids += [id for id in counting if id not in known.passed]
    if not ids:  # everything passes
        return _about(course, stage, stage.asked[0])
    return topic_of(course, submission, known, ids[0])


def _about(course: Course, stage: Stage, function: str) -> Topic:
    """Return a function with its hints. Raise UsageError if there are none."""
    for other in course.stages:
        if other.file == stage.file and function in other.hints:
            key = f"{other.module}.{function}"
            return Topic(other, function, other.hints[function].named, key)
    raise UsageError(f"there are no hints about {function}", f"see grade solution {stage.id}")


def open_next(
    topic: Topic, folder: Path | None, *, everything: bool = False, again: bool = False
) -> tuple[int, bool]:
    """Open the next hint of a topic. Return how many are open, and whether the folder remembers
    it.
    """
    known, most = load(folder), len(topic.hints)
    count = most if everything else min(known.opened.get(topic.key, 0) + (not again), most)
    known = replace(known, opened={**known.opened, topic.key: count})
    return count, folder is not None and not save(folder, known)


def find_pasted(
    course: Course, submission: Submission | None, known: Progress, text: str
) -> Topic | None:
    """Return the function or checkpoint that a pasted line names, or None.

    The line comes from the last report of this folder, or contains a checkpoint's id or title.
    """
    pasted = _one_line(text)
    # a line of a report has at least four words
    lines = [line for line in map(_one_line, text.splitlines()) if len(line.split()) >= 4]
    said = [
        id
        for id, failure in known.failures.items()
        if any(line in _one_line(failure.text) for line in lines)
    ]
    named = [
        id
        for stage in course.stages
        for id, title in stage.titles.items()
        if id == pasted or _one_line(title) in lines
    ]
    found = [*said, *named]
    return topic_of(course, submission, known, found[0]) if found else None


def topic_of(course: Course, submission: Submission | None, known: Progress, id: str) -> Topic:
    """Return the functions of a checkpoint, or of the one that blocked it in the last grading."""
    id = known.failures.get(id, Failure(id)).cause
    stage, failure = course.stage_of(id), known.failures.get(id, Failure(id))
    stubs = _stubs(course, submission, stage)
    checkpoint = next(each for each in stage.checkpoints if each.id == id)
    if stubs.isdisjoint(checkpoint.methods):
        checkpoint = _to_blame(course, stage, checkpoint, failure.blame)
    covered = {
        name
        for other in course.stage_of(checkpoint.id).checkpoints
        if other.id in known.passed
        for name in other.methods
    }
    function, *others = sorted(
        checkpoint.methods,
        key=lambda name: (name not in stubs, name in covered, name.endswith(".__init__")),
    )
    topic = _about(course, course.stage_of(checkpoint.id), function)
    topic = topic._replace(checkpoint=id, title=stage.titles[id], others=tuple(others))
    if not failure.change or submission is None:
        return topic
    if with_files_joined(submission, course).hash_of(course.modules_until(stage)) != failure.sha256:
        return topic._replace(is_changed=True)
    line = ("line", failure.kind), ("change", failure.change)
    return topic._replace(hints=(*line, *topic.hints), key=f"{id} {failure.sha256}")


def _to_blame(course: Course, stage: Stage, failed: Checkpoint, operation: str) -> Checkpoint:
    """Return the first checkpoint, up to a stage, that proves the operation to blame; the one that
    failed if it proves that itself, or if none does.
    """
    stages = [other for other in (*course.before(stage), stage) if other.file == stage.file]
    earlier = (one for other in stages for one in other.checkpoints)
    # `r*` and `* gradient` are about `*`
    own = {name.removesuffix(" gradient").removeprefix("r") for name in failed.proves}
    proving = (one for one in earlier if operation in one.proves and operation not in own)
    return next(proving, failed)


def _stubs(course: Course, submission: Submission | None, stage: Stage) -> set[str]:
    """Return the functions of a stage's file that are not written yet, none if that is unclear."""
    stubs = functions_of(course.exercises, stage.file)
    file = submission.module(stage.module) if submission is not None else None
    try:
        mine = functions_in(file.source, file.shown) if file is not None else {}
    except SubmissionError:
        return set()
    return {name for name, stub in stubs.items() if is_stub(stub) and is_stub(mine.get(name, stub))}


def _one_line(text: str) -> str:
    """Return a text as one line, without the signs for code, verdicts and points."""
    text = re.sub(r" \d+/\d+$", "", text.strip())
    return " ".join(text.replace("`", "").strip(" ✗☆!x▫-.>").split())
