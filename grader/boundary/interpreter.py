"""Start a bare interpreter for a worker: its own session and process group,
almost no environment, and the same memory layout in every run.
"""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from grader.worker import protocol

_WORKER = Path(protocol.__file__).parent


def start(inherited: Sequence[int]) -> subprocess.Popen[bytes]:
    """Start a worker. Each of its three standard streams is a pipe; it inherits only these
    descriptors. Raise OSError.
    """
    # Without `-I`, which would ignore the hash seed; this environment has only our variables.
    # With a fixed seed, a submission meets the same order of sets in every run.
    # When imported, linear algebra libraries start one thread per core, each with tens of megabytes
    # of address space.
    variables = {
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "VECLIB_MAXIMUM_THREADS": "1",
    }
    if os.name == "nt":
        variables["SYSTEMROOT"] = os.environ.get("SYSTEMROOT", "")
    options = ("-s", "-S", "-X", "utf8", "-c", _BOOT, str(_WORKER.parent))
    return subprocess.Popen(  # noqa: S603 - this interpreter and our own file
        [sys.executable, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=_NOWHERE,
        env=variables,
        pass_fds=inherited,
        start_new_session=True,
        # on Windows, Ctrl-C does not reach it either
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


@cache
def parent() -> ThreadPoolExecutor:
    """Return the executor whose only thread starts all workers.

    Linux kills a worker when the thread that started it ends, so this thread must live as long as
    the judge. It starts nothing else, so it can also change the settings that its children inherit.
    """
    # compiling would give the first worker's memory a different layout
    compileall.compile_dir(_WORKER, maxlevels=0, quiet=2)
    return ThreadPoolExecutor(
        1, "worker's parent", initializer=_fix_addresses if sys.platform == "linux" else None
    )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=parent.cache_clear)  # the thread stays with the parent


def _fix_addresses() -> None:
    """Give all processes that this thread starts the same addresses, if Linux allows it (containers
    may not).

    Objects are hashed by address, so a faulty engine that iterates over a set of them then fails
    the same way in every run.
    """
    import ctypes

    personality = ctypes.CDLL(None, use_errno=True).personality
    personality(personality(_ASK) | _NO_RANDOM_ADDRESSES)


_ASK, _NO_RANDOM_ADDRESSES = 0xFFFFFFFF, 0x0040000


# Imported as a module to use its byte code: compiling it would take as long as the isolation.
_BOOT = (
    "import gc, sys; gc.disable(); sys.path[0] = sys.argv.pop(); from worker import server;"
    " del sys.path[0]; server.main()"
)

# a folder where nobody can create a file, not even root if it is `/proc`
_NOWHERE = "/proc" if Path("/proc").is_dir() else os.environ.get("SYSTEMROOT", "/")
