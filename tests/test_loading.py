"""Importing the learner's code: every way in which that fails, modules that are not here, and modules that have our names."""

from __future__ import annotations

import time

import pytest
from conftest import NAMES, Begin
from fake import InProcess, submission
from test_session import ENGINE, MADE, READ, A, B, C, D

from grader import session as session_module
from grader.model import Fault, Frame, Kind
from grader.script import Apply, Call, Make, Read
from grader.session import LearnerFault, Session, WorkerLost


def load_failure(session: Session) -> Fault:
    failures = (LearnerFault, WorkerLost)
    with pytest.raises(failures) as met:
        session.load()
    with pytest.raises(failures) as again:
        session.run([*MADE, READ], fresh=True)
    assert isinstance(met.value, failures)
    assert again.value is met.value
    return met.value.fault


IMPORTS = [
    ("import sys; sys.exit(1)", Kind.EXITED),
    ("exit()", Kind.RAISED),  # there is no `exit` without `site`
    ("import os; os._exit(1)", Kind.EXITED),
    ("raise KeyboardInterrupt", Kind.RAISED),
    ("raise GeneratorExit", Kind.RAISED),
    ("import math.nothing", Kind.RAISED),
    ("from math import nothing", Kind.RAISED),
    ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Kind.CRASHED),
    ("import sys; sys.modules = {}", Kind.RAISED),
    ("import sys; sys.modules.clear()", Kind.RAISED),
    ("def __getattr__(name): raise KeyError(name)", Kind.RAISED),
]


@pytest.mark.parametrize(("source", "kind"), IMPORTS)
def test_an_import_that_fails_has_its_kind_each_time_it_is_asked_for(begin: Begin, source: str, kind: Kind) -> None:
    assert load_failure(begin(source)).kind is kind


def test_an_import_that_does_not_end_is_a_timeout(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "LOAD_SECONDS", 0.5)
    before = time.monotonic()
    assert load_failure(begin("print('so far')\nwhile True: pass")).kind is Kind.TIMEOUT
    assert time.monotonic() - before < 3


SYNTAX: list[tuple[bytes, int, str]] = [
    (b"x = 1\nclass Value\n    pass\n", 2, "class Value"),
    (b"def f():\nreturn 1\n", 2, "return 1"),
    (b"x = '\n", 1, "x = '"),
    (b"if True:\n\tx = 1\n        y = 2\n", 3, "y = 2"),
    (b"x = (1,\n", 1, "x = (1,"),
    (b"return 5\n", 1, "return 5"),
]


@pytest.mark.parametrize(("source", "line", "shown"), SYNTAX)
def test_what_is_not_python_is_told_with_its_line(begin: Begin, source: bytes, line: int, shown: str) -> None:
    fault = load_failure(begin(source, InProcess))
    assert fault.kind is Kind.SYNTAX
    assert fault.message
    assert fault.frames == (Frame("engine.py", line, "", shown),)


@pytest.mark.parametrize("source", [b"x = 1\0\n", b"# -*- coding: nonsense -*-\n", b"x = '\xff'\n", b"x = '\\N{nothing}'\n", b"x = \xe2\x80\x981\xe2\x80\x99\n"])
def test_bytes_that_are_no_source_are_a_syntax_error_in_every_version(begin: Begin, source: bytes) -> None:
    fault = load_failure(begin(source, InProcess))
    assert fault.kind is Kind.SYNTAX
    assert fault.frames[0].file == "engine.py"


def test_a_syntax_error_that_the_learners_code_meets_itself_is_raised(begin: Begin) -> None:
    fault = load_failure(begin("eval('1 +')", InProcess))
    assert (fault.kind, fault.type_name) == (Kind.RAISED, "SyntaxError")
    assert fault.frames[0].source == "eval('1 +')"


def test_printing_while_importing_is_output(begin: Begin) -> None:
    session = begin("import sys\nprint('hello')\nprint('wörld', end='', file=sys.stderr)")
    session.load()
    assert sorted(session.output().split()) == ["hello", "wörld"]
    assert session.output() == ""


def test_a_missing_module_gets_a_placeholder_whose_use_raises(here: Begin) -> None:
    source = "import matplotlib.pyplot as plt\nfrom torch import nn\ndef Value(): return plt.figure(3)\ndef loss(): return nn.functional.softmax(1)\n"
    session = here(source)
    assert session.load().absent == ("matplotlib", "torch")
    for name, module in (("Value", "matplotlib.pyplot"), ("loss", "torch.nn")):
        with pytest.raises(LearnerFault, match=f"{module}.* is not available while grading") as met:
            session.run([Make(A, name, [])], fresh=True)
        assert met.value.fault.type_name == "ImportError"


