"""Hide what other systems lack. Python imports this file first if PYTHONPATH names its folder."""

from __future__ import annotations

import os
import select
import signal
import sys
from typing import Any

MODULES = "fcntl grp pty pwd resource syslog termios tty"
OF_OS = """
chown fchmod fork forkpty getegid geteuid getgid getloadavg getpgid getpgrp getppid killpg mkfifo
nice openpty pread preadv O_DIRECTORY O_NOFOLLOW O_NONBLOCK sched_getaffinity setpgid setresuid
setsid statvfs wait wait3 wait4 waitid
"""
OF_SIGNAL = """
ITIMER_PROF ITIMER_REAL SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGPROF SIGSTOP SIGUSR1 SIGUSR2
SIGXCPU SIGXFSZ alarm getitimer pthread_kill pthread_sigmask setitimer
"""
OF_SELECT = "epoll poll"
FIRST = """
import sys; sys.path.insert(0, {!r}); import sitecustomize
del sys.path[0], sys.modules["sitecustomize"]
"""


def hide() -> None:
    """Hide them in this process, and in the workers that it starts."""
    import subprocess

    for module in MODULES.split():
        sys.modules[module] = None  # type: ignore[assignment] # importing it raises
    for owner, names in (
        (os, OF_OS),
        (sys.modules["posix"], OF_OS),
        (signal, OF_SIGNAL),
        (sys.modules["_signal"], OF_SIGNAL),
        (select, OF_SELECT),
    ):
        for name in names.split():
            vars(owner).pop(name, None)
    if sys.flags.no_site:  # a worker; the packages of other processes would not know the name
        sys.platform = "elsewhere"
    subprocess.Popen.kill = lambda self: self.send_signal(9)  # type: ignore[method-assign]
    start = subprocess.Popen.__init__

    def begin(self: Any, args: Any, *others: Any, **named: Any) -> None:
        if isinstance(args, list) and "-S" in args and "-c" in args:  # PYTHONPATH means nothing
            at, folder = args.index("-c") + 1, os.path.dirname(__file__)  # noqa: PTH120 - pathlib would be imported
            args = [*args[:at], FIRST.format(folder) + args[at], *args[at + 1 :]]
        start(self, args, *others, **named)

    subprocess.Popen.__init__ = begin  # type: ignore[method-assign]


if __name__ == "sitecustomize":
    hide()
