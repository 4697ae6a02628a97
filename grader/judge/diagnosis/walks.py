"""Say what a walk over the graph does, from the order in which it meets the nodes of some graphs.

The judge knows the graphs, so it knows in which order each likely wrong walk meets them. Nothing
is said of a walk that does not do the same on all graphs, or that two sentences fit.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import NamedTuple

Order = Sequence[int]
Rule = Callable[["Walked"], bool]


class Graph:
    """A graph of sums: a leaf is a number, any other node the places of its two operands. The last
    node is the result.
    """

    def __init__(self, *nodes: float | tuple[int, int]) -> None:
        self.nodes = nodes
        self.operands: list[tuple[int, ...]] = [
            node if isinstance(node, tuple) else () for node in nodes
        ]
        self.root = len(nodes) - 1
        self.all = set(range(len(nodes)))
        self.inner = {node for node in self.all if self.operands[node]}

    @cached_property
    def numbers(self) -> list[float]:
        """Return the number in every node."""
        found: list[float] = []
        for node in self.nodes:
            found.append(found[node[0]] + found[node[1]] if isinstance(node, tuple) else node)
        return found

    @cached_property
    def users(self) -> list[list[int]]:
        """Return the nodes that use each node, one entry for each use."""
        return [
            [user for user in self.all for operand in self.operands[user] if operand == node]
            for node in self.all
        ]

    def paths(self, *, distinct: bool) -> list[int]:
        """Return the number of paths from the result to each node: through `s + s` there is one to
        `s` if only `distinct` operands count, as in a set of them, and otherwise there are two.
        """
        found = [0] * len(self.nodes)
        found[self.root] = 1
        for node in reversed(range(len(self.nodes))):
            operands = self.operands[node]
            for operand in set(operands) if distinct else operands:
                found[operand] += found[node]
        return found

    @cached_property
    def level(self) -> list[int]:
        """Return the length of the shortest path from the result to each node."""
        found = [0] * len(self.nodes)
        for node in reversed(range(self.root)):
            found[node] = 1 + min(found[user] for user in self.users[node])
        return found

    def height(self, of_operands: Callable[[Sequence[int]], int]) -> list[int]:
        """Return the height of each node above the leaves, by one rule for the operands'."""
        found: list[int] = []
        for below in self.operands:
            found.append(1 + of_operands([found[node] for node in below]) if below else 0)
        return found

    def down_to(self, level: int) -> set[int]:
        """Return the nodes up to a level below the result."""
        return {node for node in self.all if self.level[node] <= level}

    def along(self, places: slice) -> set[int]:
        """Return the nodes that are met if only some operands of each are followed."""
        found, todo = {self.root}, [self.root]
        while todo:
            for node in self.operands[todo.pop()][places]:
                if node not in found:
                    found.add(node)
                    todo.append(node)
        return found

    def freed(self, waits: Callable[[list[int]], bool]) -> set[int]:
        """Return the nodes that are met if a node with certain users waits for ever."""
        found: set[int] = set()
        for node in reversed(range(len(self.nodes))):
            users = self.users[node]
            if found.issuperset(users) and not waits(users):
                found.add(node)
        return found


TWO_PATHS = Graph(2.0, -5.0, (0, 1), 7.0, (2, 3), -1.5, (4, 5), (6, 2))
CHAIN = Graph(2.0, 9.0, (0, 1), -14.0, (2, 3), 0.5, (4, 5), -1.25, (6, 7), 21.0, (8, 9))
MIRRORED = Graph(2.0, -5.0, (0, 1), 7.0, (3, 2), -1.5, (5, 4), (2, 6))
TANGLED = Graph(2.0, -7.0, 14.0, (0, 1), (3, 2), (4, 3), (0, 5), (6, 4), (3, 7))
EQUAL = Graph(2.0, 2.0, (0, 1), 1.0, 3.0, (3, 4), (2, 5))
GRAPHS = (
    TWO_PATHS,
    MIRRORED,
    Graph(0.5, 3.0, (0, 1), -8.0, (2, 3), 6.0, (2, 5), (4, 6)),
    Graph(1.0, -4.0, (0, 1), (2, 2), 11.0, (3, 4)),
    Graph(1.5, -4.0, (0, 1), (2, 2), 10.5, (2, 4), 0.75, (5, 6), (3, 7)),
    Graph(1.5, -4.0, (0, 1), (2, 2), 10.5, (2, 4), 0.75, (5, 6), (7, 3)),
    CHAIN,
    Graph(2.0, 9.0, (1, 0), -14.0, (3, 2), 0.5, (5, 4), -1.25, (7, 6)),
    TANGLED,
    EQUAL,
)


