"""The layout of all drawings: edges go from left to right, the same every time, within bounds."""

from __future__ import annotations

import pytest

from grader.errors import UsageError
from grader.views.layout import Layout

BOX = (120.0, 60.0)


def test_a_graph_with_too_many_passing_edges_is_refused() -> None:
    edges = [(low, high) for high in range(200) for low in range(high)]
    with pytest.raises(UsageError, match="too tangled"):
        Layout([BOX] * 200, edges)


def test_edges_that_could_do_without_do_not_cross() -> None:
    """Two chains side by side, listed crosswise."""
    layout = Layout([BOX] * 6, [(0, 3), (1, 2), (3, 5), (2, 4)])
    above = [
        layout.nodes[first][1] < layout.nodes[second][1]
        for first, second in ((0, 1), (3, 2), (5, 4))
    ]
    assert len({*above}) == 1


def test_an_edge_that_leaves_the_widest_box_of_a_column_makes_no_loop() -> None:
    """Its end and the column's may differ in the last bit."""
    for wide in (93.1, 107.6, 180.6):
        layout = Layout([(187.9, 60.0), (wide, 60.0), BOX], [(0, 1), (1, 2)])
        assert [path.count("C") for path in layout.edges] == [1, 1]
