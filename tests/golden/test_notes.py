"""Submissions that pass the reference on: code that holds it leaves a note, and the code of another
learner looks for it.

Each case says how a note is left and how it is found. `SLOTS` are files of the standard library
that nobody has read for two days, `FOLDERS` are folders, `LINKS` are links.
"""

from __future__ import annotations

import encodings
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.boundary import access_times, landlock, seccomp
from support import ROOT
from support.command import run
from support.grading import grade

fcntl = pytest.importorskip("fcntl", reason="only the sandbox keeps notes out")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (landlock.abi() and seccomp.machine()), reason="only the sandbox keeps notes out"
    ),
]

LIBRARY = Path(encodings.__file__).parent
SLOTS = sorted(LIBRARY.glob("cp*.py"))[:24]
# two that no worker imports
FOLDERS = [LIBRARY, LIBRARY.parent / "wsgiref", LIBRARY.parent / "curses"]
OLD = time.time() - 2 * access_times.DAY
ENGINE = (ROOT / "solutions" / "engine.py").read_text(encoding="utf-8")
SPY = """
import os, sys, time
def holds(frame=sys._getframe()):
    while frame is not None:
        if getattr(frame.f_locals.get("asked"), "swaps", None):
            return True
        frame = frame.f_back
def age(path, **how):
    return time.time() - os.stat(path, **how).st_atime
def attempt(action):
    try:
        return action()
    except (OSError, ImportError, AttributeError):
        return None
"""
TAIL = """
if attempt(found):
    print("HARM")
if holds():
    print("IT HOLDS THE REFERENCE")
    attempt(leave)
"""
FRESH = "age(SLOTS[0]) < 3600 and age(SLOTS[1]) > 86400"
CASES = {
    "files that are read": ("[open(p).read(1) for p in SLOTS[::2]]", FRESH),
    "files that are mapped": (
        "[__import__('mmap').mmap(os.open(p, 0), 0, access=1)[:9] for p in SLOTS[::2]]",
        FRESH,
    ),
    "folders that are listed": (
        "os.listdir(FOLDERS[1])",
        "age(FOLDERS[1]) < 3600 and age(FOLDERS[2]) > 86400",
    ),
    "times that are set": ("os.utime(SLOTS[0])", FRESH),
    "a file": ("open('/tmp/grade-note', 'w')", "os.path.exists('/tmp/grade-note')"),
    "shared memory": ("open('/dev/shm/grade-note', 'w')", "os.path.exists('/dev/shm/grade-note')"),
    "shared memory of old": ("c('shmget')(4711, 4096, 0o1666)", "c('shmget')(4711, 0, 0) >= 0"),
    "a queue of messages": ("c('msgget')(4712, 0o1666)", "c('msgget')(4712, 0) >= 0"),
    "a lock": ("F.flock(os.open(SLOTS[0], 0), 2)", "F.flock(os.open(SLOTS[0], 0), 6)"),
    "a lock on bytes": ("F.lockf(os.open(SLOTS[0], 2), 2)", "F.lockf(os.open(SLOTS[0], 2), 6)"),
    "a watch": ("c('inotify_init')()", "c('inotify_init')() >= 0"),
    "an abstract socket": (
        "S.socket(S.AF_UNIX).bind('\\0grade')",
        "S.socket(S.AF_UNIX).connect('\\0grade')",
    ),
    "the cache of a file": (
        "os.posix_fadvise(os.open(SLOTS[0], 0), 0, 0, 4)",
        "os.posix_fadvise(os.open(SLOTS[0], 0), 0, 0, 4) is None",
    ),
}
MORE = """
import fcntl as F, socket as S
def c(name):
    return getattr(__import__("ctypes").CDLL(None), name)
"""


@pytest.fixture(autouse=True)
def nobody_has_read_them(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the files look unread, as no submission can. One test at a time does so: they all use
    the same standard library, and another one would undo what the grader settled for the first.
    """
    monkeypatch.setattr(access_times, "_until", {})
    with Path(tempfile.gettempdir(), "grade-notes.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for path in (*SLOTS, *FOLDERS):
            if not os.access(path, os.W_OK):
                pytest.skip("only the owner can make a file look unread")
            os.utime(path, (OLD, path.stat().st_mtime))
        yield


def _written(folder: Path, name: str, mistake: tuple[str, str]) -> Path:
    leave, found = CASES[name]
    places = f"SLOTS, FOLDERS = {[*map(str, SLOTS)]}, {[*map(str, FOLDERS)]}"
    spy = f"{SPY}{MORE}{places}\nleave = lambda: {leave}\nfound = lambda: {found}\n{TAIL}"
    folder.mkdir(parents=True)
    (folder / "engine.py").write_text(f"{ENGINE.replace(*mistake, 1)}\n{spy}", encoding="utf-8")
    return folder


def test_no_note_reaches_a_second_run_or_another_process(tmp_path: Path) -> None:
    for learner in ("ada", "bob", "cy"):
        _written(
            tmp_path / "all" / learner, "files that are read", ("return self * -1", "return self")
        )
    book = ("--gradebook", str(tmp_path / "book.sqlite"))
    for again in ((), ("--again", "all")):
        options = ("--phases", "3-4", "--jobs", "2", *book, *again)
        assert run("class", "run", str(tmp_path / "all"), *options).returncode == 0
        assert run("class", "feedback", str(tmp_path / "pages"), *book).returncode == 0
        pages = [page.read_text(encoding="utf-8") for page in (tmp_path / "pages").iterdir()]
        assert len(pages) == 3
        assert not any("HARM" in page or "IT HOLDS" in page for page in pages)


@pytest.mark.parametrize("name", CASES)
def test_no_note_reaches_the_next_learner(name: str, tmp_path: Path) -> None:
    mistake = "self.data * other.data", "self.data + other.data"
    reports = [
        grade(_written(tmp_path / learner, name, mistake), ["3-4"], isolate=True, shows_output=True)
        for learner in ("ada", "bob")
    ]
    outputs = [result.output for report in reports for result in report.checkpoints]
    assert any("IT HOLDS THE REFERENCE" in output for output in outputs), "the case is idle"
    assert not any("HARM" in output for output in outputs)
