"""The course for other places: each export is tried where it would be used, as far as that can be
built here.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.authoring.export import gradescope
from grader.authoring.leaks import find_bodies, find_leaks
from grader.authoring.student_kit import student
from grader.curriculum.load import load_course
from grader.curriculum.private import with_suites
from grader.errors import CourseError
from support import EXAMPLE, ROOT, changed, hand_in, kit_folder, tells
from support.command import run
from support.grading import COURSE
from support.private import write_suites

pytestmark = pytest.mark.slow

FILES = {file: (kit_folder("exercises") / file).read_bytes() for file in COURSE.files}
WRONG = changed(("self.grad += out.grad", "self.grad = out.grad"))


def moved(script: str, folder: Path) -> str:
    """Give the script with its absolute paths inside another folder, each of them in quotes."""
    return re.sub(
        r'("?)(/(?:autograder|grade|grader|tmp)\b[\w/.]*)"?',
        lambda match: f'"{folder}{match[2]}"',
        script,
    )


# the keys that Gradescope documents
_BOTH = {"score", "visibility", "output", "output_format", "extra_data"}
RESULTS = _BOTH | {
    *("execution_time", "test_output_format", "test_name_format", "stdout_visibility"),
    *("tests", "leaderboard"),
}
TEST = _BOTH | {"max_score", "status", "name", "name_format", "number", "tags"}


@pytest.mark.skipif(os.name != "posix", reason="Gradescope runs Linux")
def test_the_autograder_grades_in_a_tree_like_gradescope_s(tmp_path: Path) -> None:
    autograder = tmp_path / "autograder"
    source, submission = autograder / "source", autograder / "submission"
    file = autograder / "results" / "results.json"
    for folder in (tmp_path / "tmp", submission, file.parent):
        folder.mkdir(parents=True)
    course = with_suites(COURSE, write_suites(tmp_path / "private"))
    with zipfile.ZipFile(io.BytesIO(gradescope(course, "1-2", 1, 7))) as archive:
        archive.extractall(source)
        names = archive.namelist()
    assert {"setup.sh", "run_autograder", "requirements.txt"} <= {*names}
    assert not [name for name in names if "__pycache__" in name or ".grade" in name]
    script = moved((source / "run_autograder").read_text(encoding="utf-8"), tmp_path).replace(
        f'"{autograder}/venv/bin/python"', shlex.quote(sys.executable)
    )

    def graded(code: int = 0, instead: tuple[str, str] = ("", "")) -> tuple[dict[str, Any], str]:
        file.unlink(missing_ok=True)  # as in the next container
        command = ["bash", "-c", script.replace(*instead)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return json.loads(file.read_text(encoding="utf-8")), done.stdout

    hand_in(submission, WRONG)
    results, _ = graded()
    assert {*results} <= RESULTS
    assert {*chain(*results["tests"])} <= TEST
    assert (0 < results["score"] < 18, "seed" in results["output"]) == (True, False)
    tests = {test["number"]: test for test in results["tests"] if "number" in test}
    hidden = {id: t["visibility"] for id, t in tests.items() if t["visibility"] != "visible"}
    assert hidden == {"phase2.large": "hidden", "phase2.zero": "after_due_date"}
    first = next(test for test in results["tests"] if test["status"] == "failed")
    assert "gives 11.0, should give 16.0" in first["output"]
    assert sum(test.get("max_score", 0) for test in results["tests"]) == 20
    (submission / "engine.py").unlink()
    results, _ = graded()
    assert (results["score"], "no engine.py" in results["output"]) == (0, True)
    for of_ours in (("1-2", "no-such-phase"), (shlex.quote(sys.executable), "no-python")):
        results, _ = graded(code=1, instead=of_ours)
        assert not {"score", "tests"} & {*results}
    broken = source / "suites" / "phase2" / "suite.py"
    broken.write_text("import nothing_of_that_name\n", encoding="utf-8")
    results, printed = graded(code=1)
    assert not {"score", "tests"} & {*results}
    assert "suite.py" in printed
    assert re.search("it is not your fault(?!.*suite)", results["output"], re.DOTALL)


@pytest.mark.skipif(os.name != "posix", reason="PrairieLearn runs Linux")
def test_the_entry_point_for_prairielearn_grades_in_a_tree_like_its_own(tmp_path: Path) -> None:
    document = (ROOT / "docs" / "class.md").read_text(encoding="utf-8")
    script = moved(document.partition("```bash\n")[2].partition("```")[0], tmp_path).replace(
        "grade all", f"{shlex.quote(sys.executable)} -m grader 1-2", 1
    )
    write_suites(tmp_path / "grader" / "suites")
    (tmp_path / "grade" / "student").mkdir(parents=True)
    (tmp_path / "tmp").mkdir()
    results = tmp_path / "grade" / "results" / "results.json"
    subprocess.run(["bash", "-c", script], check=True)
    assert "no engine.py" in json.loads(results.read_text(encoding="utf-8"))["format_errors"]
    for source, gradable, score in ((changed(), True, 1.0), ("class Value(:\n", False, 0.0)):
        hand_in(tmp_path / "grade" / "student", source)
        subprocess.run(["bash", "-c", script], check=False)
        found = json.loads(results.read_text(encoding="utf-8"))
        assert (found["gradable"], found["score"]) == (gradable, score)


@pytest.mark.parametrize(("phases", "numpy"), [("all", False), ("all ext4", True)])
def test_the_autograder_installs_on_python_3_10(phases: str, numpy: bool) -> None:
    packed = gradescope(COURSE, phases, 1, None)
    assert packed == gradescope(COURSE, phases, 1, None)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        lines = archive.read("requirements.txt").decode().splitlines()
        script = archive.read("run_autograder").decode()
    assert {"click>=8.2", "hypothesis>=6.100"} < {*lines}
    assert any(line.startswith("numpy") for line in lines) == numpy
    assert not [line for line in lines if "==" in line]
    assert "--require-isolation 1 --isolate > $results" in script
    assert any(line.startswith("tomli") and "python_version" in line for line in lines)


def test_the_workflow_is_yaml_that_grades(tmp_path: Path) -> None:
    file, kit = tmp_path / "w" / "grade.yml", "git+https://example.org/kit"
    assert (
        run("export", "github", str(file), "--phases", "1-4", "--requirement", kit).returncode == 0
    )
    workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
    install, grading, summary = [
        step for step in workflow["jobs"]["run-autograding-tests"]["steps"] if "run" in step
    ]
    assert install["run"] == f'python -m pip install "{kit}"'
    assert grading["run"] == "grade 1-4 --at . --format github --require-isolation 1 --isolate"
    assert summary["run"].startswith("grade 1-4 --at . --format markdown --isolate")
    together = run("export", "github", str(file), "--requirement", kit, "--together")
    assert (together.returncode, "--isolate" in file.read_text(encoding="utf-8")) == (0, False)
    assert summary["if"] == "always()"
    assert workflow["permissions"] == {"contents": "read"}
    assert "grade export student" in run("export", "github", str(file)).stdout  # by default
    installs = 'run: python -m pip install "./kit"'
    tells(file.read_text(encoding="utf-8"), installs, hides=["--isolate"])


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit for learners, as they unpack it."""
    folder = tmp_path_factory.mktemp("kit")
    assert run("export", "student", str(folder / "for-learners.zip")).returncode == 0
    with zipfile.ZipFile(folder / "for-learners.zip") as archive:
        archive.extractall(folder)
    return folder / "for-learners"


