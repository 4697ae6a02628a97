"""The end of the course: a certificate whose numbers were counted, and a library that can be
imported.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli.finish import _lines_written
from grader.cli.group import commands
from grader.curriculum.load import load_course
from grader.errors import UsageError
from grader.intake.read import read_submission
from grader.intake.submission import File
from grader.learner.finishing.library import check_name, relative
from support import kit_folder

pytestmark = pytest.mark.slow


def finish(*args: str) -> Result:
    return CliRunner().invoke(commands, ["finish", *args], standalone_mode=False)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A learner's folder with everything finished; the current folder."""
    shutil.copytree(kit_folder("solutions"), tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_certificate_counts_the_work_and_the_library_can_be_imported(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    (home / "nn.py").write_text(
        (home / "nn.py").read_text(encoding="utf-8") + "\nimport helper\n", encoding="utf-8"
    )
    (home / "helper.py").write_text("import engine as e\nONE = e.Value(1.0)\n", encoding="utf-8")
    result = finish("--name", "Ada <b>", "--library", "adas_engine")
    assert result.return_value == 0, result.output
    assert max(map(len, result.stdout.splitlines())) <= 60
    library = home / "dist" / "adas_engine"
    program = (
        "import adas_engine as e; a = e.Value(3.0); (a * a).backward(); print(a.grad, len(e.MLP(2,"
        " [3, 1]).parameters()), e.__version__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=home.parent,
        env={"PYTHONPATH": str(library)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["6.0", "13", "0.1.0"]
    project = (library / "pyproject.toml").read_text(encoding="utf-8")
    assert 'name = "adas_engine"' in project
    assert 'authors = [{name = "Ada <b>"}]' in project
    page = (home / "dist" / "certificate.html").read_text(encoding="utf-8")
    assert "Ada &lt;b&gt;" in page
    assert "gradients checked" in page
    assert "http" not in page.partition("</style>")[2]
    assert "Extension: " not in page
    passed = re.search(r"<li><b>(\d+)</b> checkpoints passed</li>", page)
    assert passed
    assert int(passed[1]) == sum(
        len(stage.checkpoints) for stage in load_course().stages if not stage.optional
    )


def test_comments_and_docstrings_are_not_lines_of_code(home: Path) -> None:
    def lines() -> int:
        return _lines_written(
            load_course(), read_submission(home, load_course().files), ["engine.py"]
        )

    before = lines()
    source = (home / "engine.py").read_text(encoding="utf-8")
    begins = "def backward(self):"
    for added in ("# first", "x = 1"):
        (home / "engine.py").write_text(
            '"""Notes."""\n' * 20 + source.replace(begins, f"{begins}\n        {added}", 1),
            encoding="utf-8",
        )
        assert lines() == before + (added == "x = 1")


def test_unfinished_phases_are_named(home: Path) -> None:
    shutil.copy(kit_folder("exercises") / "engine.py", home)
    result = finish()
    assert result.return_value == 1
    assert "not finished yet: 1-8" in result.output
    assert not (home / "dist").exists()


@pytest.mark.parametrize("name", ["My-Engine", "1st", "class", "math", "", "../x"])
def test_a_library_needs_a_name_that_can_be_imported(name: str) -> None:
    with pytest.raises(UsageError):
        check_name(name)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("from engine import Value", "from .engine import Value"),
        ("from  engine  import (Value,\n    )", "from  .engine  import (Value,\n    )"),
        ("import engine", "from . import engine"),
        ("import math, engine as e  # both", "import math; from . import engine as e  # both"),
        ("import math", "import math"),
        ("from engineering import x", "from engineering import x"),
    ],
)
def test_imports_between_files_become_relative_in_the_library(line: str, expected: str) -> None:
    source = f"if True:\n    {line}\n\nx = 'from engine import'\n"
    assert relative(
        File("nn", "nn.py", source.encode()), {"engine", "nn"}
    ).decode() == source.replace(line, expected)
