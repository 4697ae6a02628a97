"""Hide a process of the grader from other processes of the same user, including workers."""

from __future__ import annotations

import ctypes
import sys


def keep_others_out() -> None:
    """Keep other processes of the same user from reading this process's memory, environment and
    open files (Linux).

    It lasts as long as the process and also keeps debuggers out, so only use it in processes that
    the grader itself started.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
