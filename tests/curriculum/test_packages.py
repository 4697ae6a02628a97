"""Packages for the learner's code: found without importing them, provided alone, and nobody's
failure where they are missing.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from shlex import quote

import pytest

from grader import grade
from grader.boundary.pool import ProcessHost
from grader.boundary.process import ProcessTransport
from grader.curriculum import packages
from grader.curriculum.tables import as_toml
from grader.errors import UsageError
from grader.intake.adapter import read_adapter
from grader.intake.read import read_submission
from grader.judge.replies import Array
from grader.judge.script.steps import Make, Read
from grader.judge.session import Session
from grader.learner.progress import Progress
from grader.learner.status import find_status
from grader.model import Verdict
from grader.worker.protocol import Ref, UnexpectedType
from support import kit_folder, touch
from support.fake import submission
from support.grading import COURSE
from support.start import NAMES
from support.story import Ran, Story, each, play

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


def session_with(source: str, *provided: str) -> Session:
    return Session(ProcessHost().worker, submission(source), "engine", NAMES, provided=provided)


@pytest.fixture
def provided() -> Iterator[Session]:
    with closing(session_with(LOOK, "numpy")) as session:
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
def test_a_name_that_is_none_of_a_package_is_refused_in_an_adapter(
    name: str, tmp_path: Path
) -> None:
    names = {"class": "V", "make": "V({})", "data": "d", "gradient": "g"}
    lines = [
        f"{key} = {as_toml(value)}" for key, value in {**names, "packages": ["numpy", name]}.items()
    ]
    file = tmp_path / "adapter.toml"
    file.write_text("\n".join([*lines, "[files]", '"engine.py" = "engine.py"']), encoding="utf-8")
    with pytest.raises(UsageError, match=r"adapter\.toml: 'packages': ") as refused:
        read_adapter(file)
    assert repr(name) in refused.value.message
    assert refused.value.hint


# --- in the worker ---


@pytest.mark.needs("numpy")
def test_the_worker_gets_the_package_and_nothing_next_to_it(provided: Session) -> None:
    provided.load()
    assert not provided.memory.absent
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


TOLD = f"{NAMED} is not installed here: {packages.install_command(STAGE.packages)}"
AT = f"--at {quote(str(SOLUTIONS))}"
STORIES: dict[str, Story] = {
    "a named stage is blocked, says what to install once, and another one is graded": [
        Ran(f"phase1 {STAGE.id} {AT}", ["6/6", "0/30", f"22 waiting ▫ 22 waiting: {TOLD}"], code=1),
        Ran(f"{STAGE.id} {AT} -v", [TOLD, "isolation "], code=1),  # without a worker
    ],
    "a group leaves the stage out and says so, unless it is named": [
        Ran(f"extras {AT}", [f"{STAGE.id} is skipped because {TOLD}"], ["0/30"], 0),
        Ran(f"extras {STAGE.id} {AT}", ["0/30", TOLD], ["skipped"], 1),
    ],
    "a missing file is not started with or without the package": [
        partial(shutil.copy, SOLUTIONS / "engine.py", "."),
        Ran(STAGE.id, ["0/30", f"note: missing: {STAGE.file}"], ["waiting"], 1),
    ],
}


@pytest.mark.slow
@pytest.mark.usefixtures("missing")
@each(STORIES, "a group leaves the stage out and says so, unless it is named")
def test_a_learner_without_the_package_sees_what_to_install(
    story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    play(story)


@pytest.mark.usefixtures("missing")
def test_grading_no_stage_is_not_a_success() -> None:
    with pytest.raises(UsageError, match="nothing can be graded"):
        grade(SOLUTIONS, ["extras"], course=replace(COURSE, stages=(STAGE,)))


@pytest.mark.usefixtures("missing")
def test_the_status_says_what_to_install_before_the_stage_can_begin() -> None:
    only = replace(COURSE, stages=(STAGE,))
    status = find_status(only, read_submission(kit_folder("exercises"), only.files), Progress())
    assert packages.install_command(STAGE.packages) in status.trouble


@pytest.mark.slow
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
