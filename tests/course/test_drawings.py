"""Text that is meant to keep the judge busy: the readers of DOT and SVG stay quick and small,
whatever a learner's code returns.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pytest

from grader.curriculum.imports import files_of
from grader.curriculum.load import load_course

with files_of(load_course()):
    from dot import Drawing, NoDotError, Parser
    from svg import NoSvgError, Picture


LONGEST = 6 << 16  # characters: more is not handed on
# of processor time: what this guards against took minutes
SECONDS = 20.0
MEGABYTES = 50

NAMES = " ".join(f"n{number:x}" for number in range(5_000))
TEXTS = {
    "a name of thousands of parts": "digraph { " + "+".join(['"a"'] * 16_000) + " }",
    "millions of arrows": "digraph { {" + NAMES[:4_500] + "} -> {" + NAMES[:4_500] + "} }",
    "a label of angles for every node": (
        'digraph { node [shape=record label="' + "<" * 30_000 + '"] ' + NAMES[:4_500] + " }"
    ),
    "a label of HTML for every node": (
        "digraph { node [label=<" + "<b>" * 5_000 + ">] " + NAMES[:4_500] + " }"
    ),
    "a long label for every node": (
        'digraph { node [label="' + "\\\\n" * 10_000 + '"] ' + NAMES[:4_500] + " }"
    ),
    "attributes for every node": (
        "digraph { node ["
        + " ".join(f"a{number}=1" for number in range(3_500))
        + "] "
        + NAMES[:4_500]
        + " }"
    ),
    "subgraphs in one another": "digraph {" + "{" * 30_000 + "}" * 30_000 + "}",
    "nothing but openings": "digraph { " + "<" * 65_000,
    "comments that do not close": "digraph { " + "/*" * 32_000,
    "backslashes": 'digraph { a [shape=record label="' + "\\" * 60_000 + '"] }',
    "a name of HTML a hundred thousand times": (
        "digraph { /* \N{GRINNING FACE} */ " + "<a>" * 130_000 + " }"
    ),
    "a long label for as many nodes as may be": (
        'digraph { node [label="' + "1.5 " * 249 + '"] ' + NAMES[:4_500] + " }"
    ),
    "more nodes than may be": "digraph { " + NAMES + " }",
}


def test_what_is_refused_says_why() -> None:
    with pytest.raises(NoDotError, match="more than 20000 arrows"):
        Parser(TEXTS["millions of arrows"])
    with pytest.raises(NoDotError, match="a label has 1200 characters, in line 2"):
        Parser(f'digraph {{\na [label="{"x" * 1200}"] }}').drawing.label("a")


def test_a_name_of_several_parts_is_one() -> None:
    assert list(Parser('digraph { "a" + "b" + "c" -> d }').drawing.nodes) == ["abc", "d"]


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="1">{}</svg>'
CIRCLE, RECTANGLE = '<circle r="1" fill="r"/>', '<rect width="0" height="0" fill="r" x="5"/>'
PICTURES = {
    "digits that are no number": SVG.format("1" * 1_000_000 + "x", ""),
    "a point and digits that are no number": SVG.format(
        "1" * 30_000 + "." + "1" * 30_000 + "x", ""
    ),
    "spaces": SVG.format(" " * 65_000 + "x", ""),
    "groups in one another": SVG.format("1", "<g>" * 9_000 + "</g>" * 9_000),
    "circles below rectangles": SVG.format("1", CIRCLE * 1_000 + RECTANGLE * 18_900),
    "more circles than may be": SVG.format("1", CIRCLE * 17_000 + RECTANGLE * 14_000),
    "a long namespace in every name": SVG.format(
        '1" xmlns:p="' + "u" * 200_000, "".join(f"<p:a{number:x}/>" for number in range(8_000))
    ),
    "names of a long namespace, until the text is full": SVG.format(
        '1" xmlns:p="' + "u" * 500_000, "".join(f"<p:a{number:x}/>" for number in range(80_000))
    ),
    "attributes of a long namespace": SVG.format(
        '1" xmlns:p="' + "u" * 500_000,
        "<a " + " ".join(f'p:a{number:x}=""' for number in range(60_000)) + "/>",
    ),
    "a namespace for every attribute": SVG.format(
        "1", "<a " + " ".join(f'xmlns:a{number:x}=""' for number in range(80_000)) + "/>"
    ),
    "one namespace in another": SVG.format(
        "1", "".join(f'<g xmlns:a{number:x}="u">' for number in range(50_000))
    ),
    "entities": (
        '<!DOCTYPE svg [<!ENTITY a "' + "a" * 60_000 + '">]>' + SVG.format("1", "&a;" * 60_000)
    ),
    "a comment that does not close": SVG.format("1", "<!--" + "-" * 1_000_000),
    "more text than may be": SVG.format("1", "a" * (4 << 20)),
}


def test_a_prefix_is_replaced_by_its_namespace() -> None:
    shapes = (
        '<{0}:circle cx="1" cy="1" r="1" fill="red"/><p:circle cx="1" cy="1" r="1" fill="red"/>'
    )
    root = (
        '<{0}:svg xmlns:{0}="http://www.w3.org/2000/svg" xmlns:p="other" width="2" height="2">'
        + shapes
        + "</{0}:svg>"
    )
    assert [circle.fill for circle in Picture(root.format("ns0")).circles] == ["red"]
    with pytest.raises(NoSvgError, match=r"unbound prefix in q:circle"):
        Picture(root.format("ns0").replace("p:circle", "q:circle"))


def read_dot(text: str) -> None:
    drawing: Drawing = Parser(text[:LONGEST]).drawing
    assert [drawing.label(name) for name in drawing.nodes]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("read", "text"),
    [
        *(pytest.param(read_dot, text, id=name) for name, text in TEXTS.items()),
        *(
            pytest.param(lambda svg: Picture(svg).circles, text, id=name)
            for name, text in PICTURES.items()
        ),
    ],
)
def test_no_drawing_makes_the_judge_slow_or_large(read: Callable[[str], object], text: str) -> None:
    tracemalloc.start()  # makes it slower a few times
    begun = time.process_time()
    try:
        with suppress(NoDotError, NoSvgError):
            read(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MEGABYTES << 20
    assert time.process_time() - begun < SECONDS
