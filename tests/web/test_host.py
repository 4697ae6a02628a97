"""The judge's side of the seam in a browser, with a stand-in for the browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.boundary.replies import decode_reply
from grader.boundary.transport import Gone
from grader.model import Kind
from grader.web import host
from grader.web.host import DEPTH, SAFE_DEPTH, WebHost
from grader.worker import wire
from grader.worker.protocol import Called, Done, Ready, Run

Answer = Callable[[bytes], "bytes | str | None"]
REQUEST = Called(1.0, [])
DONE = wire.encode(Done([[]]))


class Bytes(bytes):
    """What Python sees of a browser's bytes."""

    def to_bytes(self, *_: object) -> bytes:
        return bytes(self)


class Worker:
    """A connection that answers every request with `answer`, after the greeting."""

    def __init__(self, answer: Answer, holes: list[str]) -> None:
        self.answer, self.holes = answer, holes
        self.asked: list[bytes] = []
        self.stopped = 0
        self.closed = False

    def exchange(self, data: bytes | None, _limit: int) -> Bytes | str | None:
        assert not self.closed
        if data == b"":
            return Bytes(wire.encode(Ready(["no network"], [], self.holes)))
        if data is not None:
            self.asked.append(data)
        found = self.answer(self.asked[-1])
        return Bytes(found) if isinstance(found, bytes) else found

    def stop(self) -> None:
        self.stopped += 1

    def output(self) -> tuple[str, int]:
        return "printed", 3

    def close(self) -> None:
        self.closed = True


class Browser:
    """A seam whose workers give these answers, one function for each worker."""

    def __init__(self, *answers: Answer, holes: tuple[str, ...] = ()) -> None:
        self.answers, self.holes = list(answers), list(holes)
        self.workers: list[Worker] = []
        self.made: list[tuple[str, int]] = []

    def connect(self, program: str, depth: int) -> Worker:
        self.made.append((program, depth))
        self.workers.append(Worker(self.answers.pop(0), self.holes))
        return self.workers[-1]

    def tell(self, title: str) -> None:
        raise AssertionError(title)

    def ask(self, _printed: str, _prompt: str, _keys: str) -> None:
        raise AssertionError("nothing is asked")

    def host(self) -> WebHost:
        return WebHost(self, lambda value: value)


@pytest.mark.parametrize(
    ("word", "kind", "message"),
    [
        ("late", Kind.TIMEOUT, "no answer within 1 s"),
        ("exited 3", Kind.EXITED, "the code exited the whole interpreter (exit code 3)"),
        ("garbled", Kind.CRASHED, "something wrote to the channel that the grader uses"),
        (b"not a reply", Kind.CRASHED, "something wrote to the channel that the grader uses"),
        ("crashed", Kind.CRASHED, "the interpreter crashed"),
        ("deep", Kind.CRASHED, "the interpreter crashed"),  # also with less room
    ],
)
def test_a_missing_reply_is_the_fault_that_a_process_has(
    word: bytes | str, kind: Kind, message: str
) -> None:
    browser = Browser(lambda _: word, lambda _: word)
    with pytest.raises(Gone) as gone:
        browser.host().worker().exchange(REQUEST, 1.0, 100)
    assert len(browser.made) == 1 + (word == "deep")
    assert (gone.value.fault.kind, gone.value.fault.message) == (kind, message)


def test_too_deep_a_stack_is_tried_again_from_the_beginning_with_less_room() -> None:
    def overflow(data: bytes) -> bytes | str:
        return "deep" if data == wire.encode(REQUEST) else DONE

    browser = Browser(overflow, lambda _: DONE)
    transport = browser.host().worker()
    before = Run(1.0, True, [])
    transport.exchange(before, 1.0, 100)
    assert decode_reply(REQUEST, transport.exchange(REQUEST, 1.0, 100)) == Done([[]])
    first, second = browser.workers
    assert browser.made == [("server", DEPTH), ("server", SAFE_DEPTH)]
    assert first.closed
    assert second.asked == [wire.encode(before), wire.encode(REQUEST)]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(host, "time", clock)
    return clock


class Clock:
    """A machine on which some work takes `slow` times as long as on a desktop computer."""

    now, slow = 100.0, 4.0

    def monotonic(self) -> float:
        return self.now

    def perf_counter(self) -> float:
        self.now += self.slow * host.NATIVE_SECONDS
        return self.now

    def sleep(self, _data: bytes) -> None:
        self.now += 0.25


def test_a_slow_machine_has_more_time_before_it_is_stopped_and_given_up(clock: Clock) -> None:
    browser = Browser(clock.sleep)
    with pytest.raises(Gone, match="no answer within 5 s"):
        browser.host().worker().exchange(REQUEST, 5.0, 100)  # two for the worker itself
    waited = (clock.now - 100) / clock.slow
    assert waited == pytest.approx(2.0 + host.GRACE, rel=0.1)
    assert browser.workers[0].stopped == pytest.approx(host.GRACE * clock.slow / 0.29, abs=2)


def test_a_machine_that_becomes_slower_meanwhile_has_more_time(clock: Clock) -> None:
    browser = Browser(clock.sleep)
    clock.slow = 2.0
    transport = browser.host().worker()
    _ = transport.isolation

    def slower(data: bytes) -> None:
        clock.sleep(data)
        clock.slow = 2.0 if clock.now < 102 else 20.0

    browser.workers[0].answer = slower
    with pytest.raises(Gone):
        transport.exchange(REQUEST, 5.0, 100)
    assert clock.now == pytest.approx(102 + 2.5 * 20, abs=5)