def in_kit(kit: Path, *args: str, code: int = 0) -> str:
    """Return what `grade` of the kit prints."""
    done = subprocess.run(
        [sys.executable, "-m", "grader", *args],
        cwd=kit,
        env={**os.environ, "PYTHONPATH": str(kit / "kit"), "COLUMNS": "250"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_learners_get_a_kit_without_solutions(kit: Path) -> None:
    files = {str(file.relative_to(kit)): file.read_bytes() for file in kit.rglob("*.*")}
    assert {*COURSE.files, "README.md"} <= {*files}
    assert not [name for name in files if name.endswith("mistakes.toml") or "solutions" in name]
    assert not list(find_bodies(COURSE, files))
    assert "python -m pip install ./kit" in files["README.md"].decode()
    assert b'grade = "grader.__main__:main"' in files["kit/pyproject.toml"]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("phase2 --at .", 1, r"in\s+Value\.__add__\s.*overwrites\s+the\s+gradient"),
        ("hint Value.__add__", 0, "1 of 3"),
        ("hint Value.__add__ --all", 0, "3 of 3"),
        ("", 0, r"Value\.__init__"),
        *(
            (words, 2, "this copy of the course has no solutions")
            for words in (
                *("solution phase1 --spoil", "init new --phase phase2 --with-solutions"),
                *("all --at . --isolate", "all --at . --swap 1", "class .", "export gradescope"),
            )
        ),
    ],
)
def test_a_kit_without_solutions_grades_gives_hints_and_says_what_needs_them(
    kit: Path, tmp_path: Path, words: str, code: int, told: str
) -> None:
    wrong = str(hand_in(tmp_path, WRONG))
    words = words.replace("phase2 --at .", f"phase2 --at {wrong}")
    assert re.search(told, in_kit(kit, *words.split(), code=code), re.DOTALL)


