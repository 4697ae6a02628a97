"""What was asked of code that is right, to be asked again of the next: a suite is worked out once,
and not for every submission.

What a check asks depends on nothing but the answers it gets. So for a checkpoint that was passed
before, the questions are known,
and with them what they were answered. They are put to the next submission without the suite. While
every answer is right, that
is all: the checkpoint is passed. At the first that is not, the suite runs after all, and hears the
answers that are there
already before it asks any more. The worker is asked the very same things in the very same order,
and cannot tell.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Union

from grader.boundary.transport import Gone, Transport
from grader.errors import InternalError
from grader.judge import oracle
from grader.worker import protocol
from grader.worker.protocol import Packed, Request, Wire

if TYPE_CHECKING:
    from pathlib import Path

    from grader.judge.diagnosis.evidence import Reply
    from grader.model import Isolation

MAX_BYTES = 24 << 20  # of questions; those of the whole course are a tenth of it

Wanted = Union[float, Literal["exact", "count"], Callable[[Wire], bool]]
"""What an answer must be: a number, but for rounding; exactly what it was; any count; or what such
a function says is right.
"""

Work = tuple[int, Counter[str]]
"""How many objects were made, and how often which attribute was read."""

END: Literal["end"] = "end"


@dataclass
class Turn:
    """A question, what its answers must be, and what comes next, by those answers that have to be
    exact.
    """

    request: Packed
    seconds: float
    limit: int
    wanted: list[Wanted]
    raises: bool = False
    work: Work = (0, Counter())
    then: dict[bytes, Turn | Literal["end"]] = field(default_factory=dict)

    def next(self, reply: Wire) -> Turn | Literal["end"] | None:
        """What comes after this reply; nothing after one that may be wrong."""
        match reply:
            case ["ok", list(answers)]:
                right = (
                    not self.raises
                    and len(answers) == len(self.wanted)
                    and all(map(_right, answers, self.wanted))
                )
            case _:
                right = self.raises
        return self.then.get(self.key(reply)) if right else None

    def key(self, reply: Wire) -> bytes:
        """What has to be exact of a reply: for an exception, its types and the stub it came from."""  # noqa: E501
        match reply:
            case ["ok", list(answers)]:
                return protocol.encode(
                    [answer for answer, want in zip(answers, self.wanted) if want == "exact"]
                )
            case ["fault", index, ["raised", name, types, _message, _frames, stub]]:
                return protocol.encode([index, name, types, stub])
        return b""


def _right(answer: Wire, want: Wanted) -> bool:
    if want == "exact":
        return True  # it is in the key
    if want == "count":
        return type(answer) is int
    if callable(want):
        return want(answer)
    return type(answer) in {int, float} and oracle.close(answer, want)  # type: ignore[arg-type] # mypy does not see the types in the set


class Prompter:
    """A Transport that writes down what is asked and answered, and that can ask ahead."""

    def __init__(self, inner: Transport) -> None:
        self._inner = inner
        self._ahead: deque[tuple[Turn, Wire | Gone]] = deque()
        self._turns: list[tuple[Turn, Wire]] | None = None
        self.check = ""

    @property
    def isolation(self) -> Isolation:
        """How far the code is walled off."""
        return self._inner.isolation

    def exchange(self, request: Request, seconds: float, limit: int) -> Wire:
        """The reply to one request, which may be there already."""
        if self._turns is None:
            return self._inner.exchange(request, seconds, limit)
        packed = Packed(protocol.pack(request))
        reply = (
            self._heard(request) if self._ahead else self._inner.exchange(packed, seconds, limit)
        )
        if isinstance(reply, Gone):
            raise reply
        answers = reply[1] if isinstance(reply, list) and reply[:1] == ["ok"] else []
        count = len(answers) if isinstance(answers, list) else 0
        self._turns.append((Turn(packed, seconds, limit, ["exact"] * count), reply))
        return reply

    def _heard(self, request: Request) -> Wire | Gone:
        """The reply that is there. How much time there was is no part of a question: it is less
        once code has hung elsewhere.
        """
        turn, reply = self._ahead.popleft()
        before = protocol.unpack(turn.request)
        assert isinstance(before, list)
        now = protocol.unpack(protocol.pack(request))
        assert isinstance(now, list)  # as before, the command and the seconds, and the rest
        if [now[0], *now[2:]] != [before[0], *before[2:]]:
            raise InternalError(
                "a suite asks something else the second time",
                "it may draw from the seed that it is given, and from nothing else",
            )
        return reply

    def output(self) -> str:
        """What was printed since the last call."""
        return self._inner.output()

    def close(self) -> None:
        """End it."""
        self._turns = None
        self._inner.close()

    # --- asking ahead ---

    def ask(self, first: Turn, go_on: Callable[[], None] = lambda: None) -> list[Turn] | None:
        """Put the questions from this one on. All of them, if every answer is right; nothing, if
        the suite has to ask after all.

        `go_on` is called before each, and raises once there is no time left.
        """
        asked: list[Turn] = []
        at: Turn | Literal["end"] | None = first
        while isinstance(at, Turn):
            go_on()
            try:
                reply: Wire | Gone = self._inner.exchange(at.request, at.seconds, at.limit)
            except Gone as gone:
                reply = gone
            self._ahead.append((at, reply))
            asked.append(at)
            at = None if isinstance(reply, Gone) else at.next(reply)
        if at is None:
            return None
        self._ahead.clear()
        return asked

    # --- writing down ---

    def begin(self, check: str = "") -> None:
        """Write down from here."""
        self.check = check
        self._turns = []
        self._ahead.clear()

    def end(self) -> list[tuple[Turn, Wire]]:
        """What was written down, if all of it could be."""
        turns, self._turns, self.check = self._turns, None, ""
        return turns or []

    def forget(self) -> None:
        """What this check asks is not all that it judges."""
        if not self._ahead:
            self._turns = None

    def note(self, work: Work) -> None:
        """What the last question was as work."""
        if self._turns:
            self._turns[-1][0].work = work

    def accept(self, wanted: Iterable[tuple[int, Wanted]]) -> None:
        """Of the last reply, these answers need not be exactly what they are; the last one is
        number -1.
        """
        for place, want in wanted if self._turns else ():
            self._turns[-1][0].wanted[place] = want  # type: ignore[index] # it is there

    def accept_exception(self) -> None:
        """Of the last reply, an exception, the types are what matters."""
        if self._turns:
            self._turns[-1][0].raises = True


class Rehearsals:
    """What gradings of one course in this process have left for the next: how checkpoints were
    passed, by all that their questions depend on.

    Beside it the order in which each suite asks, and what known mistakes have replied to scripts.
    """

    def __init__(self) -> None:
        self._first: dict[Hashable, Turn] = {}
        self.order: dict[Path, list[str]] = {}
        self.replies: dict[bytes, Reply] = {}
        self._room = MAX_BYTES

    def get(self, key: Hashable) -> Turn | None:
        """The first question, if there is one that is known."""
        return self._first.get(key)

    def keep(self, key: Hashable, turns: list[tuple[Turn, Wire]]) -> None:
        """Remember how a checkpoint was passed: a first way, or one more."""
        if not turns or self._room < 0:
            return
        at: Turn | Literal["end"] = self._first.setdefault(key, turns[0][0])
        after: list[Turn | Literal["end"]] = [*(turn for turn, _ in turns[1:]), END]
        for (turn, reply), following in zip(turns, after):
            if not isinstance(at, Turn) or at.request != turn.request:
                return  # a suite that asks something else every time
            if at is turn:
                self._room -= len(turn.request)
            at = at.then.setdefault(at.key(reply), following)
