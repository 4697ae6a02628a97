"""What a change is, the texts show: however they are spelled, and whatever a worker says."""

from __future__ import annotations

import ast

import pytest

from grader.judge.explain.change import (
    change,
    function_at,
    likeness_of,
    reason_of,
    statements_of,
    telling_lines,
)
from grader.worker.differences import written

OWN = '''
    def tanh(self):
        """It's a "squash", isn't it?"""  # one day: exp
        if self.data > 20: return Value(1.0)
        out = Value(
            math.tanh(self.data),
            (self,), "tanh",
        )

        def _backward():
            self.grad += 1 - out.data**2  # the slope

        out._backward = (_backward)
        return out
'''
EDITED = '''
    def tanh(self):
        """It's a "squash", isn't it?"""
        if self.data > 20:
            return Value(1.0)
        out = Value(math.tanh(self.data), (self,), 'tanh')

        def _backward():
            self.grad += 1 - out.data ** 2
        out._backward = _backward
        return out
'''


@pytest.mark.parametrize(
    ("old", "new", "lines", "gone"),
    [
        ("1 - out.data ** 2", "(1 - out.data ** 2) * out.grad", [11], "self.grad += 1"),
        ("(self,)", "(self, other)", [7], "out = Value("),
        ("(self,)", "(-self,)", [7], "out = Value("),
        ("math.tanh(self.data)", "math.tanh(self.data) * 2", [6], "out = Value("),
        ("1.0", "-1.0", [4], "if self.data > 20: return"),
        ("return out\n", "", [14], "return out"),
        ("        return out", "            return out", [14], "return out"),
        ("        return out", "        f()\n        return out", [14], ""),
        (
            "        out._backward = _backward\n        return out",
            "        return out",
            [13],
            "out._",
        ),
    ],
)
def test_the_lines_that_change_are_found_in_any_spelling(
    old: str, new: str, lines: list[int], gone: str
) -> None:
    assert old in EDITED
    found = change(OWN, EDITED.replace(old, new))
    assert found.lines == lines
    assert found.gone.strip().startswith(gone)
    assert bool(found.gone) is bool(gone)


@pytest.mark.parametrize(
    "body",
    [
        'match a, (b, 1):\n        case "+", (x, [y, *_]): return x\n        case _: pass',
        "if a: b = 1; c = 2\n    else: b = 2; c = 1",
        "if a:\n        b()\n    else:\n        if c:\n            d()\n        else: e()",
        "raise TypeError('one '\n        'two')",
        "return 1e-3 + .5 + 1_000",
    ],
)
def test_a_function_is_as_python_writes_it(body: str) -> None:
    before = f"def f(a, b):\n    {body}\n"
    tree = ast.parse(before).body[0]
    both = [statements_of(each, "(),") for each in (before, written(tree) + "\n")]
    assert [one[:2] for one in both[0]] == [one[:2] for one in both[1]]


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("x = (a + 1) * 2", "x = a + 1 * 2", [2]),
        ("(x,) = a|return 1 - x * 2", "x, = a|return (1 - x) * 2", [3]),
        (
            "a()|for n in m:|    b(n)|for n in m:|    c(n)",
            "for n in m:|    b(n)|a()|for n in m:|    c(n)",
            [3, 4],
        ),
    ],
    ids=["parentheses alone", "parentheses around a target", "one of two blocks that begin alike"],
)
def test_only_what_matters_changes(old: str, new: str, lines: list[int]) -> None:
    before, after = (f"def f(a):|{each}".replace("|", "\n    ") for each in (old, new))
    assert change(before, after).lines == lines


def test_a_name_that_two_functions_look_up_is_said_once() -> None:
    both = [
        f"def f(xs):\n    for x in xs:\n        made(lambda {own}: x, lambda {own}: -x)\n"
        for own in ("", "x=x")
    ]
    assert "looks up `x` only when it is called" in reason_of(both[0], both[1], 1)


