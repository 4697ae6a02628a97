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
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from grader.curriculum.load import load_course
from grader.curriculum.model import Stage
from grader.learner.editing import functions_in, replace_functions
from grader.learner.progress import FILE, FOLDER, HINTS, RIGHT, SPOILED, TICKED
from grader.learner.status import Place, Status
from grader.learner.status_screen import print_next
from support import changed, kit_folder
from support.command import run

pytestmark = pytest.mark.slow

COURSE = load_course()


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


def shown(*words: str | Path, typed: str = "") -> str:
    """Return what a command prints."""
    return run(*words, typed=typed).stdout


def write(folder: Path, *pairs: tuple[str, str], more: str = "") -> None:
    """Write the solution with these places changed into the learner's file."""
    file = folder / "exercises" / "engine.py"
    file.write_text(changed(*pairs) + more, encoding="utf-8")


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


def test_a_named_path_has_no_progress_and_gets_none(here: Path) -> None:
    write(here)
    shutil.copytree(here / "exercises", here / "other")
    run("1")
    before = kept(here)
    for path in ("other", "other/engine.py", "exercises"):
        run("2", "--at", path)
    assert kept(here) == before
    assert "phase1   The Value class  0/6" in shown("--at", "exercises")


def kept(folder: Path) -> dict[str, bytes]:
    """Return everything that is kept below a folder."""
    files = folder.rglob(f"{FOLDER}/**/*")
    return {str(path): path.read_bytes() for path in files if path.is_file()}


ENTRY = {
    "sha256": "x",
    "score": 1,
    "max_score": 6,
    "done": False,
    "open": "phase1.nothing",
    "passed": [],
}
HOSTILE: dict[str, Callable[[Path, Path], object]] = {
    "a link": lambda file, victim: file.symlink_to(victim),
    "a pipe": lambda file, _: os.mkfifo(file),
    "a device": lambda file, _: file.symlink_to("/dev/zero"),
    "a giant": lambda file, _: file.write_bytes(b" " * (1 << 20) + b"{}"),
    "brackets": lambda file, _: file.write_text("[" * 100_000),
    "not a table": lambda file, _: file.write_text("5"),
    "an unknown checkpoint": lambda file, _: file.write_text(
        json.dumps({"phases": {"phase1": ENTRY, "phase2": 5}})
    ),
}


@pytest.mark.parametrize("what", [*HOSTILE, "a linked folder"])
def test_progress_that_is_damaged_or_leads_elsewhere_is_ignored(what: str, here: Path) -> None:
    write(here)
    victim, folder = here / "victim" / FILE, here / "exercises" / FOLDER
    victim.parent.mkdir()
    victim.write_text("{}", encoding="utf-8")
    if what == "a linked folder":
        folder.symlink_to(victim.parent)
    else:
        folder.mkdir()
        for name in (FILE, HINTS, RIGHT.file, TICKED.file, SPOILED.file):
            HOSTILE[what](folder / name, victim)
    for words in ("1", "", "hint 1", "checklist --tick like-pytorch", "solution 1 --spoil"):
        assert run(*words.split()).returncode == 0
    assert {file.name: file.read_text() for file in victim.parent.iterdir()} == {FILE: "{}"}
    if what != "a linked folder":  # the rest is mended by what is kept from now on
        assert "phase1   The Value class  6/6" in shown()


def test_grading_works_if_nothing_can_be_saved(here: Path) -> None:
    write(here)
    (here / "exercises" / ".grade").write_text("in the way", encoding="utf-8")
    done = run("1")
    assert (done.returncode, done.stderr, "6/6" in done.stdout) == (0, "", True)
    note = "note: not saved, because .grade cannot be written: "
    assert note in shown("checklist", "--tick", "like-pytorch")
    assert note in shown("quiz", "1", "--count", "3", "--seed", "1", typed="a\na\na\n")


# --- what is next ---


def test_a_beginner_sees_the_first_stub_and_the_paper_and_pencil_phase() -> None:
    told = shown()
    assert told.index("By hand") < told.index("phase1   The Value class")
    assert "write Value.__init__ in exercises" + os.sep + "engine.py, line" in told
    assert "by_hand.py, then grade by-hand" in told


