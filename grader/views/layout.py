"""Place a graph's boxes in columns, operands on the left: the drawing of every page and picture.

The method is Sugiyama's: columns, an order in each column with few crossings, then heights. An edge
that passes a column has a point there, placed like a box.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grader.errors import GraderError

MAX_NODES = 1_000
MAX_POINTS = 8_000  # of boxes and passing edges
ACROSS, DOWN, LINE = 36.0, 16.0, 6.0  # between columns, boxes, and edges that pass a column
SWEEPS = 12
SAME = 0.05  # closer places are drawn as one

Point = tuple[float, float]
Edge = tuple[int, int]


class NoLayout(GraderError):
    """The graph is too large for a picture."""


@dataclass(frozen=True)
class Layout:
    """The size of the picture, the centres of its boxes, and the paths of its edges, in order.

    y grows downwards. A path is the `d` of an SVG path.
    """

    width: float
    height: float
    nodes: tuple[Point, ...]
    edges: tuple[str, ...]


def lay_out(sizes: Sequence[Point], edges: Sequence[Edge]) -> Layout:
    """Place boxes of these sizes so that edges go from left to right and arrive at a box in order.

    An edge that closes a cycle goes back. Raise NoLayout if the graph is too large.
    """
    if len(sizes) > MAX_NODES:
        raise NoLayout(
            f"a graph of {len(sizes)} nodes is too large for a picture",
            f"at most {MAX_NODES}; --text shows it",
        )
    return _Drawing(sizes, edges).layout()


class _Drawing:
    """The points of a graph: its boxes, then a point for each column that an edge passes."""

    def __init__(self, sizes: Sequence[Point], edges: Sequence[Edge]) -> None:
        self.sizes = [*sizes]
        self.column = _columns(len(sizes), edges)
        self.chains: list[list[int]] = []
        for tail, head in edges:
            passed = range(self.column[tail] + 1, self.column[head])
            points = range(len(self.sizes), len(self.sizes) + len(passed))
            if points.stop > MAX_POINTS:
                raise NoLayout("the graph is too tangled for a picture", "--text shows it")
            self.sizes += [(0.0, LINE)] * len(passed)
            self.column += passed
            self.chains.append([tail, *points, head])
        self.before: list[list[int]] = [[] for _ in self.sizes]  # in order of arrival
        self.after: list[list[int]] = [[] for _ in self.sizes]
        for chain in filter(self._goes_on, self.chains):
            for tail, head in pairwise(chain):
                self.before[head].append(tail)
                self.after[tail].append(head)
        self.layers = _first_order(self)
        self.y = [0.0] * len(self.sizes)

    def _goes_on(self, chain: Sequence[int]) -> bool:
        return self.column[chain[0]] < self.column[chain[-1]]

    def port(self, head: int, place: int) -> float:
        """Return where the edge with this place arrives, from the middle of the box."""
        return self.sizes[head][1] * ((place + 1) / (len(self.before[head]) + 1) - 0.5)

    def middle(self, point: int, place: Mapping[int, int], *, from_left: bool) -> float:
        """Return twice the median place of a point's neighbours on one side; -1 without any."""
        if from_left:
            near = sorted(float(place[tail]) for tail in self.before[point])
        else:
            near = sorted(
                place[head] + self.port(head, self.before[head].index(point)) / 1e3
                for head in self.after[point]
            )
        return near[len(near) // 2] + near[(len(near) - 1) // 2] if near else -1.0

    def layout(self) -> Layout:
        """Return the finished drawing."""
        self.layers = _untangled(self)
        _set_heights(self)
        columns, width = _spans(self)
        top = min((y - self.sizes[i][1] / 2 for i, y in enumerate(self.y)), default=0.0)
        self.y = [y - top for y in self.y]
        boxes = range(len(self.sizes) - sum(len(chain) - 2 for chain in self.chains))
        height = max((self.y[i] + self.sizes[i][1] / 2 for i in range(len(self.y))), default=0.0)
        arrived: dict[int, int] = {}
        return Layout(
            width,
            height,
            tuple((sum(columns[self.column[box]]) / 2, self.y[box]) for box in boxes),
            tuple(self._path(chain, columns, arrived) for chain in self.chains),
        )

    def _path(self, chain: Sequence[int], columns: Sequence[Point], arrived: dict[int, int]) -> str:
        """Return the curve of an edge, which is level wherever it leaves or enters a column."""
        head = chain[-1]
        if self._goes_on(chain):
            arrived[head] = arrived.get(head, -1) + 1
        stops: list[Point] = []
        for point in chain:
            left, right = columns[self.column[point]]
            middle, half, y = (left + right) / 2, self.sizes[point][0] / 2, self.y[point]
            if point == head:
                y += self.port(head, arrived[head]) if self._goes_on(chain) else 0.0
                stops += [(left, y), (middle - half, y)]
            else:
                stops += [(middle + half if point == chain[0] else left, y), (right, y)]
        path = f"M{stops[0][0]:.1f},{stops[0][1]:.1f}"
        for (x, y), (to_x, to_y) in pairwise(stops):
            bend = (to_x - x) / 2 if to_x > x else ACROSS
            if abs(to_x - x) >= SAME or to_y != y:
                path += (
                    f" C{x + bend:.1f},{y:.1f} {to_x - bend:.1f},{to_y:.1f} {to_x:.1f},{to_y:.1f}"
                )
        return path


def _columns(count: int, edges: Sequence[Edge]) -> list[int]:
    """Return each node's column: right of its operands, and close to what uses it."""
    users: list[list[int]] = [[] for _ in range(count)]
    waits = [0] * count
    for tail, head in edges:
        users[tail].append(head)
        waits[head] += 1
    operands = [*waits]
    column, order = [0] * count, list[int]()
    left = set(range(count))
    while left:
        node = min(left, key=lambda node: (waits[node], node))  # in a cycle, nodes wait forever
        left.remove(node)
        order.append(node)
        for user in left.intersection(users[node]):
            column[user] = max(column[user], column[node] + 1)
        for user in users[node]:
            waits[user] -= 1
    for node in reversed(order):
        if len(users[node]) > operands[node]:
            column[node] = max(column[node], min(column[user] for user in users[node]) - 1)
    return column


def _first_order(drawing: _Drawing) -> list[list[int]]:
    """Return the columns in the order of a walk from the results."""
    layers: list[list[int]] = [[] for _ in range(max(drawing.column, default=-1) + 1)]
    met: set[int] = set()
    to_do = sorted(range(len(drawing.sizes)), key=lambda point: (not drawing.after[point], point))
    while to_do:
        point = to_do.pop()
        if point not in met:
            met.add(point)
            layers[drawing.column[point]].append(point)
            to_do += reversed(drawing.before[point])
    return layers


def _untangled(drawing: _Drawing) -> list[list[int]]:
    """Return the order with the fewest crossings that sorting by neighbours finds."""
    best, layers = drawing.layers, [[*layer] for layer in drawing.layers]
    fewest = _crossings(drawing, best)
    for sweep in range(SWEEPS if fewest else 0):
        place = {point: index for layer in layers for index, point in enumerate(layer)}

        from_left = sweep % 2 == 1
        for layer in layers if from_left else reversed(layers):
            keys = {point: drawing.middle(point, place, from_left=from_left) for point in layer}
            free = [index for index, point in enumerate(layer) if keys[point] >= 0]
            for index, point in zip(free, sorted((layer[i] for i in free), key=keys.__getitem__)):
                layer[index] = point
            place.update((point, index) for index, point in enumerate(layer))
        if (crossings := _crossings(drawing, layers)) < fewest:
            best, fewest = [[*layer] for layer in layers], crossings
    return best


def _crossings(drawing: _Drawing, layers: Sequence[Sequence[int]]) -> int:
    """Return how many pairs of edges cross between neighbouring columns."""
    crossings = 0
    for left, right in pairwise(layers):
        place = {point: index for index, point in enumerate(left)}
        met: list[int] = []
        for head in right:
            for tail in drawing.before[head]:
                crossings += len(met) - bisect_right(met, place[tail])
                insort(met, place[tail])
    return crossings


def _set_heights(drawing: _Drawing) -> None:
    """Set each point's y near its neighbours' y, without an overlap."""
    for layer in drawing.layers:
        _place(drawing, layer, dict.fromkeys(layer, (0.0, 1.0)))
    for sweep in range(4 * SWEEPS):
        for layer in drawing.layers if sweep % 2 else reversed(drawing.layers):
            wanted = {}
            for point in layer:
                pulls = [
                    (drawing.y[tail] - drawing.port(point, place), _pull(drawing, tail, point))
                    for place, tail in enumerate(drawing.before[point])
                ]
                pulls += [
                    (
                        drawing.y[head] + drawing.port(head, drawing.before[head].index(point)),
                        _pull(drawing, point, head),
                    )
                    for head in drawing.after[point]
                ]
                weight = sum(pull for _, pull in pulls)
                mean = sum(y * pull for y, pull in pulls) / weight if weight else drawing.y[point]
                wanted[point] = mean, weight or 1e-3
            _place(drawing, layer, wanted)


def _pull(drawing: _Drawing, tail: int, head: int) -> float:
    """Return how much an edge pulls: long ones more, because a bend in them is easier to see."""
    return (1.0, 2.0, 8.0)[(not drawing.sizes[tail][0]) + (not drawing.sizes[head][0])]


def _place(drawing: _Drawing, layer: Sequence[int], wanted: dict[int, Point]) -> None:
    """Set the heights of a column closest to the wanted ones (y, weight): each block of touching
    points is placed at its weighted mean.
    """
    offset, offsets = 0.0, list[float]()
    for above, point in pairwise([layer[0], *layer]) if layer else ():
        if offsets:
            boxes = drawing.sizes[above][0] and drawing.sizes[point][0]
            offset += (drawing.sizes[above][1] + drawing.sizes[point][1]) / 2
            offset += DOWN if boxes else DOWN / 2
        offsets.append(offset)
    blocks: list[tuple[float, float, int]] = []  # the mean, the weight, how many points
    for point, shift in zip(layer, offsets):
        mean, weight = wanted[point][0] - shift, wanted[point][1]
        count = 1
        while blocks and blocks[-1][0] >= mean:
            other, heavy, more = blocks.pop()
            mean = (mean * weight + other * heavy) / (weight + heavy)
            weight, count = weight + heavy, count + more
        blocks.append((mean, weight, count))
    means = [mean for mean, _, count in blocks for _ in range(count)]
    for point, mean, shift in zip(layer, means, offsets):
        drawing.y[point] = mean + shift


def _spans(drawing: _Drawing) -> tuple[list[Point], float]:
    """Return where each column begins and ends, and the width of all."""
    spans, x = [], 0.0
    for layer in drawing.layers:
        wide = max((drawing.sizes[point][0] for point in layer), default=0.0)
        spans.append((x, x + wide))
        x += wide + ACROSS
    return spans, max(0.0, x - ACROSS)
