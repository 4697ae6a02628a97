"""Provide the host that gives a command its workers.

A program whose workers are not processes passes its own: `app.run(words, host)`.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from grader.boundary.transport import Host

if TYPE_CHECKING:
    from grader.curriculum.model import Course
    from grader.judge.job import Caches
    from grader.model import Report

HOST: ContextVar[Host | None] = ContextVar("host", default=None)
"""The host that all commands use. With None, each of them makes its own."""


@runtime_checkable
class Page(Host, Protocol):
    """A host with its own screen instead of a terminal, for many commands on one course."""

    course: Course
    caches: Caches

    def ask(self, prompt: str, at_once: str) -> str | None:
        """Return a line, or a key in `at_once` as soon as it is pressed; None at the end."""

    def show(self, report: Report) -> None:
        """Show the report instead of its text."""

    def tell(self, title: str) -> None:
        """Show which check begins."""


def current_page() -> Page | None:
    """Return the page that started this program, or None for a terminal."""
    host = HOST.get()
    return host if isinstance(host, Page) else None


def host_of_command() -> Host:
    """Return the host of a command."""
    from grader.boundary.pool import ProcessHost

    return HOST.get() or ProcessHost()
