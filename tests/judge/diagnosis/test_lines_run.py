"""The line that makes a wrong result, by the lines that ran."""

from __future__ import annotations

import pytest

from grader.judge.diagnosis.evidence import Evidence
from grader.judge.diagnosis.lines_run import NEVER_RUNS, Lines, line_that_makes
from grader.judge.script.steps import Get, Make
from grader.worker.facts import definition_of, facts_of
from grader.worker.protocol import Fact, Function, Ref

ENDS = """def work(a):
    if a:
        return 1
    return 2
"""
LISTS = """def work(a):
    found = []
    for x in a:
        found.append(x)
    return found
"""
SETS = """def work(a):
    found = a
    found = found.tanh()
    return found
"""
SKIPS = """def work(a):
    total = 0
    for x in a:
        if x:
            total += x
    return total / len(a)
"""
PLACES = """def work(a):
    found = list(a)
    for n, x in enumerate(a):
        found[n] = -x
    return found
"""


def function(source: str, name: str = "work") -> Function:
    node = definition_of(source, name)
    facts = [Fact(text, line) for text, line in facts_of(node).items()]
    return Function("work.py", node.lineno, facts)


@pytest.mark.parametrize(
    ("source", "ran", "returned", "expected"),
    [
        (ENDS, {2, 3}, 3, (3, "")),
        (ENDS, {2, 4}, 4, (4, "")),
        (LISTS, {2, 3, 4, 5}, 5, (4, "")),
        (SETS, {2, 3, 4}, 4, (3, "")),
        (PLACES, {2, 3, 4, 5}, 5, (4, "")),
        (SKIPS, {2, 3, 4, 6}, 6, (5, NEVER_RUNS)),
        (SKIPS, {2, 3, 4, 5, 6}, 6, (6, "")),
    ],
)
def test_the_line_that_makes_a_result_is_one_that_ran(
    source: str, ran: set[int], returned: int, expected: tuple[int, str]
) -> None:
    evidence = Evidence("work", [Make(Ref(1), "work", [])], {}, (Ref(1), "data"), form="number")
    lines = Lines(frozenset(ran), {1: returned})
    assert line_that_makes(function(source), "work", evidence, lines) == expected


def test_a_constructor_is_shown_where_it_fills_the_attribute() -> None:
    source = """class Thing:
    def __init__(self, a):
        self.b = a
        self.w = []
        for x in a:
            self.w.append(x)
"""
    made, got = Make(Ref(1), "Thing", []), Get(Ref(2), Ref(1), "w[0]")
    evidence = Evidence("work", [made, got], {}, (Ref(2), "data"), form="number")
    thing = function(source, "Thing.__init__")
    found = line_that_makes(thing, "Thing.__init__", evidence, Lines(frozenset(), {}))
    assert found == (6, "")
