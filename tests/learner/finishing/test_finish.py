"""The end of the course: a certificate whose numbers were counted, and a library that can be
imported.
"""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from grader.cli.finish import _to_install
from grader.curriculum.load import load_course
from grader.errors import UsageError
from grader.intake.submission import File
from grader.learner.finishing.library import check_name, relative
from support import changed
from support.command import run

pytestmark = pytest.mark.slow


def test_the_certificate_counts_the_work_and_the_library_can_be_imported(home: Path) -> None:
    nn = changed(file="nn.py") + "\nimport helper\n"
    (home / "nn.py").write_text(nn, encoding="utf-8")
    (home / "helper.py").write_text("import engine as e\nONE = e.Value(1.0)\n", encoding="utf-8")
    result = run("finish", "--name", "Ada <b>", "--library", "adas_engine", COLUMNS="60")
    assert result.returncode == 0
    assert max(map(len, result.stdout.splitlines())) <= 60
    library = home / "dist" / "adas_engine"
    program = (
        "import adas_engine as e; a = e.Value(3.0); (a * a).backward(); print(a.grad, len(e.MLP(2,"
        " [3, 1]).parameters()), e.__version__)"
    )
    printed = subprocess.check_output(
        [sys.executable, "-c", program], cwd=home.parent, env={"PYTHONPATH": str(library)}
    )
    assert printed.split() == [b"6.0", b"13", b"0.1.0"]
    required = [stage for stage in load_course().stages if not stage.optional]
    passed = sum(not each.bonus for stage in required for each in stage.checkpoints)
    counted = f"<li><b>{passed}</b> checkpoints passed</li>"
    install = "python -m pip install dist/adas_engine\n"
    assert f"to install it: {install}" in result.stdout
    for file, *told in (
        ("adas_engine/pyproject.toml", 'name = "adas_engine"', 'authors = [{name = "Ada <b>"}]'),
        ("certificate.html", "Ada &lt;b&gt;", counted, f"<pre>{install}"),
    ):
        text = (home / "dist" / file).read_text(encoding="utf-8")
        assert [one for one in told if one not in text] == []
    assert not re.search("http|Extension: ", text.partition("</style>")[2])
    picture = ET.fromstring((home / "dist" / "certificate.svg").read_text(encoding="utf-8"))
    assert {"Ada <b>", str(passed)} <= {*picture.itertext()}


def test_a_library_in_this_folder_is_not_installed_from_elsewhere() -> None:
    assert _to_install(Path("my_engine")) == "python -m pip install ./my_engine"


@pytest.mark.parametrize("name", ["My-Engine", "1st", "class", "math", "", "../x"])
def test_a_library_needs_a_name_that_can_be_imported(name: str) -> None:
    with pytest.raises(UsageError):
        check_name(name)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("from engine import Value", "from .engine import Value"),
        ("from  engine  import (Value,\n    )", "from  .engine  import (Value,\n    )"),
        ("import engine as e", "from . import engine as e"),
        ("import engine", "from . import engine"),
        ("import math", "import math"),
        ("from engineering import x", "from engineering import x"),
    ],
)
def test_imports_between_files_become_relative_in_the_library(line: str, expected: str) -> None:
    source = f"if True:\n    {line}\n\nx = 'from engine import'\n"
    assert relative(
        File("nn", "nn.py", source.encode()), {"engine", "nn"}
    ).decode() == source.replace(line, expected)
