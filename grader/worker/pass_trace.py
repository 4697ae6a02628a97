"""In the worker: a backward pass that is watched, with the steps that are called and, if it is
followed, every number that changes and which step changed it.
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
    """Raised when something has gone on for long enough to be looked at."""


class Watched:
    """The calls of a method of some objects: `nodes` were called, in that order, and `held` is what
    one attribute of each had just then.
    """

    def __init__(self, noted: str, most: int) -> None:
        self.noted = noted
        self.most = most
        self.running = -1
        self.stopped = False
        self.nodes: list[object] = []
        self.held: list[object] = []

    def instrument(self, nodes: list[Any], method: str) -> None:
        """Have each object say when its method is called."""
        for node in nodes:
            setattr(node, method, self.watching(getattr(node, method), node))

    def watching(self, function: Callable[..., Any], node: object) -> Callable[..., Any]:
        """The function of that object, which says when it begins and ends."""

        def wrapper(*args: object, **named: object) -> Any:
            outer = self.begin(node)
            try:
                return function(*args, **named)
            finally:
                self.end(outer)

        return wrapper

    def begin(self, node: object) -> int:
        """Note a call; the one that it is made by."""
        if len(self.nodes) >= self.most:
            self.stopped = True
            raise Enough
        self.nodes.append(node)
        self.held.append(self.number(getattr(node, self.noted, None)))
        outer, self.running = self.running, len(self.nodes) - 1
        return outer

    def end(self, outer: int) -> None:
        """Go on with the call that made this one."""
        self.running = outer

    def number(self, thing: object) -> object:
        """What is kept of the attribute: here, the thing itself."""
        return thing


class Followed(Watched):
    """As Watched, and all changes of the attribute, of some more `objects`.

    Change number i is of `changed[i]`, from `before[i]` to `after[i]`, by the call `during[i]` (-1:
    by none of them), when `at[i]` calls had begun. `first` and `last` are what `objects` had at
    both ends.
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
        """A number as it is now."""
        return self.as_kept(thing)

    def begin(self, node: object) -> int:
        """Note a call, and what has changed before it."""
        self.settle()
        return super().begin(node)

    def end(self, outer: int) -> None:
        """Note what this call has changed."""
        self.settle()
        super().end(outer)

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