def test_a_file_that_is_missing_or_empty_comes_before_what_to_write_in_it(here: Path) -> None:
    (here / "exercises" / "engine.py").write_text("\n", encoding="utf-8")
    assert "first: engine.py is empty; grade init FOLDER writes fresh copies" in shown()
    write(here)
    run("1-6")
    (here / "exercises" / "nn.py").unlink()
    assert "first: nn.py is missing; grade init FOLDER writes fresh copies" in shown()
    assert "note: missing: nn.py" in shown("7")


def test_a_phase_edited_since_it_passed_is_not_next(here: Path) -> None:
    write(here)
    run("1-3")
    write(here, ("self.data + other.data", "other.data + self.data"))
    told = shown()
    assert "✓ phase1" in told
    assert "next: phase4" in told
    assert "~ edited since passing: 2-3. To check again: grade 2-3" in told
    run("2")
    assert "~ edited since passing: 3. To check again: grade 3" in shown()


def test_a_tick_is_lost_by_an_edit_of_a_helper_and_by_no_comment_nor_the_next_method(
    here: Path,
) -> None:
    plus = ("self.data + other.data", "plus(self.data, other.data)")
    helper = "\n\ndef plus(a, b):\n    return a + b\n"
    write(here, plus, ("def zero_grad", "def later"), more=helper)
    run("1-4")
    write(here, plus, ("other = ", "# wrap\n\n        other = "), more=f"# mine\na = 1\n{helper}")
    assert re.findall("([✓~]) phase", shown()) == ["✓"] * 4
    write(here, plus, more=helper.replace("a + b", "b + a"))
    assert re.findall("([✓~]) phase", shown()) == ["✓", "~", "~", "~"]


def test_a_late_start_begins_with_its_own_phase(here: Path) -> None:
    run("init", "late", "--phase", "5", "--with-solutions")
    told = run(cwd=here / "late").stdout
    assert "next: phase5" in told
    assert "✓ phase4   Topological order and backward()  20/20  solution seen" in told
    assert "~" not in told


def test_a_written_function_that_fails_comes_before_the_next_stub(here: Path) -> None:
    stubs = (kit_folder("exercises") / "engine.py").read_bytes()
    written = functions_in(changed(("+ other.data", "- other.data")).encode(), "engine.py")
    own = {name: written[name] for name in ("Value.__init__", "Value.__repr__", "Value.__add__")}
    (here / "exercises" / "engine.py").write_bytes(replace_functions(stubs, own, "engine.py"))
    run("1-2")
    told = shown()
    assert "▸ started: 2" in told
    assert "look at Value.__add__ in exercises" in told
    assert "write Value.__radd__" not in told


def test_a_phase_in_which_nothing_failed_says_what_to_grade_first(here: Path) -> None:
    write(here, ("self.data * other.data", "self.data + other.data"))
    told = shown("phase5")
    assert "0 failed" not in told
    assert "next: grade phase3.times" in told


def test_a_phase_that_passes_says_what_to_look_at_and_what_to_answer(here: Path) -> None:
    write(here)
    order = [
        'see it: grade trace "(a*b + c) * d"',
        "questions: grade predict phase4",
        "next: phase1",
    ]
    assert re.search(".*".join(map(re.escape, order)), shown("4"), re.DOTALL)


@pytest.mark.parametrize("stage", [stage for stage in COURSE.stages if "trace" in stage.see])
def test_the_command_that_a_phase_suggests_works_with_the_code_of_that_phase(
    stage: Stage, here: Path
) -> None:
    following = COURSE.stages[COURSE.stages.index(stage) + 1]
    run("init", "then", "--phase", following.id, "--with-solutions")
    _, *words = shlex.split(stage.see)
    assert run(*words, "--text", cwd=here / "then").returncode == 0


LEFT = ("return self + other", "return other")


def test_a_phase_that_failed_is_next_even_if_later_ones_pass(here: Path) -> None:
    write(here, LEFT)
    run("1-4")
    told = shown()
    assert "next: phase2" in told
    assert "still open: 3 + a works with an int and a float (phase2.number-left)" in told


def test_a_green_phase_says_what_is_next_and_a_red_one_where_hints_are(here: Path) -> None:
    write(here)
    assert "next: phase2" in shown("1")
    write(here, LEFT)
    told = shown("2")
    assert "next:" not in told
    assert "stuck? grade hint" in told


def test_a_phase_that_is_not_written_yet_says_where_to_write() -> None:
    assert "write Value.__init__ in exercises" in shown("phase1")


