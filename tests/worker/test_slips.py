"""Slips that a function's source shows, and code that looks like one and is right."""

from __future__ import annotations

from textwrap import dedent

import pytest

from grader.worker.facts import definition_of
from grader.worker.slips import slips_of

SLIPS = {
    "unreached return": "return a\na.step()",
    "loop-ends return": "for x in a:\n    total = x\n    return total",
    "loop-ignores x": "for x in a:\n    b.step()",
    "loop-ignores y": "return [x for x, y in zip(a, b)]",
    "sign +": "a.grad =+ b",
    "in-place append": "return a.append(b)",
    "in-place shuffle": "order = random.shuffle(a)\nreturn order + b",
    "in-place reverse": "for x in a.reverse():\n    x.step(b)",
    "returns-error": "if a:\n    return TypeError(b)\nreturn a",
    "unused-parameter b": "return a",
    "chained": "if a.data > 0 == (b > 0):\n    return 1\nreturn 0",
    "always float": "if type(a) == int or float:\n    return b\nreturn a",
    "no-f b": "a.label = '**{b}'",
    "added-twice a.grad": "a.grad += a.grad + b.grad",
    "callers a": "a.insert(0, b)",
    "emptied part": "for x in a:\n    part.append(x)\n    b.append((x, part))\n    part.clear()",
    "anew a.w": "for _ in range(b):\n    a.w = []\n    a.w.append(1)",
    "moved-up n": "for n in range(b):\n    a = a.sum(axis=n)\nreturn a",
    "called-once a": "for n in range(b):\n    a = a(n)\nreturn a",
    "listed-first": "def go(x):\n    b.append(x)\n    for y in x:\n        go(y)\ngo(a)",
}
RIGHT = (
    "for i in range(a):\n    b.append(0.0)",
    "for node in a:\n    if b:\n        continue\n    return node\nreturn None",
    "total = 0\nfor x in a:\n    total = total + x * b\nreturn total",
    "for layer in a:\n    b = layer(b)\nreturn b",
    "for x, y in (a, b), (b, a):\n    x.step(y)",
    "for x in a:\n    def twice():\n        return 2 * x\n    b.append(twice())",
    "for x in a:\n    b.append(lambda x=x: x.step())",
    "a.step = lambda: None\nb.step = lambda: setattr(a, 'grad', 1)",
    "seen = set()\nfor x in a:\n    if x not in seen:\n        seen.add(x)\n        b.step(x)",
    "while True:\n    if a:\n        return b",
    "if a:\n    return 1\nelse:\n    raise TypeError(b)",
    "names = ['tanh'] * a\nreturn names + [b]",
    "if 0 < a < b or a == b == 0:\n    return 1\nreturn 0",
    "if type(a) == int or type(a) == float:\n    return f'{b}'\nreturn '{b}'.format(b=b)",
    "d = a.m\nfor i in range(b):\n    d[i] = 0.0",
    "a = list(a)\na.insert(0, b)\nreturn a",
    "part = []\nfor x in a:\n    part.append(x)\n    b.append(part)\n    part = []",
    "for x in a:\n    row = []\n    row.append(x)\n    b.append(row)",
    "for n in range(b):\n    a = a.sum(axis=n, keepdims=True)\nreturn a",
    "for i in range(len(a) - 1, -1, -1):\n    b[i].step()",
    "found = [b]\nfound.append(a)\nfound.reverse()\nreturn found",
)


def slips(body: str) -> list[str]:
    source = "def work(a, b):\n" + "".join(f"    {line}\n" for line in dedent(body).splitlines())
    return [slip for _, slip in slips_of(definition_of(source, "work"))]


@pytest.mark.parametrize(("slip", "body"), SLIPS.items(), ids=SLIPS)
def test_a_slip_is_seen(slip: str, body: str) -> None:
    assert slip in slips(body)


@pytest.mark.parametrize("body", RIGHT)
def test_right_code_has_no_slip(body: str) -> None:
    assert slips(body) == []


def test_a_slip_has_the_line_that_is_wrong() -> None:
    source = "def work(a):\n    for x in a:\n        total = x\n        return total\n"
    assert list(slips_of(definition_of(source, "work"))) == [(4, "loop-ends return")]
