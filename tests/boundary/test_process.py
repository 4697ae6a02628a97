"""The worker's process: how it starts, how it dies, and that it ends with its children."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

import grader
from grader.boundary import isolation, process
from grader.boundary.process import ProcessTransport
from grader.boundary.transport import Gone
from grader.errors import InternalError
from grader.model import Kind
from grader.worker.protocol import WireError
from support import nobody
from support.start import descriptors
from support.workers import LOADED, is_gone, load, printed, within

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and process groups are POSIX")

PATIENT = 30.0  # seconds for what is over at once, or else takes a minute

GRADER = Path(grader.__file__).parent


@pytest.fixture(params=sorted({0, isolation.MOST}))
def transport(temporary: Path, request: pytest.FixtureRequest) -> Iterator[ProcessTransport]:
    ProcessTransport().close()  # the ruleset is made once
    before = descriptors()
    transport = ProcessTransport(most=request.param)
    yield transport
    transport.close()
    transport.close()
    assert descriptors() <= before
    assert list(temporary.iterdir()) == []
    assert transport._process.returncode is not None


WRITES = "import os\nfor fd in range(3, 20):\n  try: os.write(fd, b'{}')\n  except OSError: pass"
KILL = "import os, signal; os.kill(os.getpid(), {})"
SPIN = "while True: pass"
DEATHS = [
    (SPIN, Kind.TIMEOUT, "within 0.3 s"),
    *((f"import os; os._exit({code})", Kind.EXITED, f"exit code {code})") for code in (0, 1, 120)),
    (KILL.format("signal.SIGSEGV"), Kind.CRASHED, "SIGSEGV"),
    (KILL.format("signal.SIGABRT"), Kind.CRASHED, "SIGABRT"),
    (KILL.format("signal.SIGKILL"), Kind.MEMORY, "memory ran out"),
    (KILL.format("signal.SIGXCPU"), Kind.TIMEOUT, "processor time"),
    *(
        (WRITES.format(text), Kind.CRASHED, "wrote to the channel")
        for text in ("hello there", "\\0\\0\\0\\1nn")
    ),
    ("import os; os.closerange(0, 100)", Kind.EXITED, ""),
    ("import os, time; os.closerange(3, 100); time.sleep(60)", Kind.CRASHED, "closed the channel"),
]
if sys.platform == "linux":
    DEATHS.append((KILL.format(40), Kind.CRASHED, "signal 40"))  # in real time


@pytest.mark.parametrize(("source", "kind", "told"), DEATHS)
def test_a_worker_that_gives_no_answer_has_a_kind_and_a_reason(
    transport: ProcessTransport, source: str, kind: Kind, told: str
) -> None:
    _ = transport.isolation  # it has begun
    with pytest.raises(Gone) as gone:
        load(transport, source, 0.3 if source == SPIN else PATIENT)
    assert gone.value.fault.kind is kind
    assert told in gone.value.fault.message


def test_a_frame_that_the_worker_did_not_send_is_not_a_reply(transport: ProcessTransport) -> None:
    with pytest.raises((Gone, WireError)):  # Gone if the worker's own reply came with it
        load(transport, WRITES.format("\\0\\0\\0\\1?"))


@pytest.mark.parametrize("transport", [0], indirect=True)
def test_a_worker_that_dies_while_its_child_holds_the_pipes_has_exited_and_not_timed_out(
    transport: ProcessTransport,
) -> None:
    with pytest.raises(Gone, match="exit code 3") as gone:
        load(transport, "import os, time\nif os.fork(): os._exit(3)\ntime.sleep(60)", 0.5)
    assert gone.value.fault.kind is Kind.EXITED


@pytest.mark.parametrize(
    "lines",
    [
        "os.close(2)",
        "os.close(1); os.close(2)",
        "os.close(0)",
        "sys.stdout.close()",
        "sys.stdout = None",
    ],
)
def test_a_submission_that_closes_its_output_is_answered(
    transport: ProcessTransport, lines: str
) -> None:
    assert load(transport, f"import os, sys; print('before'); {lines}") == LOADED
    assert load(transport, "") == LOADED
    assert transport.output().startswith("before\n")


def test_output_comes_with_the_answer_and_input_finds_nothing(transport: ProcessTransport) -> None:
    reply = load(transport, "print('no end of line', end='')\ninput()")
    assert ("EOFError" in repr(reply), transport.output()) == (True, "no end of line")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("transport", [0], indirect=True)
def test_a_child_that_the_submission_left_running_is_killed(transport: ProcessTransport) -> None:
    child = "import os, time\nif not (child := os.fork()): time.sleep(60)\nprint(child)"
    number = int(printed(transport, child))
    assert not is_gone(number)
    transport.close()
    assert within(30, lambda: is_gone(number))


def test_the_working_folder_is_one_in_which_nothing_can_be_made(
    transport: ProcessTransport,
) -> None:
    tries = [
        "open('a', 'w')",
        "os.mkdir('a')",
        "os.makedirs('a/b/c')",
        "os.symlink('/etc', 'a')",
        "os.rmdir(os.getcwd())",
    ]
    for line in tries if sys.platform == "linux" or not nobody.AM_ROOT else ():
        assert "Error" in repr(load(transport, f"import os\n{line}")), line
    assert load(transport, "import os\nassert os.path.isdir(os.getcwd())") == LOADED


def test_nothing_of_the_judges_environment_reaches_the_worker(
    monkeypatch: pytest.MonkeyPatch, temporary: Path
) -> None:
    monkeypatch.setenv("SECRET", "token")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    with closing(ProcessTransport(most=0)) as transport:
        found = printed(transport, "import os, sys; print(dict(os.environ), sys.path, sys.argv)")
    assert not re.search(f"token|/somewhere|{GRADER}", found)


@pytest.mark.parametrize("program", ["/nonexistent/python", "/bin/false", "/bin/echo"])
def test_a_worker_that_does_not_start_is_our_fault(
    monkeypatch: pytest.MonkeyPatch, temporary: Path, program: str
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    isolation.plan()  # the ruleset is made once
    before = descriptors()
    with pytest.raises(InternalError, match="did not start"):
        load(ProcessTransport(), "")
    assert descriptors() <= before
    assert list(temporary.iterdir()) == []


ADDRESSES = """\
print(hash(str([id(x) for n in range(1, 2000, 8) for x in ([bytes(n) for _ in range(20)], {n}, object(),
                                                           tuple(range(n % 30)))])))
