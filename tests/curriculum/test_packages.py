"""Packages for the learner's code: found without importing them, provided alone, and nobody's
failure where they are missing.
"""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from grader import grade
from grader.boundary.process import ProcessTransport
from grader.curriculum import packages
from grader.curriculum.tables import Table
from grader.errors import UsageError
from grader.intake.adapter import parse_adapter
from grader.intake.read import read_submission
from grader.judge.replies import Array, UnexpectedType
from grader.judge.script.steps import Make, Read
from grader.judge.session import Session
from grader.learner.status import find_status
from grader.model import Verdict
from grader.views.terminal import print_report
from grader.worker.protocol import Ref
from support import changed, hand_in, kit_folder, touch
from support.fake import submission
from support.grading import COURSE, by_id
from support.mistakes import edited
from support.start import NAMES

STAGE = next(stage for stage in COURSE.stages if stage.packages)
NAMED = STAGE.packages[0]
A = Ref(1)
SOLUTIONS = kit_folder("solutions")
LOOK = """\
import sys
import numpy as np

class Value:
    def __init__(self, data): self.data = data

def paths(): return [path for path in sys.path if "site-packages" in path or "dist-packages" in path]
def seven(): return 7
def importable(name):
    try: return type(__import__(name)).__name__ != "Placeholder"
    except ImportError: return False
def text(name): return np.array(["a"])
def array(kind): return np.array([[1, 2, 3], [4, 5, 6]]).astype(kind)
def large(): return np.zeros((100, 100))
def numpy_float(): return np.float32(0.5)
"""  # noqa: E501


def session_with(source: str, located: Mapping[str, Sequence[Path]]) -> Session:
    connect = partial(ProcessTransport, readable=packages.readable(located))
    return Session(connect, submission(source), "engine", NAMES, packages=located)


@pytest.fixture
def provided() -> Iterator[Session]:
    with closing(session_with(LOOK, packages.locate(["numpy"]))) as session:
        yield session


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if none of the packages of the course were installed."""
    monkeypatch.setattr(packages, "_places", lambda _name: ())


def ask(session: Session, function: str, *args: str, form: str = "value") -> object:
    (answer,) = session.run([Make(A, function, list(args)), Read(A, "", form)], fresh=True)
    return answer


# --- finding ---


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on Python's path that an installer has put something into."""
    (tmp_path / "thing-1.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_a_package_is_not_found_where_nothing_is_installed_nor_in_the_current_folder(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (site / "one_file_only.py").touch()
    monkeypatch.chdir(site)
    assert packages.absent(["one_file_only"])
    monkeypatch.chdir("/")
    assert not packages.absent(["one_file_only"])
    (site / "thing-1.0.dist-info").rmdir()
    assert packages.absent(["one_file_only"])


BAD_NAMES = [
    "numpy.f2py.__main__.x",
    "numpy.core",
    "grader",
    "Grader",
    "grader.cli.app",
    "__main__",
    ".",
    "..",
    "../numpy",
    "",
    "this",
    "os",
    "num py",
    "numpy\0",
]


@pytest.mark.needs("numpy")
@pytest.mark.parametrize("name", BAD_NAMES)
def test_no_other_name_is_ever_looked_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(sys.modules)
    monkeypatch.setattr(packages, "PathFinder", None)  # which would be asked
    assert packages.locate([name]) == {}
    assert set(sys.modules) == before


@pytest.mark.parametrize("name", [name for name in BAD_NAMES if name])
def test_a_name_that_is_none_of_a_package_is_refused_in_an_adapter(name: str) -> None:
    adapter = {
        "class": "V",
        "make": "V({})",
        "data": "d",
        "gradient": "g",
        "files": {"engine.py": "engine.py"},
    }
    with pytest.raises(UsageError, match="here: 'packages': ") as refused:
        parse_adapter(Table({**adapter, "packages": ["numpy", name]}, "here"))
    assert repr(name) in refused.value.message
    assert refused.value.hint


# --- in the worker ---


@pytest.mark.needs("numpy")
def test_the_worker_gets_the_package_and_nothing_next_to_it(provided: Session) -> None:
    assert provided.load().absent == ()
    assert ask(provided, "paths") == []
    assert [
        ask(provided, "importable", name)
        for name in ("numpy", "numpy.linalg", "pytest", "mpmath", "click")
    ] == [True, True, False, False, False]


@pytest.mark.needs("numpy")
@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="Linux tells the threads of a process"
)
def test_no_library_starts_its_own_threads(provided: Session) -> None:
    ask(provided, "large", form="array")
    transport = provided._transport
    assert isinstance(transport, ProcessTransport)
    assert len(list(Path(f"/proc/{transport._process.pid}/task").iterdir())) == 1


