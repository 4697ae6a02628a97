"""Every command says what it does, with examples that it would take; a slip of the keys is told
what was meant.
"""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import click
import pytest

from grader.cli.commands import LEARNING, TEACHING
from grader.cli.group import commands
from grader.curriculum.load import load_course
from support import EXAMPLE
from support.command import run as grade
from support.generate_docs import every


@pytest.mark.parametrize("path", [path for path, _ in every()])
def test_help_has_examples_that_the_command_would_take(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = grade(*path.split()[1:], "--help", COLUMNS="80").stdout
    assert max(map(len, shown.splitlines())) <= 100, "a line of an example has to be short"
    _, _, below = shown.partition("\n  examples\n")
    lines = below.partition("\n\n")[0].splitlines()
    examples = [line.strip().partition("   ")[0] for line in lines]
    assert examples
    asked: list[str] = []
    # parsed, and not run
    monkeypatch.setattr(
        click.Command, "invoke", lambda _self, context: asked.append(context.command_path)
    )
    for example in examples:
        words = shlex.split(example)[1:]
        assert commands.main(words, prog_name="grade", standalone_mode=False) in {None, 0}
    assert path in asked


STAGES = [stage.id for stage in load_course().stages]


def completed(line: str, folder: Path, **environment: str) -> list[str]:
    """What a shell is offered at the end of the line."""
    asked = {
        "_GRADE_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }
    done = grade(cwd=folder, **asked, **environment)
    assert (done.returncode, done.stderr) == (0, "")
    return [word.partition(",")[2] for word in done.stdout.splitlines() if word]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("grade wa", ["watch"]),
        ("grade phase4", ["phase4"]),
        ("grade phase4.se", ["phase4.seed"]),
        ("grade by", ["by-hand"]),
        ("grade ex", ["export", "ext1", "ext2", "ext3", "ext4", "ext5", "ext6", "extras"]),
        ("grade --ver", ["--version", "--verbose"]),
        ("grade phase4 --form", ["--format"]),
        ("grade --format j", ["json", "junit"]),
        ("grade phase1 phase4.r", ["phase4.reused-intermediate", "phase4.random-graphs"]),
        ("grade quiz a", ["all"]),
        ("grade dev ch", ["check"]),
        ("grade zzz", []),
        ("grade ", [*LEARNING, *TEACHING, *STAGES, "all", "extras"]),
    ],
)
def test_the_shell_completes_commands_phases_and_checkpoints(
    line: str, expected: list[str], tmp_path: Path
) -> None:
    assert completed(line, tmp_path) == expected


def test_a_shell_is_offered_the_phases_of_the_course_that_is_chosen(tmp_path: Path) -> None:
    stages = [stage.id for stage in load_course(EXAMPLE).stages]
    # a name without a space, wherever the checkout lies
    shutil.copytree(EXAMPLE, tmp_path / "course")
    assert completed("grade --course course p", tmp_path) == stages
    assert completed("grade hint --course course p", tmp_path) == stages
    assert completed("grade ph", tmp_path, GRADE_COURSE=str(EXAMPLE)) == stages
    assert completed("grade ph", tmp_path, GRADE_COURSE=str(tmp_path / "nothing")) == []
