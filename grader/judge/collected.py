"""Run the tests that pytest has collected, and keep them for the next submission."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import pytest

from grader.curriculum.imports import files_of
from grader.curriculum.model import Course

if TYPE_CHECKING:
    from grader.judge.background import BackgroundCheck
    from grader.judge.plugin import Grading
    from grader.judge.recorder import Recorder

MAX_ENTRIES = 50  # `grade dev check` asks for 40 different selections of suites


class Running:
    """A plugin that collects tests, and passes what pytest says to the grading that runs them."""

    def __init__(self, grading: Grading) -> None:
        self.grading = grading
        self._tests: list[pytest.Item] = []
        self._session: pytest.Session | None = None

    def run(self, grading: Grading) -> None:
        """Run the tests that the grading wants. Nothing is set up before, and nothing remains."""
        if self._session is None:  # nothing could be collected
            return
        self.grading = grading
        wanted = self._session.items = [t for t in self._tests if not grading.is_left_out(t)]
        hook = self._session.config.hook
        try:
            for test, following in zip_longest(wanted, wanted[1:]):
                grading.begin(test)
                hook.pytest_runtest_protocol(item=test, nextitem=following)
                if following is None or following.path != test.path:
                    grading.end(test.path)
        except pytest.exit.Exception as ended:
            if ended.returncode is None:
                raise KeyboardInterrupt from None
        finally:
            hook.pytest_sessionfinish(session=self._session, exitstatus=0)  # if it was interrupted

    @pytest.fixture
    def recorder(self) -> Recorder:
        """Return an empty script for one checkpoint."""
        return self.grading.prepare()

    @pytest.fixture(scope="module")
    def aside(self) -> Callable[..., BackgroundCheck]:
        """Return a function that starts a check in a separate worker and returns its handle.

        `aside(check, "test_deep")` starts nothing unless that test, or one of several, is graded.
        """
        return self.grading.aside

    # --- hooks ---

    def pytest_ignore_collect(self) -> bool:
        """Ignore everything next to a suite. pytest asks only about what was not named."""
        return True

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Keep what was collected."""
        self._session, self._tests = session, [*session.items]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> bool:
        """Run nothing yet."""
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        """Record the outcome of one part of a test."""
        return self.grading.report(item, call)

    def pytest_exception_interact(
        self, call: pytest.CallInfo[None], report: pytest.CollectReport | pytest.TestReport
    ) -> None:
        """Record why a suite cannot be imported."""
        self.grading.note_import(call, report)


class _Entry(NamedTuple):
    running: Running
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
        collect: Callable[[], Running],
    ) -> Iterator[Running]:
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
