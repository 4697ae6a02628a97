"""Both ways of waiting on a child's pipes, held to the same behaviour: whatever the child does, an
exchange ends in time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from grader.boundary import pipes as pipes_module
from grader.boundary.pipes import (
    MAX_OUTPUT,
    Ended,
    Garbled,
    LateOutput,
    Output,
    Pipes,
    SelectedPipes,
    ThreadedPipes,
    TooSlow,
)

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
ECHO = "while True: write(frame(request()))"


class Children:
    """Starts children that run the given lines after the prelude, and ends them."""

    def __init__(self, kind: type[SelectedPipes | ThreadedPipes]) -> None:
        self._kind = kind
        self._running: list[tuple[subprocess.Popen[bytes], Pipes]] = []

    def __call__(self, lines: str) -> Pipes:
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", PRELUDE + lines],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        self._running.append((child, self._kind(child.stdin, child.stdout, child.stderr)))
        return self._running[-1][1]

    def end(self) -> None:
        for child, pipes in self._running:
            child.kill()
            child.wait()
            before = time.monotonic()
            pipes.close()
            pipes.close()
            assert time.monotonic() - before < PATIENT / 2
        self._running = []


@pytest.fixture(params=[SelectedPipes, ThreadedPipes])
def start(request: pytest.FixtureRequest) -> Iterator[Children]:
    children = Children(request.param)
    yield children
    children.end()


def test_a_request_is_answered_and_so_is_the_next(start: Children) -> None:
    pipes = start(ECHO)
    assert pipes.exchange(b"one", PATIENT, LIMIT) == b"one"
    assert pipes.exchange(b"two" * 1000, PATIENT, LIMIT) == b"two" * 1000


def test_an_empty_reply_is_a_reply(start: Children) -> None:
    assert start("request(); write(frame(b''))").exchange(b"x", PATIENT, LIMIT) == b""


def test_an_empty_request_sends_nothing_and_waits_for_a_frame(start: Children) -> None:
    pipes = start("write(frame(b'ready')); write(frame(request()))")
    assert pipes.exchange(b"", PATIENT, LIMIT) == b"ready"
    assert pipes.exchange(b"first", PATIENT, LIMIT) == b"first"


def test_a_request_and_a_reply_larger_than_a_pipe_cross_whole(start: Children) -> None:
    data = bytes(range(256)) * 12_000
    assert start(ECHO).exchange(data, PATIENT, len(data)) == data


def test_a_reply_in_single_bytes_is_put_together(start: Children) -> None:
    pipes = start("for byte in frame(request()): write(bytes([byte])); time.sleep(0.001)")
    assert pipes.exchange(b"piecemeal", PATIENT, LIMIT) == b"piecemeal"


def test_a_child_that_does_not_answer_is_too_slow(start: Children) -> None:
    pipes = start("request(); time.sleep(600)")
    before = time.monotonic()
    with pytest.raises(TooSlow):
        pipes.exchange(b"x", 0.2, LIMIT)
    assert 0.15 < time.monotonic() - before < PATIENT


def test_the_deadline_is_one_for_the_whole_reply_and_not_for_each_piece(start: Children) -> None:
    pipes = start(
        "request()\nfor byte in frame(b'x' * 1000): write(bytes([byte])); time.sleep(0.05)"
    )
    before = time.monotonic()
    with pytest.raises(TooSlow):
        pipes.exchange(b"x", 0.4, LIMIT)
    assert time.monotonic() - before < PATIENT / 2


def test_prints_do_not_put_the_deadline_off(start: Children) -> None:
    pipes = start("request()\nwhile True: write(b'.' * 50_000, 2)")
    with pytest.raises(TooSlow):
        pipes.exchange(b"x", 0.3, LIMIT)


def test_a_reply_of_exactly_the_limit_is_taken_and_one_byte_more_is_not(start: Children) -> None:
    pipes = start(ECHO)
    assert pipes.exchange(b"x" * 100, PATIENT, 100) == b"x" * 100
    with pytest.raises(Garbled):
        pipes.exchange(b"x" * 101, PATIENT, 100)


def test_a_length_of_four_gigabytes_is_refused_by_its_header_alone(start: Children) -> None:
    with pytest.raises(Garbled):
        start("request(); write(b'\\xff' * 4); time.sleep(600)").exchange(b"x", PATIENT, LIMIT)


def test_text_in_the_channel_is_refused(start: Children) -> None:
    with pytest.raises(Garbled):
        start("request(); write(b'hello there'); time.sleep(600)").exchange(b"x", PATIENT, LIMIT)


def test_a_second_reply_to_one_request_is_refused(start: Children) -> None:
    with pytest.raises(Garbled):
        start("request(); write(frame(b'one') + frame(b'two')); time.sleep(600)").exchange(
            b"x", PATIENT, LIMIT
        )


def test_a_flood_of_prints_is_drained_while_the_child_works(start: Children) -> None:
    size = 50_000_000
    pipes = start(
        f"request()\nfor _ in range({size // 100_000}): write(b'spam ' * 20_000,"
        " 2)\nwrite(frame(b'done'))"
    )
    assert pipes.exchange(b"x", PATIENT, LIMIT) == b"done"
    printed = ""
    until = time.monotonic() + PATIENT
    while f"{size - MAX_OUTPUT} more bytes" not in printed and time.monotonic() < until:
        assert printed == ""
        time.sleep(0.1)  # ThreadedPipes may still be reading
        printed = pipes.output.take()
    assert printed == ("spam " * 2000)[:MAX_OUTPUT] + f"\n… {size - MAX_OUTPUT} more bytes"


def test_output_before_a_reply_arrives_with_it(start: Children) -> None:
    pipes = start("write(b'hello\\n', 2); write(frame(request()))")
    pipes.exchange(b"x", PATIENT, LIMIT)
    printed, until = pipes.output.take(), time.monotonic() + PATIENT
    while isinstance(pipes, ThreadedPipes) and not printed and time.monotonic() < until:
        time.sleep(0.05)
        printed = pipes.output.take()
    assert printed == "hello\n"
    assert pipes.output.take() == ""


@pytest.mark.parametrize(
    "lines",
    [
        "request()",
        "request(); write(frame(b'hello')[:6])",
        "request(); os.close(1); time.sleep(600)",
    ],
)
def test_a_child_that_closes_the_channel_has_ended(start: Children, lines: str) -> None:
    pipes = start(lines)
    before = time.monotonic()
    with pytest.raises(Ended):
        pipes.exchange(b"x", PATIENT, LIMIT)
    with pytest.raises(Ended):
        pipes.exchange(b"x", PATIENT, LIMIT)
    assert time.monotonic() - before < PATIENT


def test_a_child_that_died_before_it_was_asked_has_ended(start: Children) -> None:
    pipes = start("os._exit(3)")
    time.sleep(0.2)
    with pytest.raises(Ended):
        pipes.exchange(b"x" * 1_000_000, PATIENT, LIMIT)


def test_a_child_that_never_reads_a_large_request_is_too_slow(start: Children) -> None:
    pipes = start("time.sleep(600)")
    with pytest.raises(TooSlow):
        pipes.exchange(b"x" * 10_000_000, 0.3, LIMIT)


def test_a_child_that_stops_printing_for_good_still_answers(start: Children) -> None:
    pipes = start("os.close(2)\n" + ECHO)
    for _ in range(3):
        assert pipes.exchange(b"x", PATIENT, LIMIT) == b"x"


def test_a_flood_between_two_requests_is_not_hoarded(start: Children) -> None:
    pipes = start("write(frame(request()))\nwhile True: write(b'\\xff' * 50_000)")
    try:
        pipes.exchange(b"x", PATIENT, LIMIT)
    except Garbled:
        return  # the flood was there at once
    time.sleep(0.3)
    if isinstance(pipes, ThreadedPipes):
        assert pipes._chunks.qsize() * (1 << 16) < 10_000_000
    with pytest.raises(Garbled):
        pipes.exchange(b"x", PATIENT, LIMIT)


def test_closing_ends_every_thread(start: Children) -> None:
    pipes = start("while True: write(b'\\xff' * 50_000)")
    with pytest.raises(Garbled):
        pipes.exchange(b"x", PATIENT, LIMIT)
    threads = pipes._threads if isinstance(pipes, ThreadedPipes) else []
    start.end()
    assert not any(thread.is_alive() for thread in threads)


def test_closing_a_second_time_touches_nobody_elses_descriptors() -> None:
    ends = [os.pipe() for _ in range(3)]
    pipes = SelectedPipes(
        os.fdopen(ends[0][1], "wb", 0),
        os.fdopen(ends[1][0], "rb", 0),
        os.fdopen(ends[2][0], "rb", 0),
    )
    for end in (ends[0][0], ends[1][1], ends[2][1]):
        os.close(end)
    pipes.close()
    read, write = os.pipe()
    # one of these has the number of a pipe that was closed
    more = [os.dup(read) for _ in range(10)]
    os.write(write, b"not yours")
    os.set_blocking(read, False)
    pipes.close()
    assert os.read(read, 100) == b"not yours"
    with pytest.raises(Ended):
        pipes.exchange(b"x", 1, LIMIT)
    for descriptor in (read, write, *more):
        os.close(descriptor)


def test_output_keeps_the_first_bytes_and_counts_the_rest() -> None:
    output = Output()
    output.add(b"a" * (MAX_OUTPUT - 1))
    output.add(b"bcd")
    assert output.take() == "a" * (MAX_OUTPUT - 1) + "b\n… 2 more bytes"
    output.add(b"again")
    assert output.take() == "again"


def test_output_that_is_not_utf8_is_shown_as_far_as_it_goes() -> None:
    output = Output()
    output.add(b"\xff\xfeok")
    assert output.take().endswith("ok")


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """Return the seconds."""
        return self.now


@pytest.mark.parametrize(
    ("without_core", "seconds"), [(0.0, 2.0), (0.5, 2.0 / (1 - 0.9 * 0.5)), (1.0, 20.0)]
)
def test_time_without_a_core_hardly_counts(
    monkeypatch: pytest.MonkeyPatch, without_core: float, seconds: float
) -> None:
    clock, starved = Clock(), 0.0

    def attempt(piece: float) -> bool:
        nonlocal starved
        clock.now += piece
        starved += without_core * piece
        return False

    monkeypatch.setattr(pipes_module, "time", clock)
    with pytest.raises(TooSlow):
        pipes_module.Patience(2.0, lambda: starved).wait(attempt)
    assert clock.now - 100.0 == pytest.approx(seconds, abs=0.2)


def test_an_hour_in_which_the_machine_stands_still_counts_as_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()

    def attempt(_seconds: float) -> bool:
        clock.now += 3600.0
        return clock.now > 3600.0 * 5

    monkeypatch.setattr(pipes_module, "time", clock)
    assert pipes_module.Patience(2.0, lambda: 0.0).wait(attempt)


def test_output_that_is_still_arriving_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    output, pieces = LateOutput(), [b"first ", b"second ", b"third"]

    def let_the_thread_read(_seconds: float) -> None:
        if pieces:
            output.add(pieces.pop(0))

    monkeypatch.setattr(time, "sleep", let_the_thread_read)
    assert output.take() == "first second third"
