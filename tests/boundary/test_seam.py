"""The seam: whatever depends on processes, threads and signals is given by a host, and the
host can be replaced as a whole.
"""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from grader.judge.grade import Request, grade_request, select
from grader.model import Isolation, Verdict
from support import kit_folder
from support.fake import OneThing
from support.grading import COURSE

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
        asked = select(COURSE, ["1-4", "8"])  # the last has a check in the background
        report = grade_request(SOLUTIONS, Request(COURSE, asked, host=host))
    bad = {
        each.id: each.message for each in report.checkpoints if each.verdict is not Verdict.PASSED
    }
    assert (bad, len(report.phases)) == ({}, 5)
    assert len(host.made) >= 5, "each suite has its own worker"
    assert report.isolation == Isolation(0, ("none",)), "what the host says, and nothing else"
