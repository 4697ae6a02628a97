"""The learner's own file: edited function by function, saved first, never half written."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli.commands import COMMANDS
from grader.cli.group import commands
from grader.curriculum.load import load_course
from grader.errors import GraderError, SubmissionError, UsageError
from grader.learner.editing import (
    change,
    functions_in,
    is_stub,
    load_saved,
    replace_functions,
    undo,
    with_docstring,
    without_docstring,
)
from grader.learner.files import write_whole
from grader.learner.progress import SPOILED
from grader.learner.workspace import readme
from support import kit_folder
from support.grading import grade

COURSE = load_course()
PLAIN = b"""import math  # mine

class Value:
    '''Mine.'''
    x = 1

    def __add__(self, other):
        return 1  # the sum

    # about the product
    def __mul__(self, other): return 2

    @property
    def half(self):
        return self.data / 2


print("demo")
"""
STUB = b"    def __add__(self, other):\n        '''Add.'''\n        raise NotImplementedError\n"


def grade_command(*args: str) -> Result:
    return CliRunner().invoke(commands, list(args), standalone_mode=False)


def test_a_function_is_replaced_and_the_rest_stays_byte_for_byte() -> None:
    edited = replace_functions(PLAIN, {"Value.__add__": STUB}, "engine.py")
    assert edited == PLAIN.replace(
        b"    def __add__(self, other):\n        return 1  # the sum\n", STUB
    )


@pytest.mark.parametrize(
    "change_of_form",
    [
        pytest.param(lambda s: s.replace(b"\n", b"\r\n"), id="Windows line ends"),
        pytest.param(lambda s: s.replace(b"    ", b"\t"), id="tabs"),
        pytest.param(lambda s: s.replace(b"    ", b"  "), id="two blanks"),
        pytest.param(lambda s: b"\xef\xbb\xbf" + s, id="byte order mark"),
        pytest.param(
            lambda s: b"# -*- coding: latin-1 -*-\n" + s.replace(b"mine", b"\xe9"), id="Latin 1"
        ),
        pytest.param(lambda s: s.replace(b'\n\nprint("demo")\n', b""), id="no line end at the end"),
    ],
)
def test_the_form_of_the_file_is_kept(change_of_form: object) -> None:
    source: bytes = change_of_form(PLAIN)  # type: ignore[operator]
    edited = replace_functions(
        source,
        {"Value.__add__": STUB, "Value.half": b"    def half(self):\n        return 0\n"},
        "engine.py",
    )
    assert is_stub(functions_in(edited, "engine.py")["Value.__add__"])
    mine, theirs = functions_in(source, "engine.py"), functions_in(edited, "engine.py")
    assert mine["Value.__mul__"] == theirs["Value.__mul__"]
    around = [
        line
        for line in source.splitlines(keepends=True)
        if b"mine" in line or b"about" in line or b"demo" in line
    ]
    assert all(line in edited for line in around)
    assert (b"\r\n" in source) == (b"\r\n" in edited)
    assert edited.count(b"\n") - edited.count(b"\r\n") == 0 or b"\r\n" not in source


def test_missing_functions_come_at_the_end_of_their_class_or_file() -> None:
    edited = replace_functions(
        PLAIN,
        {"Value.__pow__": STUB.replace(b"add", b"pow"), "free": b"def free():\n    pass\n"},
        "engine.py",
    )
    assert set(functions_in(edited, "engine.py")) == {
        "Value.__add__",
        "Value.__mul__",
        "Value.half",
        "Value.__pow__",
        "free",
    }
    assert edited.startswith(PLAIN.partition(b"\n\nprint")[0])


def test_of_two_functions_with_the_same_name_the_last_is_replaced() -> None:
    twice = b"def f():\n    return 1\n\ndef f():\n    return 2\n"
    assert replace_functions(twice, {"f": b"def f():\n    return 3\n"}, "x.py") == twice.replace(
        b"2", b"3"
    )


@pytest.mark.parametrize(
    "source", [b"class Value(:\n", b"def f():\n    return '\x00'\n", b"(" * 5000, b"x = 1\n"]
)
def test_a_file_that_cannot_be_edited_is_refused(source: bytes) -> None:
    with pytest.raises(SubmissionError):
        replace_functions(source, {"Value.__add__": STUB}, "engine.py")


def test_docstrings_come_and_go() -> None:
    written = b"    def __add__(self, other):\n        # why\n        return 1\n"
    both = with_docstring(STUB, written)
    assert b"Add." in both
    assert b"return 1" in both
    assert "Add." not in without_docstring(both)
    assert is_stub(STUB)
    assert not is_stub(both)


# --- saved, and back ---


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A learner's folder with everything finished; the current folder."""
    shutil.copytree(kit_folder("solutions"), tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_undo_restores_every_byte_that_reset_saved(home: Path) -> None:
    mine = (home / "engine.py").read_bytes() + b"# mine\r\n"
    (home / "engine.py").write_bytes(mine)
    (home / "engine.py").chmod(0o640)
    assert grade_command("reset", "phase3").return_value == 0
    verdicts = {phase.id: phase.done for phase in grade(home, ["2-3"]).phases}
    assert verdicts == {"phase2": True, "phase3": False}
    (saved,) = load_saved(home)
    assert (home / ".grade" / "saved" / saved.before).read_bytes() == mine
    assert grade_command("undo").return_value == 0
    assert (home / "engine.py").read_bytes() == mine
    assert (home / "engine.py").stat().st_mode & 0o777 == 0o640
    with pytest.raises(UsageError):
        undo(home)


def test_undo_after_an_edit_restores_only_the_functions(home: Path) -> None:
    mine = (home / "engine.py").read_bytes()
    grade_command("reset", "phase3")
    edited = (home / "engine.py").read_bytes() + b"\n# later\n"
    (home / "engine.py").write_bytes(edited)
    grade_command("undo")
    assert (home / "engine.py").read_bytes() == mine + b"\n# later\n"
    kept = [path.read_bytes() for path in (home / ".grade" / "saved").glob("undone-*")]
    assert kept == [edited]


def test_resets_are_undone_one_after_the_other(home: Path) -> None:
    mine = (home / "engine.py").read_bytes()
    for phase in ("phase3", "phase4", "phase1"):
        grade_command("reset", phase)
    for _ in range(3):
        grade_command("undo")
    assert (home / "engine.py").read_bytes() == mine


def test_a_reset_of_stubs_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(kit_folder("exercises") / "engine.py", tmp_path)
    assert "already has its stubs" in grade_command("reset", "phase3").output
    assert not load_saved(tmp_path)


@pytest.mark.slow
def test_every_phase_can_be_reset_to_the_exercise(home: Path) -> None:
    for stage in COURSE.stages:
        grade_command("reset", stage.id)
    report = grade(home, ["all"])
    assert {result.verdict.value for result in report.checkpoints} == {"not_started"}


@pytest.mark.parametrize("words", [["reset", "1-3"], ["reset", "9"], ["solution", "all"], ["undo"]])
def test_a_selection_that_makes_no_sense_is_refused(home: Path, words: list[str]) -> None:
    before = (home / "engine.py").read_bytes()
    assert isinstance(grade_command(*words).exception, GraderError)
    assert (home / "engine.py").read_bytes() == before


def test_a_file_with_a_syntax_error_is_left_alone(home: Path) -> None:
    (home / "engine.py").write_text("class Value(:\n", encoding="utf-8")
    result = grade_command("reset", "phase3")
    assert isinstance(result.exception, SubmissionError)
    assert "line 1" in result.exception.message
    assert (home / "engine.py").read_text(encoding="utf-8") == "class Value(:\n"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
@pytest.mark.parametrize("words", [("reset", "phase3"), ("undo",)])
def test_a_linked_file_is_refused_as_grading_refuses_it(home: Path, words: tuple[str, ...]) -> None:
    assert not grade_command("reset", "phase3").exception
    (home / "engine.py").rename(home / "real.py")
    (home / "engine.py").symlink_to("real.py")
    before = (home / "real.py").read_bytes()
    result = grade_command(*words)
    assert isinstance(result.exception, SubmissionError)
    assert result.exception.message.endswith(
        "engine.py' is a link, which the grader does not follow"
    )
    assert (home / "real.py").read_bytes() == before


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_bytes(PLAIN)
    (tmp_path / "engine.py").symlink_to(tmp_path / "real.py")
    change(tmp_path, "engine.py", b"x = 1\n", "test")
    assert (tmp_path / "engine.py").is_symlink()
    assert (tmp_path / "real.py").read_bytes() == b"x = 1\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe")
