"""What is told of an exception of the learner's: kind, type, message and lines as they are, however
the exception resists.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import grader
from grader.judge.failures import LearnerFault
from grader.judge.script.steps import Apply, Make
from grader.model import Fault, Frame, Kind
from grader.worker import exceptions
from support.server import A, B, answers
from support.start import Begin


def raised(here: Begin, source: str) -> Fault:
    """Return what is told of an exception in the constructor, or else in a sum."""
    with pytest.raises(LearnerFault) as met:
        answers(here(source), Make(A, "Value", []), Apply(B, "+", [A, A]))
    return met.value.fault


STUB = "class Value:\n    def __add__(self, other):\n        raise {}('write me')\n"
NONSENSE = """\
def Value():
    error = SyntaxError('m', ('engine.py', 1, 2, 'x'))
    error.lineno = error.text = error.msg = object()
    raise error
"""
NAMELESS = """\
class Name(str): __len__ = None
class Meta(type): __name__ = mro = None
def Value(): raise type(Name('UnexpectedType'), (Exception,), {})
"""
DOWN = "def Value(): down(0)\ndef down(n):\n  if n == 200: raise ValueError\n  down(n + 1)"
LOST = "<built-in function sum> returned NULL without setting an exception"
MESSAGES = {
    "KeyError('_prev')": "'_prev'",
    "ValueError('a', 1)": "('a', 1)",
    "OSError(2, 'No such file', 'x')": "[Errno 2] No such file: 'x'",
    "AssertionError": "",
    "ValueError('x' * 1000)": "x" * 399 + "…",
    "type('E', (Exception,), {'__str__': lambda self: 'a lie'})('the truth')": "the truth",
    "type('E', (Exception,), {'__str__': lambda self: 5})()": "",
    "ValueError(type('X', (), {'__str__': lambda self: 1 / 0})())": "",
    "SyntaxError('mine', ('elsewhere', 1, 2, 'x'))": "mine (elsewhere, line 1)",
    "GeneratorExit('stop')": "stop",
    "KeyboardInterrupt('stop')": "stop",
    "SystemError('my own')": "my own",
}
RAISED: dict[str, dict[str, object]] = {
    **{
        f"def Value(): raise {expression}": {"kind": Kind.RAISED, "message": message}
        for expression, message in MESSAGES.items()
    },
    STUB.format("NotImplementedError"): {
        "stub": "Value.__add__",
        "frames": (Frame("engine.py", 3, "__add__", "raise NotImplementedError('write me')"),),
    },
    STUB.format("Mine") + "class Mine(NotImplementedError): pass\n": {
        "stub": "",
        "types": (
            "Mine",
            "NotImplementedError",
            "RuntimeError",
            "Exception",
            "BaseException",
            "object",
        ),
    },
    NAMELESS: {"type_name": "UnexpectedType"},
    NONSENSE: {"kind": Kind.SYNTAX, "frames": (Frame("engine.py", 0, "", ""),)},
    "def Value(): return Value()": {"type_name": "RecursionError"},
    "import sys\ndef Value(): sys.exit('bye')": {"kind": Kind.EXITED, "message": "bye"},
    **{
        f"def Value(): raise SystemError({message!r})": {
            "kind": Kind.MEMORY,
            "type_name": "MemoryError",
        }
        for message in ("error return without exception set", LOST)
    },
}
if sys.version_info >= (3, 11):
    RAISED["def Value(): raise ExceptionGroup('many', [ValueError(1), KeyError(2)])"] = {
        "type_name": "ExceptionGroup",
        "message": "many (2 sub-exceptions)",
    }


@pytest.mark.parametrize(("source", "told"), RAISED.items(), ids=lambda given: str(given)[:60])
def test_an_exception_is_described_as_python_does(
    here: Begin, source: str, told: dict[str, object]
) -> None:
    fault = raised(here, source)
    assert {name: getattr(fault, name) for name in told} == told
    assert len(fault.frames) <= 12


def test_a_deep_traceback_is_shown_by_its_first_and_last_frames(here: Begin) -> None:
    assert [frame.line for frame in raised(here, DOWN).frames] == [1, *[4] * 10, 3]


HOSTILE = {
    "__class__ raises": "__class__ = property(lambda self: 1 / 0)",
    "__class__ says SystemExit": "__class__ = SystemExit",
    "__traceback__ raises": "__traceback__ = property(lambda self: 1 / 0)",
    "__str__ raises": "__str__ = lambda self: 1 / 0",
    "attributes raise": "__getattribute__ = lambda self, name: 1 / 0",
}


@pytest.mark.parametrize(
    "base", ["Exception", "BaseException", "SyntaxError", "ImportError", "OSError"]
)
@pytest.mark.parametrize("lines", HOSTILE.values(), ids=HOSTILE)
def test_an_exception_that_resists_is_still_described(here: Begin, lines: str, base: str) -> None:
    source = (
        f"class UnexpectedType({base}):\n  {lines}\ndef Value():\n  raise UnexpectedType('why')"
    )
    fault = raised(here, source)
    assert (fault.kind, fault.type_name, fault.types[:2]) == (
        Kind.RAISED,
        "UnexpectedType",
        ("UnexpectedType", base),
    )
    assert fault.message == "why"
    assert fault.frames == (Frame("engine.py", 4, "Value", "raise UnexpectedType('why')"),)


ENDLESS = """
import resource, sys
from worker import exceptions
class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self.children = data, 0.0, set(children)
        self.backward = lambda: None
def grow():
    kept = set()
    kept.update(Value(1.0) for _ in iter(int, 1))
    raise MemoryError  # without memory, Python 3.13 may take an exception for the end of the iterator
before = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) << 10, before[1]))
try:
    grow()
except BaseException as error:
    resource.setrlimit(resource.RLIMIT_AS, before)
    how, name, *_ = exceptions.describe(error, (), {}, {})
    print(how, name)
"""  # noqa: E501


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory holds there")
@pytest.mark.parametrize("kilobytes", range(60_000, 80_000, 3_001))
def test_a_lack_of_memory_is_recognised_however_python_reports_it(kilobytes: int) -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-c", ENDLESS, str(kilobytes)],
        cwd=Path(grader.__file__).parent,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("memory MemoryError\n", "")


LOOPS = """
def walk(values):
    yield "before"
    for value in values:
        yield "for"
        while value:
            yield "while"
            for _ in [1, 2]:
                yield "inner for"
    yield "after"
"""


def test_code_that_takes_too_long_is_in_its_loop_whichever_line_runs_at_the_moment() -> None:
    space: dict[str, Any] = {}
    exec(compile(LOOPS, "engine.py", "exec"), space)
    walk = space["walk"]([0, 1])
    names = {space["walk"].__code__: "walk"}
    lines = []
    for _ in range(7):
        at = next(walk)
        told = exceptions.interrupted(walk.gi_frame, (), {"engine.py": LOOPS.encode()}, names)
        lines.append((at, told.frames[-1].line))
    assert lines == [
        ("before", 3),
        ("for", 4),
        ("for", 4),
        ("while", 6),
        ("inner for", 6),
        ("inner for", 6),
        ("while", 6),
    ]
    without = exceptions.interrupted(walk.gi_frame, (), {"engine.py": b"not Python"}, names)
    assert without.frames[-1].line == 7
