"""The course for other places: each export is tried where it would be used, as far as that can be
built here.
"""

from __future__ import annotations

import importlib.metadata
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from click.testing import CliRunner, Result

from grader import __version__
from grader.authoring.export import find_leaks, github, gradescope, student
from grader.cli.group import commands
from grader.curriculum.load import load_course
from grader.curriculum.private import with_suites
from grader.errors import CourseError, UsageError
from support import ROOT, kit_folder
from support.private import write_suites

pytestmark = pytest.mark.slow

COURSE = load_course()
FILES = {file: (kit_folder("exercises") / file).read_bytes() for file in COURSE.files}
SOLUTION = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")


def command(*args: str) -> Result:
    return CliRunner().invoke(commands, ["export", *args], standalone_mode=False)


@pytest.mark.skipif(os.name != "posix", reason="Gradescope runs Linux")
def test_the_autograder_grades_in_a_tree_like_gradescope_s(tmp_path: Path) -> None:
    autograder = tmp_path / "autograder"
    source = autograder / "source"
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as _:
        pass
    (tmp_path / "a.zip").write_bytes(
        gradescope(with_suites(COURSE, write_suites(tmp_path / "private")), "1-2", 1, 7)
    )
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(source)
        assert {"setup.sh", "run_autograder", "requirements.txt"} <= {*archive.namelist()}
        assert not [
            name for name in archive.namelist() if "__pycache__" in name or ".grade" in name
        ]
    (autograder / "results").mkdir()
    (autograder / "submission").mkdir()
    (autograder / "submission" / "engine.py").write_text(
        SOLUTION.replace("self.grad += out.grad", "self.grad = out.grad", 1), encoding="utf-8"
    )
    (autograder / "venv" / "bin").mkdir(parents=True)
    (autograder / "venv" / "bin" / "python").symlink_to(sys.executable)
    script = (
        (source / "run_autograder")
        .read_text(encoding="utf-8")
        .replace("/autograder", str(autograder))
        .replace("/tmp/told", str(tmp_path / "told"))
    )
    script = script.replace(f"{autograder}/venv/bin/python", shlex.quote(sys.executable))
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    results = json.loads((autograder / "results" / "results.json").read_text(encoding="utf-8"))
    assert 0 < results["score"] < 18, done.stderr
    assert "seed" not in results["output"]
    assert {
        test["number"]: test["visibility"]
        for test in results["tests"]
        if test["visibility"] != "visible"
    } == {"phase2.large": "hidden", "phase2.zero": "after_due_date"}
    failed = [test for test in results["tests"] if test["status"] == "failed"]
    assert all(
        "known" in test["output"].lower() or "overwrites" in test["output"] for test in failed[:1]
    )
    assert sum(test.get("max_score", 0) for test in results["tests"]) == 20
    shutil.rmtree(autograder / "submission")
    (autograder / "submission").mkdir()
    (autograder / "results" / "results.json").unlink()  # as in the next container
    subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert (
        "no engine.py"
        in json.loads((autograder / "results" / "results.json").read_text(encoding="utf-8"))[
            "output"
        ]
    )
    (autograder / "results" / "results.json").unlink()
    (source / "suites" / "phase2" / "suite.py").write_text(
        "import nothing_of_that_name\n", encoding="utf-8"
    )
    broken = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert "suite.py" in broken.stdout
    assert "suite" not in (autograder / "results" / "results.json").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="PrairieLearn runs Linux")
def test_the_entry_point_for_prairielearn_grades_in_a_tree_like_its_own(tmp_path: Path) -> None:
    document = (ROOT / "docs" / "class.md").read_text(encoding="utf-8")
    script = (
        document.partition("```bash\n")[2]
        .partition("```")[0]
        .replace("grade all", f"{shlex.quote(sys.executable)} -m grader 1-2", 1)
    )
    for place in ("/grade/", "/grader/", "/tmp/told"):
        script = script.replace(f" {place}", f" {tmp_path}{place}").replace(
            f'"{place}', f'"{tmp_path}{place}'
        )
    write_suites(tmp_path / "grader" / "suites")
    (tmp_path / "grade" / "student").mkdir(parents=True)
    (tmp_path / "tmp").mkdir()
    results = tmp_path / "grade" / "results" / "results.json"
    subprocess.run(["bash", "-c", script], check=True)
    assert "no engine.py" in json.loads(results.read_text(encoding="utf-8"))["format_errors"]
    for source, gradable, score in ((SOLUTION, True, 1.0), ("class Value(:\n", False, 0.0)):
        (tmp_path / "grade" / "student" / "engine.py").write_text(source, encoding="utf-8")
        subprocess.run(["bash", "-c", script], check=False)
        found = json.loads(results.read_text(encoding="utf-8"))
        assert (found["gradable"], found["score"]) == (gradable, score)


