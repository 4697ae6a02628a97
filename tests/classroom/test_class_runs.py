"""A class is graded once, whatever dies, hangs or cannot be read on the way."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from grader.classroom import grading as grading_module
from grader.classroom.entries import Entry
from grader.classroom.grading import GradingOptions, Task, failed, grade_all
from support import changed, tells, touch
from support.classroom import HOW, command, read_tasks, stored, tasks
from support.grading import grade
from support.workers import family, is_gone, within


@pytest.mark.slow
def test_a_class_is_graded_as_each_is_alone_and_goes_on_where_it_was(
    here: Path, handed_in: Path
) -> None:
    (here / "roster.csv").write_text("id,name\nada,Ada L\nzoe,Zoe Z\n", encoding="utf-8")
    words = ("--phases", "phase1", "--roster", "roster.csv", "--jobs", "2")
    code, told = command(handed_in, *words)
    assert code == 0
    tells(told, "4 graded, 1 could not be read", "1 handed in nothing: Zoe Z")
    before = stored()
    scores = {one.key.learner: one.score for one in before}
    assert scores == {"ada": 6, "bob": 3, "cem": 0, "dee": 5, "eve": 0}
    for one in before[:-1]:
        alone = grade(handed_in / one.key.learner, ["phase1"], isolate=True)
        verdicts = [(result.id, result.verdict.value) for result in alone.checkpoints]
        assert [(mark.id, mark.verdict) for mark in one.marks] == verdicts
    again = handed_in.rename(here / "download (2)")
    assert "5 unchanged" in command(again, *words)[1]
    assert [replace(one, again=0.0) for one in stored()] == before
    touch(again / "bob" / "engine.py", text=changed())
    touch(again / "eve" / "engine.py", text="# \n" * 100_000)
    assert "1 graded, 3 unchanged, 1 could not be read" in command(again, *words)[1]
    assert [one.score for one in stored() if one.key.learner == "bob"] == [3, 6]


def test_a_linked_submission_is_refused(tmp_path: Path) -> None:
    touch(tmp_path / "class" / "ada" / "engine.py", tmp_path / "elsewhere" / "engine.py")
    links = {"mal": "ada", "etcs": "/etc", "eve": "../elsewhere", "one.py": "ada/engine.py"}
    for name, target in links.items():
        (tmp_path / "class" / name).symlink_to(target)
    read = read_tasks(tmp_path / "class")
    assert isinstance(read.pop("ada"), Task)
    found = [one for one in read.values() if isinstance(one, Entry)]
    told = [(one.outcome, "is a link" in one.message) for one in found]
    assert told == [("refused", True)] * 4


@pytest.mark.slow
def test_a_crashed_process_costs_only_its_own_submission(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading_module, "serve_class", _dies_of_bob)
    entries = {entry.key.learner: entry for entry in grade_all(tasks(handed_in), HOW, 2)}
    assert "crashed" in entries["bob"].message
    assert [one for one in entries if entries[one].outcome != "graded"] == ["bob"]


@pytest.mark.slow
def test_ctrl_c_keeps_the_finished_gradings_and_counts_them(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(running: Sequence[Connection]) -> None:
        assert all(each.poll(60) for each in running)
        raise KeyboardInterrupt

    monkeypatch.setattr(grading_module, "wait", interrupted)
    code, told = command("run", handed_in, "--phases", "phase1", "--jobs", "4")
    assert (code, "stopped: 4 of 5 are done" in told) == (130, True), told
    assert {one.key.learner for one in stored()} >= {"ada", "bob", "cem", "dee"}


def _dies_of_bob(channel: Connection, _how: GradingOptions) -> None:
    with suppress(EOFError):
        while (task := channel.recv()).key.learner != "bob":
            channel.send(failed(task, "", "graded"))
        os._exit(1)


@pytest.mark.slow
def test_an_exception_in_the_grader_costs_only_one_submission(
    here: Path, handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grader.intake.read import read_submission

    shutil.copytree(handed_in / "ada", handed_in / "fay")
    errors = {
        "bob": RecursionError("deep"),
        "cem": MemoryError(),
        "dee": UnicodeEncodeError("utf-8", "\udc80", 0, 1, "surrogates"),
        "fay": ValueError("\udc80\x1b"),
    }

    def read(path: Path, names: list[str], *, wanted: list[str]) -> object:
        if path.name in errors:
            raise errors[path.name]
        return read_submission(path, names, wanted=wanted)

    monkeypatch.setattr("grader.intake.read.read_submission", read)
    code, told = command(handed_in, "--phases", "phase1")
    assert (code, "\x1b" in told) == (3, False)
    assert "1 graded, 1 could not be read, 4 could not be judged" in told
    for learner, error in errors.items():
        assert f"{learner}: the grader failed: {type(error).__name__}" in told
    monkeypatch.undo()
    os.chdir(here)
    assert "4 graded, 2 unchanged" in command(handed_in, "--phases", "phase1")[1]


@pytest.mark.slow
def test_markup_in_a_name_is_text(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = '"[/red]Zoe [bold] :smile: \\e[2J\\nx \\u202Evsc"'
    touch(here / "in" / "submission_1" / "engine.py")
    touch(
        here / "in" / "submission_metadata.yml",
        text=f"submission_1:\n  :submitters:\n  - :name: {name}\n    :sid: '[/]'\n",
    )
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    code, first = command("in", "--phases", "phase1")
    assert command("export", "--to", "csv")[0] == 0
    assert (code, "[/red]Zoe" in first) == (0, True)
    for told in (first, command("show", "[/]")[1], command("report")[1]):
        assert "\x1b[2J" not in told
    exported = (here / "grades.csv").read_text(encoding="utf-8-sig")
    assert not re.search(r"[\x1b\u202e]", exported)
    assert "\\u202evsc" in exported


@contextmanager
def _running(handed_in: Path, members: int, **streams: Any) -> Iterator[tuple[Any, set[int]]]:
    """Start a run and wait until it has so many processes."""
    arguments = [sys.executable, "-m", "grader", "class", str(handed_in), "--jobs", "2"]
    with subprocess.Popen(
        arguments, cwd=handed_in.parent, start_new_session=True, **streams
    ) as run:
        assert within(60, lambda: len(family(run.pid)) >= members or run.poll() is not None)
        assert run.poll() is None
        yield run, family(run.pid)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("members", [2, 5])
def test_a_killed_class_run_leaves_no_process(handed_in: Path, members: int) -> None:
    with _running(handed_in, members, stdout=subprocess.DEVNULL) as (run, processes):
        run.kill()
    assert within(20, lambda: all(map(is_gone, processes)))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and a terminal")
@pytest.mark.parametrize("members", [2, 3, 4, 6])
def test_ctrl_c_on_a_terminal_stops_a_class_run_in_one_line(handed_in: Path, members: int) -> None:
    import pty

    ours, theirs = pty.openpty()
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with _running(handed_in, members, **streams) as (run, processes):
        os.close(theirs)
        for one in processes:  # as a terminal does, to all of a session that are in its foreground
            with suppress(ProcessLookupError):
                if os.getpgid(one) == run.pid:
                    os.kill(one, signal.SIGINT)
        printed = b""
        with suppress(OSError):  # closed by everybody
            while True:
                printed += os.read(ours, 65536)
    os.close(ours)
    assert run.returncode == 130, printed.decode()
    assert b"Traceback" not in printed, printed.decode()
    assert b"stopped: " in printed
