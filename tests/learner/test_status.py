"""The way through the course as a learner goes it: where they stand, what is next, what is kept and
where.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from grader.boundary.pool import ProcessHost
from grader.cli.group import commands
from grader.curriculum.load import load_course
from grader.curriculum.model import Stage
from grader.intake.read import read_submission
from grader.learner.progress import FILE, FOLDER, HINTS, RIGHT, SPOILED, TICKED
from grader.learner.status import Place, Status, find_status
from grader.learner.status_screen import print_next
from support import kit_folder

pytestmark = pytest.mark.slow

COURSE = load_course()
SOURCE = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the course with the untouched exercises in it, which is the current one."""
    shutil.copytree(
        kit_folder("exercises"),
        tmp_path / "exercises",
        ignore=shutil.ignore_patterns(".grade", "__pycache__"),
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def run(*args: str) -> Result:
    """The command, in this process: its exit code is the result's return value."""
    done = CliRunner().invoke(commands, list(args), standalone_mode=False)
    assert done.exception is None, done.exception
    return done


def shown(*args: str) -> str:
    return run(*args).stdout


def write(folder: Path, source: str = SOURCE) -> None:
    (folder / "exercises" / "engine.py").write_text(source, encoding="utf-8")


# --- where progress is kept ---


def test_progress_is_kept_next_to_the_code_wherever_the_command_runs(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(here)
    run("1")
    assert "phase1   The Value class  6/6" in shown()
    monkeypatch.chdir(here / "exercises")
    assert "phase1   The Value class  6/6" in shown()
    run("2")
    monkeypatch.chdir(here)
    assert "phase2   Addition and the graph  10/10" in shown()
    assert [entry.name for entry in here.iterdir()] == ["exercises"]


def test_grading_another_path_saves_no_progress_there(here: Path) -> None:
    shutil.copytree(here / "exercises", here / "other")
    run("1", "--at", "other")
    run("1", "--at", "other/engine.py")
    assert not (here / "other" / ".grade").exists()
    assert not (here / "exercises" / ".grade").exists()


def test_progress_next_to_a_named_path_is_neither_read_nor_written(here: Path) -> None:
    write(here)
    run("1")
    before = kept(here)
    run("2", "--at", "exercises")
    assert kept(here) == before
    assert "phase1   The Value class  0/6" in shown("--at", "exercises")


def kept(folder: Path) -> dict[str, bytes]:
    """Everything that is kept below a folder."""
    return {
        str(path): path.read_bytes() for path in folder.rglob(f"{FOLDER}/**/*") if path.is_file()
    }


HOSTILE = [
    "a link",
    "a linked folder",
    "a pipe",
    "a device",
    "brackets",
    "a giant",
    "not a table",
    "an unknown checkpoint",
]


@pytest.mark.parametrize("what", HOSTILE)
def test_progress_that_is_damaged_or_leads_elsewhere_is_ignored(
    what: str, here: Path, tmp_path: Path
) -> None:
    write(here)
    victim = tmp_path / "victim"
    (victim / FOLDER).mkdir(parents=True)
    (victim / FOLDER / FILE).write_text("{}", encoding="utf-8")
    home = here / "exercises"
    if what == "a linked folder":
        (home / FOLDER).symlink_to(victim / FOLDER)
    else:
        (home / FOLDER).mkdir()
    for name in (FILE, HINTS, RIGHT.file, TICKED.file, SPOILED.file):
        file = home / FOLDER / name
        if what == "a link":
            file.symlink_to(victim / FOLDER / FILE)
        elif what == "a pipe":
            os.mkfifo(file)
        elif what == "a device":
            file.symlink_to("/dev/zero")
        elif what == "a giant":
            file.write_bytes(b" " * (1 << 20) + b"{}")
        elif what != "a linked folder":
            entry = {
                "sha256": "x",
                "score": 1,
                "max_score": 6,
                "done": False,
                "open": "phase1.nothing",
                "passed": [],
            }
            texts = {
                "brackets": "[" * 100_000,
                "not a table": "5",
                "an unknown checkpoint": json.dumps({"phases": {"phase1": entry, "phase2": 5}}),
            }
            file.write_text(texts[what], encoding="utf-8")
    for words in (
        ["1"],
        [],
        ["hint", "1"],
        ["checklist", "--tick", "like-pytorch"],
        ["solution", "1", "--spoil"],
        ["1", "--at", "exercises"],
    ):
        assert run(*words).return_value == 0
    assert [
        (path.name, path.read_text(encoding="utf-8")) for path in (victim / FOLDER).iterdir()
    ] == [(FILE, "{}")]
    if what != "a linked folder":  # the rest is mended by what is kept from now on
        assert "phase1   The Value class  6/6" in shown()


def test_grading_works_if_nothing_can_be_saved(here: Path) -> None:
    write(here)
    (here / "exercises" / ".grade").write_text("in the way", encoding="utf-8")
    done = run("1")
    assert (done.return_value, done.stderr) == (0, "")
    assert "6/6" in done.stdout
    note = "note: not saved, because .grade cannot be written: "
    assert note in shown("checklist", "--tick", "like-pytorch")
    quiz = ["quiz", "1", "--count", "3", "--seed", "1"]
    assert note in CliRunner().invoke(commands, quiz, input="a\na\na\n").stdout


# --- what is next ---


def test_a_beginner_sees_the_first_stub_and_the_paper_and_pencil_phase() -> None:
    told = shown()
    assert told.index("By hand") < told.index("phase1   The Value class")
    assert "write Value.__init__ in exercises" + os.sep + "engine.py, line" in told
    assert "by_hand.py, then grade by-hand" in told


def test_a_file_that_is_missing_or_empty_comes_before_what_to_write_in_it(here: Path) -> None:
    write(here, "\n")
    assert "first: engine.py is empty; grade init FOLDER writes fresh copies" in shown()
    write(here)
    run("1-6")
    (here / "exercises" / "nn.py").unlink()
    assert "first: nn.py is missing; grade init FOLDER writes fresh copies" in shown()
    assert "note: missing: nn.py" in shown("7")


PLUS = "Value(self.data + other.data, (self, other), "


def test_a_phase_edited_since_it_passed_is_not_next(here: Path) -> None:
    write(here)
    run("1-3")
    assert PLUS in SOURCE
    write(
        here, SOURCE.replace(PLUS, PLUS.replace("self.data + other.data", "other.data + self.data"))
    )
    told = shown()
    assert "next: phase4" in told
    assert "✓ phase1" in told
    assert "~ edited since passing: 2-3. To check again: grade 2-3" in told
    run("2")
    assert "~ edited since passing: 3. To check again: grade 3" in shown()


def test_a_tick_stays_when_a_comment_is_added_or_the_next_method_is_written(here: Path) -> None:
    write(here, SOURCE.replace("def zero_grad", "def later"))
    run("1-4")
    write(here, "# my engine\na = 1\n" + SOURCE.replace("other = ", "# wrap\n\n        other = "))
    told = shown()
    assert "edited since" not in told
    assert all(f"✓ phase{number}" in told for number in range(1, 5))


def test_a_tick_is_lost_when_a_helper_of_its_functions_changes(here: Path) -> None:
    helper = SOURCE + "\n\ndef plus(a, b):\n    return a + b\n"
    helper = helper.replace("self.data + other.data", "plus(self.data, other.data)")
    write(here, helper)
    run("1-2")
    write(here, helper.replace("return a + b", "return b + a"))
    told = shown()
    assert "✓ phase1" in told
    assert "~ phase2" in told


def test_a_late_start_begins_with_its_own_phase(here: Path) -> None:
    run("init", "late", "--phase", "5", "--with-solutions")
    os.chdir(here / "late")
    told = shown()
    assert "next: phase5" in told
    assert "✓ phase4   Topological order and backward()  20/20  solution seen" in told
    assert "~" not in told


def test_a_written_function_that_fails_comes_before_the_next_stub(here: Path) -> None:
    add = SOURCE[SOURCE.index("    def __add__") : SOURCE.index("    def __radd__")]
    stubs = (kit_folder("exercises") / "engine.py").read_text(encoding="utf-8")
    first = SOURCE[SOURCE.index("    def __init__") : SOURCE.index("    def __add__")]
    begin = stubs.index("    def __init__")
    end = stubs.index("    def __radd__")
    write(here, stubs[:begin] + first + add.replace("+ other.data", "- other.data") + stubs[end:])
    run("1")
    run("2")
    told = shown()
    assert "▸ started: 2" in told
    assert "look at Value.__add__ in exercises" in told
    assert "write Value.__radd__" not in told


def test_a_phase_in_which_nothing_failed_says_what_to_grade_first(here: Path) -> None:
    write(here, SOURCE.replace("self.data * other.data", "self.data + other.data"))
    told = shown("phase5")
    assert "0 failed" not in told
    assert "blocked" in told
    assert "next: grade phase3.times" in told


def test_a_phase_that_passes_says_what_to_look_at_and_what_to_answer(here: Path) -> None:
    write(here)
    told = shown("4")
    assert 'see it: grade trace "(a*b + c) * d"' in told
    assert "questions: grade predict phase4" in told
    assert told.index("questions:") < told.index("next: phase1")


@pytest.mark.parametrize("stage", [stage for stage in COURSE.stages if "trace" in stage.see])
def test_the_command_that_a_phase_suggests_works_with_the_code_of_that_phase(
    stage: Stage, here: Path
) -> None:
    following = COURSE.stages[COURSE.stages.index(stage) + 1]
    run("init", "then", "--phase", following.id, "--with-solutions")
    os.chdir(here / "then")
    _, *words = shlex.split(stage.see)
    assert run(*words, "--text").return_value == 0


def test_a_phase_that_failed_is_next_even_if_later_ones_pass(here: Path) -> None:
    write(here, SOURCE.replace("return self + other", "return other"))
    run("1-4")
    told = shown()
    assert "next: phase2" in told
    assert "still open: 3 + a works with an int and a float (phase2.number-left)" in told


def test_a_green_phase_says_what_is_next_and_a_red_one_where_hints_are(here: Path) -> None:
    write(here)
    assert "next: phase2" in shown("1")
    write(here, SOURCE.replace("return self + other", "return other"))
    told = shown("2")
    assert "next:" not in told
    assert "stuck? grade hint phase2" in told


def test_a_phase_that_is_not_written_yet_says_where_to_write() -> None:
    assert "write Value.__init__ in exercises" in shown("phase1")


def test_a_common_cause_is_explained_once(here: Path) -> None:
    write(here, SOURCE.replace('(self, other), "*")', '(self, other), "*") and None'))
    folded = re.search(r"(\d+) checkpoints wait for: .*?\(phase3\.times\)", shown("3"), re.DOTALL)
    assert folded is not None
    assert int(folded[1]) > 5
    assert "checkpoints wait for:" not in shown("3", "-v")


def test_after_every_phase_the_end_is_announced() -> None:
    for last, told in (("done", True), ("begun", False)):
        places = tuple(
            Place(stage, "open" if stage.optional else last if stage.id == "phase8" else "done", 0)
            for stage in COURSE.stages
        )
        console = Console(file=io.StringIO(), width=100)
        print_next(Status(places, (), COURSE.stages[-1]), COURSE, console)
        assert ("grade finish" in console.file.getvalue()) is told  # type: ignore[attr-defined]


def test_every_extra_says_whether_it_passes(here: Path) -> None:
    for file in ("engine.py", "operations.py"):
        shutil.copy(kit_folder("solutions") / file, here / "exercises")
    run("ext1")
    assert "✓ ext1  · ext2" in shown()


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        (["phase1"], "1"),
        (["phase1", "phase2", "phase3"], "1-3"),
        (["phase1", "phase3", "ext1"], "1 3 ext1"),
        ([], ""),
    ],
)
def test_stages_have_words_that_select_them(ids: list[str], words: str) -> None:
    stages = [COURSE.stage(id) for id in ids]
    assert COURSE.words_for(stages) == words
    assert list(COURSE.select(words.split())) == stages