@pytest.mark.parametrize(("phases", "numpy"), [("all", False), ("all ext4", True)])
def test_the_autograder_installs_on_python_3_10(phases: str, numpy: bool) -> None:
    with zipfile.ZipFile(io.BytesIO(gradescope(COURSE, phases, 1, None))) as archive:
        lines = archive.read("requirements.txt").decode().splitlines()
        run = archive.read("run_autograder").decode()
    assert {"click>=8.2", "hypothesis>=6.100"} < {*lines}
    assert any(line.startswith("numpy") for line in lines) == numpy
    assert not [line for line in lines if "==" in line]
    assert "--require-isolation 1 --isolate 2>" in run
    assert any(line.startswith("tomli") and "python_version" in line for line in lines)


def test_the_autograder_is_the_same_whenever_it_is_made() -> None:
    assert gradescope(COURSE, "all", 1, None) == gradescope(COURSE, "all", 1, None)


def test_the_workflow_is_yaml_that_grades(tmp_path: Path) -> None:
    file, kit = tmp_path / "w" / "grade.yml", "git+https://example.org/kit"
    run = command("github", str(file), "--phases", "1-4", "--requirement", kit)
    assert run.return_value == 0
    workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
    install, grading, summary = [
        step for step in workflow["jobs"]["grade"]["steps"] if "run" in step
    ]
    assert install["run"] == f'python -m pip install "{kit}"'
    assert grading["run"] == "grade 1-4 --at . --format github --require-isolation 1 --isolate"
    assert summary["run"].startswith("grade 1-4 --at . --format markdown --isolate")
    assert "--isolate" not in github("1-4", ".", 1, kit, isolate=False).decode()
    assert summary["if"] == "always()"
    assert workflow["permissions"] == {"contents": "read"}


@pytest.mark.parametrize(
    ("origin", "requirement"),
    [
        ("", f"autograd-kit=={__version__}"),
        (
            '{"url": "https://example.org/kit", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}}',
            "autograd-kit @ git+https://example.org/kit@c0ffee",
        ),
    ],
)
def test_the_workflow_installs_the_kit_from_where_this_one_came(
    origin: str, requirement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed_from(origin, monkeypatch)
    assert f'pip install "{requirement}"' in github("all", ".", 1).decode()


def test_a_kit_from_a_local_folder_makes_no_workflow_that_github_cannot_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installed_from('{"url": "file:///home/me/kit", "dir_info": {}}', monkeypatch)
    with pytest.raises(UsageError, match="which GitHub cannot reach") as refused:
        github("all", ".", 1)
    assert "--requirement" in refused.value.hint


def installed_from(origin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the installer's record of the kit say this."""
    record = SimpleNamespace(read_text=lambda _name: origin or None)
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _name: record)


def test_learners_get_the_exercises_and_no_answer(tmp_path: Path) -> None:
    assert command("student", str(tmp_path / "kit")).return_value == 0
    assert {file.name for file in (tmp_path / "kit").iterdir()} == {*COURSE.files, "README.md"}
    assert "already" in str(command("student", str(tmp_path / "kit")).exception)


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


def test_the_exercises_as_they_are_have_no_leak() -> None:
    assert not list(find_leaks(COURSE, FILES))
    assert student(COURSE)


def test_a_leak_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(COURSE), "exercises", property(lambda self: self.solutions))
    with pytest.raises(CourseError, match="give something away"):
        student(COURSE)


def test_learners_get_nothing_of_private_suites(tmp_path: Path) -> None:
    course = with_suites(COURSE, write_suites(tmp_path))
    assert student(course) == student(COURSE)
    planted = (
        FILES["engine.py"]
        + b"\n# c = a + b  # learner.send_back(c, 7.0, a, b)\n# learner.send_back(c, 7.0, a, b)\n"
    )
    assert not list(find_leaks(COURSE, {"engine.py": planted}))
    assert "suite.py" in next(find_leaks(course, {"engine.py": planted}))
