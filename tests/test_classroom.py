"""A class: who handed in what, a gradebook that nothing can spoil, exports that course systems read, one page about it all."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from classes import make_class
from click.testing import CliRunner, Result

from grader.classroom import grading as grading_module
from grader.classroom.exports import export
from grader.classroom.gradebook import Entry, Gradebook, GradebookError, Key, Mark, chosen
from grader.classroom.grading import How, Task, grade_all, read_task
from grader.classroom.layout import find_handed_in
from grader.classroom.page import class_page
from grader.classroom.roster import find_person, read_roster
from grader.classroom.round import Round
from grader.cli import commands
from grader.courses import DEFAULT_COURSE, kit_folder, load_course
from grader.errors import UsageError
from grader.grading import grade
from grader.reports.as_json import to_json
from grader.reports.from_json import from_json

COURSE = load_course()
SOLUTION = kit_folder("solutions") / "engine.py"
HOW = How(str(DEFAULT_COURSE), ("phase1",), isolation=2)


def command(*args: str) -> Result:
    return CliRunner().invoke(commands, ["class", *args], standalone_mode=False)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def handed_in(here: Path) -> Path:
    """A class of five: right, wrong, a syntax error, hanging, and nothing that can be read."""
    folder = here / "in"
    source = SOLUTION.read_text(encoding="utf-8")
    engines = {
        "ada": source,
        "bob": source.replace("self.grad = 0.0", "self.grad = 1.0", 1),
        "cem": "class Value(:\n",
        "dee": source.replace('return f"Value', 'while True: pass\n        return f"Value', 1),
    }
    for name, text in engines.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "engine.py").write_text(text, encoding="utf-8")
    (folder / "eve").mkdir()
    (folder / "eve" / "notes.txt").write_text("sorry", encoding="utf-8")
    return folder


# --- who handed in what ---


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n", encoding="utf-8")


def test_canvas_s_files_belong_to_learners(tmp_path: Path) -> None:
    touch(
        tmp_path / "doejane_12345_900001_engine.py", tmp_path / "doejane_12345_900002_nn-1.py",
        tmp_path / "roeric_LATE_777_900003_engine.py", tmp_path / "__MACOSX" / "x.py",
    )  # fmt: skip
    layout, found = find_handed_in(tmp_path)
    assert layout == "Canvas"
    assert {one.learner: (one.name, sorted(one.files), one.late) for one in found} == {
        "12345": ("doejane", ["engine.py", "nn.py"], False),
        "777": ("roeric", [], True),
    }


def test_moodle_s_folders_belong_to_participants(tmp_path: Path) -> None:
    touch(tmp_path / "Jane Doe_4711_assignsubmission_file" / "engine.py", tmp_path / "Ric Roe_4712_assignsubmission_file_" / "a.zip")
    layout, found = find_handed_in(tmp_path)
    assert (layout, [(one.learner, one.name) for one in found]) == ("Moodle", [("4711", "Jane Doe"), ("4712", "Ric Roe")])


def test_gradescope_s_folders_belong_to_whom_its_list_says(tmp_path: Path) -> None:
    touch(tmp_path / "submission_1" / "engine.py", tmp_path / "submission_2" / "engine.py")
    (tmp_path / "submission_metadata.yml").write_text(
        "submission_1:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '42'\n  :created_at: 2026-11-01 10:00:00.000000000 Z\n"
        "submission_2:\n  :submitters:\n  - :name: Ric\n    :email: ric@x.org\n../evil:\n  :submitters:\n  - :name: E\n",
        encoding="utf-8",
    )
    layout, found = find_handed_in(tmp_path)
    assert (layout, [(one.learner, one.name) for one in found]) == ("Gradescope", [("42", "Jane Doe"), ("ric@x.org", "Ric")])
    assert time.gmtime(found[0].received)[:4] == (2026, 11, 1, 10)
    (tmp_path / "submission_metadata.yml").write_text("- x\n", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be understood"):
        find_handed_in(tmp_path)


def test_anything_else_is_a_folder_of_folders_files_and_archives(tmp_path: Path) -> None:
    touch(tmp_path / "ada" / "engine.py", tmp_path / "bob.py", tmp_path / "cem.tar.gz", tmp_path / "readme.txt", tmp_path / ".git" / "x.py")
    layout, found = find_handed_in(tmp_path)
    assert (layout, [one.learner for one in found]) == ("folder", ["ada", "bob", "cem"])
    (tmp_path / "empty").mkdir()
    for nothing in (tmp_path / "no", tmp_path / "empty"):
        with pytest.raises(UsageError):
            find_handed_in(nothing)


@pytest.mark.parametrize(
    ("text", "learner", "name"),
    [
        ("id,name\n42,Jane Doe\n", "42", "?"),
        ('\ufeffStudent,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"Doe, Jane",12345,s42,jdoe,A\n', "12345", "doejane"),
        ("Identifier;Full name;Email address\nParticipant 4711;Jane Doe;j@x.org\n", "4711", "Jane Doe"),
        ("first name,last name,email,sid\nJane,Doe,j@x.org,42\n", "folder", "Doe Jane"),
        ("id,name,email\n42,Jane Doe,J@x.org\n", "j@x.org", "?"),
    ],
)
def test_a_roster_finds_people_by_whatever_they_are_called(tmp_path: Path, text: str, learner: str, name: str) -> None:
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8")
    people = read_roster(tmp_path / "roster.csv")
    found = find_person(people, learner, name)
    assert found is not None
    assert sorted(re.findall(r"\w+", found.name)) == ["Doe", "Jane"]
    assert find_person(people, "nobody", "else") is None


@pytest.mark.parametrize("text", ["name\nx\n", "id,name\n1,a\n1,b\n", "\x00", ""])
def test_a_roster_that_says_nothing_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError):
        read_roster(tmp_path / "roster.csv")


# --- graded, once ---


def test_a_class_is_graded_and_goes_on_where_it_was(here: Path, handed_in: Path) -> None:
    (here / "roster.csv").write_text("id,name\nada,Ada L\nzoe,Zoe Z\n", encoding="utf-8")
    first = command(str(handed_in), "--phases", "phase1", "--roster", "roster.csv", "--jobs", "2")
    assert first.return_value == 0, first.output
    assert "4 graded, 1 could not be read" in first.output
    assert "1 handed in nothing: Zoe Z" in first.output
    with Gradebook(here / "gradebook.sqlite") as gradebook:
        before = gradebook.entries()
        assert {entry.key.learner: entry.score for entry in before} == {"ada": 6, "bob": 3, "cem": 0, "dee": 5, "eve": 0}
    assert "5 graded before" in command(str(handed_in), "--phases", "phase1", "--roster", "roster.csv").output
    with Gradebook(here / "gradebook.sqlite") as gradebook:
        assert gradebook.entries() == before
    (handed_in / "bob" / "engine.py").write_text(SOLUTION.read_text(encoding="utf-8"), encoding="utf-8")
    assert "1 graded, 4 graded before" in command(str(handed_in), "--phases", "phase1").output
    with Gradebook(here / "gradebook.sqlite") as gradebook:
        assert [entry.score for entry in gradebook.entries("bob")] == [3, 6]


def test_the_verdicts_are_those_of_a_grading_alone(here: Path, handed_in: Path) -> None:
    command(str(handed_in), "--phases", "phase1")
    with Gradebook(here / "gradebook.sqlite") as gradebook:
        for entry in gradebook.entries(reports=True):
            if entry.report:
                alone = grade(handed_in / entry.key.learner, ["phase1"])
                assert [(m.id, m.verdict) for m in entry.marks] == [(r.id, r.verdict.value) for r in alone.checkpoints]


def tasks(handed_in: Path) -> list[Task]:
    read = (read_task(one, one.name, COURSE, "course", HOW) for one in find_handed_in(handed_in)[1])
    return [task for task in read if isinstance(task, Task)]


def test_a_submission_that_is_a_link_is_nobody_s(tmp_path: Path) -> None:
    course = load_course()
    touch(tmp_path / "class" / "ada" / "engine.py", tmp_path / "elsewhere" / "engine.py")
    for name, target in {"mallory": "ada", "etcs": "/etc", "eve": "../elsewhere", "one.py": "ada/engine.py"}.items():
        (tmp_path / "class" / name).symlink_to(target)
    read = {handed.learner: read_task(handed, "", course, "", How("")) for handed in find_handed_in(tmp_path / "class")[1]}
    assert isinstance(read.pop("ada"), Task)
    assert read
    for entry in read.values():
        assert isinstance(entry, Entry)
        assert (entry.outcome, "is a link" in entry.message) == ("refused", True)


def test_a_process_that_dies_takes_nobody_with_it(handed_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading_module, "grade_one", _dies_of_bob)
    entries = {entry.key.learner: entry for entry in grade_all(tasks(handed_in), HOW, 2)}
    assert {learner: entry.outcome for learner, entry in entries.items()} == {"ada": "graded", "bob": "error", "cem": "graded", "dee": "graded"}
    assert "died" in entries["bob"].message


def _dies_of_bob(task: Task, _how: How) -> Entry:
    if task.key.learner == "bob":
        os._exit(1)
    return Entry(task.key, task.name, "", 0.0, False, 0.0, "graded")


# --- the gradebook ---


def entry(learner: str = "ada", sha256: str = "a", score: int = 3, received: float = 1.0, outcome: str = "graded") -> Entry:
    marks = (Mark("phase1.data", "passed", 1, 1, False, "", "It works"), Mark("phase1.grad", "failed", 0, 1, False, "phase1.x", "`grad` is 0"))
    return Entry(Key(learner, sha256, "course", "phase1", 20), learner.title(), "in/" + learner, received, False, 0.1, outcome, "", score, 6, marks, "{}", 5.0)


def test_nothing_is_doubled(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as one, Gradebook(tmp_path / "book") as other:
        assert one.add(entry())
        assert not other.add(entry())
        assert one.entries(reports=True) == other.entries(reports=True) == [entry()]
        assert one.has(entry().key)
        assert not one.has(replace(entry().key, seed=1))


def test_what_the_grader_failed_at_is_tried_again_and_replaced(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as book:
        book.add(entry(outcome="error", score=0))
        assert not book.has(entry().key)
        assert book.add(entry())
        assert [found.outcome for found in book.entries()] == ["graded"]


def test_the_best_or_the_last_counts() -> None:
    entries = [entry(sha256="a", score=3, received=1), entry(sha256="b", score=5, received=2), entry(sha256="c", score=5, received=3), entry(sha256="d", score=1, received=4)]
    assert chosen(entries, "best")["ada"].key.sha256 == "b"
    assert chosen(entries, "last")["ada"].key.sha256 == "d"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_at_any_moment_every_row_is_whole(tmp_path: Path) -> None:
    program = (
        "import sys; from dataclasses import replace; from pathlib import Path\n"
        "from grader.classroom.gradebook import *\n"
        "marks = tuple(Mark(f'phase1.c{n}', 'passed', 1, 1, False) for n in range(60))\n"
        "e = Entry(Key('ada', '', 'c', 'p', 1), 'Ada', '', 0.0, False, 0.0, 'graded', '', 60, 60, marks, 'x' * 5000)\n"
        "book = Gradebook(Path(sys.argv[1])); print('ready', flush=True)\n"
        "for n in range(10**6): book.add(replace(e, key=replace(e.key, sha256=f'{sys.argv[2]}-{n}')))\n"
    )
    for number, wait in enumerate((0.01, 0.05, 0.11, 0.2)):
        with subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "book"), str(number)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(wait)
            process.kill()
        with Gradebook(tmp_path / "book") as book:
            entries = book.entries(reports=True)
        assert all(len(found.marks) == 60 and len(found.report) == 5000 for found in entries)
    assert entries


def test_a_full_disk_and_a_stranger_s_file_are_told(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as book:
        book.add(entry())
        book._database.execute("PRAGMA max_page_count = 1")
        large = replace(entry(sha256="b"), report=os.urandom(200_000).hex())
        with pytest.raises(GradebookError, match="full"):
            book.add(large)
        assert book.entries(reports=True) == [entry()]
    (tmp_path / "text").write_text("this is no database, whatever its name says " * 50, encoding="utf-8")
    with pytest.raises(GradebookError):
        Gradebook(tmp_path / "text")
    other = sqlite3.connect(tmp_path / "newer")
    other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(GradebookError, match="another version"):
        Gradebook(tmp_path / "newer")


# --- exports ---


def table(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def test_exports_have_a_row_for_everybody(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text('Student,ID,SIS User ID,SIS Login ID,Section\n"Lovelace, Ada",ada,s1,al,B\nZoe,zoe,s2,zz,B\n', encoding="utf-8")
    people = read_roster(tmp_path / "r.csv")
    entries, names = {"ada": entry()}, {"ada": "=cmd|Ada", "zoe": "Zoe"}
    plain = table(export(Path("grades.csv"), entries, names, people, "Autograd"))
    assert plain[0][-3:] == ["phase1", "phase1.data", "phase1.grad"]
    assert plain[1][-3:] == ["1", "1", "0"]
    assert plain[1][1] == "'=cmd|Ada"
    assert plain[2][2] == "not handed in"
    canvas = table(export(Path("canvas.csv"), entries, names, people, "Autograd"))
    assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Autograd", "Autograd phase1"]
    assert canvas[1][0].strip() == "Points Possible"
    assert canvas[2] == ["Lovelace, Ada", "ada", "s1", "al", "B", "3", "1"]
    assert canvas[3][5] == ""
    moodle = table(export(Path("moodle.csv"), {"4711": entry("4711")}, {"4711": "Jane"}, [], "Autograd"))
    assert moodle[1] == ["Participant 4711", "Jane", "", "3", "6", "phase1 1/2"]
    with pytest.raises(UsageError):
        export(Path("grades.xlsx"), entries, names, people, "Autograd")


def test_parquet_where_it_can_be_written(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed here")
    (tmp_path / "g.parquet").write_bytes(export(Path("g.parquet"), {"ada": entry()}, {"ada": "Ada", "zoe": "Zoe"}, [], "x"))
    rows = pq.read_table(tmp_path / "g.parquet").to_pylist()
    assert [(row["id"], row["score"], row["phase1.data"]) for row in rows] == [("ada", 3, 1), ("zoe", None, None)]


# --- the page ---


def data_of(page: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(page.partition('<script type="application/json" id="data">')[2].partition("</script>")[0])
    return found


def test_the_page_has_everybody_and_fetches_nothing(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(SOLUTION.read_text(encoding="utf-8").replace("self.grad = 0.0", "self.grad = 1.0; print('</script><b>')", 1), encoding="utf-8")
    report = to_json(grade(tmp_path, ["phase1"]))
    entries = [replace(entry(), report=report, name="</script><script>alert(1)</script>")]
    page = class_page(COURSE, entries, {"ada": "</script><script>alert(1)</script>", "zoe": "Zoe"}, "best")
    assert not re.search(r"https?://|src=|href=", page)
    assert page.count("</script>") == 2
    data = data_of(page)
    learners = data["learners"]
    assert isinstance(learners, list)
    assert [one["id"] for one in learners] == ["ada", "zoe"]
    assert learners[0]["marks"] == "pf"
    shown = gzip.decompress(base64.b64decode(learners[0]["report"])).decode()
    assert "<script" not in shown
    assert "&lt;/script&gt;" in shown


def test_a_page_without_names_has_none_in_any_byte(tmp_path: Path) -> None:
    folder = tmp_path / "lovelace_ada"
    folder.mkdir()
    told = "by ADA  Lovelace (lovelace_ada)"
    (folder / "engine.py").write_text(f"print({told!r})\nclass Value:\n    def __init__(self, data): raise ValueError({told!r})\n", encoding="utf-8")
    report = to_json(grade(folder, ["phase1"]))
    entries, names = make_class(COURSE, 40, [re.sub("(?i)lovelace|ada", "xx", report)])
    names = {**names, "s0007": "<unheard-of>", "lovelace_ada": "Ada Lovelace"}
    page = class_page(COURSE, [*entries, replace(entry("lovelace_ada"), report=report, origin=str(folder))], names, "best", anonymous=True)
    learners = data_of(page)["learners"]
    assert isinstance(learners, list)
    reports = [gzip.decompress(base64.b64decode(one["report"])).decode() for one in learners]
    whole = re.sub(r'"report":"[^"]*"', "", page) + "".join(reports)
    words = {word for learner, name in names.items() for word in (learner, *re.findall(r"\w+", name), *re.findall(r"\w+", json.dumps(name)[1:-1]))}
    assert len(words) > 60
    assert not [word for word in words - {"of", "der", "van"} if len(word) > 2 and re.search(rf"\b{re.escape(word)}\b", whole, re.IGNORECASE)]
    assert any("engine.py, line 3" in text and "by …" in text for text in reports)


def test_a_report_survives_being_json() -> None:
    report = grade(kit_folder("exercises"), ["phase1", "ext1"])
    again = from_json(to_json(report))
    assert to_json(again) == to_json(report)
    with pytest.raises(UsageError):
        from_json("{}")


def test_one_learner_can_be_looked_at(here: Path, handed_in: Path) -> None:
    command(str(handed_in), "--phases", "phase1")
    shown = command("show", "bob").output
    assert "submission 1" in shown
    assert "phase1" in shown
    assert command("show", "bob", "--html", "bob.html").return_value == 0
    assert "<details" in (here / "bob.html").read_text(encoding="utf-8")
    assert isinstance(command("show", "nobody").exception, UsageError)
    assert command("report", "--anonymous").return_value == 0
    assert (here / "class.html").exists()


# --- a cluster ---


def test_a_cluster_whose_worker_is_killed_gives_the_same_gradebook(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason='Dask is not installed here: python -m pip install -e ".[cluster]"')
    folder = tmp_path / "in"
    source, count = SOLUTION.read_text(encoding="utf-8"), int(os.environ.get("CLUSTER_SUBMISSIONS", "30"))
    for number in range(count):
        (folder / f"l{number:03}").mkdir(parents=True)
        text = source.replace("self.grad = 0.0", f"self.grad = {number}.0", 1) if number % 3 else f"{source}# {number}\n"
        (folder / f"l{number:03}" / "engine.py").write_text(text, encoding="utf-8")
    handed = find_handed_in(folder)[1]
    with Gradebook(tmp_path / "here") as here:
        assert len(list(Round(COURSE, HOW, here, ()).grade(handed, 2))) == count
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Gradebook(tmp_path / "there") as there:
        for number, _ in enumerate(Round(COURSE, HOW, there, ()).grade(handed, 2, cluster.scheduler_address)):
            if number == count // 3:
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    with Gradebook(tmp_path / "here") as here, Gradebook(tmp_path / "there") as there:
        assert [_timeless(one) for one in here.entries(reports=True)] == [_timeless(one) for one in there.entries(reports=True)]


def _timeless(one: Entry) -> Entry:
    return replace(one, seconds=0.0, graded=0.0, report=re.sub(r'"duration_s": [\d.e-]+', "", one.report))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense"])
def test_a_cluster_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    pytest.importorskip("distributed", reason='Dask is not installed here: python -m pip install -e ".[cluster]"')
    monkeypatch.setattr("grader.classroom.cluster.WAIT", 0.5)
    with Gradebook(tmp_path / "book") as book, pytest.raises(UsageError, match="no Dask scheduler"):
        list(Round(COURSE, HOW, book, ()).grade([], 1, address))
