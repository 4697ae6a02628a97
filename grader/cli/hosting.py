"""Provide the host from which a command gets its workers.

A program whose workers are not processes passes its host to the command line: `commands.main(words,
obj=host)`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import click

from grader.boundary.transport import Host


def given_host() -> Host | None:
    """Return the host that this program was started with, or None for the default."""
    context = click.get_current_context(silent=True)
    return context.find_root().obj if context is not None else None


def begin_host(secret: str = __file__) -> AbstractContextManager[Host]:
    """Return a context with the host of a command. Workers must not be able to read `secret`."""
    from grader.boundary.pool import ProcessHost

    given = given_host()
    return nullcontext(given) if given is not None else ProcessHost(secret)
