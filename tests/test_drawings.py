"""Text that is meant to keep the judge busy: the readers of DOT and SVG stay quick and small, whatever a learner's code returns."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pytest

from grader.course.dot import Drawing, NoDotError, Parser
from grader.course.svg import NoSvgError, Picture

LONGEST = 1 << 16  # characters: more is not handed on
SECONDS = 3.0
MEGABYTES = 50

NAMES = " ".join(f"n{number:x}" for number in range(5_000))
TEXTS = {
    "a name of thousands of parts": "digraph { " + "+".join(['"a"'] * 16_000) + " }",
    "millions of arrows": "digraph { {" + NAMES + "} -> {" + NAMES + "} }",
    "a label of angles for every node": 'digraph { node [shape=record label="' + "<" * 30_000 + '"] ' + NAMES[:30_000] + " }",
    "a label of HTML for every node": "digraph { node [label=<" + "<b>" * 5_000 + ">] " + NAMES[:30_000] + " }",
    "a long label for every node": 'digraph { node [label="' + "\\\\n" * 10_000 + '"] ' + NAMES[:30_000] + " }",
    "attributes for every node": "digraph { node [" + " ".join(f"a{number}=1" for number in range(3_500)) + "] " + NAMES[:30_000] + " }",
    "subgraphs in one another": "digraph {" + "{" * 30_000 + "}" * 30_000 + "}",
    "nothing but openings": "digraph { " + "<" * 65_000,
    "comments that do not close": "digraph { " + "/*" * 32_000,
    "backslashes": 'digraph { a [shape=record label="' + "\\" * 60_000 + '"] }',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_dot_text_makes_the_judge_slow_or_large(text: str) -> None:
    def read() -> None:
        drawing: Drawing = Parser(text[:LONGEST]).drawing
        assert [drawing.label(name) for name in drawing.nodes]

    _is_quick_and_small(read)


def test_what_is_refused_says_why() -> None:
    with pytest.raises(NoDotError, match="more than 20000 arrows"):
        Parser(TEXTS["millions of arrows"])
    with pytest.raises(NoDotError, match="a label of 1200 characters, in line 2"):
        Parser(f'digraph {{\na [label="{"x" * 1200}"] }}').drawing.label("a")


def test_a_name_of_several_parts_is_one() -> None:
    assert list(Parser('digraph { "a" + "b" + "c" -> d }').drawing.nodes) == ["abc", "d"]


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="1">{}</svg>'
PICTURES = {
    "digits that are no number": SVG.format("1" * 65_000 + "x", ""),
    "a point and digits that are no number": SVG.format("1" * 30_000 + "." + "1" * 30_000 + "x", ""),
    "spaces": SVG.format(" " * 65_000 + "x", ""),
    "groups in one another": SVG.format("1", "<g>" * 9_000 + "</g>" * 9_000),
    "circles below rectangles": SVG.format("1", '<circle r="1" fill="r"/>' * 1_200 + '<rect width="0" height="0" fill="r" x="5"/>' * 700),
}


@pytest.mark.parametrize("text", PICTURES.values(), ids=PICTURES)
def test_no_picture_makes_the_judge_slow_or_large(text: str) -> None:
    def read() -> None:
        assert Picture(text[:LONGEST]).circles is not None

    _is_quick_and_small(read)


def _is_quick_and_small(read: Callable[[], None]) -> None:
    begun = time.process_time()
    with suppress(NoDotError, NoSvgError):
        read()
    assert time.process_time() - begun < SECONDS
    tracemalloc.start()
    try:
        with suppress(NoDotError, NoSvgError):
            read()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MEGABYTES << 20
