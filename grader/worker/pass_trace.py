"""Watch a backward pass in the worker: which steps are called and, if it is followed, every
gradient that changes and the step that changed it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MAX_CALLS = 2_000
MAX_CHANGES = 5_000  # as many as one answer holds
MAX_LOOKS = 600_000  # each at one object


class Enough(BaseException):
    """Raised to end a pass when enough of it has been recorded."""


class Watched:
    """Records the calls of one method of several objects.

    `nodes` holds the objects in the order of their calls, and `held` the value that one attribute
    of each had at that moment.
    """

    def __init__(self, noted: str, most: int) -> None:
        self.noted = noted
        self.most = most
        self.running = -1
        self.stopped = False
        self.nodes: list[object] = []
        self.held: list[object] = []

    def instrument(self, nodes: list[Any], method: str) -> None:
        """Make each object record the calls of its method."""
        for node in nodes:
            setattr(node, method, self.watching(getattr(node, method), node))

    def watching(self, function: Callable[..., Any], node: object) -> Callable[..., Any]:
        """Wrap an object's function so that it records when a call begins and ends."""

        def wrapper(*args: object, **named: object) -> Any:
            outer = self.begin(node)
            try:
                return function(*args, **named)
            finally:
                self.end(outer)

        return wrapper

    def begin(self, node: object) -> int:
        """Record that a call begins. Return the index of the call that made it, -1 for none."""
        if len(self.nodes) >= self.most:
            self.stopped = True
            raise Enough
        self.nodes.append(node)
        self.held.append(self.number(getattr(node, self.noted, None)))
        outer, self.running = self.running, len(self.nodes) - 1
        return outer

    def end(self, outer: int) -> None:
        """Return to the call that made this one."""
        self.running = outer

    def number(self, thing: object) -> object:
        """Return the attribute's value as it should be kept. Here that is the object itself."""
        return thing


class Followed(Watched):
    """Records, like Watched, and also every change of the attribute in `objects`.

    Change number i happened to `changed[i]`, from `before[i]` to `after[i]`, during the call
    `during[i]` (-1: outside every call), when `at[i]` calls had begun. `first` and `last` are the
    values that `objects` had at the beginning and at the end.
    """

    def __init__(self, noted: str, objects: list[object], number: Callable[[Any], object]) -> None:
        looks = MAX_LOOKS // max(1, len(objects))
        super().__init__(noted, min(MAX_CALLS, max(2 * len(objects), looks)))
        self.objects = objects
        self.as_kept = number
        self.changed: list[object] = []
        self.before: list[object] = []
        self.after: list[object] = []
        self.during: list[int] = []
        self.at: list[int] = []
        self.seen = [getattr(node, noted, None) for node in objects]
        self.last = [number(thing) for thing in self.seen]
        self.first = list(self.last)

    def number(self, thing: object) -> object:
        """Return the number's current value."""
        return self.as_kept(thing)

    def begin(self, node: object) -> int:
        """Record that a call begins, and the changes before it."""
        self.settle()
        return super().begin(node)

    def end(self, outer: int) -> None:
        """Record the changes made by this call."""
        self.settle()
        super().end(outer)

    def settle(self) -> None:
        """Attribute the latest changes to the call that is running."""
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
