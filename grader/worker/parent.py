"""The warm parent: a process that has imported the worker, and forks one whenever the judge asks.

It never sees a submission or an answer, and is not the judge. The judge sends a byte and five
descriptors. A *caretaker*, forked in advance, receives them, forks the worker, and says how it
ends. So the parent itself does the same between any two forks, and every worker finds the same
memory. The worker keeps only its own descriptors, and confines itself as if newly started. All of
them die with the judge.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import posix as os
import resource  # noqa: F401 - every worker needs it
import sys

from . import server
from .confinement import PR_SET_DUMPABLE, PR_SET_PDEATHSIG, SIGKILL, System
from .limits import leave
from .protocol import BORN, ENDED, RULESET

LINK = 0  # the socket to the judge
DESCRIPTORS = 5  # standard input, output and errors of the worker; its ruleset; the caretaker's
GO_ON, END = b"+", b"-"


def main() -> None:
    """Fork a caretaker whenever the last one has received its request; return in each worker."""
    server.forget()  # once for all workers
    system = System()
    system.call("prctl", PR_SET_DUMPABLE, 0, 0, 0, 0)
    system.call("prctl", PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    _signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)  # nobody waits for caretakers
    requests, parent = _socket.socket(fileno=LINK), os.getpid()
    turns, turn = os.pipe()
    while os.fork():
        if os.read(turns, 1) != GO_ON:
            leave(0)
    try:
        take_care(system, requests, turn, parent)
    except BaseException:  # noqa: BLE001 - it must not go on as the parent
        leave(1)
    server.main()


def take_care(system: System, requests: _socket.socket, turn: int, parent: int) -> None:
    """Receive a request, fork a worker, and tell the judge how it ends. Return in the worker."""
    system.call("prctl", PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died in the meantime
        leave(0)
    request, ancillary, *_ = requests.recvmsg(1, _socket.CMSG_LEN(4 * DESCRIPTORS))
    os.write(turn, GO_ON if request else END)
    if not request:  # the judge has gone
        leave(0)
    received = memoryview(ancillary[0][2]).cast("i").tolist()
    judge = received.pop()
    _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
    worker = os.fork()
    if not worker:
        settle(*received)
        requests.detach()
        return
    for descriptor in (*received, LINK, turn):
        os.close(descriptor)
    os.write(judge, BORN.pack(os.getpid(), worker))
    # it stays a zombie until the judge has closed the socket, so nobody else gets its number
    found = os.waitid(os.P_PID, worker, os.WEXITED | os.WNOWAIT)
    assert found is not None
    ended = found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
    os.write(judge, ENDED.pack(ended))
    os.read(judge, 1)
    leave(0)


def settle(stdin: int, stdout: int, stderr: int, ruleset: int) -> None:
    """Begin a new session, with only these descriptors."""
    os.setsid()
    for place, descriptor in enumerate((stdin, stdout, stderr)):
        os.dup2(descriptor, place)
    os.dup2(ruleset, RULESET)
    os.closerange(3, RULESET)
    os.closerange(RULESET + 1, 64)
    sys.argv[:] = [""]
