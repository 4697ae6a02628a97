"""Run the tests that pytest has collected, for one grading after another."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from grader.judge.plugin import Grading


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
                test.user_properties.clear()
                hook.pytest_runtest_protocol(item=test, nextitem=following)
        except pytest.exit.Exception as ended:
            if ended.returncode is None:
                raise KeyboardInterrupt from None
        finally:
            hook.pytest_sessionfinish(session=self._session, exitstatus=0)  # if it was interrupted

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
