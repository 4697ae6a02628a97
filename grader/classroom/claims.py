"""Let several runs share one gradebook: a run claims each submission before it grades it.

A run locks a file next to the gradebook for as long as it lives. However it ends, the system then
releases the lock, and the others may claim what it had not finished.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from grader.classroom.entries import Key
from grader.classroom.gradebook import Gradebook

if TYPE_CHECKING:
    from typing_extensions import Self


class Claims:
    """The submissions that one run grades."""

    def __init__(self, gradebook: Gradebook) -> None:
        self._gradebook = gradebook
        self._run = secrets.token_hex(4)

    def __enter__(self) -> Self:
        self._lock = sqlite3.connect(self._file(self._run), isolation_level=None)
        self._lock.execute("BEGIN EXCLUSIVE")
        return self

    def __exit__(self, *_: object) -> None:
        self._gradebook.release(self._run)
        self._lock.close()
        self._file(self._run).unlink(missing_ok=True)

    def take(self, key: Key, since: float) -> bool:
        """Return whether this run may grade it: nobody has done so since then, or is doing so."""
        return self._gradebook.claim(key, since, self._run, self._is_alive)

    def _file(self, run: str) -> Path:
        return self._gradebook.file.with_name(f"{self._gradebook.file.name}-run-{run}")

    def _is_alive(self, run: str) -> bool:
        """Return whether a run still holds its lock. Clear up after one that does not."""
        file = self._file(run)
        if not file.exists():
            return False
        with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as lock:
            try:
                lock.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return True
        file.unlink(missing_ok=True)
        return False
