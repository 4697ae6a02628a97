"""The worker's process: how it starts, how it dies, and that nothing of it is left behind."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

import grader
from grader.boundary import isolation, process, warm
from grader.boundary.process import ProcessTransport, _marked
from grader.boundary.transport import Gone, Transport
from grader.errors import InternalError
from grader.model import Kind
from grader.worker import protocol
from grader.worker.protocol import Wire
from support import nobody
from support.start import descriptors

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and process groups are POSIX")

LIMIT = 1 << 20
PATIENT = 30.0  # seconds for what is over at once, or else takes a minute

GRADER = Path(grader.__file__).parent


@pytest.fixture(params=sorted({0, isolation.MOST}))
def transport(temporary: Path, request: pytest.FixtureRequest) -> Iterator[ProcessTransport]:
    ProcessTransport().close()  # the ruleset and the warm parent are made once
    before = descriptors()
    transport = ProcessTransport(request.param)
    yield transport
    transport.close()
    transport.close()
    assert descriptors() <= before
    assert list(temporary.iterdir()) == []
    assert transport._process.returncode is not None


def load(transport: Transport, source: str, seconds: float = 5) -> Wire:
    """Import a submission that consists of this one file; the worker itself sets no limit of time."""  # noqa: E501
    return transport.exchange(
        protocol.Load(0.0, [protocol.File("engine", "engine.py", source.encode())], "engine"),
        seconds,
        LIMIT,
    )


LOADED: Wire = ["ok", [[], [], []]]


def test_a_request_is_answered(transport: ProcessTransport) -> None:
    assert load(transport, "x = 1") == LOADED


@pytest.mark.parametrize("code", [0, 1, 7, 120])
def test_an_exit_is_reported_with_its_code(transport: ProcessTransport, code: int) -> None:
    with pytest.raises(Gone, match=rf"exit code {code}\)") as gone:
        load(transport, f"import os; os._exit({code})")
    assert gone.value.fault.kind is Kind.EXITED


SIGNALS = [
    ("SIGSEGV", Kind.CRASHED, "SIGSEGV"),
    ("SIGABRT", Kind.CRASHED, "SIGABRT"),
    ("SIGKILL", Kind.MEMORY, "memory ran out"),
    ("SIGXCPU", Kind.TIMEOUT, "processor time"),
    pytest.param(
        "40",
        Kind.CRASHED,
        "signal 40",
        marks=pytest.mark.skipif(sys.platform != "linux", reason="real-time signals"),
    ),
]


@pytest.mark.parametrize(("name", "kind", "said"), SIGNALS)
def test_a_death_by_signal_has_its_kind(
    transport: ProcessTransport, name: str, kind: Kind, said: str
) -> None:
    with pytest.raises(Gone, match=said) as gone:
        load(
            transport,
            "import os, signal; os.kill(os.getpid(),"
            f" {name if name.isdigit() else f'signal.{name}'})",
        )
    assert gone.value.fault.kind is kind


def test_a_recursion_without_bounds_crashes_the_worker_only(transport: ProcessTransport) -> None:
    source = (
        "import sys; sys.setrecursionlimit(10**9)\n"
        "class V:\n"
        "  def __add__(self, other): return self + other\n"
        "V() + V()"
    )
    try:
        reply = load(transport, source, 20)
    except Gone as gone:
        reply = gone.fault.kind.value
    # by the version of Python
    assert reply in ("crashed", "memory") or "RecursionError" in repr(reply)


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="this system does not count it"
)
@pytest.mark.parametrize("transport", [isolation.MOST], indirect=True)
def test_a_worker_that_gets_no_core_has_not_used_up_its_time(transport: ProcessTransport) -> None:
    """With eight loops on its core, a quarter of a second of work takes two."""
    assert load(transport, "x = 1") == LOADED
    core = {max(os.sched_getaffinity(0))}
    os.sched_setaffinity(transport._process.pid, core)
    loop = [sys.executable, "-c", "while True: pass"]
    loops = [subprocess.Popen(loop, start_new_session=True) for _ in range(8)]
    try:
        for process in loops:
            os.sched_setaffinity(process.pid, core)
        time.sleep(1.0)  # until the loops run
        source = (
            "import time\n"
            "until = time.process_time() + 0.25\n"
            "while time.process_time() < until: pass"
        )
        request = protocol.Load(0.5, [protocol.File("work", "work.py", source.encode())], "work")
        begun = time.monotonic()
        assert transport.exchange(request, 1.2, LIMIT) == LOADED
        assert time.monotonic() - begun > 1.2
    finally:
        for process in loops:
            process.kill()
            process.wait()


def test_no_answer_in_time_is_a_timeout(transport: ProcessTransport) -> None:
    _ = transport.isolation
    before = time.monotonic()
    with pytest.raises(Gone, match=r"within 0\.3 s") as gone:
        load(transport, "while True: pass", 0.3)
    assert gone.value.fault.kind is Kind.TIMEOUT
    assert time.monotonic() - before < PATIENT


def test_a_standstill_while_the_worker_dies_does_not_change_how_it_died(
    transport: ProcessTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ = transport.isolation
    wait, stood_still = transport._process.wait, False

    def stand_still_first(timeout: float | None = None) -> int:
        nonlocal stood_still
        if not stood_still:
            stood_still = True
            raise subprocess.TimeoutExpired("a worker", timeout or 0.0)
        return wait(timeout)

    monkeypatch.setattr(transport._process, "wait", stand_still_first)
    with pytest.raises(Gone, match="exit code 3"):
        load(transport, "import os; os._exit(3)")


@pytest.mark.parametrize("transport", [0], indirect=True)
def test_a_worker_that_dies_while_its_child_holds_the_pipes_has_exited_and_not_timed_out(
    transport: ProcessTransport,
) -> None:
    with pytest.raises(Gone, match="exit code 3") as gone:
        load(transport, "import os, time\nif os.fork(): os._exit(3)\ntime.sleep(60)", 0.5)
    assert gone.value.fault.kind is Kind.EXITED


@pytest.mark.parametrize("text", ["hello there", "\\0\\0\\0\\1?", "\\0\\0\\0\\1nn"])
def test_bytes_that_a_submission_writes_into_the_channel_are_not_an_answer(
    transport: ProcessTransport, text: str
) -> None:
    source = (
        f"import os\nfor fd in range(3, 20):\n  try: os.write(fd, b'{text}')\n  except OSError:"
        " pass"
    )
    with pytest.raises(Gone, match="wrote to the channel") as gone:
        load(transport, source)
    assert gone.value.fault.kind is Kind.CRASHED


def test_a_submission_that_closes_every_descriptor_has_ended_itself(
    transport: ProcessTransport,
) -> None:
    with pytest.raises(Gone) as gone:
        load(transport, "import os; os.closerange(0, 100)")
    assert gone.value.fault.kind is Kind.EXITED


def test_a_submission_that_closes_the_channel_and_lives_on_has_crashed(
    transport: ProcessTransport,
) -> None:
    with pytest.raises(Gone, match="closed the channel") as gone:
        load(transport, "import os, time; os.closerange(3, 100); time.sleep(60)")
    assert gone.value.fault.kind is Kind.CRASHED


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


def test_output_without_a_line_end_comes_with_the_answer(transport: ProcessTransport) -> None:
    load(transport, "print('no end of line', end='')")
    assert transport.output() == "no end of line"


def test_output_before_a_hang_is_reported(transport: ProcessTransport) -> None:
    with pytest.raises(Gone):
        load(transport, "print('so far')\nwhile True: pass", 0.3)
    transport.close()
    assert transport.output() == "so far\n"


def test_input_finds_nothing_to_read(transport: ProcessTransport) -> None:
    assert "EOFError" in repr(load(transport, "input()"))


def test_threads_of_the_submission_do_not_keep_the_worker_alive(
    transport: ProcessTransport,
) -> None:
    source = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()"
    assert load(transport, source) == LOADED
    before = time.monotonic()
    transport.close()
    assert time.monotonic() - before < PATIENT


def alive(process: int) -> bool:
    try:
        state = (
            Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
        )
    except OSError:
        return False
    return state != "Z"


CHILDREN = {
    "a child": "if not os.fork(): time.sleep(60)",
    "a child in a session of its own": "if not os.fork():\n  os.setsid()\n  time.sleep(60)",
    "a grandchild without parents": (
        "if not os.fork():\n  os.setsid()\n  if os.fork(): os._exit(0)\n  time.sleep(60)"
    ),
    "another program": "os.posix_spawn('/bin/sleep', ['sleep', '60'], os.environ, setsid=True)",
    "children that have children": (
        "os.setsid() if not os.fork() else 0\nfor _ in range(5): os.fork()\ntime.sleep(60)"
    ),
}


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("transport", [0], indirect=True)
@pytest.mark.parametrize("lines", CHILDREN.values(), ids=CHILDREN)
def test_children_that_the_submission_left_running_are_killed(
    transport: ProcessTransport, lines: str
) -> None:
    try:
        load(transport, f"import os, time\n{lines}", 1)
    except Gone:
        assert "for _" in lines
    mark = transport._mark.encode()
    until = time.monotonic() + 30
    while (
        len(found := _marked(mark)) < 2 and time.monotonic() < until
    ):  # a grandchild may just be being born
        time.sleep(0.01)
    assert len(found) >= 2
    transport.close()
    until = time.monotonic() + 30
    while _marked(mark) and time.monotonic() < until:
        time.sleep(0.01)
    assert _marked(mark) == []


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
    transport = ProcessTransport(0)
    try:
        load(transport, "import os, sys; print(dict(os.environ), sys.path, sys.argv)")
        printed = transport.output()
        assert "token" not in printed
        assert "/somewhere" not in printed
        assert str(GRADER) not in printed
    finally:
        transport.close()


@pytest.mark.parametrize("program", ["/nonexistent/python", "/bin/false", "/bin/echo"])
def test_a_worker_that_does_not_start_is_our_fault(
    monkeypatch: pytest.MonkeyPatch, temporary: Path, program: str
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    warm.end()
    isolation.plan()  # the ruleset is made once
    before = descriptors()
    with pytest.raises(InternalError, match="did not start"):
        load(ProcessTransport(), "")
    assert descriptors() <= before
    assert list(temporary.iterdir()) == []


def test_no_folder_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nonexistent")
    transport = ProcessTransport()
    assert load(transport, "") == LOADED
    transport.close()


WHERE = """\
import os, sys
from grader.boundary.process import ProcessTransport
from grader.worker import protocol
for most in (0, 0, 2, 2):
    transport = ProcessTransport(most)
    source = "print([id(x) for n in range(1, 480, 8) for x in [*[bytes(n) for _ in range(20)], *[tuple(range(n % 30)) for _ in range(5)]]])"
    transport.exchange(protocol.Load(0.0, [protocol.File("engine", "engine.py", source.encode())], "engine"), 20, 1000)
    print(hash(transport.output()))
    transport.close()
