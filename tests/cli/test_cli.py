"""The command line, as a person, a script and a clumsy hand use it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader import grade
from grader.errors import UsageError
from support import ROOT, kit_folder, nobody
from support.command import GRADE, run, start
from support.golden import unpacked

SOLUTIONS = str(ROOT / "solutions")
SUBMISSIONS = unpacked("submissions")
STUBS = str(SUBMISSIONS / "untouched_stubs")
HANGS = str(SUBMISSIONS / "hangs_in_mul")
KEYS = [
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
MODULE = [sys.executable, "-c", "from grader.__main__ import main; main()"]

pytestmark = pytest.mark.usefixtures("nothing_left")
posix = pytest.mark.skipif(os.name != "posix", reason="pipes, signals and links of POSIX")


def document(text: str) -> dict[str, Any]:
    """Exactly one JSON document, as a parser reads it that knows no NaN; durations left out."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    read: dict[str, Any] = json.loads(text, parse_constant=refuse)
    for phase in read.get("phases", []):
        for checkpoint in phase["checkpoints"]:
            del checkpoint["duration_s"]
    return read


def graded(*args: str, **environment: str) -> dict[str, Any]:
    """The JSON report of a grading that wrote nothing else."""
    done = (start if environment else run)(*args, "--format", "json", **environment)
    assert done.stderr == ""
    assert done.stdout.startswith("{")
    assert done.stdout.endswith("}\n")
    return document(done.stdout)


# --- exit codes and refusals ---


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "code"),
    [(SOLUTIONS, 0), (STUBS, 1), (SOLUTIONS + "/engine.py", 0)],
    ids=["solutions", "stubs", "file"],
)
def test_the_exit_code_says_whether_all_asked_for_checkpoints_pass(path: str, code: int) -> None:
    done = start("phase1", "--at", path)
    assert (done.returncode, done.stderr) == (code, "")
    assert "phase1" in done.stdout


def test_a_failing_bonus_does_not_change_the_exit_code() -> None:
    assert run("phase4", "--at", str(SUBMISSIONS / "recursive_build_topo")).returncode == 0


@pytest.mark.parametrize(
    "args",
    [
        ["phase9"],
        ["0"],
        ["4-1"],
        ["1-"],
        ["-"],
        [""],
        ["phase1,phase2"],
        ["1", "phase9"],
        ["--nonsense"],
        ["1", "--seed", "-1"],
        ["1", "--seed", "many"],
        ["1", "--seed", "99999999999999999999"],
        ["1", "--format", "xml"],
        ["1", "--format"],
        ["1", "--at"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_refused_with_a_hint_on_stderr(args: list[str]) -> None:
    done = run("--at", SOLUTIONS, *args)
    assert (done.returncode, done.stdout) == (2, "")
    first, second = done.stderr.splitlines()
    assert first.startswith("error: ")
    assert second.startswith("hint: ")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["PHASE1"], ["1"], ["1-1"], ["phase1", "1", "phase1-phase1"]], ids=" ".join
)
def test_a_phase_can_be_named_in_several_ways(words: list[str]) -> None:
    assert [phase["id"] for phase in graded(*words, "--at", SOLUTIONS)["phases"]] == ["phase1"]


def make_unreadable(kind: str, folder: Path) -> Path:
    """A submission that cannot be read, of that kind."""
    file = folder / "engine.py"
    elsewhere = {
        "a missing path": folder / "nowhere",
        "a name that is too long": folder / ("a" * 300),
        "a device": Path("/dev/zero"),
    }
    makers: dict[str, Callable[[], object]] = {
        "a folder of that name": file.mkdir,
        "a link": lambda: file.symlink_to(Path(SOLUTIONS, "engine.py")),
        "a link to nothing": lambda: file.symlink_to("nothing"),
        "a pipe": lambda: os.mkfifo(file),
        "a file too large": lambda: file.write_bytes(b"#" * 300 * 1024),
        "a file without permission": lambda: file.touch(0o000),
    }
    if kind in makers:
        makers[kind]()
    return elsewhere.get(kind, folder)


@pytest.mark.slow
def test_a_quiz_says_how_to_repeat_it() -> None:
    def hold(*args: str) -> list[str]:
        return start(*args, typed="\n").stdout.splitlines()

    first = hold("quiz", "phase4", "5", "--count", "3")
    assert first[-3:-1] == ["0 of 3 right, 3 not answered", "next: grade quiz phase4 5 --count 3"]
    assert first[-1].startswith("again: grade quiz phase4 5 --count 3 --seed ")
    again = first[-1].partition("again: grade ")[2].split()
    assert hold(*again) == first


@pytest.mark.slow  # not where the run without POSIX would meet its pipes
@posix
@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "kind",
    [
        "a missing path",
        "a folder without the file",
        "a folder of that name",
        "a link",
        "a link to nothing",
        "a pipe",
        "a file too large",
        "a device",
        "a name that is too long",
        pytest.param(
            "a file without permission",
            marks=pytest.mark.skipif(nobody.AM_ROOT, reason="root may read all"),
        ),
    ],
)
def test_an_unreadable_path_is_refused_and_named(kind: str, form: str, tmp_path: Path) -> None:
    folder = tmp_path / "submission"
    folder.mkdir()
    path = make_unreadable(kind, folder)
    done = run("all", "--at", str(path), "--format", form)
    assert done.returncode == 2
    if form == "json":
        refused = document(done.stdout)
        assert set(refused) == {"format", "error"}
        assert path.name[:20] in refused["error"]["message"]
    else:
        assert done.stdout == ""
        assert path.name[:20] in done.stderr


