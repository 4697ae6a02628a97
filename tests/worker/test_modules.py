"""Importing the learner's code: every way in which that fails, modules that are not here, and
modules that have our names.
"""

from __future__ import annotations

import signal
import sys

import pytest

from grader.boundary.pool import ProcessHost
from grader.intake.submission import File, Submission, alias
from grader.judge import session as session_module
from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.script.steps import Apply, Call, Make, Read
from grader.judge.session import Session
from grader.model import Fault, Kind
from support.fake import InProcess, submission
from support.session import ENGINE, MADE, READ, A, B, C, D, loaded
from support.start import NAMES, Begin


def load_failure(session: Session) -> Fault:
    failures = (LearnerFault, WorkerLost)
    with pytest.raises(failures) as met:
        session.load()
    with pytest.raises(failures) as again:
        session.run([*MADE, READ], fresh=True)
    assert isinstance(met.value, failures)
    assert again.value is met.value
    return met.value.fault


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("import os; os._exit(1)", Kind.EXITED),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Kind.CRASHED),
        ("import sys; sys.modules = {}", Kind.RAISED),
        ("import sys; sys.modules.clear()", Kind.RAISED),
        ("def __getattr__(name): raise KeyError(name)", Kind.RAISED),
    ],
)
def test_an_import_that_fails_has_its_kind_each_time_it_is_asked_for(
    begin: Begin, source: str, kind: Kind
) -> None:
    assert load_failure(begin(source)).kind is kind


ENDS = {
    "exit()": "ends the program",
    "quit(3)": "ends the program",
    "import sys; sys.exit(0)": "ends the program",
    "raise SystemExit": "ends the program",
    "raise KeyboardInterrupt": "raises KeyboardInterrupt",
    "raise GeneratorExit": "raises GeneratorExit",
    "import math.nothing": "raises ModuleNotFoundError: No module named 'math.nothing'",
    "from math import nothing": "raises ImportError: cannot import name 'nothing'",
    "name = input('?')": "raises EOFError: EOF when reading a line",
    "eval('1 +')": "raises SyntaxError: invalid syntax",
    "assert half(3) == 1": "raises AssertionError",
    "half('a')": "raises TypeError: unsupported operand type(s) for /: 'str' and 'int', in line 2",
    "import failing": "raises ZeroDivisionError: division by zero",
    "class late: half('b')": "raises TypeError: ",
    "@half\nclass late: pass": "raises TypeError: ",
}


@pytest.mark.parametrize("source", ENDS)
def test_what_stands_above_a_statement_that_ends_an_import_counts(
    begin: Begin, source: str
) -> None:
    above = "def half(x):\n  return x / 2\ndef Value(): return KEPT\nKEPT = 1.0\n"
    session = begin(f"{above}{source}\nKEPT = 2.0\n", failing="1 / 0\n")
    (note,) = loaded(session).notes
    assert note.ends_file
    first = source.splitlines()[0]
    shown, line = ("failing.py", 1) if source == "import failing" else ("engine.py", 5)
    first = "1 / 0" if shown == "failing.py" else first
    if source.startswith("@") and sys.version_info < (3, 11):  # it names the line of the class
        first, line = source.splitlines()[1], 6
    assert note.trouble.startswith(f"{shown}, line {line} (`{first}`) {ENDS[source]}")
    assert session.run([Make(A, "Value", []), Read(A, "", "number")], fresh=True) == [
        2.0 if shown == "failing.py" else 1.0
    ]


def test_a_file_that_is_used_later_is_imported_with_the_others(begin: Begin) -> None:
    code = submission("def Value(): return 1.0\n1 / 0", train="", broken="def f(:", nn="x = 1")
    session = Session(
        ProcessHost().worker, code, "train", [], own=["engine", "broken", "train", "nn", "absent"]
    )
    assert [note.shown for note in loaded(session).notes] == ["engine.py"]
    assert session.run([Make(A, "engine.Value", []), Read(A, "", "number")], fresh=True) == [1.0]
    session.close()


@pytest.mark.parametrize("root", ["from .tools import one", "from .tools import *"])
@pytest.mark.parametrize("line", ["from . import one", "from mine import one"])
def test_a_package_is_imported_before_its_files(begin: Begin, root: str, line: str) -> None:
    modules = {
        "__init__": f"{root}\nfrom .engine import Value",
        "tools": "def one(): return 1.0",
        "nn": line,
    }
    session = begin("from .nn import one\ndef Value(): return one()", **modules)
    assert not loaded(session).notes
    assert session.run([Make(A, "Value", []), Read(A, "", "number")], fresh=True) == [1.0]


