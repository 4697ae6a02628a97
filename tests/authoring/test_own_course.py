"""A course of one's own with the same tool: begun, checked, broken in every way, and the example
that comes with it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from inspect import signature
from pathlib import Path
from unittest.mock import patch

import pytest

from grader import grade
from grader.authoring import check
from grader.authoring.check import SEEDS, Audit, audit
from grader.authoring.course_files import check_files, check_mirror
from grader.authoring.scaffold import write_stage
from grader.authoring.trials import Graded
from grader.curriculum.load import load_course
from grader.curriculum.model import Checkpoint, Course, Stage
from grader.errors import CourseError, GraderError, UsageError
from grader.judge.grade import Request, grade_request, select
from grader.model import Verdict
from grader.views.answer import answer_to
from support import EXAMPLE, ROOT, hand_in, put, there, touch
from support.story import edit

pytestmark = pytest.mark.slow


def checked(folder: Path, only: Sequence[str] = (), seeds: Sequence[int] = (1,)) -> Audit:
    """Audit a course with fewer seeds than `grade dev check`."""
    with patch.object(check, "SEEDS", seeds):
        return audit(load_course(folder), only=only, jobs=1, tell=lambda _: None)


def verdicts(folder: Path, phases: Sequence[str] = ("all",)) -> dict[str, str]:
    """Grade the solutions of a course."""
    course = load_course(folder)
    report = grade(course.solutions, phases, course=course)
    return {result.id: result.verdict.value for result in report.checkpoints}


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A new course of one stage, `sums`, in `work.py`."""
    write_stage(tmp_path / "mine", "sums")
    return tmp_path / "mine"


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example, to be edited."""
    shutil.copytree(EXAMPLE, tmp_path / "example", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "example"


# --- the example ---


@pytest.mark.timeout(300)
def test_the_example_proves_itself() -> None:
    found = checked(EXAMPLE, seeds=SEEDS)
    assert found.problems == ()
    assert len(found.caught) >= 12
    assert found.gradings == 13 + 2 * len(found.caught)


def test_a_mistake_that_passes_mirrored_is_a_problem() -> None:
    faulty = load_course(EXAMPLE).stage("phase2").faulty[0]
    runs: list[Future[Graded]] = [Future(), Future()]
    first, *_ = faulty.caught_by
    runs[0].set_result(([(id, "failed") for id in faulty.caught_by], []))
    runs[1].set_result(([(id, "passed") for id in faulty.caught_by], []))
    assert f"the verdict of {first} differs" in check._judge(faulty, runs, frozenset()).problems[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "shown", "phase"),
    [
        (
            "self.slope * other.value + self.value * other.slope",
            "self.slope * other.slope",
            "`c.slope` is 77.0, and should be 43.0.",
            "phase2",
        ),
        ("Dual(other) / self", "Dual(other) / self.valu", "Did you mean `value`?", "phase2"),
        ("x -= y.value", "x += y.value", "`root` is 0.5, and should be 1.5.", "phase3"),
    ],
)
def test_a_course_without_graph_and_mistakes_gets_lines_and_proofs(
    example: Path, tmp_path: Path, old: str, new: str, shown: str, phase: str
) -> None:
    for file in example.rglob("mistakes.toml"):
        file.unlink()
    source = (example / "solutions" / "dual.py").read_text(encoding="utf-8")
    assert source.count(old) == 1
    wrong = source.replace(old, new)
    work = hand_in(tmp_path / "work", wrong, "dual.py")
    course = load_course(example)
    report = grade_request(work, Request(course, select(course, [phase]), prove=1))
    answer = answer_to(next(each for each in report.checkpoints if each.verdict is Verdict.FAILED))
    line = wrong[: wrong.index(new)].count("\n") + 1
    assert there(answer.place).line == line
    assert shown in f"{answer.compared} {answer.reason}"
    assert answer.proof == f"with one small change in line {line}, all of {phase} passes."


# --- the document about it ---

DOCUMENT = (ROOT / "docs" / "own-course.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
def test_the_commands_of_the_document_do_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "grade").write_text(
        f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {shlex.quote(sys.executable)} -m"
        ' grader "$@"\n',
        encoding="utf-8",
    )
    (tmp_path / "grade").chmod(0o755)
    begin, learn, hand_out = (
        subprocess.run(
            ["sh", "-c", script],
            cwd=tmp_path,
            env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=100,
        )
        for script in blocks("sh")
    )
    assert begin.stdout.endswith(blocks("text")[0])
    assert (learn.returncode, learn.stderr, "▫   0/1" in learn.stdout) == (1, "", True)
    assert (hand_out.returncode, (tmp_path / "for-learners.zip").is_file()) == (0, True)


def test_the_code_of_the_document_is_that_of_the_example() -> None:
    engines = [faulty for stage in load_course(EXAMPLE).stages for faulty in stage.faulty]
    assert f"{len(engines)} faulty engines" in DOCUMENT
    mistakes = (EXAMPLE / "phase2" / "mistakes.toml").read_text(encoding="utf-8")
    assert blocks("toml")[-1] in mistakes


def test_only_the_named_phases_are_checked_and_packages_come_first(example: Path) -> None:
    edit(example / "phase2" / "suite.py", "learner.expect(", "learner.nothing(")
    edit(example / "phase3" / "stage.toml", "minutes =", 'packages = ["nowhere"]\nminutes =')
    assert checked(example, [load_course(example).stage("phase1").faulty[0].id]).problems == ()
    with patch.object(check, "ProcessPoolExecutor"):  # which would start gradings
        for only in ([], ["phase3"], [load_course(example).stage("phase3").faulty[0].id]):
            with pytest.raises(
                UsageError, match="phase3 cannot be checked, because nowhere is not"
            ):
                checked(example, only)


def test_every_check_of_the_document_passes_the_right_code(tmp_path: Path) -> None:
    """With the vocabulary of the document and nothing more, but for the value of a Dual."""
    vocabulary, *suites = blocks("python")
    course = tmp_path / "mine"
    write_stage(course, "duals", file="dual.py")
    value = "    @property\n    def value(self) -> Reading:\n        return self.reading('value')\n"
    ids = ["negative", "edges", "long-sums"]
    checkpoints = "".join(
        f'[[checkpoint]]\nid = "{id}"\npoints = 1\nmethods = ["Dual"]\n' for id in ids
    )
    toml = (course / "duals" / "stage.toml").read_text(encoding="utf-8")
    begin, end = toml.index("[[checkpoint]]"), toml.index("[hints.")
    files: dict[str, bytes | str] = {
        "vocabulary.py": vocabulary.replace(
            "class Dual(Symbol):\n", f"class Dual(Symbol):\n{value}\n"
        ),
        "duals/suite.py": "\n\n".join(suites),
        "duals/stage.toml": toml[:begin] + checkpoints + toml[end:],
        **{
            name: (EXAMPLE / name).read_bytes()
            for name in ("solutions/dual.py", "exercises/dual.py")
        },
    }
    put(course, files)
    assert verdicts(course) == {f"duals.{id}": "passed" for id in ids}
    edit(
        course / "solutions" / "dual.py",
        "class Dual:",
        "class Dual:\n    __neg__ = __repr__ = __add__ = None\n\n\nclass Lost:",
    )
    assert "passed" not in verdicts(course).values()


def test_every_key_is_in_a_table_of_the_document() -> None:
    fields = [key for kind in (Course, Stage, Checkpoint) for key in signature(kind).parameters]
    assert [
        key
        for key in fields
        if key not in {"folder", "private", "checkpoints"}
        and f"`{key}`" not in DOCUMENT
        and f"`[{key}]`" not in DOCUMENT
        and f"`[[{key}]]`" not in DOCUMENT
    ] == ["bonus"]
    assert "`bonus = true`" in DOCUMENT


# --- the same commands, for any course ---


@pytest.mark.parametrize("name", ["a b", "ünï", ".hidden/build", "venv", "v1.0"])
def test_a_course_may_lie_anywhere(tmp_path: Path, name: str) -> None:
    write_stage(tmp_path / name, "limits")
    assert verdicts(tmp_path / name) == {"limits.twice": "passed"}


@pytest.mark.parametrize("name", ["a[b]", "a::b"])
@pytest.mark.skipif(os.name != "posix", reason="names that POSIX allows")
def test_a_folder_that_pytest_would_not_find_is_reported(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="no suite can run in"):
        write_stage(tmp_path / name, "limits")
    shutil.copytree(EXAMPLE, tmp_path / name)
    with pytest.raises(UsageError, match="no suite can run in"):
        load_course(tmp_path / name)


def test_two_courses_in_one_process_do_not_meet(course: Path) -> None:
    """Both have a `vocabulary.py`, and the second is edited between two gradings."""
    path, finders = list(sys.path), list(sys.meta_path)
    for _ in range(2):
        assert set(verdicts(EXAMPLE, ["1"]).values()) == {"passed"}
        assert verdicts(course) == {"sums.twice": "passed"}
    edit(course / "sums" / "suite.py", "2 * number", "3 * number")
    assert verdicts(course) == {"sums.twice": "failed"}
    assert "vocabulary" not in sys.modules
    assert (sys.path, sys.meta_path) == (path, finders)


# --- a new stage ---


@pytest.mark.parametrize(
    "stages",
    ['["sums"]', "['sums']", '[ "sums", ]', '[\n  "sums",\n]', '[\n  "sums"\n  # and more\n]'],
)
def test_the_list_of_stages_is_edited_and_nothing_else(course: Path, stages: str) -> None:
    file = course / "course.toml"
    edit(file, '["sums"]', stages)
    before = file.read_text(encoding="utf-8")
    write_stage(course, "limits")
    assert [stage.id for stage in load_course(course).stages] == ["sums", "limits"]
    assert len(file.read_text(encoding="utf-8")) == len(before) + len(', "limits"')


@pytest.mark.parametrize(
    ("stage", "options", "told"),
    [
        ("sums", {}, "already exists"),
        ("all", {}, "that word stands for several stages"),
        ("extras", {}, "that word stands for several stages"),
        ("Limits", {}, "lowercase letters"),
        ("two words", {}, "lowercase letters"),
        ("phase--2", {}, "lowercase letters"),
        ("2nd", {}, "lowercase letters"),
        ("../up", {}, "lowercase letters"),
        ("lambda", {}, "another meaning"),
        ("exercises", {}, "another meaning"),
        ("limits", {"file": "random.py"}, "not a name for a Python file"),
        ("limits", {"file": "../work.py"}, "not a name for a Python file"),
        ("limits", {"file": "work"}, "not a name for a Python file"),
        ("taken", {}, "already exists"),
        ("helper", {}, "already has a 'helper'"),
    ],
)
def test_a_stage_that_cannot_be_created_is_refused_and_changes_nothing(
    course: Path, stage: str, options: dict[str, str], told: str
) -> None:
    (course / "taken").mkdir()
    for folder in ("exercises", "solutions"):
        with (course / folder / "work.py").open("a", encoding="utf-8") as file:
            file.write("\n\ndef helper():\n    return 1\n")
    before = contents(course)
    with pytest.raises(UsageError) as refused:
        write_stage(course, stage, **options)
    assert told in refused.value.message
    assert refused.value.hint
    assert contents(course) == before


def test_a_folder_that_is_no_course_of_the_author_s_is_left_alone(tmp_path: Path) -> None:
    installed = tmp_path / "lib" / "site-packages" / "grader" / "course"
    shutil.copytree(EXAMPLE, installed)
    for folder, told in ((tmp_path, "but other files"), (installed, "installed course cannot be")):
        before = contents(folder)
        with pytest.raises(UsageError, match=told):
            write_stage(folder, "limits")
        assert contents(folder) == before


# --- what can be wrong with a folder ---


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        (
            "sums/stage.toml",
            "return 2 * x",
            "return 3 * x",
            r"solutions with the code of the hints, seed 20: sums\.twice failed",
        ),
        (
            "sums/stage.toml",
            "return 2 * x",
            "def sums(x):",
            r"the code hint about 'sums' is not Python: line 1.*write the body",
        ),
        (
            "sums/mistakes.toml",
            "return 2 + x",
            "return x + x",
            r"^sums\.two-added: first caught by nothing$",
        ),
    ],
)
def test_a_promise_that_is_not_kept_is_a_problem(
    course: Path, file: str, old: str, new: str, problem: str
) -> None:
    edit(course / file, old, new)
    try:
        found = checked(course, seeds=SEEDS[:1]).problems
    except CourseError as error:
        found = (f"{error.message}; {error.hint}",)
    assert any(re.search(problem, each) for each in found), found


def problems(folder: Path) -> list[str]:
    """What is said of the files of a course, before anything is graded."""
    try:
        course = load_course(folder)
        return [*check_files(course), *check_mirror(course)]
    except GraderError as error:
        return [f"{error.message}; {error.hint}" if error.hint else "no hint"]


def changing(file: str, old: str, new: str) -> Callable[[Path], None]:
    return lambda folder: edit(folder / file, old, new)


def without(file: str) -> Callable[[Path], None]:
    return lambda folder: (folder / file).unlink()


def renaming_the_vocabulary(folder: Path) -> None:
    edit(folder / "course.toml", "vocabulary.py", "random.py")
    (folder / "vocabulary.py").rename(folder / "random.py")


def writing(file: str, text: str) -> Callable[[Path], None]:
    return lambda folder: touch(folder / file, text=text)


COURSE_TOML, STAGE_TOML, SUITE, FAULTY = (
    "course.toml",
    "sums/stage.toml",
    "sums/suite.py",
    "sums/mistakes.toml",
)
BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "no TOML": (
        changing(COURSE_TOML, 'title = "My', 'title = "My\n'),
        r"course\.toml is not valid TOML: .*line",
    ),
    "not a title": (
        changing(COURSE_TOML, "title =", "# title ="),
        r"course\.toml: the key 'title' is missing; add title, which must be a string",
    ),
    "a key misspelt": (
        changing(COURSE_TOML, "title =", "titel ="),
        r"course\.toml: there is no key 'titel'; did you mean title\? the keys are ",
    ),
    "a title that is a number": (
        changing(COURSE_TOML, 'title = "My course"', "title = 3"),
        r"'title' is 3; it must be a string",
    ),
    "no stages": (
        changing(COURSE_TOML, '["sums"]', "[]"),
        r"course\.toml: 'stages' is empty; it must be a list of strings",
    ),
    "a stage listed twice": (
        changing(COURSE_TOML, '["sums"]', '["sums", "sums"]'),
        r"course\.toml: 'stages' lists a stage twice; list the folders",
    ),
    "a stage that is no list": (
        changing(COURSE_TOML, '["sums"]', '"sums"'),
        r"""'stages' is "sums"; it must be a list of strings""",
    ),
    "a stage that is a number": (
        changing(COURSE_TOML, '["sums"]', "[1]"),
        r"'stages' is \[1\]; it must be a list of strings",
    ),
    "a stage that is not there": (
        changing(COURSE_TOML, '["sums"]', '["sums", "more"]'),
        r"there is no .*more/stage\.toml; write it, or remove more from",
    ),
    "a stage called all": (
        changing(COURSE_TOML, '["sums"]', '["all"]'),
        r"lists 'all', but that word stands for several stages",
    ),
    "half a graph": (
        changing(COURSE_TOML, "# [checklist]", '[graph]\nmake = "work.Node"\n# [checklist]'),
        r"\[graph\]: the key 'data' is missing",
    ),
    "a graph that is a text": (
        changing(COURSE_TOML, "stages =", 'graph = "Node"\nstages ='),
        r"""\[graph\] is "Node"; it must be a table""",
    ),
    "a checklist of numbers": (
        changing(COURSE_TOML, "# [checklist]", "[checklist]\nfirst = 1\n#"),
        r"\[checklist\]: 'first' is 1; it must be a string",
    ),
    "no vocabulary": (
        without("vocabulary.py"),
        r"there is no .*vocabulary\.py; create it, empty or with the fixtures",
    ),
    "a vocabulary called as Python's": (
        renaming_the_vocabulary,
        r"random\.py: Python has its own module of that name, so rename it",
    ),
    "shared, and not there": (
        changing(COURSE_TOML, "# shared", "shared"),
        r"lists 'helpers\.py', which does not exist",
    ),
    "an unknown file": (
        writing("notes.txt", "mine"),
        r"unexpected file: .*notes\.txt; if suites import it, list it under shared in course\.toml",
    ),
    "an unknown file in a stage": (
        writing("sums/notes.txt", "mine"),
        r"unexpected file: .*sums/notes\.txt",
    ),
    "an unknown exercise": (
        writing("exercises/more.py", ""),
        r"unexpected file: .*exercises/more\.py; no stage names it",
    ),
    "no suite": (without(SUITE), r"there is no .*sums/suite\.py; write the hidden suite"),
    "a suite that is no Python": (
        changing(SUITE, "def test_twice", "def test twice"),
        r"sums/suite\.py is not valid Python: line \d+",
    ),
    "a test that is not listed": (
        changing(
            SUITE, "def test_twice", 'def test_more() -> None:\n    """More"""\n\n\ndef test_twice'
        ),
        r"test_more is not a checkpoint; there must be .* a \[\[checkpoint\]\] 'more'",
    ),
    "a checkpoint without a test": (
        changing(SUITE, "def test_twice", "def twice"),
        r"suite\.py: there is no test_twice; there must be a test_twice in suite\.py and a",
    ),
    "a test without a title": (
        changing(SUITE, '    """`sums(3.0)` is 6.0"""\n', ""),
        r"has no function test_twice with a docstring",
    ),
    "a title that is too long": (
        changing(SUITE, "`sums(3.0)` is 6.0", "`sums`" + "x" * 57),
        r"sums\.twice: the title is longer than 60 characters: `sums`x",
    ),
    "no file": (
        changing(STAGE_TOML, "file =", "# file ="),
        r"stage\.toml: the key 'file' is missing",
    ),
    "a file that is no module": (
        changing(STAGE_TOML, '"work.py"', '"my work.py"'),
        r"stage\.toml: 'file' is .my work\.py.",
    ),
    "points in words": (
        changing(STAGE_TOML, "points = 1", 'points = "1"'),
        r"""stage\.toml: \[\[checkpoint\]\] 'twice': 'points' is "1"; it must be a whole number""",
    ),
    "points below zero": (
        changing(STAGE_TOML, "points = 1", "points = -1"),
        r"'points' is -1; it must be a whole number, 0 or more",
    ),
    "points that are true": (
        changing(STAGE_TOML, "points = 1", "points = true"),
        r"'points' is true; it must be a whole number",
    ),
    "no points": (
        changing(STAGE_TOML, "points = 1", ""),
        r"\[\[checkpoint\]\] 'twice': the key 'points' is missing",
    ),
    "a package that is none": (
        changing(STAGE_TOML, "minutes =", 'packages = ["os"]\nminutes ='),
        r"stage\.toml: 'packages': .*os",
    ),
    "no methods": (
        changing(STAGE_TOML, "methods =", "# methods ="),
        r"\[\[checkpoint\]\] 'twice': the key 'methods' is missing",
    ),
    "no id": (
        changing(STAGE_TOML, 'id = "twice"', ""),
        r"\[\[checkpoint\]\] number 1: the key 'id' is missing",
    ),
    "an id with a blank": (
        changing(STAGE_TOML, '"twice"', '"Twice this"'),
        r"""'id' is "Twice this"; it must be lowercase letters""",
    ),
    "a checkpoint listed twice": (
        changing(
            STAGE_TOML,
            "[hints.",
            '[[checkpoint]]\nid = "twice"\npoints = 1\nmethods = ["sums"]\n[hints.',
        ),
        r"\[\[checkpoint\]\] 'twice' is there twice",
    ),
    "no checkpoint": (
        changing(STAGE_TOML, "[[checkpoint]]", "[checkpoint]"),
        r"there is no \[\[checkpoint\]\]",
    ),
    "a method that is nowhere": (
        changing(STAGE_TOML, 'methods = ["sums"]', 'methods = ["sum"]'),
        r"stage\.toml: there are no hints about 'sum'",
    ),
    "a hint level missing": (
        changing(STAGE_TOML, "direction =", "# direction ="),
        r"stage\.toml: \[hints\]: \[sums\]: the key 'direction' is missing",
    ),
    "a hint level too many": (
        changing(STAGE_TOML, "direction =", 'solution = "?"\ndirection ='),
        r"\[hints\]: \[sums\]: there is no key 'solution'; the keys are idea, direction",
    ),
    "no hints": (
        changing(STAGE_TOML, "[hints.sums]", "[hint]"),
        r"there is no key 'hint'; did you mean hints\?",
    ),
    "a function without hints": (
        changing(STAGE_TOML, "[hints.sums]", "[hints.sum]"),
        r"stage\.toml: there are no hints about 'sums'; write a table \[hints\.\"sums\"\]",
    ),
    "hints about another function": (
        changing(STAGE_TOML, "[hints.sums]", "[hints.sum]"),
        r"there are hints about 'sum', which this stage does not introduce",
    ),
    "an empty hint": (
        changing(STAGE_TOML, '"One operator is enough."', '""'),
        r"\[hints\]: \[sums\]: 'direction' is empty",
    ),
    "an item without a text": (
        changing(STAGE_TOML, "points = 1", 'points = 1\nchecklist = ["nothing"]'),
        r"the checklist item 'nothing' needs a text in course\.toml and a checkpoint",
    ),
    "a mistake that nothing must catch": (
        changing(FAULTY, '["twice"]', "[]"),
        r"mistakes\.toml: \[two-added\]: 'caught_by' is empty; it must be a list of strings",
    ),
    "a list that is a text": (
        changing(FAULTY, '["twice"]', '"twice"'),
        r"""\[two-added\]: 'caught_by' is "twice"; it must be a list of strings""",
    ),
    "caught by nothing that there is": (
        changing(FAULTY, '"twice"', '"thrice"'),
        r"'caught_by' names 'sums\.thrice', which is not a checkpoint",
    ),
    "a mistake without a tutor": (
        changing(FAULTY, "tutor =", "# tutor ="),
        r"\[two-added\]: the key 'tutor' is missing",
    ),
    "a mistake without an edit": (
        changing(FAULTY, 'in = "sums"\nold = "return 2 * x"\nnew = "return 2 + x"\n', ""),
        r"\[two-added\]: nothing is changed; write in, old and new, or delete",
    ),
    "a mistake that is no Python": (
        changing(FAULTY, "return 2 + x", "return 2 +"),
        r"\[two-added\]: not Python: .*line",
    ),
    "a mistake in what the solution does not say": (
        changing(FAULTY, "return 2 * x", "return x * 2"),
        r"\[two-added\]: 'old' occurs 0 times instead of once: return x \* 2; compare it with",
    ),
    "a mistake in two places": (
        changing(FAULTY, "return 2 * x", "x"),
        r"\[two-added\]: 'old' occurs 2 times instead of once: x; compare it with the solution",
    ),
    "a mistake in an unknown function": (
        changing(FAULTY, 'in = "sums"', 'in = "sum"'),
        r"\[two-added\]: there is no function 'sum' to edit",
    ),
    "a method of a class that is nowhere": (
        changing(FAULTY, 'in = "sums"\nold = "return 2 * x"', 'in = "Node.twice"'),
        r"\[two-added\]: there is no class 'Node'",
    ),
    "nothing to delete": (
        changing(FAULTY, "caught_by", 'delete = ["more"]\ncaught_by'),
        r"there is no 'more' to delete",
    ),
    "a solution that lacks a function": (
        changing("solutions/work.py", "def sums", "def more"),
        r"work\.py: exercises and solutions differ in functions or in their order: more, sums",
    ),
    "a solution with other arguments": (
        changing("solutions/work.py", "def sums(x)", "def sums(y)"),
        r"sums has different arguments in the solution",
    ),
    "a stub without a docstring": (
        writing("exercises/work.py", 'def sums(x):\n    raise NotImplementedError("sums: sums")\n'),
        r"work\.py: sums has no docstring",
    ),
    "no solution": (
        without("solutions/work.py"),
        r"there is no .*solutions/work\.py, although a stage names it",
    ),
    "no exercises": (
        lambda folder: shutil.rmtree(folder / "exercises"),
        r"there is no .*exercises/work\.py",
    ),
    "an exercise that is no Python": (
        changing("exercises/work.py", "def sums(x):", "def sums(x)"),
        r"exercises/work\.py is not valid Python: line",
    ),
    "an exercise that is no UTF-8": (
        lambda folder: (folder / "exercises/work.py").write_bytes(b"# caf\xe9\n"),
        r"work\.py cannot be read: .*UTF-8",
    ),
    "a quiz with an unknown phase": (
        writing(
            "quiz.toml",
            "[[question]]\n"
            'id = "q"\n'
            'phase = "phase9"\n'
            "level = 1\n"
            'checklist = "x"\n'
            'text = "?"\n'
            'explanation = "!"\n'
            'right = "1"\n'
            'wrong = ["2", "3", "4"]\n',
        ),
        r"quiz\.toml: q: the course has no phase 'phase9'",
    ),
    "a quiz of nothing": (
        writing("quiz.toml", "question = 3\n"),
        r"quiz\.toml: there is no \[\[question\]\]",
    ),
}


@pytest.mark.parametrize(("breaks", "told"), BROKEN.values(), ids=BROKEN)
def test_every_fault_of_a_folder_is_reported_with_its_place(
    course: Path, breaks: Callable[[Path], object], told: str
) -> None:
    assert problems(course) == []
    breaks(course)
    found = problems(course)
    assert any(re.search(told, problem) for problem in found), found


# --- what is wrong when the suites run ---


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            SUITE,
            "from vocabulary import Learner",
            "from vocabulary import Learner\nfrom helpers import more",
            r"cannot be imported: ModuleNotFoundError: No module named 'helpers' \(line 9 of",
        ),
        (
            "vocabulary.py",
            "class Learner",
            "nothing = 1 / 0\n\n\nclass Learner",
            r"vocabulary\.py cannot be imported: ZeroDivisionError: division by zero \(line 9 of",
        ),
    ],
)
def test_a_file_that_cannot_be_imported_is_reported_with_its_line(
    course: Path, file: str, old: str, new: str, message: str
) -> None:
    edit(course / file, old, new)
    with pytest.raises(CourseError, match=message):
        verdicts(course)


EXPECT = "learner.expect("


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("2 * number", "2 * nubmer", r"NameError: name 'nubmer' is not defined \(line \d+ of .*"),
        ("learner: Learner", "learner: Learner, pupil", r"'pupil'"),
        (EXPECT, "assert y == 2", r"AssertionError \(line \d+ of .*py\): the course is at fault"),
        (
            EXPECT,
            "learner.builtin('eval', y)",
            r"builtin\(\) knows .*, and not 'eval' \(line \d+ of",
        ),
        (
            EXPECT,
            "learner.expect(y.reading(), {})",
            r"expect cannot compare a dict; .* \(line \d+ of",
        ),
        (EXPECT, "learner.expect(y.call('upper'), 'A')", r"got a Ref; .* with learner\.symbol\("),
        (
            EXPECT,
            "learner.expect(y, 6.0)",
            r"needs a reading and got a Symbol; write .*\.reading\(\)",
        ),
        (EXPECT, "learner.read([6.0])", r"needs a reading and got a float"),
    ],
)
def test_the_courses_mistakes_have_a_line_and_blame_no_learner(
    course: Path, old: str, new: str, complaint: str
) -> None:
    edit(course / SUITE, old, f"{new}; {old}" if old == EXPECT else new)
    mine = load_course(course)
    (result,) = grade(mine.solutions, course=mine).checkpoints
    assert result.verdict is Verdict.ERROR
    assert re.search(complaint, result.message)