def test_without_an_engine_in_reach_the_command_says_where_to_go() -> None:
    done = run()
    assert done.returncode == 2
    assert "--at PATH" in done.stderr


# --- the JSON report ---


def test_json_on_stdout_is_one_document_with_the_promised_keys() -> None:
    report = graded("1-2", "--at", SOLUTIONS)
    assert list(report) == KEYS
    assert sum(report["counts"].values()) == sum(
        len(phase["checkpoints"]) for phase in report["phases"]
    )
    assert report["score"] == report["max_score"]


@pytest.mark.slow
def test_wrong_usage_in_json_is_a_document_as_well() -> None:
    done = start("phase9", "--at", SOLUTIONS, "--format", "json")
    assert (done.returncode, done.stderr) == (2, "")
    assert document(done.stdout)["error"].keys() == {"message", "hint"}


def test_a_path_called_json_does_not_ask_for_json() -> None:
    done = run("phase9", "--at", "json")
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")


@pytest.mark.slow
@pytest.mark.parametrize("case", ["always_equal", "raises_at_import", "repr_missing"])
def test_the_same_submission_and_seed_give_the_same_document(case: str) -> None:
    first, *others = [
        graded("1-2", "--at", str(SUBMISSIONS / case), PYTHONHASHSEED=seed)
        for seed in ("1", "2", "3")
    ]
    assert all(other == first for other in others)


@pytest.mark.slow
def test_the_order_of_the_phases_does_not_matter() -> None:
    case = str(SUBMISSIONS / "reflected_addition_commented_out")
    assert graded("3", "1", "--at", case) == graded("1", "3", "--at", case)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["reflected_addition_commented_out", "raises_at_import"])
def test_a_phase_gets_the_same_results_alone_as_with_others(case: str) -> None:
    path = str(SUBMISSIONS / case)
    for phase in graded("1-2", "--at", path)["phases"]:
        assert graded(phase["id"], "--at", path)["phases"] == [phase]


@pytest.mark.slow
def test_another_seed_is_reported_and_changes_no_verdict_of_a_correct_engine() -> None:
    reports = [graded("3", "--at", SOLUTIONS, "--seed", seed) for seed in ("0", "1", "4294967295")]
    assert [report["grader"].pop("seed") for report in reports] == [0, 1, 4294967295]
    assert reports[0] == reports[1] == reports[2]