LOOP = """\
def shares(nodes, seen=[], box=Box(), last=None):
    made = []
    for node in nodes:
        made.append(lambda: node.grad)
        break
    other(made)
"""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("    other(", "        other(", "line 16 is outside the loop of line 13, but should be"),
        ("        made.", "    made.", "line 14 is inside the loop of line 13, but should be"),
        ("lambda:", "lambda node=node:", "line 14 makes a function that looks up `node` only when"),
        ("lambda:", "lambda node=made:", ""),
        ("seen=[]", "seen=None", "line 11 makes the default of `seen` once; all calls share it"),
        ("nodes, seen=[]", "nodes", ""),
        ("box=Box()", "box=None", "line 11 makes the default of `box` once; all calls share it"),
        ("        break\n", "", "line 15 ends the loop of line 13 too early"),
        ("break", "continue", "line 15 ends the loop of line 13 too early"),
        ("        break\n    other(made)\n", "", ""),
        ("other(made)", "other(made)\n    return made", "`shares` has no `return`"),
        ("other(made)", "other(made)\n        return made", ""),
        ("other(made)", "return other(made)", ""),
        ("other(made)", "list(other(made))", ""),
    ],
)
def test_a_reason_follows_from_the_form_of_a_change(old: str, new: str, why: str) -> None:
    found = reason_of(LOOP, LOOP.replace(old, new), 11)
    assert found.startswith(why)
    assert bool(found) is bool(why)


@pytest.mark.parametrize(
    ("body", "lines", "loops"),
    [
        ("for n in a:|    n.f()", "12", True),
        ("o = []|for n in a:|    o.append(n)|o += a|return o[::-1]", "23", True),
        ("o = []|for n in a:|    n()|    n()|    n()|    o.append(n)|return o", "3456", True),
        ("o = []|for n in a:|    o += n|    n()|o.append(a)|return o", "2345", True),
        ("o = []|s.add(a)|a()|a()|return o", "0", True),
        ("o = []|o.append(f(a))|a()|for n in a:|    n()|return o", "45", True),
        ("a()|a()|def g():|    a()|g()", "34", True),
        ("a()|a()|def g():|    a()|return g", "0", True),
        ("return (", "0", True),
        ("o = []|a()|for n in a:|    n()|    n()|return o", "0", False),
    ],
)
def test_some_lines_tell_most_about_a_function(body: str, lines: str, loops: bool) -> None:
    rows = "".join(f"    {row}\n" for row in body.split("|"))
    assert telling_lines(f"def f(a):\n{rows}", loops=loops) == [*map(int, lines)]


def test_a_line_that_changes_is_not_one_where_something_is_added() -> None:
    found = change("def f(a=1):\n    b = a\n    b()", "def f(a=0):\n    b = a\n    a()\n    b()")
    assert (found.lines, found.added) == ([1, 3], {3})


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("bac", "line 3 should come before line 2"),
        ("bca", "line 2 should come after line 4"),
        ("cba", ""),
        ("aab", ""),
    ],
)
def test_a_line_that_moves_says_where_it_should_come(order: str, why: str) -> None:
    before, after = (
        "".join(["def f():\n", *map("    {}()\n".format, names)]) for names in ("abc", order)
    )
    assert reason_of(before, after, 1) == why


def test_the_function_around_a_line_is_found() -> None:
    rows = f"class Value:{OWN}\nTABLE = [\n    1,\n]\n".split("\n")
    assert function_at(rows, 11) == "Value.tanh"
    assert function_at(rows, 17) == "<module>"


DOUBLED = "def f(a):\n    x = 2 * a\n    return x\n"
LARGER = "def f(a):\n    return max(0, a)\n"


@pytest.mark.parametrize(
    ("come", "after", "right", "likeness"),
    [
        ("y = 2 * b", "def f(b):\n    y = 2 * b\n    return y\n", DOUBLED, (True, True)),
        ("y = 2 * b", "def f(b):\n    y = 2 * b\n    return b\n", DOUBLED, (False, True)),
        ("y = b * 2", "def f(b):\n    y = b * 2\n    return y\n", DOUBLED, (False, False)),
        ("return max(0, b)", "def f(b):\n    return max(0, b)\n", LARGER, (True, True)),
        ("return min(0, b)", "def f(b):\n    return min(0, b)\n", LARGER, (False, False)),
    ],
)
def test_only_the_learners_names_do_not_matter_beside_the_reference(
    come: str, after: str, right: str, likeness: tuple[bool, bool]
) -> None:
    assert likeness_of(come, after, right) == likeness