class Walked(NamedTuple):
    """The nodes that a walk met in a graph, the result's side first, of those that it could."""

    graph: Graph
    order: Order
    possible: set[int]

    def is_right(self) -> bool:
        """Whether it met every node once, and none before a node that uses it."""
        return not (self.repeats() or self.missing()) and not self.early()

    def repeats(self) -> bool:
        """Whether it met a node more than once."""
        return len(set(self.order)) < len(self.order)

    def missing(self) -> set[int]:
        """Return the nodes that it never met."""
        return self.possible - set(self.order)

    def early(self) -> list[tuple[int, int]]:
        """Return the nodes that it met before a user, each with that user."""
        place = {node: at for at, node in enumerate(self.order)}
        return [
            (node, user)
            for node in place
            for user in self.graph.users[node]
            if place.get(user, -1) > place[node]
        ]

    def is_sorted(self, keys: Sequence[float]) -> bool:
        """Whether the nodes come in the order of these keys."""
        return all(keys[one] <= keys[other] for one, other in zip(self.order, self.order[1:]))

    def takes_least(self, keys: Sequence[float]) -> bool:
        """Whether each node has the least key of those that wait, because a user has come."""
        known = waiting = {self.graph.root}
        for node in self.order:
            if node not in waiting or keys[node] > min(keys[one] for one in waiting):
                return False
            found = set(self.graph.operands[node]) & self.possible - known
            known, waiting = known | found, waiting - {node} | found
        return True


def _meets(orders: Callable[[Graph], Iterator[Order]]) -> Callable[[Sequence[Walked]], bool]:
    """Return whether one of some walks, the same one for all graphs, meets the nodes like this."""

    def fits(walks: Sequence[Walked]) -> bool:
        each = [
            [
                [node for node in order if node in walk.possible] == list(walk.order)
                for order in orders(walk.graph)
            ]
            for walk in walks
        ]
        return any(all(some) for some in zip(*each))

    return fits


def _all(rule: Rule) -> Callable[[Sequence[Walked]], bool]:
    return lambda walks: all(map(rule, walks))


def _depth_first(graph: Graph) -> Iterator[Order]:
    """Yield the orders in which walks that go deep first come upon the nodes."""
    for turn in (1, -1):
        for marks_when_pushed in (False, True):
            order: list[int] = []
            todo, known = [graph.root], {graph.root} if marks_when_pushed else set[int]()
            while todo:
                node = todo.pop()
                if not marks_when_pushed and node in known:
                    continue
                known.add(node)
                order.append(node)
                below = list(dict.fromkeys(graph.operands[node]))[::turn]
                todo += [one for one in below if one not in known]
                known |= set(below) if marks_when_pushed else set()
            yield order


def _marked_too_soon(graph: Graph) -> Iterator[Order]:
    """Yield the orders of walks that list a node after its operands, but mark all operands of a
    node as known before they follow the first.
    """
    for turn in (1, -1):
        order: list[int] = []
        todo, known = [(graph.root, False)], {graph.root}
        while todo:
            node, is_done = todo.pop()
            if is_done:
                order.append(node)
                continue
            todo.append((node, True))
            below = [one for one in dict.fromkeys(graph.operands[node]) if one not in known][::turn]
            known.update(below)
            todo += [(one, False) for one in below]
        yield order[::-1]


def _level_by_level(graph: Graph) -> Iterator[Order]:
    for turn in (1, -1):
        order, todo = [graph.root], deque([graph.root])
        while todo:
            for node in graph.operands[todo.popleft()][::turn]:
                if node not in order:
                    order.append(node)
                    todo.append(node)
        yield order


def _counts(expected: Callable[[Graph, int], int]) -> Callable[[Sequence[Walked]], bool]:
    def fits(walk: Walked) -> bool:
        counts = Counter(walk.order)
        return all(counts[node] == expected(walk.graph, node) for node in walk.possible)

    return _all(fits)


def _only(met: Callable[[Graph], set[int]]) -> Callable[[Sequence[Walked]], bool]:
    return _all(lambda walk: set(walk.order) == met(walk.graph) & walk.possible)


def _merges_equal(walk: Walked) -> bool:
    """Whether only nodes are missing that have the number of a node which was met."""
    numbers = walk.graph.numbers
    met = {numbers[node] for node in walk.order}
    return all(
        numbers[node] in met or set(walk.graph.users[node]) & walk.missing()
        for node in walk.missing()
    )


def _by(
    keys: Callable[[Graph], Sequence[float]], *signs: int
) -> Callable[[Sequence[Walked]], bool]:
    """Return whether the nodes are sorted by some numbers, all of them or of those that wait."""

    def fits(walks: Sequence[Walked]) -> bool:
        signed = [[[sign * key for key in keys(walk.graph)] for walk in walks] for sign in signs]
        return any(
            all(rule(walk, some) for walk, some in zip(walks, each))
            for each in signed
            for rule in (Walked.is_sorted, Walked.takes_least)
        )

    return fits


def _takes_one_user(walk: Walked) -> bool:
    """Whether every node comes after one of its users, and some come before another, if any graph
    shows that.
    """
    if walk.graph in {TWO_PATHS, MIRRORED, TANGLED} and not walk.early():
        return False
    place = {node: at for at, node in enumerate(walk.order)}
    return all(
        any(place.get(user, len(place)) < at for user in walk.graph.users[node])
        for node, at in place.items()
        if node != walk.graph.root
    )