@pytest.mark.slow
def test_another_seed_draws_other_examples(tmp_path: Path) -> None:
    """The first example of a form is always the plainest; this engine is right on that one."""
    source = Path(SOLUTIONS, "engine.py").read_text(encoding="utf-8")
    source = source.replace(
        "Value(self.data * other.data,", "Value(self.data * other.data + (other.data < 0),"
    )
    (tmp_path / "engine.py").write_text(source, encoding="utf-8")
    scripts = {
        graded("3", "--at", str(tmp_path), "--seed", seed)["phases"][0]["checkpoints"][0][
            "reproduce"
        ]
        for seed in "1234"
    }
    assert len(scripts) > 1


# --- files as editors and systems save them ---


@pytest.mark.slow
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["unix", "windows", "old mac"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_line_ends_and_byte_order_marks_make_no_difference(
    end: str, mark: bytes, tmp_path: Path
) -> None:
    text = Path(SOLUTIONS, "engine.py").read_text(encoding="utf-8")
    (tmp_path / "engine.py").write_bytes(mark + end.join(text.splitlines()).encode())
    assert run("1", "--at", str(tmp_path)).returncode == 0


# --- terminals and environments ---


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"NO_COLOR": "1"},
        {"TERM": "dumb"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONOPTIMIZE": "2"},
        {"PYTHONDONTWRITEBYTECODE": "1"},
        {"PYTHONHASHSEED": "7"},
        {"PYTEST_ADDOPTS": "--collect-only"},
        {"PYTEST_PLUGINS": "no_such_plugin"},
        {"PYTHONWARNINGS": "error"},
        {"PYTHONDEVMODE": "1"},
        {"HOME": "/nowhere"},
        {"CI": "true"},
        {"COLUMNS": "0"},
        {"COLUMNS": "wide"},
    ],
    ids=lambda environment: " ".join(f"{name}={value}" for name, value in environment.items()),
)
def test_the_environment_does_not_change_the_result(environment: dict[str, str]) -> None:
    done = start("1", "--at", SOLUTIONS, **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "6/6" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_exception_text_that_the_terminal_cannot_write_is_written_otherwise(
    encoding: str, tmp_path: Path
) -> None:
    (tmp_path / "engine.py").write_text('raise ValueError("漢字 ✓ naïve")\n', encoding="utf-8")
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(
        [*GRADE, "1", "--at", str(tmp_path)], capture_output=True, env=env, timeout=60, check=False
    )
    assert done.returncode == 1
    assert b"ValueError" in done.stdout


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(columns: int) -> None:
    done = run("1", "--at", str(SUBMISSIONS / "gradient_is_none"), COLUMNS=str(columns))
    script = [line for line in done.stdout.splitlines() if line.startswith(" " * 6)]
    assert all(len(line) <= columns for line in done.stdout.splitlines() if line not in script)


def test_the_progress_screen_obeys_no_escape_sequence(tmp_path: Path) -> None:
    exercises = tmp_path / "here" / "exercises"
    exercises.mkdir()
    (exercises / "engine.py").write_text(
        'raise ValueError("\\x1b[2J\\u202ecleared")\n', encoding="utf-8"
    )
    done = run()
    assert done.returncode == 0
    assert "cleared" in done.stdout
    assert not {"\x1b", "\u202e"} & set(done.stdout)


@pytest.mark.slow
def test_grading_leaves_nothing_in_the_current_folder(tmp_path: Path) -> None:
    start("4", "--at", SOLUTIONS)
    assert list((tmp_path / "here").iterdir()) == []


@pytest.mark.slow
@posix
def test_a_reader_that_goes_away_is_neither_an_error_nor_a_success() -> None:
    process = subprocess.Popen(
        [*GRADE, "1", "--at", STUBS, "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(30) == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_full_disk_is_reported_without_a_traceback(form: str) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [*GRADE, "1", "--at", SOLUTIONS, "--format", form]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == 3
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.slow
@posix
@pytest.mark.parametrize(
    "args",
    [
        ["1", "--at", SOLUTIONS],
        ["1", "--at", SOLUTIONS, "--format", "json"],
        ["99", "--format", "json"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_a_closed_output_is_an_error_in_a_sentence(args: list[str]) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *MODULE, *args],
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        3,
        "error: the report cannot be written: standard output is closed\n",
    )


@pytest.mark.slow
@posix
def test_with_a_closed_output_a_report_is_still_written_into_a_file(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    command = [*MODULE, "1", "--at", SOLUTIONS, "--format", "json", "--output", str(file)]
    assert (
        subprocess.run(
            ["sh", "-c", 'exec "$@" >&- 2>&- <&-', "sh", *command], timeout=60, check=False
        ).returncode
        == 0
    )
    assert document(file.read_text(encoding="utf-8"))["score"] == 6


def test_a_file_that_cannot_be_used_is_named_and_not_called_the_report(tmp_path: Path) -> None:
    shutil.copytree(kit_folder("exercises"), "exercises", ignore=shutil.ignore_patterns(".grade"))
    Path("exercises", "engine.py").write_bytes((kit_folder("solutions") / "engine.py").read_bytes())
    Path("exercises", ".grade").write_text("in the way", encoding="utf-8")
    done = run("reset", "phase3")
    assert done.returncode == 3
    assert "error: 'exercises/.grade" in done.stderr
    assert "report" not in done.stderr
    assert "hint: " in done.stderr


@posix
@pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may look into every folder"
)
def test_a_folder_that_may_not_be_looked_into_stops_nobody(tmp_path: Path) -> None:
    Path("private").mkdir(mode=0)
    done = run()
    assert done.returncode == 2
    assert "there is no engine.py in this folder" in done.stderr


def test_next_to_the_exercises_the_hint_leads_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("exercises").mkdir()
    Path("exercises", "engine.py").touch()
    Path("docs").mkdir()
    monkeypatch.chdir("docs")
    assert f"hint: cd {Path('..', 'exercises')}" in run().stderr


# --- what is in the current folder ---


SPY = "from pathlib import Path; Path({!r}, __name__).touch(); raise SystemExit(0)\n"
SHADOWS = [
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
]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["module", "command"])
def test_nothing_is_imported_from_the_current_folder(way: str, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    seen.mkdir()
    for name in SHADOWS:
        Path(f"{name}.py").write_text(SPY.format(str(seen)), encoding="utf-8")
        Path(name).mkdir()
        Path(name, "__init__.py").write_text(SPY.format(str(seen)), encoding="utf-8")
    for settings in ("pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml"):
        Path(settings).write_text(
            "[pytest]\n"
            "addopts = -p conftest --collect-only\n"
            "[tool.pytest.ini_options]\n"
            "addopts = '-p conftest'\n",
            encoding="utf-8",
        )
    command = {"module": [sys.executable, "-m", "grader"], "command": MODULE}[way]
    # an empty entry is the current folder
    env = {**os.environ, "PYTHONPATH": f"{os.pathsep}{ROOT}"}
    for phase in ("phase1", "ext4", "ext6"):
        done = subprocess.run(
            [*command, phase, "--at", SOLUTIONS, "--format", "json"],
            capture_output=True,
            encoding="utf-8",
            env=env,
            timeout=60,
            check=False,
        )
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
    done = subprocess.run(
        [sys.executable, str(begin), "class", ".", "--phases", "phase1"],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert "2 graded" in done.stdout, done.stderr
    assert not {"multiprocessing", "pickle"} & {entry.name for entry in tmp_path.iterdir()}


@pytest.mark.slow
def test_an_exit_below_the_command_is_not_a_success(tmp_path: Path) -> None:
    for kind in (
        "SystemExit(0)",
        "SystemExit(None)",
        "SystemExit('all is well')",
        "click.exceptions.Exit(0)",
    ):
        code = (
            f"import click, grader.judge.grade as g\ndef fail(*_): raise {kind}\n"
            f"g.grade_request = fail\n{MODULE[-1]}"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, "1", "--at", SOLUTIONS],
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stdout) == (3, ""), kind
        assert "error: the grader failed" in done.stderr


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
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1] == b"stopped\n"
    assert process.returncode == 130


@pytest.mark.slow
@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_grading_that_is_stopped_ends_and_leaves_nothing(name: str) -> None:
    number = signal.Signals[name]
    process = subprocess.Popen(
        [*GRADE, "3", "--at", HANGS], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 60
    while not (workers := children(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert workers
    time.sleep(0.5)
    process.send_signal(number)
    _, told = process.communicate(timeout=60)
    assert process.returncode in {130, -number, 128 + number}
    assert b"INTERNALERROR" not in told
    assert b"the grader" not in told
    while workers & children(1) and time.monotonic() < deadline:  # on their way out
        time.sleep(0.05)
    assert not workers & children(1)


def children(process: int) -> set[str]:
    """The processes that this one has started, or, for 1, that have nobody else."""
    if Path("/proc/self/stat").exists():  # where a small system has no `ps`
        pairs = [(parent_of(folder), folder.name) for folder in Path("/proc").glob("[0-9]*")]
    else:
        lines = subprocess.run(
            ["ps", "-A", "-o", "ppid=,pid="], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        pairs = [(parent, pid) for parent, pid in map(str.split, lines)]
    return {pid for parent, pid in pairs if parent == str(process)}


def parent_of(folder: Path) -> str:
    """The parent of a process in /proc, if it is still there and has not ended."""
    try:
        text = (folder / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    state, parent, *_ = text.rpartition(")")[2].split()
    return "" if state == "Z" else parent


@pytest.mark.slow
@posix
def test_a_signal_that_was_ignored_before_is_ignored() -> None:
    """As `nohup` starts it: closing the terminal does not stop the grading."""
    ignoring = [
        sys.executable,
        "-c",
        (
            "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN);"
            " os.execv(sys.argv[1], sys.argv[1:])"
        ),
    ]
    process = subprocess.Popen(
        [*ignoring, *GRADE, "3", "--at", HANGS], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 60
    while not children(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGHUP)
    _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (1, b"")


@pytest.mark.slow
@posix
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's way")
def test_only_the_commands_own_process_is_closed_to_others() -> None:
    """A program that calls a command, as many tests here do, stays open to its debugger."""
    code = (
        "import ctypes, sys; from click.testing import CliRunner\n"
        "from grader.cli import app, group\n"
        "is_open = lambda: ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)\n"
        "CliRunner().invoke(group.commands, sys.argv[1:], standalone_mode=False)\n"
        "before = is_open(); app._leave = lambda code: None\n"
        "app.main(sys.argv[1:]); print('open', before, is_open())"
    )
    for words in (["1", "--at", SOLUTIONS], ["class", "report"], ["doctor"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words],
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert done.stdout.endswith("open 1 0\n"), words


@pytest.mark.slow
def test_two_gradings_at_the_same_time_do_not_meet() -> None:
    processes = [
        subprocess.Popen([*GRADE, "2", "--at", SOLUTIONS], stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    assert [process.wait(60) for process in processes] == [0, 0]


# --- from Python ---


@pytest.mark.slow
def test_grading_works_from_a_thread_and_from_several_at_once() -> None:
    counts: list[dict[str, int]] = []
    threads = [
        threading.Thread(target=lambda: counts.append(grade(SOLUTIONS, phases=["4"]).counts))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [count["passed"] for count in counts] == [14, 14, 14]


def test_an_empty_selection_is_refused_and_the_current_folder_is_not_searched_for_tests() -> None:
    Path("test_of_somebody_else.py").write_text("raise SystemExit('collected')\n", encoding="utf-8")
    with pytest.raises(UsageError):
        grade(SOLUTIONS, phases=[])