@pytest.mark.needs("numpy")
@pytest.mark.parametrize(
    ("function", "args", "answer"),
    [
        ("array", ["float64"], Array((2, 3), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0))),
        ("array", ["float16"], Array((2, 3), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0))),
        ("array", ["longdouble"], Array((2, 3), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0))),
        ("array", ["uint8"], Array((2, 3), (1, 2, 3, 4, 5, 6))),
        ("array", ["bool"], UnexpectedType("array of bool")),
        ("array", ["object"], UnexpectedType("array of object")),
        ("array", ["complex"], UnexpectedType("array of complex128")),
        ("text", ["a"], UnexpectedType("array of str32")),
        ("large", [], UnexpectedType("array of 10000 numbers with 2 axes")),
        ("numpy_float", [], Array((), (0.5,))),
        ("seven", [], Array((), (7,))),
        ("paths", [], UnexpectedType("list")),
    ],
)
def test_an_array_is_read_with_its_shape_and_nothing_else_is_one(
    provided: Session, function: str, args: list[str], answer: object
) -> None:
    found = ask(provided, function, *args, form="array")
    assert found == answer
    if isinstance(found, Array) and isinstance(answer, Array):
        assert [type(number) for number in found.numbers] == [
            type(number) for number in answer.numbers
        ]


# --- where it is missing ---


@pytest.mark.usefixtures("missing")
def test_a_named_stage_without_its_package_is_blocked_and_says_what_to_install() -> None:
    report = grade(SOLUTIONS, ["phase1", STAGE.id])
    first, last = report.phases
    assert {result.verdict for result in first.checkpoints} == {Verdict.PASSED}
    told = f"{NAMED} is not installed here: {packages.install_command(STAGE.packages)}"
    assert {(result.verdict, result.blocked_by, result.message) for result in last.checkpoints} == {
        (Verdict.BLOCKED, NAMED, told)
    }
    assert report.exit_code == 1
    # though no code was sent to any worker
    assert grade(SOLUTIONS, [STAGE.id]).isolation == report.isolation
    shown = io.StringIO()
    print_report(report, Console(file=shown, width=100, force_terminal=False))
    assert "".join(shown.getvalue().split()).count("pipinstall") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("missing")
def test_a_group_leaves_the_stage_out_and_says_so_once_unless_it_is_named() -> None:
    report = grade(SOLUTIONS, ["extras"])
    assert STAGE.id not in [phase.id for phase in report.phases]
    assert [note for note in report.notes if "skipped" in note] == [
        (
            f"{STAGE.id} is skipped because {NAMED} is not installed here:"
            f" {packages.install_command(STAGE.packages)}"
        )
    ]
    assert report.exit_code == 0
    assert STAGE.id in [phase.id for phase in grade(SOLUTIONS, ["extras", STAGE.id]).phases]


@pytest.mark.usefixtures("missing")
def test_grading_no_stage_is_not_a_success() -> None:
    with pytest.raises(UsageError, match="nothing can be graded"):
        grade(SOLUTIONS, ["extras"], course=replace(COURSE, stages=(STAGE,)))


@pytest.mark.usefixtures("missing")
def test_a_missing_file_is_not_started_with_or_without_the_package(tmp_path: Path) -> None:
    shutil.copy(SOLUTIONS / "engine.py", tmp_path)
    assert {result.verdict for result in grade(tmp_path, [STAGE.id]).checkpoints} == {
        Verdict.NOT_STARTED
    }


@pytest.mark.usefixtures("missing")
def test_the_status_says_what_to_install_before_the_stage_can_begin() -> None:
    only = replace(COURSE, stages=(STAGE,))
    exercises = read_submission(kit_folder("exercises"), only.files)
    status = find_status(only, exercises, {})
    assert packages.install_command(STAGE.packages) in status.trouble


def test_a_package_that_does_not_load_is_an_error_and_never_a_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    raises = "raise ImportError('libopenblas.so: cannot open')"
    touch(tmp_path / "numpy" / "__init__.py", text=raises)
    monkeypatch.setattr(packages, "_places", lambda _name: (tmp_path / "numpy",))
    report = grade(SOLUTIONS, [STAGE.id])
    assert {result.verdict for result in report.checkpoints} == {Verdict.ERROR}
    assert "cannot import numpy: ImportError libopenblas.so" in report.checkpoints[0].message
    assert report.exit_code == 3


# --- a stage that stands alone ---


@pytest.mark.slow
@pytest.mark.needs("numpy")
def test_a_stage_that_is_alone_is_not_blocked_by_another_one(tmp_path: Path) -> None:
    edited(tmp_path, "tensor.py", ("self.data + other.data", "self.data"))
    hand_in(tmp_path, changed(("self.data + other.data", "self.data")))
    results = by_id(grade(tmp_path, ["phase2", STAGE.id]))
    assert results["phase2.forward"].verdict is Verdict.FAILED
    assert results["ext4.add"].verdict is Verdict.FAILED
    alone = {r.blocked_by.partition(".")[0] for id, r in results.items() if id.startswith("ext4")}
    assert alone == {"", "ext4"}
