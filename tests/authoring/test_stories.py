"""What an author, and a learner of another course, do at the command line, and see."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from shlex import quote

import pytest

from grader.authoring.scaffold import write_stage
from support import EXAMPLE
from support.story import Holds, Ran, Story, each, edit, play

QUOTED = quote(str(EXAMPLE))
BEGIN = partial(write_stage, Path("mine"), "sums")
TABLE = Path("mine/what-the-suites-catch.md")
LIMITS = 'What a "limit" is, \\ and why'


def of_example(words: str, *shows: str) -> Ran:
    return Ran(f"{words} --course {QUOTED}", shows, folder="here")


STORIES: dict[str, Story] = {
    "every command takes another course": [
        Ran(f"init here --course {QUOTED}", [f"set GRADE_COURSE to {EXAMPLE}"], code=0),
        Holds("here/README.md", ["grade phase1"]),
        of_example("", "next: phase1, A pair of numbers"),
        of_example("phase1", "0/9"),
        of_example("hint phase2", "cross out e * e"),
        of_example("checklist", "I have carried a value and a slope"),
        of_example("solution phase1 --spoil", "self.slope + other.slope"),
        of_example("quiz --seed 1", "0 of 2 right, 2 not answered"),
        Ran(f"reset phase1 --course {QUOTED}", [], ["error"], folder="here"),
        of_example("undo", "your functions again"),
    ],
    "a folder that is not a course is wrong usage": [
        Ran(f"{words} --course {folder}", [told, "hint: name a folder with a course.toml"], code=2)
        for words in ("phase1", "quiz", "dev check", "")
        for folder, told in (
            ("nowhere", "there is no folder"),
            (".", "no course.toml in the folder"),
        )
    ],
    "a course without questions, symptoms and checklist says so": [
        BEGIN,
        Ran("init here --course mine"),
        Holds("here/README.md", ["grade sums"], ["quiz"]),
        Ran("quiz --course mine", ["error: there is no question to ask"], code=2),
        Ran(
            "hint --symptom half --course mine",
            ["error: this course has no list of symptoms"],
            code=2,
        ),
        Ran("checklist --course ../mine", ["this course has no checklist"], code=0, folder="here"),
    ],
    "the built-in course is not edited without being named": [
        Ran("dev new limits", ["grade dev new limits --course DIR"], code=2),
        Ran("dev new hint --course mine", ["`grade hint` is a command"], code=2),
        Path("mine").mkdir,
    ],
    "a new course proves itself": [
        Ran(f"dev new limits --course mine --file calculus.py --title {quote(LIMITS)}", code=0),
        Ran("dev new slopes --course mine", code=0),
        Holds("mine/slopes/stage.toml", ['file = "calculus.py"']),
        Ran("list --course ..", [LIMITS], folder="mine/solutions"),
        Ran(
            "dev check --course mine --jobs 1 --write",
            ["faulty engines: 2; gradings: 17; problems: 0"],
            code=0,
        ),
        Holds(str(TABLE), ["| `limits.two-added` |", "| `slopes.two-added` |"]),
        Ran("dev check --course mine --jobs 1", code=0),  # the table is no stray file
    ],
    "nothing is graded while the files are wrong": [
        BEGIN,
        Path("mine/notes.txt").touch,
        Ran(
            "dev check --course mine --write",
            [
                "nothing was graded; fix the files first",
                "faulty engines: 0; gradings: 0; problems: 1",
            ],
            code=1,
        ),
        partial(TABLE.touch, exist_ok=False),
    ],
    "a broken course is nobody's fault but the course's": [
        BEGIN,
        partial(edit, Path("mine/sums/stage.toml"), "points = 1", ""),
        Ran(
            "sums --course mine --at mine/solutions",
            ["[[checkpoint]] 'twice': the key 'points' is missing"],
            code=3,
        ),
    ],
}


@each(STORIES, "a new course proves itself")
def test_an_author_sees_what_a_command_does(
    story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    play(story)