def test_a_package_is_known_by_the_name_of_its_folder() -> None:
    files = [
        File("__init__", "hw/torch/__init__.py", b"from .engine import Value", "helper"),
        File("engine", "hw/torch/engine.py", b"def Value(): return 1.0"),
        File("nn", "hw/torch/nn.py", b"import torch as t, torch.engine\nmake = t.Value"),
    ]
    code = Submission("hw", tuple(files))
    session = Session(ProcessHost().worker, code, "nn", [], own=["engine", "nn"])
    assert not loaded(session).notes
    assert session.run([Make(A, "make", []), Read(A, "", "number")], fresh=True) == [1.0]
    session.close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the worker has no clock of its own")
def test_an_import_that_does_not_end_costs_its_time_once(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "LOAD_SECONDS", 0.5)
    session = begin("def Value(): return 1.0\nwhile True: pass\ndef Value(): return 2.0\n")
    assert session.run([Make(A, "Value", []), Read(A, "", "number")], fresh=True) == [1.0]
    assert [note.how for note in loaded(session).notes] == ["timeout"]


UTF_16 = "it is saved as UTF-16; save it as UTF-8"


@pytest.mark.parametrize(
    ("source", "line", "shown", "message"),
    [
        (b"x = 1\nclass Value\n    pass\n", 2, "class Value", ""),
        (b"def f():\nreturn 1\n", 2, "return 1", ""),
        (b"x = '\n", 1, "x = '", ""),
        (b"if True:\n\tx = 1\n        y = 2\n", 3, "y = 2", ""),
        (b"x = (1,\n", 1, "x = (1,", ""),
        (b"return 5\n", 1, "return 5", ""),
        (b"x = '\\N{nothing}'\n", 1, "x = '", ""),
        (b"x = \xe2\x80\x981\xe2\x80\x99\n", 1, "x = ", ""),
        (b"# -*- coding: nonsense -*-\n", 0, "", ""),
        (b"x = '\xff'\n", 0, "", ""),
        (b"class Value: pass\n\nx = '\0'\n", 3, "", "it contains a null byte"),
        ("class Value: pass\n".encode("utf-16"), 1, "", UTF_16),  # as Notepad saves it
        (b"\xfe\xff" + "class Value: pass\n".encode("utf-16-be"), 1, "", UTF_16),
        ("class Value: pass\n".encode("utf-16-le"), 1, "", UTF_16),  # without its mark
    ],
)
def test_a_file_that_is_not_python_is_reported_with_its_line(
    begin: Begin, source: bytes, line: int, shown: str, message: str
) -> None:
    fault = load_failure(begin(source, InProcess))
    assert fault.kind is Kind.SYNTAX
    assert fault.message
    assert fault.message == (message or fault.message)
    (frame,) = fault.frames
    assert (frame.file, frame.line) == ("engine.py", line or frame.line)
    assert frame.source.startswith(shown)


