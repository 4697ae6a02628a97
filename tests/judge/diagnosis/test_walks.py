"""What a walk over the graph does, told from the order in which it meets the nodes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.judge.diagnosis.walks import GRAPHS, Graph, Walked, habit

Order = list[int]


def walked(walk: Callable[[Graph], Order]) -> list[Walked]:
    return [Walked(graph, walk(graph), graph.all) for graph in GRAPHS]


def newest_first(graph: Graph) -> Order:
    return sorted(graph.all, reverse=True)


def operands_done(graph: Graph, *, asks: bool = True) -> Order:
    """The recursive walk of the course, from its end; it may forget to ask for visited nodes."""
    order: Order = []

    def visit(node: int) -> None:
        if not (asks and node in order):
            for operand in graph.operands[node]:
                visit(operand)
            order.append(node)

    visit(graph.root)
    return order[::-1]


def first_met(graph: Graph) -> Order:
    order: Order = []

    def visit(node: int) -> None:
        if node not in order:
            order.append(node)
            for operand in graph.operands[node]:
                visit(operand)

    visit(graph.root)
    return order


def released(graph: Graph, counted: Callable[[list[int]], int], takes: int = 0) -> Order:
    """A walk that counts users, and takes the first or the last of those that are ready."""
    left = {node: counted(graph.users[node]) for node in graph.all}
    ready, order = [graph.root], [graph.root][:0]
    while ready:
        node = ready.pop(takes)
        order.append(node)
        for operand in graph.operands[node]:
            left[operand] -= 1
            if left[operand] == 0:
                ready.append(operand)
    return order


def in_a_queue(graph: Graph) -> Order:
    order = [graph.root]
    for node in order:
        order += [one for one in dict.fromkeys(graph.operands[node]) if one not in order]
    return order


@pytest.mark.parametrize(
    "walk",
    [
        newest_first,
        operands_done,
        lambda graph: released(graph, len),
        lambda graph: released(graph, len, takes=-1),
        lambda graph: sorted(graph.all, key=lambda node: -graph.height(max)[node]),
    ],
)
def test_a_right_walk_has_no_habit(walk: Callable[[Graph], Order]) -> None:
    assert all(one.is_right() for one in walked(walk))
    assert habit(walked(walk)) == ""


@pytest.mark.parametrize(
    ("walk", "said"),
    [
        (in_a_queue, "the nodes come level by level"),
        (first_met, "list a node when its operands are done"),
        (lambda graph: operands_done(graph, asks=False), "once for every path"),
        (lambda graph: [graph.root, *newest_first(graph)], "only the result is {done} twice"),
        (lambda graph: newest_first(graph)[1:], "the result itself is not {done}"),
        (lambda graph: sorted(graph.inner, reverse=True), "no leaf is {done}"),
        (lambda graph: sorted(graph.all, key=lambda node: graph.numbers[node]), "their numbers"),
        (lambda graph: released(graph, lambda users: len(set(users))), "only a node that one resu"),
        (
            lambda graph: released(graph, lambda users: len(users) + (len(users) > 1)),
            "a node that is used more than once is never ready",
        ),
        (
            lambda graph: sorted(graph.all, key=lambda node: -graph.height(min)[node]),
            "it must be the longest",
        ),
        (
            lambda graph: [one for one in newest_first(graph) if graph.level[one] < 3],
            "the walk ends two steps below the result",
        ),
    ],
)
def test_a_wrong_walk_is_described_by_what_it_does(
    walk: Callable[[Graph], Order], said: str
) -> None:
    assert said in habit(walked(walk))


def test_nothing_is_said_of_a_walk_that_changes_its_habit() -> None:
    walks = [
        Walked(graph, in_a_queue(graph) if at % 2 else operands_done(graph, asks=False), graph.all)
        for at, graph in enumerate(GRAPHS)
    ]
    assert habit(walks) == ""
