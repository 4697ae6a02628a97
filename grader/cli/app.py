"""Run the `grade` command: find the subcommand, show errors, exit. Nothing else exits.

Exit codes: 0 if all requested checkpoints pass (a bonus may fail), 1 if some do not, 2 for wrong
usage or a submission that cannot be read, 3 if something could not be judged, which is the kit's
fault.

The exit code is what the command returns after all its output is written. Nothing else ends with 0:
no exception, and no dependency that calls `sys.exit()`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from grader.boundary.private_process import keep_others_out
from grader.boundary.transport import Host
from grader.cli.hosting import HOST
from grader.cli.streams import failure_of_ours, print_refusal, repair_streams, write
from grader.errors import EXHAUSTED, GraderError, InternalError, UsageError


def main() -> None:
    """Run the command line and exit."""
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
    repair_streams()
    code = run(sys.argv[1:])
    sys.exit(128 + signals[0] if signals else code)


def run(args: list[str], host: Host | None = None) -> int:
    """Run a command and return its exit code. A given `host` makes its workers."""
    HOST.set(host)
    try:
        code = _run(args)
        sys.stdout.flush()
    except OSError as error:  # standard output, or a refusal that cannot be printed
        return _unwritten(error)
    return code


def _run(args: list[str]) -> int:
    try:
        from grader.cli.group import run_group

        return run_group(args)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except GraderError as error:
        return _refuse(error, args)
    except OSError as error:
        if error.filename is None and error.errno not in EXHAUSTED:  # standard output
            raise
        return _refuse(_from_system(error), args)
    except (Exception, SystemExit) as error:  # learners never see the kit's own frames
        if isinstance(error.__context__, BrokenPipeError):  # rich and click end the process then
            raise error.__context__ from None
        if os.environ.get("GRADE_DEBUG"):
            raise
        return _refuse(failure_of_ours(error), args)


def _unwritten(error: OSError) -> int:
    """Report that the output cannot be written, if anybody can still read that.

    Then let Python close its streams without an error.
    """
    is_read = not isinstance(error, BrokenPipeError)
    if is_read:
        print(
            f"error: cannot write the report: {error.strerror or 'standard output is closed'}",
            file=sys.stderr,
        )
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 3 if is_read else 1


def _from_system(error: OSError) -> GraderError:
    """Name the file that cannot be used, or the request that the system refuses."""
    reason = error.strerror or str(error)
    if error.filename is None or error.errno in EXHAUSTED:
        return InternalError(
            f"the system refused a request from the grader: {reason}",
            "close other programs, free memory and disk space, or raise the limits that `ulimit -a`"
            " shows",
        )
    return UsageError(
        f"{os.fsdecode(error.filename)!r} cannot be used: {reason}",
        "check the permissions of the file and of its folder, or name a different one",
    )


def _refuse(error: GraderError, args: Sequence[str]) -> int:
    words = f" {' '.join(args)} ".replace("--format=", "--format ")
    if " --format json " in words:
        from grader.views.json import error_to_json

        write(error_to_json(error))
        return error.exit_code
    if " --format gradescope " in words:
        from grader.views.markdown import error_to_gradescope

        write(error_to_gradescope(error))
    print_refusal(error)
    return error.exit_code
