"""Compare `grade class` with nbgrader and otter-grader on the same notebooks: submissions a minute.

    python benchmarks/peers/peers.py [SUBMISSIONS]

Each is installed from PyPI into a virtual environment that is thrown away; their versions are
printed. A notebook has one cell with an engine: the reference, half of it, or a faulty one. The
others run `CHECKS`, a plain assertion for most operators; `grade class` runs phases 1 to 6 in its
sandbox. All use one core, one after the other, and only the ratios count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from classroom import only_cores, write_class

from grader.curriculum.load import load_course

ENGINE, ASSIGNMENT = "engine.ipynb", "engine"
CHECKS = (
    "assert Value(2.0).data == 2.0",
    "assert (Value(2.0) + Value(3.0)).data == 5.0",
    "assert (2 + Value(3.0)).data == 5.0",
    "assert (Value(2.0) * Value(3.0)).data == 6.0",
    "assert (Value(2.0) - 1).data == 1.0",
    "assert (Value(6.0) / 3).data == 2.0",
    "assert (Value(3.0) ** 2).data == 9.0",
    "a = Value(3.0); (a * a).backward(); assert a.grad == 6.0",
    "a = Value(3.0); (a + a).backward(); assert a.grad == 2.0",
    "a, b = Value(2.0), Value(3.0); (a * b + a).backward(); assert (a.grad, b.grad) == (4.0, 2.0)",
    "assert Value(-1.0).relu().data == 0.0",
    "assert Value(0.0).tanh().data == 0.0",
)


def notebook(cells: Sequence[dict[str, Any]]) -> str:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}
    )


def cell(name: str, source: str, **nbgrader: object) -> dict[str, Any]:
    """Return a code cell that nbgrader knows by its name."""
    told = {"grade_id": name, "schema_version": 3, "solution": False, "grade": False, **nbgrader}
    return {
        "cell_type": "code",
        "id": name,
        "metadata": {"nbgrader": {"locked": False, **told}},
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def whole(source: str) -> str:
    """Return a notebook with an engine and nbgrader's checks."""
    checks = [
        cell(f"check{number}", check, grade=True, locked=True, points=1)
        for number, check in enumerate(CHECKS)
    ]
    return notebook([cell("engine", source, solution=True), *checks])


class Peer:
    """A grader in a virtual environment of its own."""

    def __init__(self, folder: Path, package: str, *more: str) -> None:
        self.folder, self.package = folder, package
        venv.create(folder / "venv", with_pip=True)
        self.run("python", "-m", "pip", "install", "-q", package, *more)
        told = self.run("python", "-m", "pip", "show", package).stdout.splitlines()
        self.version = next(line for line in told if line.startswith("Version"))[9:]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment in the folder."""
        programs = self.folder / "venv" / "bin"
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            [str(programs / command[0]), *command[1:]],
            cwd=self.folder,
            env={"PATH": path, "HOME": str(self.folder)},
            capture_output=True,
            text=True,
            check=True,
        )


def nbgrader(folder: Path, sources: dict[str, str]) -> tuple[str, float]:
    peer = Peer(folder, "nbgrader")
    (folder / "nbgrader_config.py").write_text('c.CourseDirectory.course_id = "c"\n', "utf-8")
    stubs = (load_course().exercises / "engine.py").read_text(encoding="utf-8")
    write(folder / "source" / ASSIGNMENT / ENGINE, whole(stubs))
    peer.run("nbgrader", "generate_assignment", ASSIGNMENT)
    for name, source in sources.items():
        write(folder / "submitted" / name / ASSIGNMENT / ENGINE, whole(source))
    begun = time.perf_counter()
    peer.run("nbgrader", "autograde", ASSIGNMENT)
    took = time.perf_counter() - begun
    assert len(list((folder / "autograded").iterdir())) == len(sources)
    return f"nbgrader {peer.version}", took


def otter(folder: Path, sources: dict[str, str]) -> tuple[str, float]:
    peer = Peer(folder, "otter-grader", "ipykernel")  # it starts a kernel
    for number, check in enumerate(CHECKS):
        case = {"code": f">>> {check.replace('; ', chr(10) + '>>> ')}", "hidden": False}
        test = {"name": f"q{number}", "points": 1, "suites": [{"cases": [case], "type": "doctest"}]}
        text = f"OK_FORMAT = True\ntest = {test!r}\n"
        write(folder / "tests" / f"q{number}.py", text)
    peer.run("otter", "generate", "-t", "tests", "-o", "autograder.zip", "--no-environment")
    for name, source in sources.items():
        write(folder / "in" / name / ENGINE, notebook([cell("engine", source)]))
    begun = time.perf_counter()
    for name in sources:
        peer.run("otter", "run", "-a", "autograder.zip", "-o", f"in/{name}", f"in/{name}/{ENGINE}")
    took = time.perf_counter() - begun
    assert len(list((folder / "in").glob("*/results.json"))) == len(sources)
    return f"otter-grader {peer.version}", took


def ours(folder: Path, sources: dict[str, str]) -> tuple[str, float]:
    from grader import __version__

    for name, source in sources.items():
        write(folder / "in" / name / ENGINE, notebook([cell("engine", source)]))
    command = [sys.executable, "-m", "grader", "class", "in", "--phases", "1-6", "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    begun = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    took = time.perf_counter() - begun
    assert done.returncode == 0, done.stderr
    return f"autograd-kit {__version__}", took


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    with tempfile.TemporaryDirectory() as name, only_cores(1):
        write_class(Path(name, "class"), count, "peers")
        sources = {
            file.parent.name: file.read_text(encoding="utf-8")
            for file in sorted(Path(name, "class").glob("*/engine.py"))
        }
        rows = []
        for grader in (ours, nbgrader, otter):
            folder = Path(name, grader.__name__)
            folder.mkdir()
            rows.append(grader(folder, sources))
    for title, took in rows:
        speed, ratio = 60 * count / took, took / rows[0][1]
        print(f"{title:<24} {speed:>7.1f} a minute; takes {ratio:.1f} times as long as ours")


if __name__ == "__main__":
    main()