_REPEATED = {
    "a node is {done} once for every path from the result to it": lambda walks: any(
        _counts(lambda graph, node: graph.paths(distinct=distinct)[node])(walks)  # noqa: B023
        for distinct in (True, False)
    ),
    "a node is {done} once for every use": _counts(
        lambda graph, node: max(1, len(graph.users[node]))
    ),
    "a node is {done} once for every node that uses it": _counts(
        lambda graph, node: max(1, len(set(graph.users[node])))
    ),
    "only the result is {done} twice": _counts(lambda graph, node: 1 + (node == graph.root)),
    "every node is {done} twice": _counts(lambda *_: 2),
    "every node but the result is {done} twice": _counts(
        lambda graph, node: 2 - (node == graph.root)
    ),
}
_EQUAL = "only one of several nodes with equal numbers is {done}"
_MISSING = {
    "no leaf is {done}": _only(lambda graph: graph.inner),
    "the result itself is not {done}": _only(lambda graph: graph.all - {graph.root}),
    "of two operands, the walk follows only the first": _only(
        lambda graph: graph.along(slice(0, 1))
    ),
    "of two operands, the walk follows only the last": _only(
        lambda graph: graph.along(slice(1, 2))
    ),
    "a node that one result uses twice, as in `s + s`, is never ready": _only(
        lambda graph: graph.freed(lambda users: len(set(users)) < len(users))
    ),
    "a node that is used more than once is never ready": _only(
        lambda graph: graph.freed(lambda users: len(users) > 1)
    ),
    "nothing below a node with several paths to it is ever ready": _only(
        lambda graph: graph.freed(
            lambda users: any(graph.paths(distinct=False)[u] > 1 for u in users)
        )
    ),
    _EQUAL: _all(_merges_equal),
    **{
        f"the walk ends {steps} below the result": _only(partial(Graph.down_to, level=level))
        for level, steps in enumerate(("one step", "two steps", "three steps", "four steps"), 1)
    },
}
_WAITS = "a node must wait until every node that uses it has had its turn"
_NUMBERS = "the nodes are sorted by their numbers"
_SIZES = "the nodes are sorted by the size of their numbers"
_FIRST_MET = (
    "the nodes come in the order in which a depth-first walk first meets them: before their"
    " operands, but not always after their users; list a node when its operands are done"
)
_TWICE = (
    "only a node that one result uses twice, as in `s + s`, comes too early: it does not wait for"
    " its other users"
)
_EARLY = {
    _TWICE: lambda walks: all(
        len(set(users)) < len(users)
        for walk in walks
        for node, _ in walk.early()
        if (users := walk.graph.users[node])
    ),
    f"the nodes come level by level, each at its shortest distance from the result; {_WAITS}": _all(
        lambda walk: walk.is_sorted(walk.graph.level)
    ),
    "the nodes are sorted by their shortest distance to a leaf; it must be the longest": _by(
        lambda graph: graph.height(min), -1
    ),
    "of the waiting nodes, the one closest to the leaves comes first; it must be the one farthest"
    " from them": _by(lambda graph: graph.height(max), 1),
    "of the waiting nodes, the oldest comes first; it must be the newest": _by(
        lambda graph: range(len(graph.nodes)), 1
    ),
    "the nodes are sorted by their distance to a leaf through first operands only": _by(
        lambda graph: graph.height(lambda heights: heights[0]), -1
    ),
    "the nodes are sorted by their distance to a leaf through last operands only": _by(
        lambda graph: graph.height(lambda heights: heights[-1]), -1
    ),
    _NUMBERS: _by(lambda graph: graph.numbers, 1, -1),
    _SIZES: _by(lambda graph: [abs(number) for number in graph.numbers], 1, -1),
    _FIRST_MET: _meets(_depth_first),
    "all operands of a node are marked as visited before the first one is followed, so the walk"
    " skips one that it meets again further down; mark a node when its own turn comes": _meets(
        _marked_too_soon
    ),
}
BY_NUMBER = (_EQUAL, _NUMBERS, _SIZES)
BY_LISTING = (_FIRST_MET,)
_ONE_USER = f"a node gets its turn as soon as one of its users has had one; {_WAITS}"


def habit(walks: Sequence[Walked]) -> str:
    """Return what a wrong walk does on all graphs, or an empty text.

    It has `{done}` in place of what is done with the nodes.
    """
    if any(walk.repeats() for walk in walks):
        return _single(_REPEATED, walks)
    if any(walk.missing() for walk in walks):
        return _single(_MISSING, walks)
    if not any(walk.early() for walk in walks):
        return ""
    found = _single(_EARLY, walks)
    return found or (_ONE_USER if all(map(_takes_one_user, walks)) else "")


def _single(
    sentences: dict[str, Callable[[Sequence[Walked]], bool]], walks: Sequence[Walked]
) -> str:
    found = [sentence for sentence, fits in sentences.items() if fits(walks)]
    return found[0] if len(found) == 1 else ""
