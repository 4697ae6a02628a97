"""The seam: whatever depends on processes, threads and signals is given by a host, and the
host can be replaced as a whole.
"""

from __future__ import annotations

import ast
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.boundary import transport
from grader.boundary.pool import ProcessHost
from grader.cli import app
from grader.curriculum.load import load_course
from grader.judge.grade import Request, grade_request, select
from grader.model import Isolation, Verdict
from support import kit_folder
from support.fake import OneThing

COURSE = load_course()
SOLUTIONS = kit_folder("solutions")


@contextmanager
def nothing_else() -> Iterator[None]:
    """A process, a thread or a signal is an error. No fixture: pytest's own time limit needs
    signals.
    """

    def refuse(*_: object, **__: object) -> None:
        raise OSError("this machine has no processes, no threads and no signals")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "__init__", refuse)
        patch.setattr(threading.Thread, "start", refuse)
        for name in ("setitimer", "alarm", "raise_signal"):
            patch.setattr(signal, name, refuse, raising=False)
        patch.delattr(signal, "SIGALRM", raising=False)
        yield


@pytest.mark.slow
def test_suites_run_on_a_host_without_processes_threads_and_signals() -> None:
    host = OneThing()
    with nothing_else():
        report = grade_request(SOLUTIONS, Request(COURSE, select(COURSE, ["phase1-4"]), host=host))
    bad = [
        (result.id, result.message)
        for result in report.checkpoints
        if result.verdict is not Verdict.PASSED
    ]
    assert not bad
    assert len(report.phases) == 4
    assert len(host.made) >= 4, "each suite has its own worker"
    assert report.isolation == Isolation(0, ("none",)), "what the host says, and nothing else"


@pytest.mark.slow
def test_a_background_check_runs_in_turn_if_nothing_can_run_in_parallel() -> None:
    with nothing_else():
        report = grade_request(
            SOLUTIONS, Request(COURSE, select(COURSE, ["phase8"]), host=OneThing())
        )
    bad = [
        (result.id, result.message)
        for result in report.checkpoints
        if result.verdict is not Verdict.PASSED
    ]
    assert not bad


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["phase1"],
        [],
        ["trace", "a * b", "--text", "--set", "a=2", "--set", "b=3"],
        ["show", "--steps", "1"],
    ],
    ids=["grade", "status", "trace", "show"],
)
def test_the_command_line_takes_all_its_workers_from_the_given_host(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    host = OneThing()
    at = ["--at", str(SOLUTIONS)]
    with nothing_else():
        code = app.run([*words, *at], host)
    assert code == 0, capsys.readouterr().out
    assert host.made


def test_the_seam_needs_no_process_thread_or_signal() -> None:
    tree = ast.parse(Path(transport.__file__).read_text(encoding="utf-8"))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported == {"__future__", "collections", "typing", "grader"}


def test_the_expected_number_of_workers_starts_ahead_two_at_a_time() -> None:
    with ProcessHost() as host:
        assert not host._waiting, "nobody has asked yet"
        host.expect(3)
        assert len(host._waiting) == 2
        used = [host.worker()]
        assert len(host._waiting) == 2
        used.append(host.worker())
        assert len(host._waiting) == 1, "three in all"
        waiting = list(host._waiting)
        for worker in used:
            worker.close()
    assert all(worker._closed for worker in waiting)
