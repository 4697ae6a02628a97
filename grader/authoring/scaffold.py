"""`grade dev new`: write a new stage that passes `grade dev check`, and a course if there is none.

Nothing is overwritten.
"""

from __future__ import annotations

import keyword
import os
import re
import sys
from contextlib import suppress
from pathlib import Path

from grader.authoring.export import filled
from grader.curriculum.load import load_course, refuse_folder, wrong_stage_id
from grader.curriculum.model import COURSE, MISTAKES, STAGE, SUITE, Course
from grader.curriculum.source import definitions
from grader.curriculum.syntax import read_python
from grader.curriculum.tables import as_toml, parse_toml
from grader.errors import CourseError, UsageError
from grader.learner.files import refuse_existing, write_files

EXERCISES, SOLUTIONS = "exercises", "solutions"
HEADS = {
    "exercise": "Edit this to say what is built here. Replace each `raise NotImplementedError` with"
    " your code.",
    "solution": "The same, solved.",
}
_LAST_STAGE = re.compile(r"^stages\s*=\s*\[[^\]]*[\"']", re.MULTILINE)  # up to its end


def write_stage(
    folder: Path, stage: str, *, file: str | None = None, title: str | None = None
) -> list[Path]:
    """Write the files of a new stage, and of a new course if the folder is new. Return the files.

    Raise UsageError, before anything is written, if a name is not allowed or something already
    exists; CourseError if the course cannot be read; OSError if a file cannot be written.
    """
    folder = folder.resolve()
    refuse_folder(folder)
    course = load_course(folder) if (folder / COURSE).exists() else None
    file = file or (course.files[-1] if course and course.files else "work.py")
    words = {
        "stage": stage,
        "file": file,
        "title": as_toml(" ".join((title or stage.replace("_", " ").capitalize()).split())),
    }
    _refuse_names(stage, file)
    _refuse_place(folder, stage, course)
    homes = (
        (course.exercises, course.solutions) if course else (folder / EXERCISES, folder / SOLUTIONS)
    )
    _refuse_function(homes, stage, file)
    contents = {
        **{home / file: _with(home / file, kind, words) for home, kind in zip(homes, HEADS)},
        **{
            folder / stage / name: filled(f"template/{name}.txt", **words)
            for name in (STAGE, SUITE, MISTAKES)
        },
    }
    if course is None:
        contents[folder / "vocabulary.py"] = filled("template/vocabulary.py.txt")
    # last, because it lists the stage
    contents[folder / COURSE] = (
        filled(f"template/{COURSE}.txt", **words)
        if course is None
        else _listed(folder / COURSE, stage)
    )
    write_files(contents)
    return list(contents)


def _with(file: Path, kind: str, words: dict[str, str]) -> bytes:
    """Return a file of the learners, or the beginning of a new one, with the new function."""
    begun = (
        file.read_text(encoding="utf-8").encode()
        if file.exists()
        else filled("template/head.py.txt", what=HEADS[kind])
    )
    return begun.rstrip(b"\n") + b"\n" + filled(f"template/{kind}.py.txt", **words)


# --- checks before anything is written ---


def _refuse_names(stage: str, file: str) -> None:
    is_taken = stage in {EXERCISES, SOLUTIONS} or keyword.iskeyword(stage)
    if problem := wrong_stage_id(stage) or "that word has another meaning" * is_taken:
        raise UsageError(
            f"a stage cannot be called {stage!r}: {problem}",
            "choose a name such as phase1 or limits",
        )
    module = file.removesuffix(".py")
    is_pythons = keyword.iskeyword(module) or module in sys.stdlib_module_names
    if not file.endswith(".py") or not module.isidentifier() or is_pythons:
        raise UsageError(
            f"{file!r} is not a name for a Python file that can be imported",
            "choose a name such as engine.py, and none of Python's own modules",
        )


def _refuse_place(folder: Path, stage: str, course: Course | None) -> None:
    if {"site-packages", "dist-packages"} & {*folder.parts}:  # pip overwrites these
        raise UsageError(
            "an installed course cannot be edited; the next installation would undo it",
            "name a different folder after --course",
        )
    refuse_existing([folder / stage], "give the stage a different name")
    if course is None and any(not name.name.startswith(".") for name in folder.glob("*")):
        raise UsageError(
            f"{folder} has no {COURSE}, but other files", "name a new folder after --course"
        )


def _refuse_function(homes: tuple[Path, Path], stage: str, file: str) -> None:
    for path in (home / file for home in homes if os.path.lexists(home / file)):
        if stage in {name.partition(".")[0] for name, _ in definitions(read_python(path)[1])}:
            raise UsageError(
                f"{path} already has a {stage!r}",
                "give the stage a different name, or a different --file",
            )


def _listed(file: Path, stage: str) -> bytes:
    """Return the text of course.toml with the stage in its list.

    Raise CourseError if the list cannot be edited.
    """
    text = file.read_text(encoding="utf-8")
    edited = _LAST_STAGE.sub(lambda found: f'{found[0]}, "{stage}"', text, count=1)
    with suppress(ValueError):  # the edited list is not valid TOML
        if parse_toml(edited)["stages"] == [*parse_toml(text)["stages"], stage]:
            return edited.encode()
    raise CourseError(
        f"the list of stages in {file} cannot be edited automatically",
        'write it as: stages = ["one", "two"]',
    )
