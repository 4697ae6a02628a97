"""The landing page places graphs in JavaScript, exactly as the kit does in Python."""

from __future__ import annotations

import random
import re
from typing import Any

from grader.views.layout import Edge, Layout, Point
from support.javascript import run_module

Case = tuple[list[Point], list[Edge]]
DRAWN = 0.1001  # a tie may be rounded up on one side and down on the other
BY_HAND: list[Case] = [([], []), ([(90.0, 40.0)], []), ([(90.0, 40.0)] * 2, [(0, 1), (0, 1)])]


def cases() -> list[Case]:
    """Return 50 graphs: small and large ones, some with unused nodes or double edges."""
    draw = random.Random(7)
    found = [*BY_HAND]
    while len(found) < 50:
        count = draw.randint(2, 5 + len(found) // 2)
        sizes = [
            (float(draw.randint(40, 220)), draw.choice([44.0, 52.5, 67.0])) for _ in range(count)
        ]
        edges = [
            (draw.randrange(head), head)
            for head in range(1, count)
            for _ in range(draw.randint(0, 2))
        ]
        found.append((sizes, edges))
    return found


def numbers(layout: Layout | dict[str, Any]) -> list[float]:
    """Return every number of a drawing, in order."""
    found = layout if isinstance(layout, dict) else vars(layout)
    parts = [found[name] for name in ("width", "height", "nodes", "edges")]
    return [float(text) for text in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", str(parts))]


def test_fifty_graphs_are_placed_as_in_python() -> None:
    drawn = run_module("layout.js", "given.map((one) => module.layOut(...one))", cases())
    for case, found in zip(cases(), drawn):
        wanted = Layout(*case)
        assert [re.sub(r"[-\d.]+", "", path) for path in found["edges"]] == [
            re.sub(r"[-\d.]+", "", path) for path in wanted.edges
        ]
        mine, theirs = numbers(found), numbers(wanted)
        assert len(mine) == len(theirs)
        assert all(abs(one - other) < DRAWN for one, other in zip(mine, theirs)), case
