"""Run the `grade` command: find the subcommand, show errors, exit. Nothing else exits.

Exit codes: 0 if all requested checkpoints pass (a bonus may fail), 1 if some do not, 2 for wrong
usage or a submission that cannot be read, 3 if something could not be judged, which is the kit's
fault.

The exit code is what the command returns after all its output is written. Nothing else ends with 0:
no exception, and no dependency that calls `sys.exit()`.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from grader.boundary.private_process import keep_others_out
from grader.cli.commands import COMMANDS, COMPLETION_VARIABLE
from grader.cli.hosting import using_host
from grader.cli.places import SEED_VARIABLE
from grader.cli.streams import failure_of_ours, print_refusal, watch_streams, write
from grader.errors import GraderError, InternalError, OutputError

if TYPE_CHECKING:
    from grader.boundary.transport import Host


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    args = list(sys.argv[1:] if arguments is None else arguments)
    gc.set_threshold(50_000, 20, 20)  # a short-lived process, most of it spent importing
    keep_others_out()
    signals: list[int] = []

    def stop(number: int, _frame: object) -> None:
        signals.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):  # handled so that workers end and folders are removed
        number = getattr(signal, name, None)
        # `nohup` ignores a signal
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)
    watch_streams()
    code = run(args)
    _leave(128 + signals[0] if signals else code)


def _leave(code: int) -> NoReturn:
    """Exit without tearing down a thousand modules, which takes as long as a phase.

    Nothing is left open here.
    """
    for stream in (sys.stdout, sys.stderr):
        # what is not written by now never will be
        with suppress(OSError, ValueError, OutputError):
            stream.flush()
    os._exit(code)


def run(args: list[str], host: Host | None = None) -> int:
    """Run a command and return its exit code. A given `host` makes its workers."""
    try:
        with using_host(host):
            return _run(args)
    except OutputError as error:  # also from printing a refusal
        return _unwritten(error)


def _run(args: list[str]) -> int:
    try:
        code = _perform(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except GraderError as error:
        return _refuse(error, args)
    except OutputError:
        raise
    except OSError as error:
        return _refuse(_from_system(error), args)
    except (Exception, SystemExit) as error:  # learners never see the kit's own frames
        if os.environ.get("GRADE_DEBUG"):
            raise
        return _refuse(_failure(error), args)
    if type(code) is int:
        return code
    message = f"the grader failed: the command returned {code!r}"
    return _refuse(InternalError(message, "please report the command"), args)


def _failure(error: BaseException) -> InternalError:
    """Return our own failure, or what is wrong with the installation if a module is missing."""
    if isinstance(error, ImportError):
        from grader.curriculum.packages import in_the_way, reinstall_command

        if (found := in_the_way()) is not None:
            return InternalError(*found)
        return InternalError(f"the kit is incomplete: {error}", f"repair it: {reinstall_command()}")
    return failure_of_ours(error)


def _perform(args: list[str]) -> object:
    if is_plain(args):
        from grader.cli.grading import perform_plain

        return perform_plain(args)
    from grader.cli.group import run_group

    return run_group(args)


def is_plain(args: Sequence[str]) -> bool:
    """Return whether click, which takes time to import, has nothing to do: `phase4 --at PATH`."""
    words = args[:-2] if args[-2:-1] == ["--at"] else args
    asks_click = {COMPLETION_VARIABLE, SEED_VARIABLE} & {*os.environ}
    return not asks_click and not any(w.startswith("-") or w in COMMANDS for w in words)


def _unwritten(error: OutputError) -> int:
    """Report that the output cannot be written, if anybody can still read that.

    Then let Python close its streams without an error.
    """
    if error.reason:
        print(f"error: the report cannot be written: {error.reason}", file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 3 if error.reason else 1


def _from_system(error: OSError) -> GraderError:
    """Name the file that cannot be used, or the request that the system refuses."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return InternalError(
            f"the system refused a request from the grader: {reason}",
            "close other programs, or free memory and disk space; GRADE_DEBUG=1 shows where",
        )
    return UnusableFile(
        f"{os.fsdecode(error.filename)!r} cannot be used: {reason}",
        "check its permissions and those of its folder",
    )


class UnusableFile(GraderError):
    """The system does not allow the use of a file or folder."""


def _refuse(error: GraderError, args: Sequence[str]) -> int:
    if " --format json " in f" {' '.join(args)} " or "--format=json" in args:
        from grader.views.json import error_to_json

        write(error_to_json(error))
        return error.exit_code
    print_refusal(error)
    return error.exit_code


if __name__ == "__main__":
    main()
