"""Private suites: more checkpoints on top of a course, which replace nothing, and which learners
read nothing of.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from grader import grade
from grader.authoring.check import Audit, audit
from grader.authoring.scaffold import write_stage
from grader.classroom.grading import course_digest
from grader.curriculum.load import load_course
from grader.curriculum.private import load_course_with, with_suites
from grader.errors import GraderError
from grader.judge.grade import Request, grade_request, select
from grader.model import Report, Visibility
from grader.views.json import from_json, to_json
from grader.views.prairielearn import to_prairielearn
from support import EXAMPLE, changed, hand_in, put
from support.command import run
from support.grading import COURSE
from support.private import ENGINE, write_suites
from support.story import edit

pytestmark = pytest.mark.slow

SECRETS = ("123456", "654321", "phase2.large", "phase2.zero", "7401", "1000.0")


def options(folder: Path) -> list[str]:
    return ["2", "--at", str(folder / "in" / "ada"), "--suites", str(folder / "suites")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Private suites, and beside them a class of one whose engine fails nothing else."""
    folder = tmp_path_factory.mktemp("private")
    write_suites(folder / "suites")
    hand_in(folder / "in" / "ada", changed(ENGINE))
    return folder


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return grade(folder / "in" / "ada", ["2"], course=with_suites(COURSE, folder / "suites"))


# --- on top of a course ---


def append(name: str, text: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        file = folder / "phase2" / name
        file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")

    return change


def in_stage(old: str, new: str) -> Callable[[Path], None]:
    return lambda folder: edit(folder / "phase2" / "stage.toml", old, new)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param(
            in_stage('"large"', '"forward"'),
            "there is no test_forward",
            id="a checkpoint of the course",
        ),
        pytest.param(
            append("suite.py", 'def test_forward(learner):\n    """Nothing"""\n'),
            "test_forward is not a checkpoint",
            id="a test of the course",
        ),
        pytest.param(
            in_stage('"large"', '"huge"'), "there is no test_huge", id="a checkpoint without a test"
        ),
        pytest.param(in_stage("points = 3", 'points = "3"'), "'points' is .3.", id="points"),
        pytest.param(in_stage("points = 3", "points = 3\nneeds = 3"), "'needs' is 3", id="needs"),
        pytest.param(
            in_stage("points = 3", 'points = 3\nproves = ["+"]'),
            "no key 'proves'",
            id="what nobody sees proves nothing",
        ),
        pytest.param(
            in_stage("after_due_date", "later"), "'visibility' is .later.", id="visibility"
        ),
        pytest.param(append("stage.toml", '[hints]\nidea = "x"\n'), "no key 'hints'", id="hints"),
        pytest.param(
            append("suite.py", "def test_(:\n"), "is not valid Python", id="a syntax error"
        ),
        pytest.param(
            lambda folder: (folder / "phase2").rename(folder / "phase99"),
            "no stage 'phase99'",
            id="an unknown stage",
        ),
        pytest.param(
            lambda folder: shutil.rmtree(folder / "phase2"), "no private suite", id="nothing"
        ),
        pytest.param(
            lambda folder: (folder / "phase3").mkdir(),
            "there is no .*stage.toml",
            id="an empty folder",
        ),
        pytest.param(shutil.rmtree, "no private suite", id="no folder"),
    ],
)
def test_a_suite_that_contradicts_the_course_is_refused(
    tmp_path: Path, change: Callable[[Path], None], told: str
) -> None:
    folder = write_suites(tmp_path / "suites")
    change(folder)
    with pytest.raises(GraderError, match=told):
        with_suites(COURSE, folder)


def test_a_changed_suite_is_another_course(folder: Path, tmp_path: Path) -> None:
    other = write_suites(tmp_path / "suites")
    same = course_digest(with_suites(COURSE, other))
    assert same == course_digest(with_suites(COURSE, folder / "suites")) != course_digest(COURSE)
    append("suite.py", "# changed\n")(other)
    assert course_digest(with_suites(COURSE, other)) != same