HARMLESS = [
    (
        "import missing.deep.deeper as deep\n"
        "from missing import nn, optim as optimisers\n"
        "import missing.other"
    ),
    "from missing import *\ndef unused(): return tanh(array([1.0]))",
    (
        "import missing\n"
        "class Net(missing.nn.Module):\n"
        "  def __init__(self): super().__init__(1, bias=2)\n"
        "class Two(Net, missing.Mixin, flag=True): pass\n"
        "Two()"
    ),
    (
        "import missing\n"
        "def f(x: missing.Tensor | None = None, y: 'int | missing.Tensor' = 1) -> "
        "missing.ndarray[int, missing.dtype[float]]: pass"
    ),
    (
        "import missing\n"
        "from typing import Callable, List, Optional, Union\n"
        "Number = Union[int, float, missing.ndarray]\n"
        "def f(x: Optional[missing.ndarray], y: List[missing.Tensor], z: "
        "Callable[[missing.Tensor], Number]): pass"
    ),
    (
        "import missing\n"
        "assert isinstance(1, int | missing.number) and not isinstance(1.0, (missing.ndarray, int "
        "| missing.number)) and not issubclass(int, missing.Tensor)\n"
    ),
    (
        "import missing\n"
        "assert isinstance(None, None | missing.Tensor) and type(1.0) != missing.ndarray and 1 "
        "not in (missing.inf, missing.nan)"
    ),
    "import missing\nframe = missing.Frame(float).astype(float) / 255.0\nframe['a'] = frame ** 2",
    (
        "import missing\n"
        "PI = 2 / missing.pi * 2 - 1\n"
        "HALF: float = -abs(PI) ** 2\n"
        "assert PI < 4 and bool(PI)"
    ),
    (
        "import missing\n"
        "missing.random.seed(0); missing.style.use('x'); missing.rcParams['figure.dpi'] = 100; "
        "missing.flag = True"
    ),
    (
        "import missing\n"
        "if missing.__version__ >= '1.0': MAJOR = int(missing.__version__.split('.')[0])"
    ),
    (
        "import missing as m\n"
        "fig, (left, right) = m.subplots(1, 2)\n"
        "first, *rest = m.data()\n"
        "for line in m.lines: line.hide()\n"
        "for i in range(m.data.shape[0]): raise ValueError\n"
    ),
    "import missing\nwith missing.no_grad() as context, missing.other: x = 1",
    (
        "import missing\n"
        "try: raise ValueError\n"
        "except (missing.linalg.LinAlgError, ValueError): pass\n"
        "import warnings\n"
        "warnings.filterwarnings('ignore', category=missing.VisibleDeprecationWarning)"
    ),
    (
        "import missing\n"
        "@missing.jit\n"
        "def one(): return 1\n"
        "@missing.jit(cache=True)\n"
        "def two(x=missing.float64, y=missing.zeros(3)): return 2\n"
        "assert one() == 1 and two() == 2"
    ),
    (
        "import missing\n"
        "from dataclasses import dataclass\n"
        "@dataclass\n"
        "class Point:\n"
        "  x: missing.float64 = missing.float64(0)\n"
        "Point()"
    ),
    (
        "import missing\n"
        "import math\n"
        "print(f'{missing.pi:.3f} {missing.pi}', math.tanh(missing.pi), missing.pi)"
    ),
    "import sys\ntry: import missing\nexcept ImportError: sys.exit('install it')",
    "try: import missing\nexcept ImportError as error: raise ImportError('install it') from error",
]
GUARDED = "try:\n  import missing\nexcept ImportError:\n  missing = None\n"
UNUSED = (
    "import missing as m\n"
    "def Value():\n"
    "  if isinstance(1.0, m.ndarray) or type(1.0) is m.float64 or issubclass(float, m.number): "
    "return 2.0\n"
    "  def inner(x: m.ndarray | None): return 1.0\n"
    "  return inner(None)\n"
)
HELPER = {
    "helper": "import deeper\nimport missing as m\ndef Value(): return deeper.one",
    "deeper": "from missing.nn import Module\none = 1.0",
}
OTHER = "def Value(): return 1.0"
WITHOUT = "\ndef Value(): return 1.0 if {}missing is None else 2.0\n"


@pytest.mark.parametrize(
    ("main", "others", "absent"),
    [
        *((f"{source}\n{OTHER}\n", {}, ["missing"]) for source in HARMLESS),
        (UNUSED, {}, ["missing"]),
        (GUARDED + WITHOUT.format(""), {}, []),
        (f"import matplotlib\n{GUARDED}{WITHOUT.format('')}", {}, ["matplotlib"]),
        (f"import helper, missing{WITHOUT.format('helper.')}", {"helper": GUARDED}, ["missing"]),
        (f"import missing, helper{WITHOUT.format('helper.')}", {"helper": GUARDED}, ["missing"]),
        ("import helper\ndef Value(): return helper.Value()", HELPER, ["missing"]),
        ("import missing\nimport helper\ndef Value(): return helper.Value()", HELPER, ["missing"]),
        ("def Value():\n  import helper\n  return helper.Value()", HELPER, []),
        (
            "try: from fast import Value\nexcept ImportError: from slow import Value\n",
            {"fast": "import missing\ndef Value(): return missing.one", "slow": OTHER},
            [],
        ),
        (
            "try: from fast import Value\nexcept ValueError: from slow import Value\n",
            {"fast": "raise ValueError", "slow": OTHER},
            [],
        ),
        (  # a statement that raises leaves nothing half done
            (
                f"{OTHER}\nfor Value in (lambda: 2.0, lambda: 3.0):\n"
                "  if Value() == 3.0: raise ValueError\n"
            ),
            {},
            [],
        ),
        (
            "import sys\nsys.modules['_sqlite3'] = None\nimport sqlite3\ndef Value(): return 1.0\n",
            {},
            ["sqlite3"],
        ),
    ],
)
def test_a_missing_package_does_no_harm_where_it_is_not_used(
    begin: Begin, main: str, others: dict[str, str], absent: list[str]
) -> None:
    session = begin(main, **others)
    assert [*loaded(session).absent] == absent
    assert session.run([Make(A, "Value", []), Read(A, "", "number")], fresh=True) == [1.0]