"""  # noqa: E501


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="addresses can be fixed there only")
def test_objects_lie_in_the_same_places_in_every_run_and_in_the_first_one_too(
    tmp_path: Path,
) -> None:
    shutil.copytree(
        GRADER, tmp_path / "grader", ignore=shutil.ignore_patterns("course", "__pycache__")
    )
    environment = {
        "PYTHONPATH": str(tmp_path),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
    }
    command = [sys.executable, "-c", WHERE]
    runs = [
        subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for _ in range(3)
    ]
    assert len(runs[0].split()) == 4
    assert runs[0] == runs[1] == runs[2]


DIES = """\
import os, signal, sys
from grader.boundary.process import ProcessTransport
from grader.worker import protocol
transport = ProcessTransport()
transport.isolation
print(transport._process.pid, flush=True)
request = protocol.Load(0.0, [protocol.File("engine", "engine.py", sys.argv[1].encode())], "engine")
try:
    transport.exchange(request, 0.5, 1000)
finally:
    os.kill(os.getpid(), signal.SIGKILL)
"""


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
    found = subprocess.run(
        [sys.executable, "-c", DIES, source],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert found.returncode == -signal.SIGKILL
    worker = int(found.stdout)
    until = time.monotonic() + 30
    while alive(worker) and time.monotonic() < until:
        time.sleep(0.01)
    assert not alive(worker)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's way")
def test_a_worker_outlives_the_thread_that_asked_for_it() -> None:
    made: list[ProcessTransport] = []
    thread = threading.Thread(target=lambda: made.append(ProcessTransport()))
    thread.start()
    thread.join()
    time.sleep(0.2)
    assert load(made[0], "") == LOADED
    made[0].close()


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


def test_pipes_that_cannot_be_watched_leave_no_process(
    monkeypatch: pytest.MonkeyPatch, temporary: Path
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def fail(process: subprocess.Popen[bytes]) -> None:
        started.append(process)
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("grader.boundary.process._pipes", fail)
    with pytest.raises(InternalError, match="Too many open files"):
        _ = ProcessTransport().isolation
    assert started[0].returncode is not None
    assert list(temporary.iterdir()) == []
    for stream in (started[0].stdin, started[0].stdout, started[0].stderr):
        assert stream is not None
        stream.close()


def test_a_request_that_may_not_cross_is_our_fault_and_the_worker_lives(
    transport: ProcessTransport,
) -> None:
    with pytest.raises(InternalError, match="a complex may not cross"):
        transport.exchange(["run", 5.0, True, [["put", 1j]]], 5, LIMIT)  # type: ignore[list-item]
    assert load(transport, "") == LOADED


def test_a_closed_worker_is_not_asked(transport: ProcessTransport) -> None:
    assert load(transport, "") == LOADED
    transport.close()
    with pytest.raises(InternalError, match="closed"):
        load(transport, "")


def test_two_workers_in_two_threads_do_not_meet(temporary: Path) -> None:
    found: dict[int, str] = {}

    def work(number: int) -> None:
        transport = ProcessTransport()
        for _ in range(5):
            load(transport, f"print({number})")
        found[number] = transport.output()
        transport.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: f"{number}\n" * 5 for number in range(4)}
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's way with both limits")
def test_used_up_processor_time_is_distinguished_from_a_kill() -> None:
    spin = "from worker import limits; limits.CPU_SECONDS = 1; limits.apply()\nwhile True: pass"
    found = subprocess.run([sys.executable, "-c", spin], cwd=GRADER, check=False, timeout=30)
    assert found.returncode == -signal.SIGXCPU


def test_a_machine_that_refuses_another_process_names_its_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_args: object) -> NoReturn:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(process, "_start", refuse)
    with pytest.raises(InternalError, match="did not start: Too many open files") as caught:
        _ = ProcessTransport().isolation
    assert "ulimit -a" in caught.value.hint
