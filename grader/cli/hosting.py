"""Provide the host from which a command gets its workers.

A program whose workers are not processes passes its host to the command line: `commands.main(words,
obj=host)`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import click

from grader.boundary.transport import Host

if TYPE_CHECKING:
    from grader.cli.formats import Shape
    from grader.judge.job import Caches
    from grader.model import Report


@runtime_checkable
class Page(Host, Protocol):
    """A host with its own screen instead of a terminal, for many commands on one course."""

    caches: Caches

    def ask(self, prompt: str, at_once: str) -> str | None:
        """Return a line, or one of the keys in `at_once` as soon as it is pressed; None at the end
        of the input.
        """

    def show(self, report: Report, shape: Shape) -> None:
        """Receive the report that is shown as text."""


def given_host() -> Host | None:
    """Return the host that this program was started with, or None for the default."""
    context = click.get_current_context(silent=True)
    return context.find_root().obj if context is not None else None


def given_page() -> Page | None:
    """Return the page that this program was started by, or None for a terminal."""
    host = given_host()
    return host if isinstance(host, Page) else None


def begin_host(secret: str = __file__) -> AbstractContextManager[Host]:
    """Return a context with the host of a command. Workers must not be able to read `secret`."""
    from grader.boundary.pool import ProcessHost

    given = given_host()
    return nullcontext(given) if given is not None else ProcessHost(secret)