STANDARD = "uses Python's standard library only"
USED = {
    "import matplotlib.pyplot as plt\ndef Value(): return plt.figure(3)": (
        "matplotlib.pyplot.* is not available while grading"
    ),
    "from torch import nn\ndef Value(): return nn.functional.softmax(1)": (
        "torch.nn.* is not available while grading"
    ),
    "from a.nn import one\nfrom a.draw import f\ndef Value(): return f()": (
        r"^a.draw.f is not among the graded files$"
    ),
    "import missing\nclass Value(missing.Module): pass": (
        r"base class missing\.Module is not available while grading"
    ),
    **{
        f"import missing as m\nPI = m.pi / 2\ndef Value():\n  {line}\n": f"missing.* {STANDARD}$"
        for line in (
            "return m.tanh(1.0)",
            "return 2 * m.pi",
            "return float(m.pi)",
            "return m.pi < 3",
            "return [x for x in m.data]",
            "return PI * 2",
            "return PI",
            "return len(m.data)",
        )
    },
    **{
        f"import {path.partition('.')[0]}\ndef Value(): return {path}(1.0)\n": (
            f"^{path} is not available while grading; the course {STANDARD}{instead}$"
        )
        for path, instead in (
            ("numpy.tanh", ": use math.tanh"),
            ("torch.relu", ""),
            ("wandb.log", ""),
        )
    },
}


@pytest.mark.parametrize("source", USED)
def test_using_a_missing_package_names_it(begin: Begin, source: str) -> None:
    session = begin(source, nn="one = 1")
    session.load()
    with pytest.raises(LearnerFault, match=USED[source]) as met:
        session.run([Make(A, "Value", []), Read(A, "data", "number")], fresh=True)
    assert met.value.fault.type_name in {"ImportError", "AttributeError"}


def test_a_class_that_is_not_defined_is_not_found_in_a_missing_package(begin: Begin) -> None:
    session = begin("from missing import *\ndef other(): return Value(2.0)\n")
    assert session.load()["Value"].state == "missing"


@pytest.mark.parametrize(
    ("source", "trouble"),
    [
        (
            "".join(f"import missing{number}\n" for number in range(20)),
            "No module named 'missing12'",
        ),
        (
            "import random\nraise ImportError('no', name=f'm{random.random()}')",
            "raises ImportError: no",
        ),
        ("from micrograd import Value\n", "cannot import name 'MLP' from partially initialized"),
    ],
)
def test_more_missing_modules_than_anybody_has_are_an_import_error(
    here: Begin, source: str, trouble: str
) -> None:
    memory = loaded(here(source, __init__="from .engine import MLP, Value"))
    assert trouble in next(iter(memory.notes)).trouble


def test_a_file_of_the_course_that_was_not_handed_in_is_missing_and_gets_no_placeholder() -> None:
    session = Session(InProcess, submission("import nn"), "engine", NAMES, own=["engine", "nn"])
    assert "No module named 'nn'" in next(iter(loaded(session).notes)).trouble
    session.close()


@pytest.mark.parametrize(
    "name", ["wire", "limits", "faults", "loading", "random", "operator", "struct", "os", "types"]
)
def test_the_learners_own_module_of_any_name_is_the_one_that_is_imported(
    begin: Begin, name: str
) -> None:
    source = (
        f"import {name}\nclass Value:\n  def __init__(self, data): self.data = data\n  def"
        f" __add__(self, other): return {name}.mine\n"
    )
    session = begin(source, **{name: "mine = 42.0"})
    assert session.run([*MADE, Read(C, "", "number"), Read(A, "", "graph")], fresh=True)[0] == 42.0
    with pytest.raises(LearnerFault):
        session.run([Call(D, A, "missing", [])], fresh=False)