# --- one checkpoint ---


def test_a_single_checkpoint_can_be_graded_and_the_whole_phase_is_remembered(here: Path) -> None:
    write(here, SOURCE.replace("return self + other", "return other"))
    done = run("phase2.number-left")
    assert done.return_value == 1
    assert "a + b remembers" not in done.stdout
    assert "0/1 points: 0 of 1 checkpoint passed, 1 failed" in done.stdout
    done = run("2.forward")
    assert done.return_value == 0
    assert "1/1 points: 1 of 1 checkpoint passed" in done.stdout
    assert "phase2   Addition and the graph  8/10" in shown()


def test_a_blocked_checkpoint_quotes_what_must_pass_before(here: Path) -> None:
    write(here, SOURCE.replace("return self + other", "return other"))
    told = (
        "this one uses 2 + a, and '3 + a works with an int and a float' (phase2.number-left) does"
        " not pass yet"
    )
    assert told in " ".join(shown("phase2.sum").split())


# --- reports ---


def test_a_file_that_is_not_python_is_reported_once(here: Path) -> None:
    write(here, "class Value(\n")
    told = shown("1-8")
    assert told.count("engine.py is not valid Python") == 1
    assert "nn.py is not valid" not in told
    assert "keeps its number" not in told
    assert "phase2  Addition and the graph  0/10  as above" in told


