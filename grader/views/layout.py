"""Place a graph's boxes in columns, operands on the left: the drawing of every page and picture.

An edge that passes a column has a point there, placed like a box. Each column is sorted and placed
by the heights of its neighbours, again and again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from grader.errors import UsageError

MAX_NODES = 1_000
MAX_POINTS = 8_000  # of boxes and passing edges
ACROSS, DOWN, LINE = 36.0, 16.0, 6.0  # between columns, boxes, and edges that pass a column
SWEEPS = 24
SAME = 0.05  # closer places are drawn as one

Point = tuple[float, float]
Edge = tuple[int, int]


class Layout:
    """The size of a picture, the centres of its boxes, `nodes`, and the paths of its `edges`, in
    order. y grows downwards. A path is the `d` of an SVG path.

    Besides the boxes there is a point for each column that an edge passes. `left` and `right` hold
    the neighbours of each point, and how far below a neighbour's middle it would be level with the
    edge between them.
    """

    def __init__(self, sizes: Sequence[Point], edges: Sequence[Edge]) -> None:
        """Place boxes of these sizes so that edges, which form no circle, go from left to right and
        arrive at a box in order. Raise UsageError if the graph is too large.
        """
        if len(sizes) > MAX_NODES:
            raise UsageError(
                f"a graph of {len(sizes)} nodes is too large for a picture",
                f"at most {MAX_NODES}; --text shows it",
            )
        self.sizes = [*sizes]
        self.column = _columns(len(sizes), edges)
        self.chains: list[list[int]] = []
        for tail, head in edges:
            passed = range(self.column[tail] + 1, self.column[head])
            points = range(len(self.sizes), len(self.sizes) + len(passed))
            if points.stop > MAX_POINTS:
                raise UsageError("the graph is too tangled for a picture", "--text shows it")
            self.sizes += [(0.0, LINE)] * len(passed)
            self.column += passed
            self.chains.append([tail, *points, head])
        heads = [head for _, head in edges]
        self.ports = [
            self.sizes[head][1] * ((heads[:edge].count(head) + 1) / (heads.count(head) + 1) - 0.5)
            for edge, head in enumerate(heads)
        ]
        self.left: list[list[tuple[int, float]]] = [[] for _ in self.sizes]
        self.right: list[list[tuple[int, float]]] = [[] for _ in self.sizes]
        for chain, port in zip(self.chains, self.ports):
            for tail, head in pairwise(chain):
                shift = port if head == chain[-1] else 0.0
                self.left[head].append((tail, -shift))
                self.right[tail].append((head, shift))
        self.layers: list[list[int]] = [[] for _ in range(max(self.column, default=-1) + 1)]
        for point, column in enumerate(self.column):
            self.layers[column].append(point)
        self.y = [0.0] * len(self.sizes)
        for layer in self.layers:
            self._place(layer, dict.fromkeys(layer, 0.0))
        for sweep in range(2 * SWEEPS):  # sort the columns, then only straighten the edges
            self._sweep(from_left=sweep % 2 == 1, sort=sweep < SWEEPS)
        spans, x = [], 0.0
        for layer in self.layers:
            wide = max(self.sizes[point][0] for point in layer)
            spans.append((x, x + wide))
            x += wide + ACROSS
        top = min((y - size[1] / 2 for y, size in zip(self.y, self.sizes)), default=0.0)
        self.y = [y - top for y in self.y]
        self.width = max(0.0, x - ACROSS)
        self.height = max((y + size[1] / 2 for y, size in zip(self.y, self.sizes)), default=0.0)
        self.nodes = [(sum(spans[self.column[n]]) / 2, self.y[n]) for n in range(len(sizes))]
        self.edges = [self._path(*each, spans) for each in zip(self.chains, self.ports)]

    def _sweep(self, *, from_left: bool, sort: bool) -> None:
        """Place each column by the heights of its neighbours, after sorting it if `sort`. Only the
        columns before it count for its order.
        """
        sides = [self.left if from_left else self.right] if sort else [self.left, self.right]
        for layer in self.layers if from_left else reversed(self.layers):
            wanted = {}
            for point in layer:
                heights = [self.y[near] + shift for side in sides for near, shift in side[point]]
                wanted[point] = sum(heights) / len(heights) if heights else self.y[point]
            if sort:
                layer.sort(key=wanted.__getitem__)
            self._place(layer, wanted)

    def _place(self, layer: Sequence[int], wanted: Mapping[int, float]) -> None:
        """Set the heights of a column closest to the wanted ones: each block of touching points is
        placed at its mean.
        """
        offset, offsets = 0.0, list[float]()
        blocks: list[tuple[float, int]] = []  # the mean, how many points
        for above, point in pairwise([layer[0], *layer]):
            if offsets:
                boxes = self.sizes[above][0] and self.sizes[point][0]
                offset += (self.sizes[above][1] + self.sizes[point][1]) / 2
                offset += DOWN if boxes else DOWN / 2
            offsets.append(offset)
            mean, count = wanted[point] - offset, 1
            while blocks and blocks[-1][0] >= mean:
                other, more = blocks.pop()
                mean, count = (mean * count + other * more) / (count + more), count + more
            blocks.append((mean, count))
        means = [mean for mean, count in blocks for _ in range(count)]
        for point, mean, shift in zip(layer, means, offsets):
            self.y[point] = mean + shift

    def _path(self, chain: Sequence[int], port: float, spans: Sequence[Point]) -> str:
        """Return the curve of an edge, which is level wherever it leaves or enters a column."""
        stops: list[Point] = []
        for point in chain:
            left, right = spans[self.column[point]]
            middle, half, y = (left + right) / 2, self.sizes[point][0] / 2, self.y[point]
            if point == chain[-1]:
                stops += [(left, y + port), (middle - half, y + port)]
            else:
                stops += [(middle + half if point == chain[0] else left, y), (right, y)]
        path = f"M{stops[0][0]:.1f},{stops[0][1]:.1f}"
        for (x, y), (to_x, to_y) in pairwise(stops):
            if to_x - x >= SAME:
                bend = (x + to_x) / 2
                path += f" C{bend:.1f},{y:.1f} {bend:.1f},{to_y:.1f} {to_x:.1f},{to_y:.1f}"
        return path


def _columns(count: int, edges: Sequence[Edge]) -> list[int]:
    """Return each node's column: right of its operands, and a leaf close to what uses it."""
    column, before = [0] * count, [-1]
    while column != before:
        before = [*column]
        for tail, head in edges:
            column[head] = max(column[head], column[tail] + 1)
    for leaf in {tail for tail, _ in edges} - {head for _, head in edges}:
        column[leaf] = min(column[head] for tail, head in edges if tail == leaf) - 1
    return column
