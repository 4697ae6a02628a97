"""Provide the host from which a command gets its workers.

A program whose workers are not processes gives its own: `app.run(words, host)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.boundary.transport import Host, Transport

_GIVEN: ContextVar[Host | None] = ContextVar("host", default=None)


@contextmanager
def giving(host: Host | None) -> Iterator[None]:
    """Let all commands in this context use a host. With None, each of them makes its own."""
    before = _GIVEN.set(host)
    try:
        yield
    finally:
        _GIVEN.reset(before)


def given_host() -> Host | None:
    """Return the host that this command must use, or None for the default."""
    return _GIVEN.get()


def begin_host(secret: str = __file__, *, backstop: bool = True) -> AbstractContextManager[Host]:
    """Return a context with the host of a command. Workers must not be able to read `secret`.

    Without a `backstop`, nothing ends a suite that hangs.
    """
    given = given_host()
    if given is not None:
        return nullcontext(given)
    from grader.boundary.pool import ProcessHost

    return ProcessHost(secret, backstop=backstop)


def start_reader() -> Transport:
    """Return a new reader from the host of a command."""
    with begin_host() as host:
        return host.reader()