def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_whole(tmp_path / "pipe", b"x")
    assert os.read(reader, 10) == b"x"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()
    assert [entry.name for entry in tmp_path.iterdir()] == ["pipe"]


def test_a_file_keeps_its_permissions_and_a_new_one_gets_the_usual_ones(tmp_path: Path) -> None:
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_bytes(b"")
    usual = old.stat().st_mode
    old.chmod(0o640)
    for file in (old, new):
        write_whole(file, b"x = 1\n", durable=False)
    assert (old.stat().st_mode & 0o777, new.stat().st_mode) == (0o640, usual)


@pytest.mark.parametrize(("refusals", "holds"), [(2, b"new"), (9, b"old")])
def test_a_file_that_is_being_read_on_windows_is_replaced_a_moment_later(
    refusals: int, holds: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, left, replace = tmp_path / "engine.py", [refusals], Path.replace
    file.write_bytes(b"old")

    def refuse(self: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError
        return replace(self, target)

    monkeypatch.setattr("grader.learner.files._WAITS", (0.0, 0.0, 0.0))
    monkeypatch.setattr(Path, "replace", refuse)
    with nullcontext() if holds == b"new" else pytest.raises(PermissionError):
        write_whole(file, b"new")
    assert file.read_bytes() == holds
    assert [entry.name for entry in tmp_path.iterdir()] == ["engine.py"]


def test_a_folder_that_refuses_new_files_is_reported_with_the_file_that_was_wanted(
    tmp_path: Path,
) -> None:
    wanted = tmp_path / "missing" / "engine.py"
    with pytest.raises(OSError, match="No such file") as met:
        write_whole(wanted, b"new")
    assert met.value.filename == str(wanted.resolve())


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_at_any_moment_the_file_is_the_old_or_the_new(tmp_path: Path) -> None:
    old, new = b"x = 1\n" * 50_000, b"y = 2\n" * 60_000
    (tmp_path / "engine.py").write_bytes(old)
    program = (
        "import sys; from pathlib import Path; from grader.learner.editing import change\n"
        "old, new = b'x = 1\\n' * 50_000, b'y = 2\\n' * 60_000\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    change(Path(sys.argv[1]), 'engine.py', new, 'a'); change(Path(sys.argv[1]), "
        "'engine.py', old, 'b')\n"
    )
    for wait in (0.0, 0.003, 0.01, 0.021, 0.05):
        with subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(wait)
            os.kill(process.pid, signal.SIGKILL)
        assert (tmp_path / "engine.py").read_bytes() in {old, new}
        for entry in load_saved(tmp_path):
            assert (tmp_path / ".grade" / "saved" / entry.before).read_bytes() in {old, new}


# --- beside the reference ---


def test_the_solution_is_shown_after_passing_or_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(kit_folder("exercises") / "engine.py", tmp_path)
    refused = grade_command("solution", "phase1").exception
    assert isinstance(refused, UsageError)
    assert "--spoil" in refused.hint
    assert not SPOILED.load(tmp_path)
    shown = grade_command("solution", "phase1", "--spoil").output
    assert "self.grad = 0.0" in shown
    assert SPOILED.load(tmp_path) == {"phase1"}
    assert next(
        "solution seen" in line for line in grade_command().output.splitlines() if "phase1" in line
    )


@pytest.mark.slow
def test_the_solution_is_shown_next_to_ones_own(home: Path) -> None:
    source = (home / "engine.py").read_text(encoding="utf-8")
    (home / "engine.py").write_text(
        source.replace("self.grad += out.grad\n", "self.grad += 1.0 * out.grad\n", 1),
        encoding="utf-8",
    )
    grade_command("phase2")
    shown = grade_command("solution", "phase2").output
    assert "- " in shown
    assert "1.0 * out.grad" in shown
    assert "identical to yours" in shown
    assert not SPOILED.load(home)


# --- a folder to begin with ---


def test_a_new_folder_has_the_exercises_and_gives_nothing_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert grade_command("init", "mine").return_value == 0
    for file in COURSE.files:
        assert (tmp_path / "mine" / file).read_bytes() == (
            kit_folder("exercises") / file
        ).read_bytes()
    assert {entry.name for entry in (tmp_path / "mine").iterdir()} == {*COURSE.files, "README.md"}


def test_the_readme_of_a_new_folder_offers_to_trace_only_if_the_course_has_a_graph() -> None:
    assert "grade trace" in readme(COURSE)
    assert "grade trace" not in readme(replace(COURSE, graph=None))


def test_the_readme_of_a_new_folder_lists_only_commands_that_exist() -> None:
    listed = re.findall(r"(?m)^    grade (\S+)", readme(COURSE))
    known = {*COMMANDS, *(stage.id for stage in COURSE.stages)}
    assert len(listed) > 5
    assert set(listed) <= known


@pytest.mark.parametrize("name", ["engine.py", "README.md", "two_moons.py"])
def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")
    result = grade_command("init", str(tmp_path))
    assert isinstance(result.exception, UsageError)
    assert name in result.exception.message
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@pytest.mark.slow
def test_a_later_beginning_is_finished_until_there(tmp_path: Path) -> None:
    assert (
        grade_command(
            "init", str(tmp_path / "late"), "--phase", "7", "--with-solutions"
        ).return_value
        == 0
    )
    report = grade(tmp_path / "late", ["all"])
    assert [phase.id for phase in report.phases if phase.done] == [
        f"phase{number}" for number in range(1, 7)
    ]
    assert {r.verdict.value for phase in report.phases[6:] for r in phase.checkpoints} == {
        "not_started"
    }
    assert "phase3" in SPOILED.load(tmp_path / "late")
    # the docstrings go on teaching
    assert b"every use brings another share" in (tmp_path / "late" / "engine.py").read_bytes()


@pytest.mark.parametrize(
    "options", [["--phase", "5"], ["--with-solutions"], ["--phase", "77", "--with-solutions"]]
)
def test_a_later_beginning_must_be_meant(tmp_path: Path, options: list[str]) -> None:
    assert isinstance(grade_command("init", str(tmp_path / "late"), *options).exception, UsageError)
    assert not (tmp_path / "late").exists()


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
@pytest.mark.parametrize("inside", [(), ("saved",), ("saved", "log.json")], ids=str)
def test_nothing_is_saved_through_a_link(inside: tuple[str, ...], tmp_path: Path) -> None:
    home, victim = tmp_path / "home", tmp_path / "victim"
    home.mkdir()
    (home / "engine.py").write_bytes(b"x = 1\n")
    victim.mkdir()
    link = home.joinpath(".grade", *inside)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(victim / "log.json" if "log.json" in inside else victim)
    with pytest.raises(OSError, match="neither a file nor a folder"):
        change(home, "engine.py", b"x = 2\n", "reset phase1")
    assert list(victim.iterdir()) == []
    assert (home / "engine.py").read_bytes() == b"x = 1\n"
    assert load_saved(home) == []