def test_checkpoints_that_wait_for_a_failure_are_signs_unless_asked_for(here: Path) -> None:
    write(here, ('(self, other), "*")', '(self, other), "*") and None'))
    told = shown("3")
    assert told.count("▫") > 5
    assert "wait" not in told
    assert " ".join(shown("3", "-v").split()).count("(phase3.times) does not pass yet") > 5


@pytest.mark.parametrize(("last", "told"), [("done", True), ("begun", False)])
def test_after_every_phase_the_end_is_announced(last: str, told: bool) -> None:
    places = tuple(
        Place(stage, "open" if stage.optional else last if stage.id == "phase8" else "done", 0)
        for stage in COURSE.stages
    )
    out = io.StringIO()
    print_next(Status(places, (), COURSE.stages[-1]), COURSE, Console(file=out, width=100))
    assert ("grade finish" in out.getvalue()) is told


# --- one checkpoint ---


def test_a_single_checkpoint_can_be_graded_and_the_whole_phase_is_remembered(here: Path) -> None:
    write(here, LEFT)
    for words, code, told in (
        ("phase2.number-left", 1, "phase2  Addition and the graph   ✗   0/1"),
        ("2.forward", 0, "phase2  Addition and the graph   ✓   1/1"),
    ):
        done = run(words)
        assert (done.returncode, told in done.stdout) == (code, True)
        assert "a + b remembers" not in done.stdout
    assert "phase2   Addition and the graph  8/10" in shown()


def test_a_blocked_checkpoint_quotes_what_must_pass_before(here: Path) -> None:
    write(here, LEFT)
    told = (
        "this one uses 2 + a, and '3 + a works with an int and a float' (phase2.number-left) does"
        " not pass yet"
    )
    assert told in " ".join(shown("phase2.sum").split())


# --- reports ---


def test_a_file_that_is_not_python_is_reported_once(here: Path) -> None:
    (here / "exercises" / "engine.py").write_text("class Value(\n", encoding="utf-8")
    told = shown("1-8")
    assert told.count("engine.py is not valid Python") == 1
    assert "nn.py is not valid" not in told
    assert "keeps its number" not in told
    assert "✗ no checkpoint can run" in told
    assert "more failed" not in told


def test_output_of_passing_code_is_mentioned_and_shown_on_request(here: Path) -> None:
    write(
        here,
        ('        return f"Value(', '        print("so far so good")\n        return f"Value('),
    )
    assert "your code printed 4 lines where it passed; -v shows them" in shown("1")
    assert "| so far so good" in shown("1", "-v")


@pytest.mark.parametrize("columns", ["60", "80"])
def test_code_in_a_traceback_is_not_broken(columns: str, here: Path) -> None:
    line = (
        "out = Value(self.data + other.data, (self, other), undefined_and_rather_long_on_purpose)"
    )
    write(here, ('out = Value(self.data + other.data, (self, other), "+")', line))
    lines = run("2", "-v", COLUMNS=columns).stdout.splitlines()
    assert any(shown_line.endswith(line) for shown_line in lines)


# --- hints ---


def test_hints_can_be_read_again_without_opening_another() -> None:
    assert "next: grade hint Value.build_topo" in shown("hint", "phase4", "--again")
    for again, newest in ((False, 1), (True, 1), (False, 2)):
        told = shown("hint", "phase4", *["--again"] * again)
        assert re.findall(r"(\d) of 4", told)[-1] == str(newest)


def test_symptoms_can_be_limited_to_one_phase() -> None:
    assert "exactly half" in shown("hint", "phase4", "--symptom", "half")
    done = run("hint", "phase8", "--symptom", "half")
    assert (done.returncode, "no symptom of phase8 matches" in done.stdout) == (1, True)


def test_by_default_the_questions_are_about_the_phases_so_far(here: Path) -> None:
    assert "again: grade quiz 1 --seed 5" in shown("quiz", "--seed", "5")
    # nothing in phase 1 can be predicted
    assert "again: grade predict 1-2 --seed 5" in shown("predict", "--seed", "5")
    write(here)
    run("1-3")
    assert "again: grade quiz 1-4 --seed 5" in shown("quiz", "--seed", "5")
    told = shown("quiz", "all", "extras", "--count", "4", "--seed", "5")
    assert "0 of 4 right, 4 not answered" in told
    assert "again: grade quiz all extras --count 4 --seed 5" in told
