"""A class is graded once, whatever dies, hangs or cannot be read on the way."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom import grading as grading_module
from grader.classroom.entries import Entry
from grader.classroom.grading import GradingOptions, Task, failed, grade_all, grade_one, read_task
from grader.classroom.layout import find_handed_in
from grader.classroom.round import Round
from grader.cli.classroom.progress import remaining
from grader.errors import UsageError
from support.classroom import COURSE, HOW, SOLUTION, command, entry, store, stored, tasks, touch
from support.grading import grade


def test_one_learner_s_folder_is_not_graded_as_a_class(handed_in: Path) -> None:
    done = command(str(handed_in / "ada"))
    assert isinstance(done.exception, UsageError)
    assert "is one submission, because engine.py is in it" in str(done.exception)


@pytest.mark.slow
def test_a_class_is_graded_as_each_is_alone_and_goes_on_where_it_was(
    here: Path, handed_in: Path
) -> None:
    (here / "roster.csv").write_text("id,name\nada,Ada L\nzoe,Zoe Z\n", encoding="utf-8")
    words = (str(handed_in), "--phases", "phase1", "--roster", "roster.csv", "--jobs", "2")
    first = command(*words)
    assert first.return_value == 0, first.output
    assert "4 graded, 1 could not be read" in first.output
    assert "1 handed in nothing: Zoe Z" in first.output
    before = stored()
    scores = {one.key.learner: one.score for one in before}
    assert scores == {"ada": 6, "bob": 3, "cem": 0, "dee": 5, "eve": 0}
    for one in before[:-1]:
        alone = grade(handed_in / one.key.learner, ["phase1"], isolate=True)
        verdicts = [(result.id, result.verdict.value) for result in alone.checkpoints]
        assert [(mark.id, mark.verdict) for mark in one.marks] == verdicts
    assert "5 already graded" in command(*words).output
    assert stored() == before
    (handed_in / "bob" / "engine.py").write_bytes(SOLUTION.read_bytes())
    assert "1 graded, 4 already graded" in command(*words).output
    assert [one.score for one in stored() if one.key.learner == "bob"] == [3, 6]


@pytest.mark.slow
def test_an_unreadable_file_is_recognised_in_another_download(here: Path, handed_in: Path) -> None:
    command(str(handed_in), "--phases", "phase1")
    other = handed_in.rename(here / "download (2)")
    os.utime(other / "eve", (1e9, 1e9))
    assert "5 already graded" in command(str(other), "--phases", "phase1").output
    (other / "eve" / "engine.py").write_bytes(b"# \n" * 100_000)
    assert "1 could not be read" in command(str(other), "--phases", "phase1").output


def test_the_remaining_time_counts_only_new_gradings() -> None:
    assert [remaining(9, 200, 5.0), remaining(11, 200, 10.0), remaining(200, 200, 9.0)] == [
        "",
        "3:09 left",
        "0:00 left",
    ]


def test_a_linked_submission_is_refused(tmp_path: Path) -> None:
    touch(tmp_path / "class" / "ada" / "engine.py", tmp_path / "elsewhere" / "engine.py")
    links = {"mal": "ada", "etcs": "/etc", "eve": "../elsewhere", "one.py": "ada/engine.py"}
    for name, target in links.items():
        (tmp_path / "class" / name).symlink_to(target)
    handed = find_handed_in(tmp_path / "class")[1]
    read = {one.learner: read_task(one, COURSE, "", HOW) for one in handed}
    assert isinstance(read.pop("ada"), Task)
    assert len(read) == 4
    for refused in read.values():
        assert isinstance(refused, Entry)
        assert (refused.outcome, "is a link" in refused.message) == ("refused", True)


@pytest.mark.slow
def test_a_crashed_process_costs_only_its_own_submission(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading_module, "grade_one", _dies_of_bob)
    entries = {entry.key.learner: entry for entry in grade_all(tasks(handed_in), HOW, 2)}
    outcomes = {learner: entry.outcome for learner, entry in entries.items()}
    assert outcomes == {"ada": "graded", "bob": "error", "cem": "graded", "dee": "graded"}
    assert "crashed" in entries["bob"].message


@pytest.mark.slow
def test_ctrl_c_keeps_the_finished_gradings(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(running: dict[Future[Entry], Task], **_: object) -> None:
        wait(running)
        raise KeyboardInterrupt

    monkeypatch.setattr(grading_module, "wait", interrupted)
    found: list[Entry] = []
    with pytest.raises(KeyboardInterrupt):
        found.extend(grade_all(tasks(handed_in), HOW, 2))
    assert sorted(one.key.learner for one in found) == ["ada", "bob", "cem", "dee"]


def _dies_of_bob(task: Task, _how: GradingOptions) -> Entry:
    if task.key.learner == "bob":
        os._exit(1)
    return failed(task, "", "graded")


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
    result = command(str(handed_in), "--phases", "phase1")
    assert result.return_value == 3
    assert "1 graded, 1 could not be read, 4 could not be judged" in result.output
    for learner, error in errors.items():
        assert f"{learner}: the grader failed: {type(error).__name__}" in result.output
    assert "\x1b" not in result.output
    monkeypatch.undo()
    os.chdir(here)
    assert "4 graded, 2 already graded" in command(str(handed_in), "--phases", "phase1").output


def test_a_grading_that_fails_is_an_entry(handed_in: Path, tmp_path: Path) -> None:
    task = tasks(handed_in)[0]
    found = grade_one(task, replace(HOW, course=str(tmp_path / "nowhere")))
    assert (found.key, found.outcome) == (task.key, "error")
    assert "nowhere" in found.message


@pytest.mark.slow
def test_markup_in_a_name_is_text(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(here / "in" / "submission_1" / "engine.py")
    name = '"[/red]Zoe [bold] :smile: \\e[2J\\nx \\u202Evsc"'
    (here / "in" / "submission_metadata.yml").write_text(
        f"submission_1:\n  :submitters:\n  - :name: {name}\n    :sid: '[/]'\n", encoding="utf-8"
    )
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    first = command("in", "--phases", "phase1", "--export", "grades.csv")
    assert first.exception is None
    assert "[/red]Zoe" in first.output
    for result in (first, command("show", "[/]"), command("report")):
        assert result.exception is None
        assert "\x1b[2J" not in result.output
    exported = (here / "grades.csv").read_text(encoding="utf-8-sig")
    assert not re.search(r"[\x1b\u202e]", exported)
    assert "\\u202evsc" in exported


@pytest.mark.usefixtures("here")
def test_data_about_a_submission_cannot_control_a_terminal() -> None:
    origin, message = "in/\x1b]0;pwn\x07\n\u202eada", "\x1b[2J[/red]"
    store(replace(entry(outcome="refused"), report="", origin=origin, message=message))
    shown = command("show", "ada")
    assert shown.exception is None
    assert not re.search(r"[\x07\x1b\u202e]", shown.output)
    assert "\\x1b]0;pwn" in shown.output


def _family(process: int) -> set[int]:
    """The process, and all that came from it (Linux)."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents.setdefault(int(stat.read_text().rpartition(")")[2].split()[1]), []).append(
                int(stat.parent.name)
            )
    found, new = {process}, [process]
    while new:
        new = [child for one in new for child in parents.get(one, ())]
        found.update(new)
    return found