def test_a_guarded_import_sees_the_import_error(here: Begin) -> None:
    source = "try:\n  import surely_not_here\nexcept ImportError:\n  surely_not_here = None\ndef Value(): return 1.0 if surely_not_here is None else 2.0\n"
    session = here(source)
    assert session.load().absent == ()
    assert session.run([Make(A, "Value", []), Read(A, "", "number")], fresh=True) == [1.0]


def test_a_guarded_import_sees_the_error_beside_one_that_is_not_guarded(here: Begin) -> None:
    source = "import matplotlib\ntry:\n  import surely_not_here\nexcept ImportError:\n  surely_not_here = None\ndef Value(): return 1.0 if surely_not_here is None else 2.0\n"
    session = here(source)
    assert session.load().absent == ("matplotlib",)
    assert session.run([Make(A, "Value", []), Read(A, "", "number")], fresh=True) == [1.0]


def test_more_missing_modules_than_anybody_has_are_an_import_error(here: Begin) -> None:
    fault = load_failure(here("".join(f"import missing{number}\n" for number in range(20))))
    assert fault.type_name == "ModuleNotFoundError"


def test_an_import_error_that_names_a_new_module_each_time_ends(here: Begin) -> None:
    fault = load_failure(here("import itertools, random\nraise ImportError('no', name=f'm{random.random()}')"))
    assert fault.type_name == "ImportError"


def test_a_file_of_the_course_that_was_not_handed_in_is_missing_and_gets_no_placeholder() -> None:
    session = Session(InProcess, submission("import nn"), "engine", NAMES, own=["engine", "nn"])
    with pytest.raises(LearnerFault, match="No module named 'nn'"):
        session.load()
    session.close()


@pytest.mark.parametrize("name", ["wire", "limits", "faults", "loading", "random", "operator", "struct", "os", "types"])
def test_the_learners_own_module_of_any_name_is_the_one_that_is_imported(begin: Begin, name: str) -> None:
    source = f"import {name}\nclass Value:\n  def __init__(self, data): self.data = data\n  def __add__(self, other): return {name}.mine\n"
    session = begin(source, **{name: "mine = 42.0"})
    steps = [*MADE, Read(C, "", "number"), Read(A, "", "graph")]
    assert session.run(steps, fresh=True)[0] == 42.0
    with pytest.raises(LearnerFault):
        session.run([Call(D, A, "missing", [])], fresh=False)


@pytest.mark.parametrize("name", ["grader", "wire", "limits", "faults", "loading", "pytest", "worker"])
def test_the_graders_own_modules_are_not_to_be_had(begin: Begin, name: str) -> None:
    session = begin(f"import {name}")
    assert session.load().absent == (name,)


@pytest.mark.parametrize(
    "lines",
    ["sys.stdout = sys.stderr = None", "sys.stdout = open(os.devnull)", "sys.meta_path[:] = []", "sys.path = None",
     "os.read = os.write = os._exit = None", "sys.setrecursionlimit(60)", "import gc; gc.freeze()", "sys.excepthook = None"],
)  # fmt: skip
def test_what_the_learner_does_to_the_interpreter_is_survived(begin: Begin, lines: str) -> None:
    session = begin(ENGINE.format(lines="raise ValueError('mine')") + f"\n{lines}\n")
    assert session.run([*MADE, READ], fresh=True) == [-1.0]
    with pytest.raises(LearnerFault, match="mine") as met:
        session.run([Apply(D, "*", [A, B])], fresh=False)
    assert met.value.fault.frames[-1].function == "__mul__"
    assert session.run([READ], fresh=False) == [-1.0]


OTHER_BYTES = {
    "UTF-16 as Notepad saves it": ("class Value: pass\n".encode("utf-16"), 1, "it must be saved as UTF-8; there is UTF-16 text"),
    "UTF-16, the other way round": (b"\xfe\xff" + "class Value: pass\n".encode("utf-16-be"), 1, "it must be saved as UTF-8; there is UTF-16 text"),
    "UTF-16 without its mark": ("class Value: pass\n".encode("utf-16-le"), 1, "it must be saved as UTF-8; there is UTF-16 text"),
    "a null byte": (b"class Value: pass\n\nx = '\0'\n", 3, "there is a null byte"),
}


@pytest.mark.parametrize(("source", "line", "message"), OTHER_BYTES.values(), ids=OTHER_BYTES)
def test_bytes_that_are_not_python_are_named_with_their_line(begin: Begin, source: bytes, line: int, message: str) -> None:
    with pytest.raises(LearnerFault) as met:
        begin(source).load()
    fault = met.value.fault
    assert (fault.kind, fault.message, fault.frames[-1].line) == (Kind.SYNTAX, message, line)