def test_dev_check_proves_them(tmp_path: Path) -> None:
    write_stage(tmp_path / "mine", "sums")
    suite = (tmp_path / "mine" / "sums" / "suite.py").read_text(encoding="utf-8")
    suite = suite.replace("test_twice", "test_big").replace("3.0, -1.5, 0.0", "1000.0, 1e6")
    files = {
        "stage.toml": '[[checkpoint]]\nid = "big"\npoints = 1\nmethods = ["sums"]\n',
        "suite.py": suite.replace("`sums(3.0)` is 6.0", "Big ones"),
        "mistakes.toml": "".join(
            f'[{name}]\ntitle = "Cut."\ntutor = "Too early."\ncaught_by = ["big"]\n'
            f'in = "sums"\nold = "2 * x"\nnew = "min(2 * x, {most})"\n'
            for name, most in (("cut", "500.0"), ("cut-off", "1e9"))
        ),
        "notes.txt": "",
    }
    stage = put(tmp_path / "private" / "sums", files)
    assert [problem.partition(":")[0] for problem in checked(tmp_path).problems] == [
        "unexpected file"
    ]
    (stage / "notes.txt").unlink()
    found = checked(tmp_path)
    assert found.problems[0] == "sums.cut-off: first caught by nothing"
    assert {entry.faulty.id: entry.failed for entry in found.caught} == {
        "sums.two-added": ("sums.twice",),
        "sums.cut": ("sums.big",),
        "sums.cut-off": (),
    }


def checked(folder: Path) -> Audit:
    return audit(load_course_with(folder / "mine", folder / "private"), jobs=1, tell=lambda _: None)


# --- what learners read ---


@pytest.mark.parametrize("form", ["text", "json", "html", "junit", "markdown", "github"])
def test_reports_leave_out_what_learners_do_not_see(
    folder: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADE_SECRET_SEED", "7401")
    assert run(*options(folder), "--format", form, "--output", folder / form).returncode == 0
    text = (folder / form).read_text(encoding="utf-8")
    assert not [secret for secret in SECRETS if secret in text]
    if form not in {"github", "text"}:  # which have failures alone
        assert "passes its gradient" in text


def test_prairielearn_counts_everything_and_shows_what_is_visible(report: Report) -> None:
    results = json.loads(to_prairielearn(report))
    assert results["score"] == pytest.approx(report.score / report.max_score)
    assert results["score"] < 1
    assert len(results["tests"]) == len(report.checkpoints) - 2
    assert not [secret for secret in SECRETS if secret in to_prairielearn(report)]
    failed = json.loads(to_prairielearn(report, Visibility.HIDDEN))["tests"][-2]
    assert (failed["points"], failed["max_points"]) == (0, 3)
    assert "is 1000.0, and should be 123453.0" in failed["message"]
    assert "print(c.data)  # gives 1000.0, should give 123453.0" in failed["output"]


def test_nothing_of_them_is_shown_on_the_way(folder: Path) -> None:
    told: list[str] = []
    course = with_suites(COURSE, folder / "suites")
    grade_request(folder / "in" / "ada", Request(course, select(course, ["2"]), tell=told.append))
    assert len(told) >= len(COURSE.stage("phase2").checkpoints)
    assert not [title for title in told if "Sums" in title]
    assert "nothing to open" in run(*options(folder), "--open").stderr


def test_points_are_those_of_what_is_shown(report: Report) -> None:
    shown = report.revealed()
    assert shown.score == shown.max_score == report.max_score - 4
    assert shown.exit_code == 0
    assert "more checkpoints" in shown.notes[-1]
    assert report.revealed(Visibility.HIDDEN) is report
    assert report.revealed(Visibility.AFTER_DUE_DATE).max_score == report.max_score - 3
    assert (
        from_json(to_json(report)).revealed().checkpoints == from_json(to_json(shown)).checkpoints
    )


def test_a_hidden_checkpoint_blocks_no_visible_one(tmp_path: Path) -> None:
    course = tmp_path / "course"
    shutil.copytree(EXAMPLE, course, ignore=shutil.ignore_patterns("__pycache__"))
    work = course / "solutions" / "dual.py"
    edit(work, "self.slope + other.slope", "self.slope - other.slope")
    blocked = {
        result.id: result.blocked_by
        for result in grade(work, ["1"], course=load_course(course)).checkpoints
    }
    assert blocked["phase1.expressions"] == "phase1.plus"
    plus = 'id = "plus"\n'
    edit(course / "phase1" / "stage.toml", plus, f'{plus}visibility = "hidden"\n')
    shown = grade(work, ["1"], course=load_course(course)).revealed()
    assert not [
        result
        for result in shown.checkpoints
        if "phase1.plus" in result.blocked_by + result.message
    ]
