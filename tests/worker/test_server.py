"""The worker's server, run in this process: one test for each thing that the judge can ask, and for
what it gets to see.
"""

from __future__ import annotations

import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import grader
from grader.judge.failures import LearnerFault
from grader.judge.replies import Answer
from grader.judge.script.steps import (
    Apply,
    Builtin,
    Call,
    Define,
    Expression,
    Get,
    Make,
    Put,
    Read,
    Repeat,
    Step,
    Walk,
    Watch,
)
from grader.model import Frame
from grader.worker import bounds, deadline, protocol, steps
from grader.worker.protocol import UnexpectedType
from support.server import ENGINE, MADE, NAMED, A, B, C, D, E, answers, number
from support.start import Begin

CALLS = ["Value", "Value.__init__", "Value.__add__", "Value.__mul__", "Value.backward", "pair"]
STEPS: dict[str, tuple[list[Step], list[str]]] = {
    "an operator": ([*MADE, Apply(C, "+", [A, B])], ["Value.__init__", "Value.__add__"]),
    "one inside another": (
        [*MADE, Builtin(C, "sum", [[A, B]])],
        ["Value.__init__", "Value.__add__", ""],  # and a function that is not asked about
    ),
    "an exception on the way": (
        [*MADE, Apply(C, "*", [A, 2.0]), Call(D, A, "backward", [])],
        ["Value.__init__", "Value.__mul__"],
    ),
    "an exit": (
        [Make(A, "Value", [1.0]), Expression(B, "__import__('sys').exit(3)"), Make(C, "pair", [])],
        ["Value.__init__"],
    ),
    "no more than is looked at": (
        [Make(A, "Value", [1.0]), Repeat(B, 100_000, "+", A, A), Make(C, "pair", [])],
        ["Value.__init__", "Value.__add__"],
    ),
}


@pytest.mark.parametrize("name", STEPS)
def test_the_functions_that_a_script_calls_are_reported_however_it_ends(
    name: str, here: Begin
) -> None:
    steps, called = STEPS[name]
    session = here(ENGINE)
    session.names = CALLS
    session.load()
    assert session.called(steps) == called
    assert session.called(steps) == called
    assert answers(session, *MADE, number(A)) == [2.0]


def test_the_lines_that_run_from_a_step_on_say_which_one_sets_an_attribute(here: Begin) -> None:
    session = here(
        "class Value:\n"
        "    def __init__(self, data):\n"
        "        self.data = data\n"
        "    def double(self):\n"
        "        two = 2\n"
        "        self.data = two * self.data\n"
        "        return missing\n"
    )
    session.load()
    steps: list[Step] = [Make(A, "Value", [1.0]), Call(B, A, "double", [])]
    ran = session.repeated(protocol.Lines(1.0, steps, 1, A, "data"))
    assert [line[1:] for line in ran] == [(5, False), (6, True), (7, False)]


PATHS = """\
import parts
class Tree:
    def __init__(self): self.layers = [[self], (parts.Part(1.5), parts.Part(2.5))]
"""


