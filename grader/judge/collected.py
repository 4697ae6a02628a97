"""Keep what pytest has collected for the next submission."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from grader.curriculum.imports import files_of
from grader.curriculum.model import Course

R = TypeVar("R")

MAX_ENTRIES = 50  # `grade dev check` asks for 40 different selections of suites


class _Entry(NamedTuple):
    running: Any
    modules: dict[str, ModuleType]
    state: bytes
    files: Sequence[tuple[int, int]]


class Collected:
    """Collections of tests, by the arguments that pytest got for them."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, ...], _Entry] = {}

    @contextmanager
    def running(
        self,
        course: Course,
        suites: Sequence[Path],
        options: Sequence[str],
        collect: Callable[[], R],
    ) -> Iterator[R]:
        """Yield a collection of these suites, with the course's files importable. Collect if there
        is none, if a file was edited, or if the last run changed what the suites hold.
        """
        from grader.judge.suite_state import state_of

        key, files = (*options, *map(str, suites)), _edited(course, suites)
        with files_of(course):
            entry = self._entries.pop(key, None)
            if entry is None or entry.files != files:
                running = collect()
                modules = _modules(course)
                state = state_of(modules)
                entry = None if state is None else _Entry(running, modules, state, files)
            else:
                sys.modules.update(entry.modules)
                running = entry.running
            yield running
            if entry is not None and state_of(entry.modules) == entry.state:
                self._entries[key] = entry
                if len(self._entries) > MAX_ENTRIES:
                    del self._entries[next(iter(self._entries))]


def _edited(course: Course, suites: Sequence[Path]) -> list[tuple[int, int]]:
    """Return when each file was saved that a suite may import, and its size."""
    shared = [course.folder / name for name in (course.vocabulary, *course.shared)]
    found = [path.stat() for path in (*shared, *suites) if path.is_file()]
    return [(stat.st_mtime_ns, stat.st_size) for stat in found]


def _modules(course: Course) -> dict[str, ModuleType]:
    """Return the modules that were imported from the course and its private suites."""
    folders = [str(folder) + "/" for folder in (course.folder, course.private) if folder]
    return {
        name: module
        for name, module in sys.modules.items()
        if (getattr(module, "__file__", None) or "").startswith(tuple(folders))
    }
