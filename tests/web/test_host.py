"""The judge's side of the seam in a browser, with a stand-in for the browser."""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import Mock

import pytest

from grader.boundary.replies import ask
from grader.boundary.transport import Gone
from grader.model import Kind
from grader.web import host
from grader.web.host import DEPTH, SAFE_DEPTH, WebHost
from grader.worker import wire
from grader.worker.protocol import Done, Lines, Ready, Ref, Run

Answer = Callable[[bytes], "bytes | str | None"]
REQUEST = Lines(1.0, [], 0, Ref(0), "")
DONE = wire.encode(Done([]))


class Bytes(bytes):
    """What Python sees of a browser's bytes."""

    def to_bytes(self, *_: object) -> bytes:
        return bytes(self)


class Browser:
    """A seam whose workers give these answers, one function for each worker."""

    def __init__(self, *answers: Answer) -> None:
        self.workers = [self.worker(answer) for answer in answers]
        self.seam = Mock()
        self.seam.connect.side_effect = self.workers

    def worker(self, answer: Answer) -> Mock:
        """Return a connection that answers every request so, after the greeting."""
        connection = Mock(asked=[], answer=answer)

        def exchange(data: bytes | None, _limit: int) -> Bytes | str | None:
            if data == b"":
                return Bytes(wire.encode(Ready(["no network"], [], [])))
            if data is not None:
                connection.asked.append(data)
            found = connection.answer(connection.asked[-1])
            return Bytes(found) if isinstance(found, bytes) else found

        connection.exchange, connection.output.return_value = exchange, ("printed", 3)
        return connection

    @property
    def made(self) -> list[tuple[object, ...]]:
        return [call.args for call in self.seam.connect.call_args_list]

    def host(self) -> WebHost:
        return WebHost(self.seam, lambda value: value)


@pytest.mark.parametrize(
    ("word", "kind", "message"),
    [
        ("late", Kind.TIMEOUT, "no answer within 1 s"),
        ("exited 3", Kind.EXITED, "the code exited the whole interpreter (exit code 3)"),
        ("garbled", Kind.CRASHED, "something wrote to the channel that the grader uses"),
        ("crashed", Kind.CRASHED, "the interpreter crashed"),
        ("deep", Kind.CRASHED, "the interpreter crashed"),  # also with less room
    ],
)
def test_a_missing_reply_is_the_fault_that_a_process_has(
    word: str, kind: Kind, message: str
) -> None:
    browser = Browser(lambda _: word, lambda _: word)
    with pytest.raises(Gone) as gone:
        browser.host().worker().exchange(wire.encode(REQUEST), 1.0, 100)
    assert len(browser.made) == 1 + (word == "deep")
    assert (gone.value.fault.kind, gone.value.fault.message) == (kind, message)


def test_too_deep_a_stack_is_tried_again_from_the_beginning_with_less_room() -> None:
    def overflow(data: bytes) -> bytes | str:
        return "deep" if data == wire.encode(REQUEST) else DONE

    browser = Browser(overflow, lambda _: DONE)
    transport = browser.host().worker()
    before = Run(1.0, True, [])
    transport.exchange(wire.encode(before), 1.0, 100)
    assert ask(transport, REQUEST, 1.0) == Done([])

    first, second = browser.workers
    assert browser.made == [("server", DEPTH), ("server", SAFE_DEPTH)]
    first.close.assert_called_once()
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
        browser.host().worker().exchange(
            wire.encode(REQUEST), 5.0, 100
        )  # two for the worker itself
    waited = (clock.now - 100) / clock.slow
    assert waited == pytest.approx(2.0 + host.GRACE, rel=0.1)
    assert browser.workers[0].stop.call_count == pytest.approx(
        host.GRACE * clock.slow / 0.29, abs=2
    )


@pytest.mark.slow
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
        transport.exchange(wire.encode(REQUEST), 5.0, 100)
    assert clock.now == pytest.approx(102 + 2.5 * 20, abs=5)