def test_output_of_passing_code_is_mentioned_and_shown_on_request(here: Path) -> None:
    write(
        here,
        SOURCE.replace(
            '        return f"Value(', '        print("so far so good")\n        return f"Value('
        ),
    )
    assert "your code printed 4 lines where it passed; -v shows them" in shown("1")
    assert "| so far so good" in shown("1", "-v")


@pytest.mark.parametrize("columns", ["60", "80"])
def test_code_in_a_traceback_is_not_broken(
    columns: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    line = (
        "out = Value(self.data + other.data, (self, other), undefined_and_rather_long_on_purpose)"
    )
    write(here, SOURCE.replace('out = Value(self.data + other.data, (self, other), "+")', line))
    assert any(shown_line.strip() == line for shown_line in shown("2").splitlines())


# --- hints ---


def test_hints_can_be_read_again_without_opening_another() -> None:
    assert "next: grade hint Value.build_topo" in shown("hint", "phase4", "--again")
    run("hint", "phase4")
    again = shown("hint", "phase4", "--again")
    assert "1 of 4" in again
    assert "2 of 4" not in again
    assert "2 of 4" in shown("hint", "phase4")


def test_symptoms_can_be_limited_to_one_phase() -> None:
    assert "exactly half" in shown("hint", "phase4", "--symptom", "half")
    done = run("hint", "phase8", "--symptom", "half")
    assert done.return_value == 1
    assert "no symptom of phase8 matches" in done.stdout


def test_a_quiz_that_ends_early_says_how_to_go_on() -> None:
    told = shown("quiz", "phase1", "--seed", "5")
    assert "0 of 4 right, 4 not answered" in told
    assert "again: grade quiz phase1 --seed 5" in told


def test_by_default_the_questions_are_about_the_phases_so_far(here: Path) -> None:
    assert "again: grade quiz 1 --seed 5" in shown("quiz", "--seed", "5")
    # nothing in phase 1 can be predicted
    assert "again: grade predict 1-2 --seed 5" in shown("predict", "--seed", "5")
    write(here)
    run("1-3")
    assert "again: grade quiz 1-4 --seed 5" in shown("quiz", "--seed", "5")
    assert "again: grade quiz all extras --seed 5" in shown("quiz", "all", "extras", "--seed", "5")


def test_an_import_that_fails_names_the_file_with_the_mistake(here: Path) -> None:
    write(here, "def broken(:\n")
    home = Path("exercises")
    (home / "nn.py").write_text("from engine import Value\n", encoding="utf-8")
    course = replace(COURSE, stages=tuple(s for s in COURSE.stages if s.id == "phase7"))
    status = find_status(course, read_submission(home, COURSE.files), {}, ProcessHost)
    assert status.trouble.startswith(f"{home / 'engine.py'}, line 1: SyntaxError: ")
