"""What a grader that an ordinary user has started keeps from a submission below the sandbox."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support import changed, hand_in, nobody
from support.classroom import stored
from support.command import start

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(nobody.AM_ROOT, reason="nothing is closed to root"),
    pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="looks into /proc"),
]

LOOKS = """
import os

judge = os.getppid()
above = int(open("/proc/%s/stat" % judge).read().rpartition(")")[2].split()[1])  # for a class: what holds the gradebook
for process in (judge, above)[:{}]:
    for name in ("mem", "environ", "maps"):
        try:
            open("/proc/%s/%s" % (process, name), "rb").read(0)
            print("HARM", name)
        except OSError:
            print("kept out of", name)
"""  # noqa: E501
AS_A_LIBRARY = (
    "import sys; from grader import grade; print([c.output for c in grade(sys.argv[1], ['phase2'],"
    " isolation=1).checkpoints])"
)


def test_a_submission_at_level_1_cannot_read_the_commands_memory(tmp_path: Path) -> None:
    folder = str(hand_in(tmp_path, changed() + LOOKS.format(1)))
    done = start("phase2", "--isolation", "1", "--format", "json", "--at", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert ("kept out of mem" in done.stdout, "HARM" in done.stdout) == (True, False)
    scope = Path("/proc/sys/kernel/yama/ptrace_scope")
    if not scope.exists() or scope.read_text().strip() == "0":  # else the system forbids it anyway
        assert "HARM mem" in start(folder, program=[sys.executable, "-c", AS_A_LIBRARY]).stdout


def test_the_processes_that_grade_a_class_cannot_be_read_by_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    hand_in(tmp_path / "all" / "ada", changed() + LOOKS.format(2))
    options = "--phases phase2 --together --isolation 1 --jobs 1 --gradebook gradebook.sqlite"
    assert start("class", "all", *options.split()).returncode == 0
    (entry,) = stored()
    assert ("kept out of mem" in entry.report, "HARM" in entry.report) == (True, False)