"""  # noqa: E501


@pytest.mark.slow
@pytest.mark.skipif(isolation.plan(2).ruleset is None, reason="only there is every start the same")
def test_every_worker_finds_the_same_memory() -> None:
    """Sets of objects are walked in the order of addresses, and verdicts may hang on that."""
    found = set()
    for _ in range(10):
        with closing(ProcessTransport(most=2)) as transport:
            found.add(printed(transport, ADDRESSES))
    assert len(found) == 1


OPEN = """\
import os, stat
for fd in range(64):
    try:
        found = os.fstat(fd)
    except OSError:
        continue
    if not stat.S_ISREG(found.st_mode):  # libffi keeps its own file open to read
        print(f"{found.st_dev}.{found.st_ino}")
"""


def test_two_workers_share_no_descriptor() -> None:
    with closing(ProcessTransport()) as one, closing(ProcessTransport()) as other:
        found, theirs = (set(printed(each, OPEN).split()) for each in (one, other))
    null = Path(os.devnull).stat()
    assert found & theirs == {f"{null.st_dev}.{null.st_ino}"}
    assert len(found) <= 5  # requests, replies, output, nothing to read, its waiting time


DIES = """\
import os, signal, sys
from grader.boundary.process import ProcessTransport
from grader.worker import protocol, wire
transport = ProcessTransport()
transport.isolation
print(transport._process.pid, flush=True)
request = protocol.Load(0.0, [protocol.File("engine", "engine.py", sys.argv[1].encode())], "engine")
try:
    transport.exchange(wire.encode(request), 0.5, 1000)
finally:
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere it ends when it next asks for something"
)
@pytest.mark.parametrize(
    "source",
    [
        "",
        "import signal, time\nfor n in (14, 27): signal.signal(n, signal.SIG_IGN)\ntime.sleep(60)",
    ],
)
def test_a_worker_dies_with_its_judge(source: str) -> None:
    command = [sys.executable, "-c", DIES, source]
    found = subprocess.run(command, capture_output=True, check=False, timeout=30)
    assert found.returncode == -signal.SIGKILL
    assert within(30, lambda: is_gone(int(found.stdout)))


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's way")
def test_a_worker_outlives_the_thread_that_asked_for_it() -> None:
    made: list[ProcessTransport] = []
    thread = threading.Thread(target=lambda: made.append(ProcessTransport()))
    thread.start()
    thread.join()
    time.sleep(0.2)
    with closing(made[0]):
        assert load(made[0], "") == LOADED


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")  # by pytest's own thread
def test_a_forked_judge_starts_its_own_workers() -> None:
    load(transport := ProcessTransport(), "")
    transport.close()
    child = os.fork()
    if not child:
        try:
            transport = ProcessTransport()
            os._exit(0 if load(transport, "") == LOADED else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's way with both limits")
def test_used_up_processor_time_is_distinguished_from_a_kill() -> None:
    spin = "from worker import limits; limits.CPU_SECONDS = 1; limits.apply()\nwhile True: pass"
    found = subprocess.run([sys.executable, "-c", spin], cwd=GRADER, check=False, timeout=30)
    assert found.returncode == -signal.SIGXCPU


def test_a_machine_that_refuses_another_process_names_its_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refused = Mock(side_effect=OSError(errno.EMFILE, "Too many open files"))
    monkeypatch.setattr(process, "_start", refused)
    with pytest.raises(InternalError, match="did not start: Too many open files") as caught:
        _ = ProcessTransport().isolation
    assert "ulimit -a" in caught.value.hint