READ: dict[str, tuple[list[Step], list[Answer]]] = {
    "operators, calls and built-in functions": (
        [
            *MADE,
            Apply(C, "+", [A, B]),
            number(C),
            Apply(C, "*", [A, B]),
            number(C),
            Apply(C, "+", [1.5, A]),
            number(C),
            Apply(C, "neg", [A]),
            number(C),
            Builtin(C, "sum", [[A, B, A]]),
            number(C),
            Builtin(C, "repr", [B]),
            Read(C, "", "text"),
            Call(C, A, "__add__", [4.0]),
            number(C),
            Get(C, A, "data"),
            Read(C, "", "number"),
        ],
        [-1.0, -6.0, 3.5, -2.0, 1.0, "<-3.0>", 6.0, 2.0],
    ),
    "an attribute that was put": (
        [
            *MADE,
            Put(A, "grad", 7.5),
            number(A, "grad"),
            Put(A, "grad", B),
            Get(C, A, "grad"),
            number(C),
        ],
        [7.5, -3.0],
    ),
    "a list of objects": (
        [*MADE, Make(C, "pair", [A, [B, 1.0]]), Read(C, "", "value")],
        [[UnexpectedType("Value"), [UnexpectedType("Value"), 1.0]]],
    ),
    "loops with an operand, with itself and of no round": (
        [
            *MADE,
            Repeat(C, 3, "+", A, B),
            number(C),
            Repeat(D, 3, "+", A, None),
            number(D),
            Repeat(E, 0, "+", A, B),
            number(E),
        ],
        [2.0 - 9.0, 16.0, 2.0],
    ),
    "a walk calls everything above the limits once": (
        [
            *MADE,
            Apply(C, "*", [A, B]),
            Apply(D, "+", [C, C]),
            Apply(E, "+", [D, C]),
            Walk(E, "_prev", "_backward", [A, B]),
            *(number(ref, "grad") for ref in (A, B, C, D, E)),
        ],
        [3, 0, 0, 1, 1, 1],
    ),
    "a path through attributes and places": (
        [
            Make(A, "Tree", []),
            number(A, "layers[1][1].w"),
            Put(A, "layers[1][0].w", 9.0),
            Get(B, A, "layers[1][0]"),
            number(B, "w"),
            Read(A, "layers[0][0]", "ref"),
            Read(A, "layers[1][0]", "ref"),
        ],
        [2.5, 9.0, A, B],
    ),
    "another of the learner's files, and an expression of the suite": (
        [
            Make(A, "parts.Part", [4.0]),
            number(A, "w"),
            Expression(B, "lambda part: part.w * 2"),
            Call(C, B, "__call__", [A]),
            number(C, ""),
        ],
        [4.0, 8.0],
    ),
    "callable or not": (
        [*MADE, Read(A, "backward", "callable"), Read(A, "data", "callable")],
        [True, False],
    ),
}


@pytest.mark.parametrize(("steps", "found"), READ.values(), ids=READ)
def test_a_script_reads_what_it_made(here: Begin, steps: list[Step], found: list[Answer]) -> None:
    assert (
        answers(
            here(ENGINE + PATHS, parts="class Part:\n  def __init__(self, w): self.w = w"), *steps
        )
        == found
    )


def test_a_script_draws_the_same_in_every_worker_and_no_two_scripts_do(begin: Begin) -> None:
    steps: list[Step] = [Make(A, "draw", []), Read(A, "", "number")]

    def drawn() -> list[list[Answer]]:
        session = begin("import random\ndef draw():\n    return random.random()\n")
        return [answers(session, *steps) for _ in range(2)]

    first, second = drawn()
    assert first != second
    assert drawn() == [first, second]


def test_a_watch_notes_an_attribute_at_each_call_and_ends_what_calls_too_often(here: Begin) -> None:
    calling = (
        "class Value:\n"
        "    def __init__(self, data):\n"
        "        self.data, self._prev = data, ()\n"
        "    def _backward(self):\n"
        "        self.data += 1\n"
    )
    session = here(
        calling + "    def backward(self):\n        while True:\n            self._backward()\n"
    )
    watch = Watch(B, A, "_prev", "_backward", "backward", "data")
    numbers: Any = answers(session, Make(A, "Value", [1.0]), watch, Read(B, "held", "value"))[0]
    assert numbers == [float(number) for number in range(1, steps.MAX_CALLS + 1)]


def test_a_class_of_the_suite_sees_the_learners_names_and_leaves_none_behind(here: Begin) -> None:
    twice = Define(
        A,
        "Twice",
        "class Twice:\n    def __init__(self, data):\n        self.value = Value(2 * data)\n",
    )
    session = here(ENGINE)
    assert answers(session, twice, Call(B, A, "__call__", [4.0]), number(B, "value.data")) == [8.0]
    with pytest.raises(LearnerFault, match="Twice"):
        answers(session, Expression(C, "Twice"))


WIDE = """
def wide(n): return Value(0, [Value(i) for i in range(n)])
def endless():
  while True: yield Value(0)
def dense():
  nodes = []
  for _ in range(1500): nodes.append(Value(0, nodes))
  return nodes[-1]
"""


