"""A child's pipes, and the sockets that replace them on Windows: whatever the child does, an
exchange ends in time.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from grader.boundary import pipes as pipes_module
from grader.boundary.pipes import MAX_OUTPUT, Ended, Pipes, TooSlow
from grader.boundary.transport import Gone
from support.workers import within

LIMIT = 1 << 16
PATIENT = 60.0  # seconds for what has to come, on a machine that is busy with other things
PRELUDE = """\
import os, sys, time

def frame(data):
    return len(data).to_bytes(4, "big") + data

def write(data, to=1):
    data = memoryview(data)
    while data:
        data = data[os.write(to, data):]

def exactly(size):
    parts = []
    while size:
        parts.append(os.read(0, size) or sys.exit())
        size -= len(parts[-1])
    return b"".join(parts)

def request():
    return exactly(int.from_bytes(exactly(4), "big"))
"""
LARGE = bytes(range(256)) * 12_000
ECHO = "while True: write(frame(request()))"


Start = Callable[[str], Pipes]


@pytest.fixture(params=["pipes", "sockets"])
def start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Return what starts children that run the given lines after the prelude. End them."""
    monkeypatch.setattr(pipes_module, "NEEDS_SOCKETS", request.param == "sockets")
    threads = threading.active_count()
    running: list[tuple[subprocess.Popen[bytes], Pipes]] = []

    def begin(lines: str) -> Pipes:
        command, pipe = [sys.executable, "-I", "-S", "-c", PRELUDE + lines], subprocess.PIPE
        child = subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe)
        running.append((child, Pipes(child.stdin, child.stdout, child.stderr)))  # type: ignore[arg-type] # all three are pipes
        return running[-1][1]

    yield begin
    for child, pipes in running:
        child.kill()
        child.wait()
        before = time.monotonic()
        pipes.close()
        assert time.monotonic() - before < PATIENT / 2
    assert within(PATIENT, lambda: threading.active_count() == threads)


@pytest.mark.parametrize(
    ("lines", "sent", "got"),
    [
        (ECHO, [b"one", b"two" * 1000], [b"one", b"two" * 1000]),
        ("request(); write(frame(b''))", [b"x"], [b""]),
        ("write(frame(b'ready'))\n" + ECHO, [b"", b"first"], [b"ready", b"first"]),
        (ECHO, [LARGE], [LARGE]),
        ("for byte in frame(request()): write(bytes([byte])); time.sleep(0.001)", [b"xy"], [b"xy"]),
        ("os.close(2)\n" + ECHO, [b"x"] * 3, [b"x"] * 3),
    ],
    ids=["two", "empty reply", "greeting", "larger than a pipe", "single bytes", "prints no more"],
)
def test_each_request_gets_its_reply(
    start: Start, lines: str, sent: list[bytes], got: list[bytes]
) -> None:
    pipes = start(lines)
    assert [pipes.exchange(request, PATIENT, len(LARGE)) for request in sent] == got


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "request_"),
    [
        ("request(); time.sleep(600)", b"x"),
        # one deadline for the whole reply, and not for each piece
        ("request()\nfor byte in frame(b'x' * 1000): write(bytes([byte])); time.sleep(0.05)", b"x"),
        ("request()\nwhile True: write(b'.' * 50_000, 2)", b"x"),
        ("time.sleep(600)", b"x" * 10_000_000),
    ],
    ids=["silent", "slow", "prints", "never reads"],
)
def test_a_child_that_does_not_answer_in_time_is_too_slow(
    start: Start, lines: str, request_: bytes
) -> None:
    pipes, before = start(lines), time.monotonic()
    told = pipes._tell = Mock()
    with pytest.raises(TooSlow):
        pipes.exchange(request_, 0.4, LIMIT)
    assert told.call_count <= 1  # however often it prints
    assert 0.35 < time.monotonic() - before < PATIENT / 2


@pytest.mark.parametrize(
    "lines",
    [
        "write(frame(request() + b'x'))",
        "request(); write(b'\\xff' * 4); time.sleep(600)",
        "request(); write(b'hello there'); time.sleep(600)",
        "request(); write(frame(b'one') + frame(b'two')); time.sleep(600)",
        "while True: write(b'\\xff' * 50_000)",
    ],
    ids=["a byte too many", "four gigabytes", "text", "a second reply", "flood"],
)
def test_what_is_no_reply_is_refused(start: Start, lines: str) -> None:
    assert start(ECHO).exchange(b"x" * 100, PATIENT, 100) == b"x" * 100
    with pytest.raises(Gone):
        start(lines).exchange(b"x" * 100, PATIENT, 100)


def test_a_flood_of_prints_is_drained_while_the_child_works(start: Start) -> None:
    pipes = start(
        "request()\nfor _ in range(500): write(b'spam ' * 20_000, 2)\nwrite(frame(b'done'))"
    )
    assert pipes.exchange(b"x", PATIENT, LIMIT) == b"done"
    assert pipes.output() == ("spam " * MAX_OUTPUT)[:MAX_OUTPUT] + "\n… and more"


def test_output_before_a_reply_arrives_with_it(start: Start) -> None:
    pipes = start("write(b'hello\\n', 2); write(frame(request()))")
    pipes.exchange(b"x", PATIENT, LIMIT)
    assert within(PATIENT, lambda: pipes.output() == "hello\n")
    assert pipes.output() == ""


@pytest.mark.parametrize(
    "lines",
    [
        "request()",
        "request(); write(frame(b'hello')[:6])",
        "request(); os.close(1); time.sleep(600)",
    ],
)
def test_a_child_that_closes_the_channel_has_ended(start: Start, lines: str) -> None:
    pipes = start(lines)
    for _ in range(2):
        with pytest.raises(Ended):
            pipes.exchange(b"x", PATIENT, LIMIT)


@pytest.mark.parametrize(
    ("jump", "without_core", "seconds"),
    [
        (0.0, 0.0, 2.0),
        (0.0, 0.6, 2.0 / (1 - 0.9 * 0.6)),
        (0.0, 1.0, 20.0),
        (3600.0, 0.0, 4 * 3600.0),  # an hour in which the machine stands still is a moment
    ],
)
def test_time_without_a_core_hardly_counts(
    start: Start, monkeypatch: pytest.MonkeyPatch, jump: float, without_core: float, seconds: float
) -> None:
    pipes, clock, told = start("time.sleep(600)"), SimpleNamespace(now=0.0), list[float]()

    def more(piece: float) -> bytes:
        clock.now += max(piece, jump)
        return b""

    monkeypatch.setattr(pipes_module, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(pipes, "_more", more)
    monkeypatch.setattr(pipes, "_starved", lambda: without_core * clock.now)
    monkeypatch.setattr(pipes, "_tell", lambda: told.append(clock.now))
    with pytest.raises(TooSlow):
        pipes.exchange(b"x", 2.0, LIMIT)
    assert clock.now >= seconds if jump else clock.now == pytest.approx(seconds, abs=0.2)
    with_core = (1 - without_core) * (2.0 if jump else clock.now)
    assert len(told) == pytest.approx(with_core / 0.25, abs=1)
