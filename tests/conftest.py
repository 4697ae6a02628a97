"""What several test files share: sessions that are closed again, and a look at what is left behind."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import fake
import pytest

from grader.host import ProcessTransport, Transport
from grader.session import Session

NAMES = ("Value", "Value.__add__", "Value.backward")

Begin = Callable[..., Session]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which temporary folders are made, empty now."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user can read."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Begins a session with a submission's source: in a process of its own, or wherever `connect` leads."""
    sessions: list[Session] = []

    def started(source: str | bytes, connect: Callable[[], Transport] = ProcessTransport, **others: str) -> Session:
        sessions.append(Session(connect, fake.submission(source, **others), "engine", NAMES))
        return sessions[-1]

    yield started
    for session in sessions:
        session.close()


@pytest.fixture
def here(begin: Begin) -> Begin:
    """Begins a session whose worker is in this process: for submissions that behave."""
    return lambda source, **others: begin(source, fake.InProcess, **others)


def descriptors() -> set[str]:
    """The numbers of the open file descriptors of this process."""
    return {entry.name for entry in Path("/dev/fd").iterdir() if entry.exists()}
