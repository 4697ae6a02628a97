"""Watch a backward pass in the worker: which steps are called and, on request, every change of a
gradient and the step that made it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

MAX_CALLS = 2_000
MAX_CHANGES = 5_000  # as many as one answer holds
MAX_LOOKS = 600_000  # each at one object


Keep: TypeAlias = Callable[[Any], object]


class Enough(BaseException):
    """Raised to end a pass when enough of it has been recorded."""


class Watched:
    """Records the calls of one method of several objects, and every change to the attribute `noted`
    in `objects`.

    `nodes` holds the objects in the order of their calls, and `held` the value that the attribute
    of each had at that moment, as `number` keeps it. Change number i happened to `changed[i]`, to
    `after[i]`, during the call `during[i]` (-1: outside every call), when `at[i]` calls had begun.
    `first` and `last` are the values that `objects` had at the beginning and at the end.
    """

    def __init__(
        self, noted: str, most: int, objects: Sequence[object] = (), number: Keep = lambda it: it
    ) -> None:
        self.noted, self.most = noted, most
        self.objects, self.number = objects, number
        self.running = -1
        self.stopped = False
        self.nodes: list[object] = []
        self.held: list[object] = []
        self.changed: list[object] = []
        self.after: list[object] = []
        self.during: list[int] = []
        self.at: list[int] = []
        self.seen = [getattr(node, noted, None) for node in objects]
        self.last = [number(thing) for thing in self.seen]
        self.first = list(self.last)

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
                self.settle()
                self.running = outer

        return wrapper

    def begin(self, node: object) -> int:
        """Record that a call begins. Return the index of the call that made it, -1 for none."""
        self.settle()
        if len(self.nodes) >= self.most:
            self.stopped = True
            raise Enough
        self.nodes.append(node)
        self.held.append(self.number(getattr(node, self.noted, None)))
        outer, self.running = self.running, len(self.nodes) - 1
        return outer

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
            self.after.append(now)
            self.during.append(self.running)
            self.at.append(len(self.nodes))
            self.last[index] = now
