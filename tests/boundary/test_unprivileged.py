"""The bench of misbehaving submissions once more, where the whole grader is started by a user
without rights.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import grade
from grader.classroom.gradebook import Gradebook
from support import ROOT, changed, nobody
from support import misbehaving as bench

pytestmark = [pytest.mark.needs_root, pytest.mark.slow]

TELLING = {  # what may depend on whose processes and files these are, and some of everything
    "accidents": [
        "child_left_running",
        "pool_of_processes",
        "exits_in_an_operator",
        "loop_in_an_operator",
        "streams_replaced",
        "log_file",
    ],
    "tampering": [
        "forged_frames",
        "patched_worker",
        "signals_the_grader",
        "stops_the_grader",
        "kills_everybody",
        "kills_its_group",
        "child_holds_the_pipe",
        "suite_rewritten",
        "byte_code_rewritten",
        "conftest_dropped",
        "limits_raised",
        "takes_over_the_channel",
        "nearly_right",
        "right_on_what_is_shown",
    ],
    "leaks": [name for name, case in bench.CASES.items() if case["theme"] == "leaks"],
    "exhaustion": [
        "fork_bomb",
        "memory_at_once",
        "thousands_of_files",
        "thousands_of_threads",
        "writes_to_the_disk",
        "largest_reply",
    ],
    "malformed": ["named_pipe", "device", "socket", "link_to_the_solution", "folder", "too_large"],
    "harmless": ["caches_invalidated", "computes_in_threads", "own_alarm", "logs_everything"],
}


@pytest.fixture(scope="module")
def everybodys() -> Iterator[tuple[str, Path]]:
    """A Python that everybody can run, and a folder that everybody can read, with the grader and
    what it needs.
    """
    program = nobody.python(same_version=True)
    with tempfile.TemporaryDirectory() as name:
        folder, modules = Path(name), "hypothesis mpmath grader.cli.app rich.console"
        folder.chmod(0o755)
        grade(ROOT / "solutions", ["phase1"])  # imports all that grading takes
        for module in modules.split():  # and what only some checkpoints and commands take
            importlib.import_module(module)
        nobody.copy_packages(folder)
        skipped = shutil.ignore_patterns("__pycache__", ".grade")
        for part in ("grader", "solutions", "tests", "docs"):
            shutil.copytree(ROOT / part, folder / "kit" / part, ignore=skipped)
        yield program, folder


def _run(program: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        "PYTHONPATH": f"{folder / 'kit'}{os.pathsep}{folder / 'kit' / 'tests'}{os.pathsep}{folder}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    environment |= {name: os.environ[name] for name in ("ALL_LEVELS",) if name in os.environ}
    return subprocess.run(
        [program, *arguments],
        cwd=folder / "kit",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        **nobody.IS,
    )


@pytest.mark.parametrize("group", TELLING)
def test_submissions_get_the_same_verdicts_for_a_user_without_rights(
    everybodys: tuple[str, Path], group: str
) -> None:
    assert set(TELLING[group]) <= set(bench.CASES)
    with tempfile.TemporaryDirectory() as spare:
        Path(spare).chmod(0o777)
        chosen = "right_verdicts and (" + " or ".join(f"{name}-" for name in TELLING[group]) + ")"
        options = [
            "-q",
            "-c",
            os.devnull,
            "--rootdir",
            ".",
            "-p",
            "no:cacheprovider",
            "--basetemp",
            f"{spare}/cases",
            "-k",
            chosen,
        ]
        found = _run(*everybodys, "-m", "pytest", *options, "tests/golden/test_misbehaving.py")
    assert found.returncode == 0, found.stdout[-5000:] + found.stderr[-2000:]
    passed = re.search(r"(\d+) passed", found.stdout)
    assert passed, found.stdout
    assert int(passed[1]) > len(TELLING[group])  # each at one level at least, most at several


LOOKS = """
import os
judge = os.getppid()
above = int(open(f"/proc/{judge}/stat").read().rpartition(")")[2].split()[1])  # for a class: what holds the gradebook
for process in (judge, above):
    for name in ("mem", "environ", "maps"):
        try:
            open(f"/proc/{process}/{name}", "rb").read(0)
            print("HARM", name)
        except OSError:
            print("kept out of", name)
"""  # noqa: E501
AS_A_LIBRARY = (
    "import sys; from grader import grade; print([c.output for c in grade(sys.argv[1], ['phase2'],"
    " isolation=1).checkpoints])"
)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="looks into /proc")
def test_a_submission_at_level_1_cannot_read_the_commands_memory(
    everybodys: tuple[str, Path], public: Path
) -> None:
    (public / "engine.py").write_text(changed() + LOOKS, encoding="utf-8")
    command = _run(
        *everybodys,
        "-m",
        "grader",
        "phase2",
        "--isolation",
        "1",
        "--format",
        "json",
        "--at",
        str(public),
    )
    assert command.returncode == 0, command.stderr
    assert "kept out of mem" in command.stdout
    assert "HARM" not in command.stdout
    scope = Path("/proc/sys/kernel/yama/ptrace_scope")
    if (
        not scope.exists() or scope.read_text().strip() == "0"
    ):  # otherwise the system forbids it anyway
        assert "HARM mem" in _run(*everybodys, "-c", AS_A_LIBRARY, str(public)).stdout


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="looks into /proc")
def test_the_processes_that_grade_a_class_cannot_be_read_by_others(
    everybodys: tuple[str, Path], public: Path
) -> None:
    public.chmod(0o777)
    (public / "all" / "ada").mkdir(parents=True)
    (public / "all" / "ada" / "engine.py").write_text(changed() + LOOKS, encoding="utf-8")
    book, options = public / "book.sqlite", "--phases phase2 --together --isolation 1 --jobs 1"
    words = [str(public / "all"), *options.split(), "--gradebook", str(book)]
    graded = _run(*everybodys, "-m", "grader", "class", *words)
    assert graded.returncode == 0, graded.stderr
    book.chmod(0o666)
    with Gradebook(book) as gradebook:
        (entry,) = gradebook.entries(reports=True)
    assert ("kept out of mem" in entry.report, "HARM" in entry.report) == (True, False)