def test_an_author_may_allow_solutions(tmp_path: Path) -> None:
    example = str(EXAMPLE)
    for name, options in (("without", ()), ("with", ("--with-solutions",))):
        where = str(tmp_path / name)
        assert run("export", "student", where, "--course", example, *options).returncode == 0
    assert "self.value = value" in in_kit(tmp_path / "with", "solution", "phase1", "--spoil")
    course = load_course(tmp_path / "without" / "kit" / "grader" / "course")
    assert course.title == load_course(Path(example)).title
    assert not any(stage.faulty for stage in course.stages)
    assert "already" in run("export", "student", str(tmp_path / "with")).stderr


def test_a_course_that_holds_a_solution_is_not_exported(tmp_path: Path) -> None:
    course = tmp_path / "course"
    shutil.copytree(EXAMPLE, course)
    with (course / "phase1" / "suite.py").open("a", encoding="utf-8") as suite:
        suite.write("\n\ndef slope_of(f, x):\n    y = f(Dual(x, 1.0))\n")
        suite.write("    return y.slope if isinstance(y, Dual) else 0.0  # as is right\n")
    with pytest.raises(CourseError, match=r"phase1/suite.py: the body of derivative in dual.py"):
        student(load_course(course))


@pytest.mark.parametrize(
    "planted",
    [
        pytest.param(
            (
                "engine.py",
                b'        raise NotImplementedError("phase 2: Value.__add__")',
                b"        return self",
            ),
            id="a stub that is written",
        ),
        pytest.param(
            ("engine.py", b"class Value:", b"# self._prev = set(_children)\nclass Value:"),
            id="a line in a comment",
        ),
        pytest.param(
            (
                "nn.py",
                b'"""',
                (
                    b'"""\n    total = self.b\n    for wi, xi in zip(self.w, x):\n        total ='
                    b" total + wi * xi\n"
                ),
            ),
            id="lines in a docstring",
        ),
    ],
)
def test_a_planted_leak_is_found(planted: tuple[str, bytes, bytes]) -> None:
    file, old, new = planted
    assert old in FILES[file]
    assert list(find_leaks(COURSE, {**FILES, file: FILES[file].replace(old, new, 1)}))


def test_learners_get_nothing_of_private_suites(tmp_path: Path) -> None:
    course = with_suites(COURSE, write_suites(tmp_path))
    assert student(course) == student(COURSE)
    planted = (
        FILES["engine.py"]
        + b"\n# c = a + b  # learner.send_back(c, 7.0, a, b)\n# learner.send_back(c, 7.0, a, b)\n"
    )
    assert not list(find_leaks(COURSE, {"engine.py": planted}))
    assert "suite.py" in next(find_leaks(course, {"engine.py": planted}))