@pytest.mark.slow
def test_a_graph_its_edges_and_a_collection_are_bounded(here: Begin) -> None:
    steps: list[Step] = [
        Make(A, "wide", [20_000]),
        Read(A, "_prev", "graph"),
        Read(A, "_prev", "refs"),
        Make(B, "endless", []),
        Read(B, "", "refs"),
        Make(C, "dense", []),
        Read(C, "_prev", "graph"),
    ]
    read: list[Any] = answers(here(ENGINE + WIDE), *steps)
    *found, dense = (answer for answer in read if isinstance(answer, list))
    assert [len(answer) for answer in found] == [bounds.MAX_ITEMS] * 3
    assert sum(len(children) for _, children in dense) == bounds.MAX_EDGES


def test_a_list_in_itself_many_times_is_answered_at_once(here: Begin) -> None:
    before = time.process_time()
    answers(
        here("def knot():\n  knot = []\n  knot += [knot] * 5000\n  return knot"),
        Make(A, "knot", []),
        Read(A, "", "value"),
    )
    assert time.process_time() - before < 5


HEAD = """\
import decimal, enum, fractions, math

class Lying(float):
    def __float__(self): return 99.0
    def __eq__(self, other): return True
    __hash__ = float.__hash__

class LyingInt(int):
    def __index__(self): return 99
    __int__ = __index__

class Pretender:
    __class__ = float

class float64:
    def item(self): return 4.5
class bool_(float64): pass
float64.__module__ = bool_.__module__ = "numpy"

class Scale(enum.IntEnum):
    TWO = 2

class Named(type):
    __name__ = "float"
class Disguised(metaclass=Named): pass

class Value:
    def __init__(self): self.data = %s
    def __add__(self, other): return self
    def backward(self): raise NotImplementedError
"""
FORMS: dict[str, dict[str, Answer]] = {
    "number": {
        "2.5": 2.5,
        "3": 3,
        "-2**63": -(2**63),
        "2**63": 2.0**63,
        "10**30": 1e30,
        "10**400": UnexpectedType("int too large for a float"),
        "math.inf": math.inf,
        "-math.inf": -math.inf,
        "math.nan": math.nan,
        "True": UnexpectedType("bool"),
        "'1.0'": UnexpectedType("str"),
        "None": UnexpectedType("NoneType"),
        "1j": UnexpectedType("complex"),
        "decimal.Decimal('1.5')": UnexpectedType("Decimal"),
        "fractions.Fraction(3, 2)": UnexpectedType("Fraction"),
        "[1.0]": UnexpectedType("list"),
        "self.backward": UnexpectedType("method"),
        "self": UnexpectedType("Value"),
        "lambda: 1.0": UnexpectedType("function"),
        "Lying(2.5)": 2.5,
        "LyingInt(2)": 2,
        "Pretender()": UnexpectedType("Pretender"),
        "float64()": 4.5,
        "bool_()": UnexpectedType("bool_"),
        "Scale.TWO": 2,
        "Disguised()": UnexpectedType("Disguised"),
    },
    "text": {
        "'+'": "+",
        "'x' * 500": "x" * 399 + "…",
        "3": UnexpectedType("int"),
        "None": UnexpectedType("NoneType"),
        "b'+'": UnexpectedType("bytes"),
        "type('Text', (str,), {'__str__': lambda self: 5, '__len__': lambda self: -1})('+')": "+",
        "'\\udc80'": "\\udc80",
    },
    "document": {
        "'x' * 65_536": "x" * 65_536,
        "'x' * 65_537": UnexpectedType("text of 65537 characters"),
        "b'x'": UnexpectedType("bytes"),
        "'\\udc80' * 65_536": "\\udc80" * 65_536,
        "type('Text', (str,), {'__str__': lambda self: 5, '__len__': lambda self: -1})('x'*900)": (
            "x" * 900
        ),
    },
    "value": {
        "[1, (2.0, None), 'x', True]": [1, [2.0, None], "x", True],
        "{1: 2}": UnexpectedType("dict"),
        "[[[[[1]]]]]": [[[[UnexpectedType("list")]]]],
        "'x'": "x",
    },
    "refs": {
        **dict.fromkeys(("'text'", "{1: 2}", "3"), UnexpectedType("no collection")),
        **{key: [A] for key in ("iter([self])", "{self}")},
    },
}


