"""Fixtures for several test files: sessions that are closed again, and a check for leftovers."""

from __future__ import annotations

import gc
import importlib.util
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from grader.boundary.pool import ProcessHost
from grader.boundary.transport import Transport
from grader.judge.session import Session
from support import ROOT, fake, kit_folder, nobody
from support.browser import browser
from support.start import NAMES, Begin

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # ignored in a shell's background; every process started here would inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)

# what takes long on a busy machine is not wrong
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("needs_root") and not nobody.AM_ROOT:
        pytest.skip("only root can do this")
    for module in (module for mark in item.iter_markers("needs") for module in mark.args):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the browsers: at the end, the other processes would wait for them."""
    items.sort(key=lambda item: "web" not in item.path.parts)


def pytest_unconfigure() -> None:
    """Look through what is left once, and not half a dozen times, for seconds each."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder for temporary folders, which is empty at first."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if the command leaves anything in its folder for temporary files.

    The current folder is empty.
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
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a learner's folder with everything finished, which is the current one."""
    shutil.copytree(kit_folder("solutions"), tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def public() -> Iterator[Path]:
    """Yield a folder that every user can read."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    """Yield a browser for all tests of a file."""
    with browser() as started:
        yield started


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Yield a function that starts a session with a submission's source.

    The session runs in a separate process, or wherever `connect` leads.
    """
    sessions: list[Session] = []
    process = ProcessHost().worker

    def started(
        source: str | bytes, connect: Callable[[Sequence[str]], Transport] = process, **others: str
    ) -> Session:
        sessions.append(Session(connect, fake.submission(source, **others), "engine", NAMES))
        return sessions[-1]

    yield started
    for session in sessions:
        session.close()


@pytest.fixture
def here(begin: Begin) -> Begin:
    """Return a function that starts a session in this process, for submissions that behave well."""
    return lambda source, **others: begin(source, fake.InProcess, **others)
