"""In the worker: a backward pass that is followed, with every number that changes and which step
changed it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_CALLS = 2_000
MAX_CHANGES = 5_000  # what one answer holds
MAX_LOOKS = 600_000  # at one object each


class Enough(BaseException):
    """Raised inside a pass that has gone on for long enough."""


class Followed:
    """The calls of a method in their order, and all changes of one attribute of some objects.

    `nodes` were called, `held` is what each had then. Change number i is of `changed[i]`, from
    `before[i]` to `after[i]`, by the
    call `during[i]` (-1: by none of them), when `at[i]` calls had begun. `first` and `last` are
    what `objects` had at both ends.
    """

    def __init__(self, objects: list[object], noted: str, number: Callable[[Any], object]) -> None:
        self.objects = objects
        self.noted = noted
        self.number = number
        self.most = min(MAX_CALLS, max(2 * len(objects), MAX_LOOKS // max(1, len(objects))))
        self.running = -1
        self.stopped = False
        self.nodes: list[object] = []
        self.held: list[object] = []
        self.changed: list[object] = []
        self.before: list[object] = []
        self.after: list[object] = []
        self.during: list[int] = []
        self.at: list[int] = []
        self.seen = [getattr(node, noted, None) for node in objects]
        self.last = [number(thing) for thing in self.seen]
        self.first = list(self.last)

    def settle(self) -> None:
        """Put down what has changed to whoever is running."""
        for index, node in enumerate(self.objects):
            thing = getattr(node, self.noted, None)
            if thing is self.seen[index] and type(thing) is float:
                continue
            now, before = self.number(thing), self.last[index]
            self.seen[index] = thing
            if now == before or (now != now and before != before):  # noqa: PLR0124 - not a number
                continue
            if len(self.changed) >= MAX_CHANGES:
                self.stopped = True
                raise Enough
            self.changed.append(node)
            self.before.append(before)
            self.after.append(now)
            self.during.append(self.running)
            self.at.append(len(self.nodes))
            self.last[index] = now

    def following(self, function: Callable[..., Any], node: object) -> Callable[..., Any]:
        """The function of that object, which tells when it is called and what it changes."""

        def wrapper(*args: object, **named: object) -> Any:
            self.settle()
            if len(self.nodes) >= self.most:
                self.stopped = True
                raise Enough
            self.nodes.append(node)
            self.held.append(self.number(getattr(node, self.noted, None)))
            outer, self.running = self.running, len(self.nodes) - 1
            try:
                return function(*args, **named)
            finally:
                self.settle()
                self.running = outer

        return wrapper
