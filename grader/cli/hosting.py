"""The host of a command: where its workers come from.

A program whose workers are no processes gives its host to the command line:
`commands.main(words, obj=host)`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import click

from grader.boundary.transport import Host


def given_host() -> Host | None:
    """The host that this program was started with, if it is not the ordinary one."""
    context = click.get_current_context(silent=True)
    return context.find_root().obj if context is not None else None


def begin_host(secret: str = __file__) -> AbstractContextManager[Host]:
    """The host of a command, for as long as the command needs it. `secret` is a file that workers
    must not be able to read.
    """
    from grader.boundary.pool import ProcessHost

    given = given_host()
    return nullcontext(given) if given is not None else ProcessHost(secret)