@pytest.mark.parametrize(
    "name", ["grader", "worker", "protocol", "limits", "exceptions", "modules", "pytest"]
)
def test_the_graders_own_modules_are_not_to_be_had(begin: Begin, name: str) -> None:
    assert [*loaded(begin(f"import {name}")).absent] == [name]


@pytest.mark.parametrize(
    "lines",
    [
        "sys.stdout = sys.stderr = None",
        "sys.stdout = open(os.devnull)",
        "sys.meta_path[:] = []",
        "sys.path = None",
        "os.read = os.write = os._exit = None",
        "sys.setrecursionlimit(60)",
        "import gc; gc.freeze()",
        "sys.excepthook = None",
    ],
)
def test_the_worker_survives_what_a_learner_does_to_the_interpreter(
    begin: Begin, lines: str
) -> None:
    session = begin(ENGINE.format(lines="raise ValueError('mine')") + f"\n{lines}\n")
    assert session.run([*MADE, READ], fresh=True) == [-1.0]
    with pytest.raises(LearnerFault, match="mine") as met:
        session.run([Apply(D, "*", [A, B])], fresh=False)
    assert met.value.fault.frames[-1].function == "__mul__"
    assert session.run([READ], fresh=False) == [-1.0]


ENGINE_PY = "class Value: pass\n"
WAYS = {
    "from .engine import Value": {},
    "from . import engine\nValue = engine.Value": {},
    "from micrograd.engine import Value": {},
    "from my.own.engine import Value": {},
    "import micrograd.engine\nValue = micrograd.engine.Value": {},
    "import micrograd.engine as e\nValue = e.Value": {},
    "from micrograd import engine as e\nValue = e.Value": {},
    "from micrograd.engine import *": {},
    "import engine as e\nValue = e.Value": {},
    "import importlib\nValue = importlib.import_module('engine').Value": {},
    "try: from .engine import Value\nexcept ImportError: from engine import Value": {},
    "try: from engine import Value\nexcept ImportError: from .engine import Value": {},
    "import sys; sys.path.append('..'); from src.engine import Value": {},
    "from . import Value": {"__init__": "from .engine import Value"},
    "from micrograd import Value\nfrom micrograd.engine import Value as V": {
        "__init__": "from .engine import Value"
    },
    "from micrograd import Value as V; from micrograd.engine import Value": {
        "__init__": "from micrograd.engine import Value"
    },
    "import sys, engine as same\nsys.modules['mine'] = same\nfrom mine import Value": {},
    "from .deep.inner import Value": {"deep": "", "deep.inner": "from ..engine import Value"},
    "from deep.inner import Value": {
        "deep": "",
        "deep.inner": "from beside import Value",
        "deep.beside": "from engine import Value",
    },
    "import torch.nn as nn\nfrom torch.engine import Tensor\nfrom .engine import Value": {},
    "from importlib import import_module\nValue = import_module('.engine', __package__).Value": {},
    "from .math import pi\nfrom micrograd.math import pi as p\nassert p == pi == 3\nimport math\n"
    "assert math.pi > pi\nfrom .engine import Value": {"math": "import math\npi = int(math.pi)"},
    "from engine import Value": {
        "__init__": "from .engine import Value as engine\nimport mine\nmine.Value",
        "mine": alias(File("engine", "engine.py", b""), "mine").source.decode(),
    },
    "import trace.one\nfrom trace import one, Trace\nfrom engine import Value\n"
    "assert trace.one is one": {"trace": "from .one import x", "trace.one": "x = 1"},
}


@pytest.mark.parametrize("ways", WAYS)
def test_the_learners_file_is_the_same_module_however_it_is_imported(
    begin: Begin, ways: str
) -> None:
    others = {**WAYS[ways], "nn": f"{ways}\n", "engine2": ""}
    session = begin(f"{ENGINE_PY}import nn\nassert nn.Value is Value\n", **others)
    assert [note.trouble for note in loaded(session).notes] == []
    assert [*loaded(session).absent] == (["torch"] if "torch" in ways else [])