def _alive(processes: set[int]) -> set[int]:
    return {
        one
        for one in processes
        if Path(f"/proc/{one}").exists() and ") Z" not in Path(f"/proc/{one}/stat").read_text()
    }


@contextmanager
def _running(handed_in: Path, members: int, **streams: Any) -> Iterator[tuple[Any, set[int]]]:
    """Start a run and wait until it has so many processes."""
    arguments = [sys.executable, "-m", "grader", "class", str(handed_in), "--jobs", "2"]
    with subprocess.Popen(
        arguments, cwd=handed_in.parent, start_new_session=True, **streams
    ) as run:
        until = time.monotonic() + 60
        while len(family := _family(run.pid)) < members:
            assert run.poll() is None
            assert time.monotonic() < until
            time.sleep(0.01)
        yield run, family


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("members", [2, 5])
def test_a_killed_class_run_leaves_no_process(handed_in: Path, members: int) -> None:
    with _running(handed_in, members, stdout=subprocess.DEVNULL) as (run, family):
        run.kill()
    until = time.monotonic() + 20
    while (left := _alive(family)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not left


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and a terminal")
@pytest.mark.parametrize("members", [2, 3, 4, 6])
def test_ctrl_c_on_a_terminal_stops_a_class_run_in_one_line(handed_in: Path, members: int) -> None:
    import pty

    ours, theirs = pty.openpty()
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with _running(handed_in, members, **streams) as (run, family):
        os.close(theirs)
        for one in family:  # as a terminal does, to all of a session that are in its foreground
            with suppress(ProcessLookupError):
                if os.getpgid(one) == run.pid:
                    os.kill(one, signal.SIGINT)
        printed = b""
        with suppress(OSError):  # closed by everybody
            while True:
                printed += os.read(ours, 65536)
    os.close(ours)
    assert run.returncode == 130
    assert b"Traceback" not in printed
    assert b"stopped: " in printed


def test_after_a_stop_the_gradebook_is_counted(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ada", "bob", "cem"):
        touch(here / "in" / name / "engine.py")

    def stop(self: Round, tasks: Iterator[Task], *_: object) -> Iterator[tuple[str, str]]:
        yield from ()
        for task in [next(tasks), next(tasks)]:
            self._add(failed(task, "", "graded"))
        raise KeyboardInterrupt

    monkeypatch.setattr(Round, "_grade", stop)
    told = command("run", "in", "--phases", "phase1").output
    assert "stopped: 2 of 3 are in the gradebook" in told
