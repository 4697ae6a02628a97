"""Every command says what it does, with examples that it would take; a slip of the keys is told
what was meant.
"""

from __future__ import annotations

import ast
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import grader
from grader.cli.commands import LEARNING, TEACHING
from grader.cli.group import commands
from grader.curriculum.load import load_course
from grader.errors import SubmissionError, UsageError
from support.command import run as grade


def every(
    command: click.Command = commands, *path: str
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands, each with the words that lead to it."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from every(inner, *path, name)


@pytest.mark.parametrize(
    "path", [path for path, _ in every()], ids=lambda path: " ".join(path) or "grade"
)
def test_help_has_examples_that_the_command_would_take(
    path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = (
        CliRunner()
        .invoke(
            commands, [*path, "--help"], prog_name="grade", terminal_width=80, standalone_mode=False
        )
        .stdout
    )
    assert max(map(len, shown.splitlines())) <= 100, (
        "a line of an example is not broken, and has to be short"
    )
    _, _, below = shown.partition("\n  examples\n")
    examples = [
        line.strip().partition("   ")[0] for line in below.partition("\n\n")[0].splitlines()
    ]
    assert examples
    asked: list[str] = []
    # parsed, and not run
    monkeypatch.setattr(
        click.Command, "invoke", lambda _self, context: asked.append(context.command_path)
    )
    for example in examples:
        assert commands.main(
            shlex.split(example)[1:], prog_name="grade", standalone_mode=False
        ) in {None, 0}
    assert " ".join(("grade", *path)) in asked


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("wach", "did you mean grade watch?"),
        ("hnt", "did you mean grade hint?"),
        ("help", "grade --help"),
        ("list", "grade without"),
        ("phse4", "did you mean phase4?"),
        ("9", "the phases are phase1"),
        ("phase4.sed", "did you mean phase4.seed?"),
        ("zzz", "the phases are phase1"),
    ],
)
def test_a_typo_gets_the_command_that_was_meant(
    word: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "engine.py").write_text("", encoding="utf-8")
    Path("engine.py").write_text("", encoding="utf-8")
    done = CliRunner().invoke(commands, [word], standalone_mode=False)
    assert isinstance(done.exception, UsageError)
    assert repr(word) in done.exception.message
    assert told in done.exception.hint
    assert not Path(".grade").exists()  # nothing was graded before


def test_a_missing_argument_leads_to_the_commands_own_help() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "grader", "reset"],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        2,
        "error: Missing argument 'PHASE'.\nhint: see grade reset --help\n",
    )


def test_in_the_wrong_folder_the_hint_names_the_right_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine" / "deep" / "er").mkdir(parents=True)
    (tmp_path / "mine" / "engine.py").write_text("", encoding="utf-8")
    for here, told in (("", "cd mine"), ("mine/deep/er", f"cd {Path('..', '..')}")):
        monkeypatch.chdir(tmp_path / here)
        done = CliRunner().invoke(commands, ["phase1"], standalone_mode=False)
        assert isinstance(done.exception, SubmissionError)
        assert done.exception.hint == told
    monkeypatch.chdir(tmp_path / "mine" / "deep" / "er")
    (tmp_path / "mine" / "engine.py").unlink()
    done = CliRunner().invoke(commands, [], standalone_mode=False)
    assert isinstance(done.exception, SubmissionError)
    assert "grade init my-engine" in done.exception.hint


@pytest.mark.parametrize("name", ["Engine.py", "engine (1).py", "engine.py.txt"])
def test_an_engine_with_a_similar_name_only_has_to_be_renamed(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("", encoding="utf-8")
    assert f"hint: rename {name} to engine.py\n" in grade("phase1", cwd=tmp_path).stderr


def test_a_folder_with_only_a_notebook_says_how_to_grade_it(tmp_path: Path) -> None:
    (tmp_path / "my engine.ipynb").touch()
    assert 'grade all --at "my engine.ipynb"\n' in grade("phase1", cwd=tmp_path).stderr


def test_a_folder_with_a_space_is_quoted_for_the_shell(tmp_path: Path) -> None:
    assert 'next: cd "my engine", then grade' in grade("init", "my engine", cwd=tmp_path).stdout
    assert 'hint: cd "my engine"\n' in grade("phase1", cwd=tmp_path).stderr


def completed(line: str, folder: Path, **environment: str) -> list[str]:
    """What a shell is offered at the end of the line."""
    words = line.split(" ")
    done = subprocess.run(
        [sys.executable, "-m", "grader"],
        cwd=folder,
        env={
            **os.environ,
            "_GRADE_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
            **environment,
        },
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
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
        ("grade hint ext", ["ext1", "ext2", "ext3", "ext4", "ext5", "ext6"]),
        ("grade dev ch", ["check"]),
        ("grade zzz", []),
    ],
)
def test_the_shell_completes_commands_phases_and_checkpoints(
    line: str, expected: list[str], tmp_path: Path
) -> None:
    assert completed(line, tmp_path) == expected


def test_a_shell_is_offered_every_command_and_every_phase(tmp_path: Path) -> None:
    offered = completed("grade ", tmp_path)
    stages = [stage.id for stage in load_course().stages]
    assert offered == [*LEARNING, *TEACHING, *stages, "all", "extras"]
    assert completed("grade hint ", tmp_path) == stages


def test_a_shell_is_offered_the_phases_of_the_course_that_is_chosen(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "dual-numbers"
    stages = [stage.id for stage in load_course(example).stages]
    # a name without a space, wherever the checkout lies
    shutil.copytree(example, tmp_path / "course")
    assert completed("grade --course course p", tmp_path) == stages
    assert completed("grade hint --course course p", tmp_path) == stages
    assert completed("grade ph", tmp_path, GRADE_COURSE=str(example)) == stages
    assert completed("grade ph", tmp_path, GRADE_COURSE=str(tmp_path / "nothing")) == []


def test_nothing_but_the_command_line_prints_or_exits() -> None:
    package = Path(grader.__file__).parent
    for file in package.rglob("*.py"):
        if file.relative_to(package).parts[0] in {"cli", "course", "worker", "kit", "__main__.py"}:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                assert ast.unparse(node.func) not in {"print", "sys.exit", "exit"}, file
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names]
                assert "click" not in {*names, getattr(node, "module", None)}, file
