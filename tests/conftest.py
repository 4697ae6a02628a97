"""What several test files share: sessions that are closed again, a look at what is left behind, and
a process as a terminal starts it.
"""

from __future__ import annotations

import importlib.util
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.boundary.process import ProcessTransport
from grader.boundary.transport import Transport
from grader.judge.session import Session
from support import ROOT, fake, nobody
from support.start import NAMES, Begin

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # in the background of a shell; every process started here would inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("needs_root") and not nobody.AM_ROOT:
        pytest.skip("only root can do this")
    for module in (module for mark in item.iter_markers("needs") for module in mark.args):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which temporary folders are made, empty now."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Where the command puts its temporary folders: nothing may be left in it. The current folder
    is an empty one.
    """
    folder, here = tmp_path / "temporary", tmp_path / "here"
    folder.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONWARNINGS"):
        monkeypatch.delenv(name, raising=False)
    yield
    assert list(folder.iterdir()) == []


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user can read."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Begins a session with a submission's source: in a process of its own, or wherever `connect`
    leads.
    """
    sessions: list[Session] = []

    def started(
        source: str | bytes, connect: Callable[[], Transport] = ProcessTransport, **others: str
    ) -> Session:
        sessions.append(Session(connect, fake.submission(source, **others), "engine", NAMES))
        return sessions[-1]

    yield started
    for session in sessions:
        session.close()


@pytest.fixture
def here(begin: Begin) -> Begin:
    """Begins a session whose worker is in this process: for submissions that behave."""
    return lambda source, **others: begin(source, fake.InProcess, **others)