@pytest.mark.parametrize(
    ("form", "expression", "expected"),
    [(form, *case) for form, cases in FORMS.items() for case in cases.items()],
)
def test_an_answer_is_what_it_is_and_not_what_it_says(
    here: Begin, form: str, expression: str, expected: Answer
) -> None:
    (found,) = answers(here(HEAD % expression), Make(A, "Value", []), Read(A, "data", form))
    assert repr(found) == repr(expected)
    assert type(found) is type(expected)


def test_names_are_present_stubs_or_missing_with_their_lines(here: Begin) -> None:
    names = here(NAMED).load()
    assert {name: (found.state, found.line) for name, found in names.items()} == {
        "Value": ("present", 0),
        "Value.__add__": ("stub", 2),
        "Value.__mul__": ("missing", 0),
        "Value.backward": ("missing", 0),
    }


@pytest.mark.parametrize(
    ("source", "state"),
    [
        ("Value = 5", "not a class"),
        ("def Value(): pass", "present"),
        ("", "missing"),
        ("Value = None", "missing"),
        ("class Value: __add__ = len", "present"),
        (
            "class Value:\n  @staticmethod\n  def __add__(): raise NotImplementedError('write it')",
            "stub",
        ),
        ("class Value:\n  def __add__(s, o):\n    x = s\n    raise NotImplementedError", "stub"),
        (
            "class Value:\n  def __add__(s, o):\n    return s - o\n    raise NotImplementedError",
            "present",
        ),
        ("class Base:\n  def __add__(s, o): return s\nclass Value(Base): pass", "present"),
        ("class Value:\n  def __add__(s, o): pass", "empty"),
        ("class Value:\n  def __add__(s, o):\n    'Adds.'\n    ...", "empty"),
        ("class Any:\n  def __getattr__(self, name): return self\nValue = Any()", "not a class"),
        (
            "class Any:\n  def __getattr__(self, name): return self\nclass Value: __add__ = Any()",
            "present",
        ),
    ],
)
def test_every_name_has_a_state(here: Begin, source: str, state: str) -> None:
    assert here(source).load()["Value.__add__"].state == state


def test_names_that_python_provides_are_not_the_learners(here: Begin) -> None:
    session = here("class Value: pass")
    session.names = ["Value.__repr__", "Value.__init__"]
    assert {status.state for status in session.load().values()} == {"missing"}


SPOILER = """\
import builtins

class Value:
    def __add__(self, other):
        return 5.0

    def backward(self):
        everything = vars(builtins)
        for name in list(everything):
            everything[name] = None

    def broken(self):
        return len("")
"""


def test_every_built_in_may_be_overwritten(begin: Begin) -> None:
    session = begin(SPOILER)
    steps: list[Step] = [
        Apply(C, "+", [A, A]),
        Read(C, "", "number"),
        Read(A, "", "text"),
        Read(A, "_prev", "graph"),
        Read(A, "", "value"),
    ]
    session.run([Make(A, "Value", []), Call(B, A, "backward", [])], fresh=True)
    assert session.run(steps, fresh=False) == [
        5.0,
        UnexpectedType("Value"),
        [(A, [])],
        UnexpectedType("Value"),
    ]
    with pytest.raises(LearnerFault) as met:
        session.run([Call(C, A, "broken", [])], fresh=False)
    assert met.value.fault.message == "'NoneType' object is not callable"
    assert met.value.fault.frames == (Frame("engine.py", 13, "broken", 'return len("")'),)


def test_the_learners_own_built_ins_are_pythons(begin: Begin) -> None:
    session = begin("import builtins\nbuiltins.answer = 42.0\ndef Value(): return answer")
    assert answers(session, Make(A, "Value", []), Read(A, "", "number")) == [42.0]


SLOW_REPORT = """
import time
from worker import deadline
def tell(frame, seen):
    print("told", frame in seen, flush=True)
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        pass
ends = deadline.Deadline()
ends.watch(tell)
ends.arm(0.05)
while True:
    pass
"""


@pytest.mark.slow
@pytest.mark.skipif(not deadline.AVAILABLE, reason="there are no timers here")
def test_code_that_takes_too_long_is_reported_once_however_slow_the_report() -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-c", SLOW_REPORT],
        cwd=Path(grader.__file__).parent,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("told True\n", "")
