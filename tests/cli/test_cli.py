"""The command line, as a person, a script and a clumsy hand use it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from grader import grade
from grader.errors import UsageError
from support import ROOT, changed, hand_in, nobody, there, touch
from support.command import GRADE, run, start
from support.golden import unpacked
from support.workers import family, is_gone, within

SOLUTIONS = str(ROOT / "solutions")
SUBMISSIONS = unpacked("submissions")
STUBS = str(SUBMISSIONS / "untouched_stubs")
MODULE = [sys.executable, "-c", "from grader.__main__ import main; main()"]

pytestmark = pytest.mark.usefixtures("nothing_left")
posix = pytest.mark.skipif(os.name != "posix", reason="pipes, signals and links of POSIX")


def document(text: str) -> dict[str, Any]:
    """Exactly one JSON document, as a parser reads it that knows no NaN; durations left out."""
    timeless = re.sub(r'"duration_s": [^,}\n]*', '"duration_s": 0', text)
    read: dict[str, Any] = json.loads(timeless, parse_constant=pytest.fail)
    return read


def graded(*args: str, **environment: str) -> dict[str, Any]:
    """The JSON report of a grading that wrote nothing else."""
    done = (start if environment else run)(*args, "--format", "json", **environment)
    assert (done.stderr, done.stdout[0], done.stdout[-2:]) == ("", "{", "}\n")
    return document(done.stdout)


# --- the JSON report ---


def test_json_on_stdout_is_one_document_with_the_promised_keys() -> None:
    report = graded("1-2", "--at", SOLUTIONS)
    assert list(report) == [
        "format",
        "grader",
        "submission",
        "score",
        "max_score",
        "counts",
        "swapped",
        "causes",
        "notes",
        "phases",
    ]
    assert sum(report["counts"].values()) == sum(
        len(phase["checkpoints"]) for phase in report["phases"]
    )
    assert report["score"] == report["max_score"]


@pytest.mark.slow
def test_wrong_usage_in_json_is_a_document_as_well() -> None:
    done = start("phase9", "--at", SOLUTIONS, "--format", "json")
    assert (done.returncode, done.stderr) == (2, "")
    assert document(done.stdout)["error"].keys() == {"message", "hint"}


@pytest.mark.slow
@pytest.mark.parametrize("case", ["always_equal", "raises_at_import", "repr_missing"])
def test_a_submission_gets_the_same_document_again_and_each_phase_alone(case: str) -> None:
    path = str(SUBMISSIONS / case)
    first, other = (graded("1-2", "--at", path, PYTHONHASHSEED=seed) for seed in "12")
    assert first == other
    for phase in first["phases"]:
        assert graded(phase["id"], "--at", path)["phases"] == [phase]


@pytest.mark.slow
def test_another_seed_is_reported_and_changes_no_verdict_of_a_correct_engine() -> None:
    reports = [graded("3", "--at", SOLUTIONS, "--seed", seed) for seed in ("0", "1", "4294967295")]
    assert [report["grader"].pop("seed") for report in reports] == [0, 1, 4294967295]
    assert reports[0] == reports[1] == reports[2]


@pytest.mark.slow
def test_another_seed_draws_other_examples(tmp_path: Path) -> None:
    """The first example of a form is always the plainest; this engine is right on that one."""
    product = "Value(self.data * other.data"
    hand_in(tmp_path, changed((product, f"{product} + (other.data < 0)")))
    reports = [graded("3", "--at", str(tmp_path), "--seed", seed) for seed in "1234"]
    assert len({report["phases"][0]["checkpoints"][0]["reproduce"] for report in reports}) > 1


# --- terminals and environments ---


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1", "CI": "true", "COLUMNS": "0"},
        {"TERM": "dumb", "PYTHONHASHSEED": "7", "HOME": "/nowhere", "COLUMNS": "wide"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii", "PYTHONOPTIMIZE": "2"},
        {"PYTEST_ADDOPTS": "--collect-only", "PYTEST_PLUGINS": "no_such_plugin"},
        {"PYTHONWARNINGS": "error", "PYTHONDEVMODE": "1"},
    ],
    ids=lambda environment: " ".join(f"{name}={value}" for name, value in environment.items()),
)
def test_the_environment_does_not_change_the_result(environment: dict[str, str]) -> None:
    done = start("1", "--at", SOLUTIONS, **environment)
    assert (done.returncode, done.stderr, "6/6" in done.stdout) == (0, "", True)
    assert "\x1b" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_exception_text_that_the_terminal_cannot_write_is_written_otherwise(
    encoding: str, tmp_path: Path
) -> None:
    (tmp_path / "engine.py").write_text('raise ValueError("漢字 ✓ naïve")\n', encoding="utf-8")
    done = start("1", "--at", tmp_path, PYTHONIOENCODING=encoding)
    assert (done.returncode, "ValueError" in done.stdout) == (1, True)


@pytest.mark.slow
@posix
def test_a_reader_that_goes_away_is_neither_an_error_nor_a_success() -> None:
    process = subprocess.Popen(
        [*GRADE, "1", "--at", STUBS, "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    there(process.stdout).close()
    with there(process.stderr) as stderr:
        assert stderr.read() == b""
    assert process.wait(30) == 1


EXITS = f"""import grader.judge.grade as g
def fail(*_): raise {{}}
g.grade_request = fail
{MODULE[-1]}"""


@pytest.mark.slow
@posix
@pytest.mark.parametrize(
    ("shell", "program", "words", "told"),
    [
        *(
            ('exec "$@" >/dev/full', GRADE, f"1 --format {form}", "No space left")
            for form in ("text", "json")
        ),
        *(
            (
                'exec "$@" >&-',
                MODULE,
                words,
                "error: cannot write the report: standard output is closed\n",
            )
            for words in ("1", "1 --format json", "99 --format json", "--help")
        ),
        *(
            (
                'exec "$@"',
                [sys.executable, "-c", EXITS.format(kind)],
                "1",
                "error: the grader failed",
            )
            for kind in ("SystemExit(0)", "SystemExit('all is well')")
        ),
    ],
)
def test_an_end_without_a_report_is_an_error_in_a_sentence_and_never_a_success(
    shell: str, program: list[str], words: str, told: str
) -> None:
    if "/dev/full" in shell and not Path("/dev/full").exists():
        pytest.skip("no device that is full")
    done = start("--at", SOLUTIONS, *words.split(), program=["sh", "-c", shell, "sh", *program])
    assert (done.returncode, done.stdout, told in done.stderr) == (3, "", True)


@posix
@pytest.mark.skipif(nobody.AM_ROOT, reason="root may look into every folder")
def test_a_folder_that_may_not_be_looked_into_stops_nobody() -> None:
    Path("private").mkdir(mode=0)
    done = run()
    assert (done.returncode, "there is no engine.py in this folder" in done.stderr) == (2, True)


# --- what is in the current folder ---


SPY = "from pathlib import Path; Path({!r}, __name__).touch(); raise SystemExit(0)\n"


@pytest.mark.slow
@pytest.mark.parametrize("way", ["module", "command"])
def test_nothing_is_imported_from_the_current_folder(way: str, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    seen.mkdir()
    shadows = [
        Path(file.format(n))
        for n in [
            "click",
            "engine",
            "numpy",
            "mpmath",
            "rich",
            "typing",
            "__future__",
            "difflib",
            "pytest",
            "_pytest",
            "conftest",
            "jinja2",
            "grading",
            "suite",
            "vocabulary",
            "micrograd",
            "torch",
        ]
        for file in ("{}.py", "{}/__init__.py")
    ]
    touch(*shadows, text=SPY.format(str(seen)))
    touch(
        *map(Path, ("pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml")),
        text="[pytest]\n"
        "addopts = -p conftest --collect-only\n"
        "[tool.pytest.ini_options]\n"
        "addopts = '-p conftest'\n",
    )
    program = {"module": [sys.executable, "-m", "grader"], "command": MODULE}[way]
    path = f"{os.pathsep}{ROOT}"  # an empty entry is the current folder
    for phase in ("phase1", "ext4", "ext6"):
        words = [phase, "--at", SOLUTIONS, "--format", "json"]
        done = start(*words, program=program, PYTHONPATH=path)
        assert "phases" in document(done.stdout), done.stderr
    assert [entry.name for entry in seen.iterdir()] == []


@pytest.mark.slow
@pytest.mark.skipif(
    sys.version_info < (3, 11), reason="Python 3.10 cannot be told to leave the current folder out"
)
def test_the_processes_that_grade_a_class_import_nothing_from_the_current_folder_either(
    tmp_path: Path,
) -> None:
    for learner in ("multiprocessing", "pickle"):
        shutil.copytree(STUBS, learner)
        Path(learner, "__init__.py").write_text(SPY.format(str(tmp_path)), encoding="utf-8")
    begin = tmp_path / "grade"  # as an installer writes it
    begin.write_text(
        "from grader.__main__ import main\nif __name__ == '__main__':\n    main()\n",
        encoding="utf-8",
    )
    done = start("class", ".", "--phases", "phase1", program=[sys.executable, str(begin)])
    assert "2 graded" in done.stdout, done.stderr
    assert not {"multiprocessing", "pickle"} & {entry.name for entry in tmp_path.iterdir()}


# --- being stopped, and company ---


@pytest.mark.slow
@posix
def test_ctrl_c_during_the_imports_shows_no_traceback() -> None:
    slow = (
        "import sys, time\n"
        "class Slow:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'grader.cli.app':\n"
        "            print('begun', flush=True)\n"
        "            time.sleep(300)\n"
    )
    command = [sys.executable, "-c", f"{slow}sys.meta_path.insert(0, Slow())\n{MODULE[-1]}", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert there(process.stdout).readline() == b"begun\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1] == b"stopped\n"
    assert process.returncode == 130


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_grading_that_is_stopped_ends_and_leaves_nothing(name: str) -> None:
    number, pipe, workers = signal.Signals[name], subprocess.PIPE, set[int]()
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{name} is ignored here, as under nohup")
    with subprocess.Popen(
        [*GRADE, "3", "--at", str(SUBMISSIONS / "hangs_in_mul")], stdout=pipe, stderr=pipe
    ) as process:
        assert within(60, lambda: workers.update(family(process.pid) - {process.pid}) or workers)  # type: ignore[func-returns-value]
        time.sleep(0.5)
        process.send_signal(number)
        _, told = process.communicate(timeout=60)
    assert process.returncode in {130, -number, 128 + number}
    assert not re.search(b"INTERNALERROR|the grader", told)
    assert within(60, lambda: all(map(is_gone, workers)))


# --- from Python ---


@pytest.mark.slow
def test_grading_works_from_a_thread_and_from_several_at_once() -> None:
    with ThreadPoolExecutor(3) as pool:
        reports = pool.map(lambda _: grade(SOLUTIONS, phases=["4"]), range(3))
        assert [report.counts["passed"] for report in reports] == [14, 14, 14]


def test_an_empty_selection_is_refused_and_the_current_folder_is_not_searched_for_tests() -> None:
    Path("test_of_somebody_else.py").write_text("raise SystemExit('collected')\n", encoding="utf-8")
    with pytest.raises(UsageError):
        grade(SOLUTIONS, phases=[])
