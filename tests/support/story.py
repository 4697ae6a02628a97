"""Tell what a learner does, and sees, as a list of steps.

A step runs a command, or looks into a file, with texts that must be there or must not, or it is any
other call: mostly one that saves a file. The learner's files are in `exercises`, below
the current folder.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Union

import pytest

from support import changed, kit_folder, tells
from support.command import run

HOME = Path("exercises")


class Ran(NamedTuple):
    """A command, and what it says. Between two words there is one blank."""

    words: str
    shows: Sequence[str] = ()
    hides: Sequence[str] = ()
    code: int | None = None
    typed: str = ""
    folder: str = "."


class Holds(NamedTuple):
    """A file, and what is in it."""

    file: str
    shows: Sequence[str] = ()
    hides: Sequence[str] = ()


Story = list[Union[Ran, Holds, Callable[[], object]]]


def play(story: Story) -> None:
    """Go through the steps. Fail at the first command that says anything else."""
    for step in story:
        if isinstance(step, Ran):
            done = run(*shlex.split(step.words), cwd=step.folder, typed=step.typed)
            told = " ".join((done.stdout + done.stderr).split())
            assert step.code in {None, done.returncode}, told
        elif isinstance(step, Holds):
            told = Path(step.file).read_text(encoding="utf-8")
        else:
            step()
            continue
        tells(told, *step.shows, hides=step.hides)


def each(stories: Mapping[str, object], *slow: str) -> pytest.MarkDecorator:
    """Give a test each of the stories as `story`. Mark those with these names as slow."""
    assert {*slow} <= {*stories}
    marks = {name: [pytest.mark.slow] for name in slow}
    cases = [
        pytest.param(story, id=name, marks=marks.get(name, [])) for name, story in stories.items()
    ]
    return pytest.mark.parametrize("story", cases)


def write(*pairs: tuple[str, str], more: str = "") -> None:
    """Save the finished engine with these places changed."""
    save(changed(*pairs) + more)


def until(function: str, *pairs: tuple[str, str]) -> None:
    """Save the finished engine up to a function."""
    save(written_until(function, *pairs))


def written_until(function: str, *pairs: tuple[str, str]) -> str:
    """Return the finished engine up to a function. That one and those below it are stubs."""
    stubs = (kit_folder("exercises") / "engine.py").read_text(encoding="utf-8")
    head, written = f"    def {function}(", changed(*pairs)
    return written[: written.index(head)] + stubs[stubs.index(head) :]


def save(text: str, file: str = "engine.py") -> None:
    """Save a file of the learner."""
    (HOME / file).write_text(text, encoding="utf-8")


def edit(file: Path, old: str, new: str) -> None:
    """Replace a text of a file, which must be there."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
