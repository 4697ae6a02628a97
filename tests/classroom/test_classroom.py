"""A class: who handed in what, a gradebook that nothing can spoil, exports that course systems
read, one page about it all.
"""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from concurrent.futures import Future, wait
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.classroom import gradebook
from grader.classroom import grading as grading_module
from grader.classroom.canvas_moodle import feedback_name
from grader.classroom.claims import Claims
from grader.classroom.cluster import grade_on_worker
from grader.classroom.entries import Entry, Key, Mark, chosen
from grader.classroom.exports import export
from grader.classroom.gradebook import Gradebook, GradebookError
from grader.classroom.grading import GradingOptions, Task, grade_all, grade_one, read_task
from grader.classroom.layout import find_handed_in, unexplained
from grader.classroom.marks import Rules, Standing, standings
from grader.classroom.page import class_page
from grader.classroom.roster import look_up, read_roster
from grader.classroom.round import Round
from grader.cli.classroom.progress import remaining
from grader.cli.group import commands
from grader.curriculum.load import load_course
from grader.curriculum.model import DEFAULT_COURSE
from grader.errors import UsageError
from grader.views.json import from_json, to_json
from support import kit_folder
from support.classes import make_class
from support.grading import grade

COURSE = load_course()
SOLUTION = kit_folder("solutions") / "engine.py"
HOW = GradingOptions(str(DEFAULT_COURSE), ("phase1",), isolation=2)


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
        tmp_path / "doejane_12345_900001_engine.py",
        tmp_path / "doejane_12345_900002_nn-1.py",
        tmp_path / "roeric_LATE_777_900003_engine.py",
        tmp_path / "__MACOSX" / "x.py",
    )
    layout, found = find_handed_in(tmp_path)
    assert layout == "Canvas"
    assert {one.learner: (one.name, sorted(one.files), one.late) for one in found} == {
        "12345": ("doejane", ["engine.py", "nn.py"], False),
        "777": ("roeric", [], True),
    }


def test_moodle_s_folders_belong_to_participants(tmp_path: Path) -> None:
    touch(
        tmp_path / "Jane Doe_4711_assignsubmission_file" / "engine.py",
        tmp_path / "Ric Roe_4712_assignsubmission_file_" / "a.zip",
    )
    layout, found = find_handed_in(tmp_path)
    assert (layout, [(one.learner, one.name) for one in found]) == (
        "Moodle",
        [("4711", "Jane Doe"), ("4712", "Ric Roe")],
    )


def test_gradescope_s_folders_belong_to_whom_its_list_says(tmp_path: Path) -> None:
    touch(tmp_path / "submission_1" / "engine.py", tmp_path / "submission_2" / "engine.py")
    (tmp_path / "submission_metadata.yml").write_text(
        "submission_1:\n"
        "  :submitters:\n"
        "  - :name: Jane Doe\n"
        "    :sid: '42'\n"
        "  :created_at: 2026-11-01 10:00:00.000000000 Z\n"
        "submission_2:\n"
        "  :submitters:\n"
        "  - :name: Ric\n"
        "    :email: ric@x.org\n"
        "../evil:\n"
        "  :submitters:\n"
        "  - :name: E\n",
        encoding="utf-8",
    )
    layout, found = find_handed_in(tmp_path)
    assert (layout, [(one.learner, one.name) for one in found]) == (
        "Gradescope",
        [("42", "Jane Doe"), ("ric@x.org", "Ric")],
    )
    assert time.gmtime(found[0].received)[:4] == (2026, 11, 1, 10)
    (tmp_path / "submission_metadata.yml").write_text("- x\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is damaged"):
        find_handed_in(tmp_path)


@pytest.mark.slow
def test_everybody_in_a_group_gets_the_mark(tmp_path: Path) -> None:
    (tmp_path / "in" / "submission_1").mkdir(parents=True)
    (tmp_path / "in" / "submission_1" / "engine.py").write_bytes(SOLUTION.read_bytes())
    (tmp_path / "in" / "submission_metadata.yml").write_text(
        "submission_1:\n"
        "  :submitters:\n"
        "  - :name: Jane Doe\n    :sid: '42'\n"
        "  - :name: Ric Roe\n    :email: ric@x.org\n"
        "  - :name: Sam Soe\n    :sid: '44'\n",
        encoding="utf-8",
    )
    (tmp_path / "r.csv").write_text(
        "id,name,email,group\n42,Jane Doe,,\n43,Ric Roe,ric@x.org,\n44,Sam Soe,,A\n45,Tia,,A\n",
        encoding="utf-8",
    )
    handed = find_handed_in(tmp_path / "in")[1]
    with Gradebook(tmp_path / "book") as book:
        everybody = Round(COURSE, HOW, book, read_roster(tmp_path / "r.csv"))
        assert list(everybody.grade(handed, 1)) == [("graded", "Jane Doe")]
        scores = {one.key.learner: (one.name, one.score) for one in book.entries()}
        assert scores == {"42": ("Jane Doe", 6), "43": ("Ric Roe", 6), "44": ("Sam Soe", 6)}
        assert "1 handed in nothing: Tia" in everybody.remarks(handed)
        sam = [replace(handed[0], learner="44", name="Sam Soe", partners=())]
        again = Round(COURSE, HOW, book, read_roster(tmp_path / "r.csv"))
        assert list(again.grade(sam, 1)) == [("known", "Sam Soe")]
        assert [one.score for one in book.entries("45")] == [6]


def test_text_that_is_typed_into_moodle_is_a_comment(tmp_path: Path) -> None:
    touch(
        tmp_path / "Jane Doe_4711_assignsubmission_file" / "engine.py",
        tmp_path / "Jane Doe_4711_assignsubmission_onlinetext" / "onlinetext.html",
        tmp_path / "Ric Roe_4712_assignsubmission_onlinetext" / "onlinetext.html",
    )
    found = find_handed_in(tmp_path)[1]
    assert [(one.learner, Path(one.origin).name) for one in found] == [
        ("4711", "Jane Doe_4711_assignsubmission_file"),
        ("4712", "Ric Roe_4712_assignsubmission_onlinetext"),
    ]
    assert unexplained(tmp_path, found) == []


def test_nbgrader_s_folders_belong_to_students(tmp_path: Path) -> None:
    touch(
        tmp_path / "ada" / "ps1" / "engine.py",
        tmp_path / "ada" / "ps2" / "engine.py",
        tmp_path / "bob" / "ps2" / "engine.py",
    )
    for stamp in tmp_path.glob("*/*"):
        (stamp / "timestamp.txt").write_text("2026-11-02 10:00:00.000000 UTC", encoding="utf-8")
    with pytest.raises(UsageError, match="2 assignments: ps1, ps2"):
        find_handed_in(tmp_path)
    layout, found = find_handed_in(tmp_path, "ps2")
    assert (layout, [one.learner for one in found]) == ("nbgrader", ["ada", "bob"])
    assert [one.path and one.path.name for one in found] == ["ps2", "ps2"]
    assert time.gmtime(found[0].received)[:4] == (2026, 11, 2, 10)
    assert unexplained(tmp_path, found) == []
    with pytest.raises(UsageError, match="no assignment 'ps3'"):
        find_handed_in(tmp_path, "ps3")


def test_anything_else_is_a_folder_of_folders_files_and_archives(tmp_path: Path) -> None:
    touch(
        tmp_path / "ada" / "engine.py",
        tmp_path / "bob.py",
        tmp_path / "cem.tar.gz",
        tmp_path / "readme.txt",
        tmp_path / ".git" / "x.py",
    )
    layout, found = find_handed_in(tmp_path)
    assert (layout, [one.learner for one in found]) == ("folder", ["ada", "bob", "cem"])
    (tmp_path / "empty").mkdir()
    for nothing in (tmp_path / "no", tmp_path / "empty"):
        with pytest.raises(UsageError):
            find_handed_in(nothing)


def test_moodle_s_first_number_says_whose_a_file_is(tmp_path: Path) -> None:
    touch(
        tmp_path / "Ada Lovelace_777_assignsubmission_file_engine.py",
        tmp_path / "Mallory M_12345_assignsubmission_file_x_777_assignsubmission_file_engine.py",
        tmp_path / "Eve E_12346_assignsubmission_comments_777_assignsubmission_file_engine.py",
        tmp_path / "Zed_777_assignsubmission_file_x_12347_assignsubmission_file_engine.py",
    )
    found = {one.learner: one for one in find_handed_in(tmp_path)[1]}
    assert set(found) == {"777", "12345", "12346", "Zed (777)"}
    assert (found["777"].name, [place.name for place in found["777"].places]) == (
        "Ada Lovelace",
        ["Ada Lovelace_777_assignsubmission_file_engine.py"],
    )
    assert "not clear whose" in found["Zed (777)"].trouble
    assert not found["777"].trouble


def test_moodle_may_give_out_folders_and_files_together(tmp_path: Path) -> None:
    touch(
        tmp_path / "Jane Doe_1_assignsubmission_file" / "engine.py",
        tmp_path / "Ric Roe_2_assignsubmission_file_engine.py",
    )
    assert [one.learner for one in find_handed_in(tmp_path)[1]] == ["1", "2"]


def test_nobody_s_file_names_make_a_class_one_of_another_course_system(tmp_path: Path) -> None:
    touch(
        tmp_path / "doejane_1_2_engine.py",
        *(tmp_path / f"mallory_3_{n}_a_777_assignsubmission_file_{n}.py" for n in range(9)),
    )
    layout, found = find_handed_in(tmp_path)
    assert (layout, {one.learner for one in found}) == ("Canvas", {"1", "3"})


def test_two_files_of_one_name_are_refused_and_numbered_pictures_are_not(tmp_path: Path) -> None:
    touch(
        tmp_path / "doejane_1_2_engine.py",
        tmp_path / "doejane_1_3_engine-1.py",
        tmp_path / "roeric_4_5_engine-2.py",
        tmp_path / "roeric_4_6_plot-1.png",
        tmp_path / "roeric_4_7_plot-2.png",
    )
    jane, ric = find_handed_in(tmp_path)[1]
    assert (
        jane.trouble
        == "'doejane_1_2_engine.py' and 'doejane_1_3_engine-1.py' both stand for 'engine.py'"
    )
    assert (sorted(ric.files), ric.trouble) == (["engine.py", "plot-1.png", "plot-2.png"], "")
    read = read_task(jane, jane.name, COURSE, "course", HOW)
    assert isinstance(read, Entry)
    assert (read.outcome, read.message) == ("refused", jane.trouble)


def test_files_that_do_not_fit_a_layout_are_named(tmp_path: Path) -> None:
    touch(
        tmp_path / "doejane_1_2_engine.py",
        tmp_path / "roeric_3_4_engine.py",
        tmp_path / "extra.py",
        tmp_path / "grades.csv",
        tmp_path / "._x",
        tmp_path / ".DS_Store",
    )
    assert unexplained(tmp_path, find_handed_in(tmp_path)[1]) == ["extra.py", "grades.csv"]


def test_gradescope_s_list_may_hold_any_name(tmp_path: Path) -> None:
    touch(*(tmp_path / f"submission_{n}" / "engine.py" for n in range(1, 6)))
    (tmp_path / "submission_metadata.yml").write_text(
        "submission_1:\n"
        "  :submitters:\n"
        "  - :name: 2026-13-45\n"
        "    :sid: 0042\n"
        "submission_2:\n"
        "  :submitters: []\n"
        "submission_3:\n"
        "  :submitters:\n"
        '  - :name: "[/red]Zoe \\uD83D\\e[2J"\n'
        "    :sid: z\n"
        "  :created_at: 2026-99-99\n"
        "submission_4: ~\n"
        "submission_9:\n"
        "  :submitters:\n"
        "  - :name: Nina\n"
        "    :sid: n\n",
        encoding="utf-8",
    )
    found = {one.learner: one for one in find_handed_in(tmp_path)[1]}
    assert {learner: one.name for learner, one in found.items()} == {
        "0042": "2026-13-45",
        "submission_2": "submission_2",
        "z": "[/red]Zoe \\ud83d\x1b[2J",
        "submission_4": "submission_4",
        "n": "Nina",
    }
    assert "that folder does not exist" in found["n"].trouble
    assert unexplained(tmp_path, found.values()) == ["submission_5"]


@pytest.mark.slow
@pytest.mark.skipif(
    os.name == "nt" or sys.platform == "darwin", reason="file names are Unicode there"
)
@pytest.mark.parametrize(
    "names",
    [
        [b"mallory_2_12_engine.py", b"mallory_2_13_caf\xe9.py", b"doe_1_11_engine.py"],
        [
            b"J\xfcrgen_2_assignsubmission_file_engine.py",
            b"Zoe Z_1_assignsubmission_file_engine.py",
        ],
        [b"J\xfcrgen", b"doe\n.py", b"bob.py"],
    ],
)
def test_names_that_are_not_utf_8_are_names_as_others(tmp_path: Path, names: list[bytes]) -> None:
    for name in names:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_bytes(SOLUTION.read_bytes())
    with Gradebook(tmp_path / "book") as book:
        folder = tmp_path / "in"
        folder.mkdir()
        for name in names:
            Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).rename(
                os.fsdecode(os.fsencode(folder) + b"/" + name)
            )
        handed = find_handed_in(folder)[1]
        assert {outcome for outcome, _ in Round(COURSE, HOW, book, ()).grade(handed, 1)} == {
            "graded"
        }
        entries = book.entries(reports=True)
        assert [found.score for found in entries] == [6] * len(handed)
        marks = standings(entries, book.learners(), {}, Rules())
        for file in ("grades.csv", "canvas.csv", "moodle.csv"):
            export(Path(file), marks, [], "x")
        class_page(COURSE, entries, marks, "best").encode()


def _deep(folder: Path) -> None:
    """Folders in folders, until their path is longer than any that can be opened."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(25):
        os.mkdir("d" * 200, dir_fd=here)
        inside = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inside
    os.close(here)


@pytest.mark.skipif(sys.platform != "linux", reason="a path may be longer elsewhere")
def test_a_folder_too_deep_to_be_read_is_graded_or_says_so(tmp_path: Path) -> None:
    for name in ("ada", "bob", "zoe"):
        touch(tmp_path / name / "engine.py")
    (tmp_path / "bob" / "engine.py").unlink()
    _deep(tmp_path / "ada")
    _deep(tmp_path / "bob")
    read = {
        one.learner: read_task(one, one.name, COURSE, "course", HOW)
        for one in find_handed_in(tmp_path)[1]
    }
    assert [learner for learner, one in read.items() if isinstance(one, Task)] == ["ada", "zoe"]
    bob = read["bob"]
    assert isinstance(bob, Entry)
    assert "cannot be read: File name too long" in bob.message
    assert len(bob.message) < 2000


@pytest.mark.parametrize("where", ["listed", "read"])
def test_a_missing_permission_is_the_reason_in_the_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    touch(tmp_path / "bob" / "in" / "engine.py", tmp_path / "zoe" / "engine.py")
    scan = os.scandir

    def refuse(path: str | os.PathLike[str]) -> object:
        if Path(path).name == "in":
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    if where == "read":
        monkeypatch.setattr(
            "grader.intake.read.read_submission", lambda path, *_, **__: refuse(path / "in")
        )
    bob, zoe = find_handed_in(tmp_path)[1]
    read = read_task(bob, "Bob", COURSE, "course", HOW)
    assert isinstance(read, Entry)
    assert read.outcome == "refused"
    assert "cannot be read: Permission denied" in read.message
    assert not zoe.unreadable


@pytest.mark.parametrize(
    ("text", "learner", "name", "whose"),
    [
        (
            "id,name,city\nada1,Ada Lovelace,London\nmal1,Mallory M,Flat 777\n",
            "777",
            "Ada Lovelace",
            "ada1",
        ),
        (
            "id,name,preferred name\nada1,Ada Lovelace,Ada\nmal1,Mallory M,777\n",
            "777",
            "Ada Lovelace",
            "ada1",
        ),
        ("id,name,phone\nada1,Ada Lovelace,1\nmal1,Mallory M,777\n", "777", "Zed Z", None),
        ("id,name\n777,Mallory M\nada1,Ada Lovelace\n", "777", "Ada Lovelace", None),
        ("id,name\n777,Li Wei\n778,Li Na\n", "777", "Li Na", None),
        ("id,name\nada1,Ada Lovelace\nmal1,777\n", "777", "Ada Lovelace", "ada1"),
        ("id,name\nada1,Ada Lovelace\nmal1,ada1\n", "ada1", "Ada Lovelace", "ada1"),
        ("id,name\nada1,Ada Lovelace\nmal1,ada1\n", "ada1", "ada1", None),
        (
            "id,name,username\n777,Ada Lovelace,ada\nmal1,Mallory M,777\n",
            "777",
            "Ada Lovelace",
            "777",
        ),
        (
            "id,name,email\n1,Ada Lovelace,ada@x.org\n2,ada@x.org,m@x.org\n",
            "ada@x.org",
            "Ada Lovelace",
            "1",
        ),
        (
            "id,name,email\n1,Ada Lovelace,ada@x.org\n2,ada@x.org,m@x.org\n",
            "ada@x.org",
            "ada@x.org",
            None,
        ),
        ("id,name\n1,Jane Doe\n2,Jane Doe\n", "?", "Jane Doe", None),
        ("id,name\n1,Jane Doe\n2,Jane Doe\n", "2", "Jane Doe", "2"),
        ("id,name\n1,An Nada\n", "9", "Ann Ada", None),
        ("id,name\n1,Jane Mary Doe\n", "1", "Doe, Jane", "1"),
        ("id,name\n1,Jane Mary Doe\n", "9", "Doe, Jane", None),
        ('id,name\n1,"O\'Neill-Köhler, Seán"\n', "1", "oneillkohlersean", "1"),
        (
            "Identifier,Full name,City\nParticipant 777,Ada Lovelace,Participant 12\n",
            "12",
            "Mallory M",
            None,
        ),
        ("id,name\n1,\n2,\n", "9", "", None),
        (
            "id,name,username\n777,Ada Lovelace,ada\nmal1,~,777\nmal2,Ada Lovelace,777\n",
            "777",
            "Ada Lovelace",
            "777",
        ),
        ("id,name,username\n777,Ada Lovelace,ada\nmal1,~,777\n", "777", "777", None),
        ("id,name,username\nmal1,~,777\n", "777", "Ada Lovelace", None),
    ],
)
def test_a_roster_gives_nobody_another_s_work(
    tmp_path: Path, text: str, learner: str, name: str, whose: str | None
) -> None:
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8")
    found, _ = look_up(read_roster(tmp_path / "roster.csv"), learner, name)
    assert (found.id.removeprefix("Participant ") if found else None) == whose


def owned(tmp_path: Path, roster: str, *names: str) -> tuple[dict[str, str], list[str]]:
    """Whose each of these files is by a roster, and what is said about it."""
    touch(*(tmp_path / "in" / name for name in names))
    (tmp_path / "roster.csv").write_text(roster, encoding="utf-8")
    with Gradebook(tmp_path / "book") as book:
        round_ = Round(COURSE, replace(HOW, required=3), book, read_roster(tmp_path / "roster.csv"))
        handed = find_handed_in(tmp_path / "in")[1]
        with Claims(book) as claims:
            tasks = list(round_._tasks(list(round_._owned(handed)), claims, print))
        return {
            task.key.learner: task.handed.places[0].name for task in tasks if isinstance(task, Task)
        }, list(round_.remarks(handed))


def test_a_submission_in_doubt_is_nobody_s_on_the_roster(tmp_path: Path) -> None:
    names = [
        "Ada Lovelace_777_assignsubmission_file_engine.py",
        "Mallory M_778_assignsubmission_file_engine.py",
    ]
    whose, told = owned(tmp_path, "id,name\n777,Mallory M\nada,Ada Lovelace\n", *names)
    assert whose == {"Ada Lovelace (777)": names[0], "777": names[1]} or whose == {
        "Ada Lovelace (777)": names[0],
        "778": names[1],
    }
    assert any(
        "Ada Lovelace (777) cannot be matched to the roster: 777 is the id of Mallory M" in line
        for line in told
    )


def test_a_list_of_names_with_commas_is_readable(tmp_path: Path) -> None:
    roster = 'id,name\n1,"Lovelace, Ada"\n2,"Turing, Alan"\n'
    _, told = owned(tmp_path, roster, "Grace Hopper_3_assignsubmission_file_engine.py")
    assert told == ["2 handed in nothing: Lovelace, Ada; Turing, Alan"]


def test_a_stranger_is_listed_with_their_name(tmp_path: Path) -> None:
    refused = "Grace Hopper_3_assignsubmission_file_engine.docx.zip"
    _, told = owned(tmp_path, "id,name\n1,Ada\n", refused)
    assert told[-1] == "not on the roster: Grace Hopper (3)"


def test_an_instructor_reads_no_command_for_a_learner(tmp_path: Path) -> None:
    (tmp_path / "in" / "ada").mkdir(parents=True)
    (tmp_path / "in" / "ada" / "essay.docx").write_bytes(b"PK")
    (one,) = find_handed_in(tmp_path / "in")[1]
    entry = read_task(one, one.name, COURSE, "", replace(HOW, phases=("1-6",)))
    assert isinstance(entry, Entry)
    assert entry.message == (
        f"no engine.py in the folder '{tmp_path / 'in' / 'ada'}'; 'essay.docx' is a Word document,"
        " not Python: put the code into a file called engine.py"
    )


HONEST = {
    "101": "Ada Lovelace",
    "102": "Grace Hopper",
    "103": "Alan Turing",
    "104": "Ken_Iverson O",
    "105": "Emmy Noether",
    "106": "Jürgen 7 Müller",
}
HOSTILE = (  # what Moodle writes before a file name, and then what its owner chose
    *(
        f"Mallory M_201_assignsubmission_file_{name}_{id}_assignsubmission_file_engine.py"
        for id, name in HONEST.items()
    ),
    *(f"{name}_{300 + int(id)}_assignsubmission_file_engine.py" for id, name in HONEST.items()),
    *(
        f"{name.upper()} _{400 + int(id)}_assignsubmission_file_engine (2).py"
        for id, name in HONEST.items()
    ),
    *(f"{id}_{500 + int(id)}_assignsubmission_file_engine.py" for id in HONEST),
    "Mallory M_201_assignsubmission_file_engine.py",
    "X_101_assignsubmission_file_y_202_assignsubmission_file_engine.py",
    "Grace Hopper_102_x_203_assignsubmission_file_engine.py",
    "Participant 103_204_assignsubmission_file_engine.py",
    "=cmd_205_assignsubmission_file_engine.py",
    "[red]Z_206_assignsubmission_file_engine.py",
    "\x1b[2JZ_207_assignsubmission_file_engine.py",
    "Emmy\u200b Noether_208_assignsubmission_file_engine.py",
)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such names")
def test_thirty_hostile_neighbours_take_nobody_s_work(tmp_path: Path) -> None:
    roster = "".join(
        f"Participant {id},{name},{city}\n"
        for id, name, city in [
            *((id, name, "London") for id, name in HONEST.items()),
            ("201", "Mallory M", "Flat 101"),
            ("204", "Eve E", "102"),
        ]
    )
    own = {id: f"{name}_{id}_assignsubmission_file_engine.py" for id, name in HONEST.items()}
    assert len(HOSTILE) > 30
    whose, _ = owned(tmp_path, f"Identifier,Full name,City\n{roster}", *own.values(), *HOSTILE)
    assert {id: whose[f"Participant {id}"] for id in HONEST} == own


def test_two_learners_with_the_same_name_are_not_matched_by_it(tmp_path: Path) -> None:
    names = [
        "Ada Lovelace_777_assignsubmission_file_engine.py",
        "Ada Lovelace_778_assignsubmission_file_engine.py",
    ]
    whose, told = owned(tmp_path, "id,name\nada,Ada Lovelace\n", *names)
    assert whose == {"777": names[0], "778": names[1]}
    assert sum("may also belong to Ada Lovelace" in line for line in told) == 2
    whose, _ = owned(tmp_path, "id,name,login\nada,Ada Lovelace,777\n", *names)
    assert whose == {"ada": names[0], "778": names[1]}


@pytest.mark.parametrize(
    ("text", "learner", "name"),
    [
        ("id,name\n42,Jane Doe\n", "42", "?"),
        (
            (
                "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section\n"
                "    Points Possible,,,,\n"
                '"Doe, Jane",12345,s42,jdoe,A\n'
            ),
            "12345",
            "doejane",
        ),
        (
            "Identifier;Full name;Email address\nParticipant 4711;Jane Doe;j@x.org\n",
            "4711",
            "Jane Doe",
        ),
        ("first name,last name,email,sid\nJane,Doe,j@x.org,42\n", "folder", "Doe Jane"),
        ("id,name,email\n42,Jane Doe,J@x.org\n", "j@x.org", "?"),
    ],
)
def test_a_roster_finds_people_by_whatever_they_are_called(
    tmp_path: Path, text: str, learner: str, name: str
) -> None:
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8")
    people = read_roster(tmp_path / "roster.csv")
    found, _ = look_up(people, learner, name)
    assert found is not None
    assert sorted(re.findall(r"\w+", found.name)) == ["Doe", "Jane"]
    assert look_up(people, "nobody", "else")[0] is None


@pytest.mark.parametrize("text", ["name\nx\n", "id,name\n1,a\n1,b\n", "\x00", ""])
def test_a_roster_that_says_nothing_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError):
        read_roster(tmp_path / "roster.csv")


# --- graded, once ---


@pytest.mark.slow
def test_a_class_is_graded_and_goes_on_where_it_was(here: Path, handed_in: Path) -> None:
    (here / "roster.csv").write_text("id,name\nada,Ada L\nzoe,Zoe Z\n", encoding="utf-8")
    first = command(str(handed_in), "--phases", "phase1", "--roster", "roster.csv", "--jobs", "2")
    assert first.return_value == 0, first.output
    assert "4 graded, 1 could not be read" in first.output
    assert "1 handed in nothing: Zoe Z" in first.output
    with Gradebook(here / "gradebook.sqlite") as gradebook:
        before = gradebook.entries()
        assert {entry.key.learner: entry.score for entry in before} == {
            "ada": 6,
            "bob": 3,
            "cem": 0,
            "dee": 5,
            "eve": 0,
        }
    assert (
        "5 already graded"
        in command(str(handed_in), "--phases", "phase1", "--roster", "roster.csv").output
    )
    with Gradebook(here / "gradebook.sqlite") as gradebook:
        assert gradebook.entries() == before
    (handed_in / "bob" / "engine.py").write_text(
        SOLUTION.read_text(encoding="utf-8"), encoding="utf-8"
    )
    assert "1 graded, 4 already graded" in command(str(handed_in), "--phases", "phase1").output
    with Gradebook(here / "gradebook.sqlite") as gradebook:
        assert [entry.score for entry in gradebook.entries("bob")] == [3, 6]


@pytest.mark.slow
def test_an_unreadable_file_is_recognised_in_another_download(here: Path, handed_in: Path) -> None:
    command(str(handed_in), "--phases", "phase1")
    other = handed_in.rename(here / "download (2)")
    os.utime(other / "eve", (1e9, 1e9))
    assert "5 already graded" in command(str(other), "--phases", "phase1").output
    (other / "eve" / "engine.py").write_bytes(b"# \n" * 100_000)
    assert "1 could not be read" in command(str(other), "--phases", "phase1").output


def test_the_time_that_remains_counts_what_is_graded() -> None:
    assert [remaining(9, 200, 5.0), remaining(11, 200, 10.0), remaining(200, 200, 9.0)] == [
        "",
        "3:09 left",
        "0:00 left",
    ]


@pytest.mark.slow
def test_the_verdicts_are_those_of_a_grading_alone(here: Path, handed_in: Path) -> None:
    command(str(handed_in), "--phases", "phase1")
    with Gradebook(here / "gradebook.sqlite") as gradebook:
        for entry in gradebook.entries(reports=True):
            if entry.report:
                alone = grade(handed_in / entry.key.learner, ["phase1"], isolate=True)
                assert [(m.id, m.verdict) for m in entry.marks] == [
                    (r.id, r.verdict.value) for r in alone.checkpoints
                ]


def tasks(handed_in: Path) -> list[Task]:
    read = (read_task(one, one.name, COURSE, "course", HOW) for one in find_handed_in(handed_in)[1])
    return [task for task in read if isinstance(task, Task)]


def test_a_submission_that_is_a_link_is_nobody_s(tmp_path: Path) -> None:
    course = load_course()
    touch(tmp_path / "class" / "ada" / "engine.py", tmp_path / "elsewhere" / "engine.py")
    for name, target in {
        "mallory": "ada",
        "etcs": "/etc",
        "eve": "../elsewhere",
        "one.py": "ada/engine.py",
    }.items():
        (tmp_path / "class" / name).symlink_to(target)
    read = {
        handed.learner: read_task(handed, "", course, "", GradingOptions(""))
        for handed in find_handed_in(tmp_path / "class")[1]
    }
    assert isinstance(read.pop("ada"), Task)
    assert read
    for entry in read.values():
        assert isinstance(entry, Entry)
        assert (entry.outcome, "is a link" in entry.message) == ("refused", True)


@pytest.mark.slow
def test_a_process_that_dies_takes_nobody_with_it(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading_module, "grade_one", _dies_of_bob)
    entries = {entry.key.learner: entry for entry in grade_all(tasks(handed_in), HOW, 2)}
    assert {learner: entry.outcome for learner, entry in entries.items()} == {
        "ada": "graded",
        "bob": "error",
        "cem": "graded",
        "dee": "graded",
    }
    assert "crashed" in entries["bob"].message


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished(handed_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(running: dict[Future[Entry], Task], **_: object) -> None:
        wait(running)
        raise KeyboardInterrupt

    monkeypatch.setattr(grading_module, "wait", interrupted)
    found: list[Entry] = []
    with pytest.raises(KeyboardInterrupt):
        found.extend(grade_all(tasks(handed_in), HOW, 2))
    assert sorted(one.key.learner for one in found) == ["ada", "bob", "cem", "dee"]


def _dies_of_bob(task: Task, _how: GradingOptions) -> Entry:
    if task.key.learner == "bob":
        os._exit(1)
    return Entry(task.key, task.name, "", 0.0, False, 0.0, "graded")


@pytest.mark.slow
def test_an_exception_in_the_grader_costs_only_one_submission(
    here: Path, handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grader.intake.read import read_submission

    shutil.copytree(handed_in / "ada", handed_in / "fay")
    errors = {
        "bob": RecursionError("deep"),
        "cem": MemoryError(),
        "dee": UnicodeEncodeError("utf-8", "\udc80", 0, 1, "surrogates"),
        "fay": ValueError("\udc80\x1b"),
    }

    def read(path: Path, names: list[str], *, wanted: list[str]) -> object:
        if path.name in errors:
            raise errors[path.name]
        return read_submission(path, names, wanted=wanted)

    monkeypatch.setattr("grader.intake.read.read_submission", read)
    result = command(str(handed_in), "--phases", "phase1")
    assert result.return_value == 3
    assert "1 graded, 1 could not be read, 4 could not be judged" in result.output
    for learner, error in errors.items():
        assert f"{learner}: the grader failed: {type(error).__name__}" in result.output
    assert "\x1b" not in result.output
    monkeypatch.undo()
    os.chdir(here)
    assert "4 graded, 2 already graded" in command(str(handed_in), "--phases", "phase1").output


def test_a_grading_that_fails_is_an_entry(handed_in: Path, tmp_path: Path) -> None:
    task = tasks(handed_in)[0]
    found = grade_one(task, replace(HOW, course=str(tmp_path / "nowhere")))
    assert (found.key, found.outcome) == (task.key, "error")
    assert "nowhere" in found.message


@pytest.mark.slow
def test_markup_in_a_name_is_text(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(here / "in" / "submission_1" / "engine.py")
    name = '"[/red]Zoe [bold] :smile: \\e[2J\\nx"'
    (here / "in" / "submission_metadata.yml").write_text(
        f"submission_1:\n  :submitters:\n  - :name: {name}\n    :sid: '[/]'\n", encoding="utf-8"
    )
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    first = command("in", "--phases", "phase1", "--export", "grades.csv")
    assert first.exception is None
    assert "[/red]Zoe" in first.output
    for result in (first, command("show", "[/]"), command("report")):
        assert result.exception is None
        assert "\x1b[2J" not in result.output
    assert b"\x1b" not in (here / "grades.csv").read_bytes()


def test_data_about_a_submission_cannot_control_a_terminal(here: Path) -> None:
    with Gradebook(here / "gradebook.sqlite") as book:
        book.add(
            replace(
                entry(outcome="refused"),
                report="",
                origin="in/\x1b]0;pwn\x07\n\u202eada",
                message="\x1b[2J[/red]",
            )
        )
    shown = command("show", "ada")
    assert shown.exception is None
    assert not re.search(r"[\x07\x1b\u202e]", shown.output)
    assert "\\x1b]0;pwn" in shown.output


def _family(process: int) -> set[int]:
    """The process, and all that came from it (Linux)."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents.setdefault(int(stat.read_text().rpartition(")")[2].split()[1]), []).append(
                int(stat.parent.name)
            )
    found, new = {process}, [process]
    while new:
        new = [child for one in new for child in parents.get(one, ())]
        found.update(new)
    return found


def _alive(processes: set[int]) -> set[int]:
    return {
        one
        for one in processes
        if Path(f"/proc/{one}").exists() and ") Z" not in Path(f"/proc/{one}/stat").read_text()
    }


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("members", [2, 5])
def test_killed_outright_a_class_run_leaves_no_process(handed_in: Path, members: int) -> None:
    arguments = [sys.executable, "-m", "grader", "class", str(handed_in), "--jobs", "2"]
    with subprocess.Popen(
        arguments, cwd=handed_in.parent, stdout=subprocess.DEVNULL, start_new_session=True
    ) as run:
        until = time.monotonic() + 60
        while (
            len(family := _family(run.pid)) < members
            and run.poll() is None
            and time.monotonic() < until
        ):
            time.sleep(0.02)
        run.kill()
    until = time.monotonic() + 20
    while (left := _alive(family)) and time.monotonic() < until:
        time.sleep(0.05)
    assert len(family) >= members
    assert not left


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and a terminal")
@pytest.mark.parametrize("members", [2, 3, 4, 6])
def test_ctrl_c_on_a_terminal_stops_a_class_run_in_one_line(handed_in: Path, members: int) -> None:
    import pty

    ours, theirs = pty.openpty()
    arguments = [sys.executable, "-m", "grader", "class", str(handed_in), "--jobs", "2"]
    with subprocess.Popen(
        arguments,
        cwd=handed_in.parent,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as run:
        os.close(theirs)
        until = time.monotonic() + 60
        while (
            len(family := _family(run.pid)) < members
            and run.poll() is None
            and time.monotonic() < until
        ):
            time.sleep(0.01)
        for one in family:  # as a terminal does, to all of a session that are in its foreground
            with suppress(ProcessLookupError):
                if os.getpgid(one) == run.pid:
                    os.kill(one, signal.SIGINT)
        printed = b""
        with suppress(OSError):  # closed by everybody
            while True:
                printed += os.read(ours, 65536)
    os.close(ours)
    assert run.returncode == 130
    assert b"Traceback" not in printed
    assert b"stopped: " in printed


# --- the gradebook ---


def entry(
    learner: str = "ada",
    sha256: str = "a",
    score: int = 3,
    received: float = 1.0,
    outcome: str = "graded",
) -> Entry:
    marks = (
        Mark("phase1.data", "passed", 1, 1, False, "", "It works"),
        Mark("phase1.grad", "failed", 0, 1, False, "phase1.x", "`grad` is 0"),
    )
    return Entry(
        Key(learner, sha256, "course", "phase1", 20),
        learner.title(),
        "in/" + learner,
        received,
        False,
        0.1,
        outcome,
        "",
        score,
        6,
        marks,
        "{}",
        5.0,
    )


def test_nothing_is_doubled(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as one, Gradebook(tmp_path / "book") as other:
        assert one.add(entry())
        assert not other.add(entry())
        assert one.entries(reports=True) == other.entries(reports=True) == [entry()]
        assert one.has(entry().key)
        assert not one.has(replace(entry().key, seed=1))


def test_a_failure_of_the_grader_is_tried_again_and_replaced(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as book:
        book.add(entry(outcome="error", score=0))
        assert not book.has(entry().key)
        assert book.add(entry())
        assert [found.outcome for found in book.entries()] == ["graded"]


def test_the_best_or_the_last_counts() -> None:
    entries = [
        entry(sha256="a", score=3, received=1),
        entry(sha256="b", score=5, received=2),
        entry(sha256="c", score=5, received=3),
        entry(sha256="d", score=1, received=4),
    ]
    assert chosen(entries, "best")["ada"].key.sha256 == "b"
    assert chosen(entries, "last")["ada"].key.sha256 == "d"


def test_an_earlier_version_that_is_handed_in_again_is_the_last(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as book:
        book.add(entry(sha256="a", score=6, received=1))
        book.add(entry(sha256="b", score=0, received=2))
        book.handed_in_again(entry(sha256="a").key, 3, late=True)
        book.handed_in_again(entry(sha256="b").key, 1, late=True)
        entries = book.entries()
    last, best = (chosen(entries, keep)["ada"] for keep in ("last", "best"))
    assert (last.score, last.received, last.late) == (6, 3, True)
    assert (best.score, best.received, best.late) == (6, 1, False)


def test_an_older_gradebook_is_read(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as book:
        book.add(entry())
    with closing(sqlite3.connect(tmp_path / "book")) as database, database:
        database.execute("DROP TABLE comment")
        database.execute("ALTER TABLE grading DROP COLUMN again")
        database.execute("ALTER TABLE grading DROP COLUMN again_late")
        database.execute("PRAGMA user_version = 2")
    with Gradebook(tmp_path / "book") as book:
        assert (book.entries(reports=True), book.comments()) == ([entry()], {})


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_at_any_moment_every_row_is_whole(tmp_path: Path) -> None:
    program = (
        "import sys; from dataclasses import replace; from pathlib import Path\n"
        "from grader.classroom.entries import *\n"
        "from grader.classroom.gradebook import *\n"
        "marks = tuple(Mark(f'phase1.c{n}', 'passed', 1, 1, False) for n in range(60))\n"
        "e = Entry(Key('ada', '', 'c', 'p', 1), 'Ada', '', 0.0, False, 0.0, 'graded', '', 60, 60, "
        "marks, 'x' * 5000)\n"
        "book = Gradebook(Path(sys.argv[1])); print('ready', flush=True)\n"
        "for n in range(10**6): book.add(replace(e, key=replace(e.key, "
        "sha256=f'{sys.argv[2]}-{n}')))\n"
    )
    for number, pause in enumerate((0.01, 0.05, 0.11, 0.2)):
        with subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "book"), str(number)],
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(pause)
            process.kill()
        with Gradebook(tmp_path / "book") as book:
            entries = book.entries(reports=True)
        assert all(len(found.marks) == 60 and len(found.report) == 5000 for found in entries)
    assert entries


def test_a_gradebook_is_read_without_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.classroom.gradebook.WAIT_SECONDS", 0.1)
    with Gradebook(tmp_path / "gradebook.sqlite") as book:
        book.add(entry("bob"))  # whose report is none
        book.add(replace(entry(), report=""))
        book._database.execute("BEGIN IMMEDIATE")  # nobody else can write now
        monkeypatch.chdir(tmp_path)
        assert command("--export", "grades.csv").exception is None
        assert command("report").exception is None
        assert command("show", "ada").exception is None
    (tmp_path / "gradebook.sqlite").unlink()
    assert isinstance(command("--export", "other.csv").exception, UsageError)
    assert not (tmp_path / "gradebook.sqlite").exists()


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("CREATE VIEW v AS SELECT 1", "views or triggers"),
        (
            "CREATE TRIGGER t AFTER INSERT ON grading BEGIN DELETE FROM checkpoint; END",
            "views or triggers",
        ),
        ("UPDATE learner SET name = x'ff'", "is damaged"),
        ("UPDATE grading SET score = 'x'", "is damaged"),
        ("UPDATE grading SET report = 'x'", "is damaged"),
        ("UPDATE checkpoint SET verdict = '?'", "is damaged"),
    ],
)
def test_a_gradebook_that_somebody_else_made_is_refused(
    tmp_path: Path, statement: str, told: str
) -> None:
    with Gradebook(tmp_path / "book") as book:
        assert book.add(entry())
    with closing(sqlite3.connect(tmp_path / "book")) as database, database:
        database.execute(statement)
    with pytest.raises(GradebookError, match=told), Gradebook(tmp_path / "book") as book:
        book.entries(reports=True)


def test_a_report_that_unpacks_to_gigabytes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Gradebook(tmp_path / "book") as book:
        assert book.add(replace(entry(), report="{}" * 5000))
        monkeypatch.setattr(gradebook, "_MAX_REPORT", 1000)
        with pytest.raises(GradebookError, match="a report is longer"):
            book.entries(reports=True)


def test_a_full_disk_and_a_stranger_s_file_are_reported(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as book:
        book.add(entry())
        book._database.execute("PRAGMA max_page_count = 1")
        large = replace(entry(sha256="b"), report=os.urandom(200_000).hex())
        with pytest.raises(GradebookError, match="full"):
            book.add(large)
        assert book.entries(reports=True) == [entry()]
    (tmp_path / "text").write_text(
        "this is no database, whatever its name says " * 50, encoding="utf-8"
    )
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
    (tmp_path / "r.csv").write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\n"
        '"Lovelace, Ada",ada,s1,al,B\n'
        "Zoe,zoe,s2,zz,B\n",
        encoding="utf-8",
    )
    people = read_roster(tmp_path / "r.csv")
    names = {"ada": "=cmd|Ada", "zoe": "Zoe"}
    marks = standings([entry()], names, {}, Rules())
    plain = table(export(Path("grades.csv"), marks, people, "Autograd"))
    assert plain[0][-3:] == ["phase1", "phase1.data", "phase1.grad"]
    assert plain[1][-3:] == ["1", "1", "0"]
    assert plain[1][1] == "'=cmd|Ada"
    assert plain[2][4] == "not handed in"
    assert [row[2] for row in plain] == ["section", "B", "B"]
    canvas = table(export(Path("canvas.csv"), marks, people, "Autograd"))
    assert canvas[0] == [
        "Student",
        "ID",
        "SIS User ID",
        "SIS Login ID",
        "Section",
        "Autograd",
        "Autograd phase1",
    ]
    assert canvas[1][0].strip() == "Points Possible"
    assert canvas[2] == ["Lovelace, Ada", "ada", "s1", "al", "B", "3", "1"]
    assert canvas[3][5] == ""
    only = table(export(Path("canvas.csv"), marks, people, "Autograd", total_only=True))
    assert only[0][5:] == ["Autograd"]
    marks = standings([entry("4711")], {"4711": "Jane"}, {}, Rules())
    moodle = table(export(Path("moodle.csv"), marks, [], "Autograd"))
    assert "Last modified (grade)" in moodle[0]
    assert moodle[1] == ["Participant 4711", "Jane", "", "3", "6", "", "phase1 1/2"]
    with pytest.raises(UsageError):
        export(Path("grades.xlsx"), marks, people, "Autograd")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=1+1", "'=1+1"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@a", "'@a"),
        ("\uff20a", "'\uff20a"),
        (" =1", "' =1"),
        ("\t=1", "'\t'=1"),
        ("\rx", "'\rx"),
        ("a;=1+1", "a;'=1+1"),
        ("a; \uff1d1", "a;' \uff1d1"),
        ("a\n-1", "a\n'-1"),
        ("\x1b[2Ja\x00", "\\x1b[2Ja\\x00"),
        ("a-b=c", "a-b=c"),
        ("Zoë; Ann", "Zoë; Ann"),
        ("1", "1"),
    ],
)
def test_no_cell_is_a_formula_nor_a_command(text: str, written: str) -> None:
    rows = list(
        csv.reader(
            io.StringIO(
                export(
                    Path("grades.csv"), standings([], {text: text}, {}, Rules()), [], "x"
                ).decode("utf-8-sig"),
                newline="",
            )
        )
    )
    assert rows[1][:2] == [written, written]


def marks_of(*entries: Entry, rules: Rules | None = None, **names: str) -> list[Standing]:
    found = {one.key.learner: one.name for one in entries} | names
    return standings(entries, found, {}, rules or Rules())


@pytest.mark.parametrize("outcome", ["error", "refused"])
def test_a_missing_grading_is_blank_in_every_export(outcome: str) -> None:
    marks = marks_of(replace(entry(outcome=outcome, score=0), message="a PDF", marks=()))
    plain = export(Path("grades.csv"), marks, [], "x").decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(plain))
    assert (row["outcome"], row["reason"], row["score"]) == (outcome, "a PDF", "")
    assert table(export(Path("canvas.csv"), marks, [], "x"))[2][5] == ""
    moodle = table(export(Path("moodle.csv"), marks, [], "x"))[1]
    assert (moodle[3], moodle[-1]) == ("", "a PDF")


def test_a_checkpoint_that_was_not_judged_leaves_its_phase_blank() -> None:
    unknown = replace(entry(outcome="error"), marks=(Mark("phase1.a", "error", 0, 1, False),))
    (row,) = csv.DictReader(
        io.StringIO(export(Path("g.csv"), marks_of(unknown), [], "x").decode("utf-8-sig"))
    )
    assert (row["phase1"], row["phase1.a"]) == ("", "")


def test_an_export_names_blank_marks_and_says_so_in_its_exit_code(here: Path) -> None:
    with Gradebook(here / "gradebook.sqlite") as book:
        book.add(entry())
        book.add(replace(entry("eve", outcome="refused"), message="it is a PDF"))
    result = command("--export", "canvas.csv")
    assert "1 of 2 learners have a mark" in result.output
    assert "warning: no mark for Eve (eve): it is a PDF" in result.output
    assert result.return_value == 0
    with Gradebook(here / "gradebook.sqlite") as book:
        book.add(replace(entry("dee", outcome="error"), message="no sandbox"))
    result = command("--export", "canvas.csv")
    assert "warning: no mark for Dee (dee): no sandbox" in result.output
    assert result.return_value == 3


def test_a_grading_is_better_than_none() -> None:
    failed = entry(sha256="b", score=9, outcome="error")
    assert chosen([failed, entry(score=0)], "best")["ada"].outcome == "graded"


def test_different_phases_never_share_an_export(here: Path) -> None:
    with Gradebook(here / "gradebook.sqlite") as book:
        book.add(entry())
        bob = entry("bob")
        book.add(replace(bob, key=replace(bob.key, phases="phase1 phase2 --isolate")))
    for words in (("--export", "canvas.csv"), ("report",), ("feedback", "out")):
        assert isinstance(command(*words).exception, UsageError)
    assert not (here / "canvas.csv").exists()
    assert command("--export", "canvas.csv", "--phases", "1-2").exception is None
    assert [row[0] for row in table((here / "canvas.csv").read_bytes())[2:]] == ["Ada", "Bob"]
    assert [row[5] for row in table((here / "canvas.csv").read_bytes())[2:]] == ["", "3"]
    command("--export", "canvas.csv", "--phases", "1", "--together")
    assert [row[5] for row in table((here / "canvas.csv").read_bytes())[2:]] == ["3", ""]


def test_moodle_s_maximum_is_the_scale(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(
        "Identifier,Full name,Maximum Grade,Last modified (grade)\n"
        'Participant 4711,Jane,"100,00",-\n'
        'Participant 4712,Ric,"100,00","Monday, 2 November 2026, 10:00"\n',
        encoding="utf-8",
    )
    people = read_roster(tmp_path / "r.csv")
    entries = [entry("Participant 4711"), entry("Participant 4712", score=6)]
    with pytest.raises(UsageError, match="out of 6, and the assignment in Moodle is out of 100"):
        export(Path("moodle.csv"), marks_of(*entries), people, "x")
    scaled = export(Path("moodle.csv"), marks_of(*entries, rules=Rules(out_of=100)), people, "x")
    assert [row[3:6] for row in table(scaled)[1:]] == [
        ["50", "100", ""],
        ["100", "100", "Monday, 2 November 2026, 10:00"],
    ]


def test_every_day_that_has_begun_costs_its_share() -> None:
    rules = Rules(due=100.0, late_per_day=0.1)
    points = [
        marks_of(entry(score=6, received=received), rules=rules)[0].points
        for received in (100.0, 101.0, 100.0 + 86400, 100.0 + 86401, 1e9)
    ]
    assert points == [6, 5.4, 5.4, 4.8, 0]
    both = [entry(score=5, received=1.0), entry(sha256="b", score=6, received=1e6)]
    (best,) = marks_of(*both, rules=rules)
    assert (best.points, best.late) == (5, False)


@pytest.mark.parametrize(
    "words",
    [
        ("--due", "soon"),
        ("--late-per-day", "10%"),
        ("--due", "2026-11-30", "--late-per-day", "x"),
        ("--due", "2026-11-30", "--late-per-day", "200%"),
    ],
)
def test_rules_that_mean_nothing_are_refused(here: Path, words: tuple[str, ...]) -> None:
    Gradebook(here / "gradebook.sqlite").add(entry())
    assert isinstance(command("--export", "grades.csv", *words).exception, UsageError)


def test_a_comment_changes_the_mark_and_is_shown_everywhere(here: Path) -> None:
    report = to_json(grade(SOLUTION, ["phase1"]))
    with Gradebook(here / "gradebook.sqlite") as book:
        book.add(replace(entry(), report=report))
    assert command("comment", "ada", "in person", "--points", "+2").exception is None
    told = "in person (+2 points)"
    assert told in command("show", "ada").output
    for ending in ("html", "md"):
        command("feedback", "out", "--format", ending)
        text = (here / "out" / f"ada.{ending}").read_text(encoding="utf-8")
        assert re.search(r"Mark: 5 of 6 points \(in person \(\+2 points\)\)", text)
    command("report")
    learners = data_of((here / "class.html").read_text(encoding="utf-8"))["learners"]
    assert isinstance(learners, list)
    assert [(one["score"], one["note"]) for one in learners] == [(5, told)]
    for name, column in {"grades.csv": 9, "moodle.csv": -1}.items():
        command("--export", name)
        assert told in table((here / name).read_bytes())[1][column]
    command("--export", "canvas.csv")
    assert table((here / "canvas.csv").read_bytes())[2][5] == "5"


def test_a_mark_by_hand_replaces_a_blank_one(here: Path) -> None:
    with Gradebook(here / "gradebook.sqlite") as book:
        book.add(replace(entry(outcome="error"), message="no sandbox"))
    command("comment", "ada", "graded on paper", "--points", "4")
    result = command("--export", "canvas.csv")
    assert (result.return_value, "warning" in result.output) == (0, False)
    assert table((here / "canvas.csv").read_bytes())[2][5] == "4"


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ("in/doejane_12345_678910_engine.py", "doejane_12345_678910_feedback"),
        ("a_LATE_1_2_engine.py, a_LATE_1_3_nn.py", "a_LATE_1_2_feedback"),
        ("in/Jane Doe_4711_assignsubmission_file", "Jane Doe_4711_assignsubmission_file_feedback"),
        ("in/ada", "..-ada"),
    ],
)
def test_feedback_has_the_name_that_the_course_system_knows(
    here: Path, origin: str, name: str
) -> None:
    with Gradebook(here / "gradebook.sqlite") as book:
        ada = entry("../ada")
        book.add(replace(ada, origin=origin, report=to_json(grade(SOLUTION, ["phase1"]))))
        book.add(replace(entry("eve", outcome="refused"), report="", message="it is a PDF"))
        book.add_learner("zoe", "Zoe")
    expected = {name.lstrip("."), "eve"}
    for ending in ("html", "md"):
        assert "wrote 2 reports" in command("feedback", ending, "--format", ending).output
        assert {file.name for file in (here / ending).iterdir()} == {
            f"{stem}.{ending}" for stem in expected
        }
        text = (here / ending / f"eve.{ending}").read_text(encoding="utf-8")
        assert "it is a PDF" in text
        assert "0 of 0" not in text
    command("feedback", "all.zip")
    with zipfile.ZipFile(here / "all.zip") as archive:
        assert {*archive.namelist()} == {file.name for file in (here / "html").iterdir()}


def test_the_importers_of_canvas_and_moodle_find_the_learner_of_a_feedback_file() -> None:
    for name in ("doejane_12345_678910_engine.py", "d_LATE_12345_678910_engine-1.py"):
        parts = f"{feedback_name(f'in/{name}')}.html".split("_")
        assert [part for part in parts if part.isdigit()][:2] == ["12345", "678910"]
        assert not parts[-1].startswith("link")
    for name in (
        "Jane_M Doe_4711_assignsubmission_file",
        "J D_4711_assignsubmission_file_engine.py",
    ):
        _, participant, kind, plugin, file = f"{feedback_name(name)}.html".split("_", 4)
        assert (participant, kind, plugin) == ("4711", "assignsubmission", "file")
        assert file == "feedback.html"


@pytest.mark.slow
def test_learners_are_graded_again_on_purpose(here: Path, handed_in: Path) -> None:
    words = (str(handed_in), "--phases", "phase1")
    command(*words)
    with Gradebook(here / "gradebook.sqlite") as book:
        before = book.entries()
    os.utime(handed_in / "ada" / "engine.py", (2e9, 2e9))
    assert "1 graded, 4 already graded" in command(*words, "--again", "ada").output
    with Gradebook(here / "gradebook.sqlite") as book:
        after = book.entries()
    assert [one.received for one in after] == [one.received for one in before]
    assert [one.key.learner for one in after if one.graded not in {b.graded for b in before}] == [
        "ada"
    ]
    assert after[0].again == 2e9
    assert "4 graded, 1 could not be read" in command(*words, "--again", "all").output
    assert isinstance(command(*words, "--again", "nobody").exception, UsageError)


# --- the page ---


def data_of(page: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(
        page.partition('<script type="application/json" id="data">')[2].partition("</script>")[0]
    )
    return found


def test_the_page_has_everybody_and_fetches_nothing(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(
        SOLUTION.read_text(encoding="utf-8").replace(
            "self.grad = 0.0", "self.grad = 1.0; print('</script><b>')", 1
        ),
        encoding="utf-8",
    )
    report = to_json(grade(tmp_path, ["phase1"]))
    entries = [replace(entry(), report=report, name="</script><script>alert(1)</script>")]
    names = {"ada": "</script><script>alert(1)</script>", "zoe": "Zoe"}
    page = class_page(COURSE, entries, standings(entries, names, {}, Rules()), "best")
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


@pytest.mark.slow
def test_a_page_without_names_has_none_in_any_byte(tmp_path: Path) -> None:
    folder = tmp_path / "lovelace_ada"
    folder.mkdir()
    told = "by ADA  Lovelace (lovelace_ada)"
    (folder / "engine.py").write_text(
        f"print({told!r})\nclass Value:\n    def __init__(self, data): raise"
        f" ValueError({told!r})\n",
        encoding="utf-8",
    )
    report = to_json(grade(folder, ["phase1"]))
    entries, names = make_class(COURSE, 40, [re.sub("(?i)lovelace|ada", "xx", report)])
    names = {**names, "s0007": "<unheard-of>", "lovelace_ada": "Ada Lovelace"}
    entries.append(replace(entry("lovelace_ada"), report=report, origin=str(folder)))
    marks = standings(entries, names, {}, Rules())
    page = class_page(COURSE, entries, marks, "best", anonymous=True)
    learners = data_of(page)["learners"]
    assert isinstance(learners, list)
    reports = [gzip.decompress(base64.b64decode(one["report"])).decode() for one in learners]
    whole = re.sub(r'"report":"[^"]*"', "", page) + "".join(reports)
    words = {
        word
        for learner, name in names.items()
        for word in (
            learner,
            *re.findall(r"\w+", name),
            *re.findall(r"\w+", json.dumps(name)[1:-1]),
        )
    }
    assert len(words) > 60
    assert not [
        word
        for word in words - {"of", "der", "van"}
        if len(word) > 2 and re.search(rf"\b{re.escape(word)}\b", whole, re.IGNORECASE)
    ]
    assert any("engine.py, line 3" in text and "by …" in text for text in reports)


def test_the_page_has_the_distribution_and_the_means() -> None:
    entries = [entry(str(number), score=number) for number in range(7)]
    page = class_page(COURSE, entries, marks_of(*entries), "best")
    assert "<b>3</b> points is the median; half the class has 1.5 to 4.5, everybody 0 to 6" in page
    bars = re.findall(r'aria-label="([\d.]+) to ([\d.]+) points: (\d+)"', page)
    assert [int(count) for _, _, count in bars] == [1, 1, 0, 1, 0, 1, 1, 0, 1, 1]
    assert re.search(r"<td>phase1</td><td class=\"count\">1.0 of 2</td>", page)


def test_files_that_cannot_be_used_do_not_drown_the_hardest_checkpoints() -> None:
    marks = [Mark(f"phase1.{id}", "failed", 0, 1, False, "", id) for id in "ab"]
    results = [{"verdict": "failed", "message": "line 1 is not Python"} for _ in marks]
    report = json.dumps({"phases": [{"id": "phase1", "checkpoints": results}]})
    bad = replace(entry("bad"), marks=tuple(marks), report=report)
    half = replace(entry("half"), marks=(replace(marks[0], verdict="passed"), marks[1]))
    refused = replace(entry("pdf", outcome="refused"), marks=(), message="it is a PDF")
    entries = [bad, half, refused]
    page = class_page(COURSE, entries, marks_of(*entries), "best")
    assert "Show only these: 2 of 3" in page
    assert "line 1 is not Python" in page
    assert "it is a PDF" in page
    assert re.findall(r'data-failed="(.*?)".*\n<td class="count">(.*?)<', page) == [
        ("phase1.b", "0 of 1")
    ]


def test_the_order_of_an_anonymous_page_is_drawn_by_chance() -> None:
    entries = [entry(str(number), score=number) for number in range(40)]

    def order() -> list[int]:
        page = class_page(COURSE, entries, marks_of(*entries), "best", anonymous=True)
        learners = data_of(page)["learners"]
        assert isinstance(learners, list)
        return [learner["score"] for learner in learners]

    assert order() != order()
    assert sorted(order()) == list(range(40))


def test_a_report_survives_being_json() -> None:
    report = grade(kit_folder("exercises"), ["phase1", "ext1"])
    again = from_json(to_json(report))
    assert to_json(again) == to_json(report)
    with pytest.raises(UsageError):
        from_json("{}")


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_cluster_whose_worker_is_killed_gives_the_same_gradebook(tmp_path: Path) -> None:
    distributed = pytest.importorskip(
        "distributed", reason='Dask is not installed here: python -m pip install -e ".[cluster]"'
    )
    folder = tmp_path / "in"
    source, count = (
        SOLUTION.read_text(encoding="utf-8"),
        int(os.environ.get("CLUSTER_SUBMISSIONS", "30")),
    )
    for number in range(count):
        (folder / f"l{number:03}").mkdir(parents=True)
        text = (
            source.replace("self.grad = 0.0", f"self.grad = {number}.0", 1)
            if number % 3
            else f"{source}# {number}\n"
        )
        (folder / f"l{number:03}" / "engine.py").write_text(text, encoding="utf-8")
    handed = find_handed_in(folder)[1]
    with Gradebook(tmp_path / "here") as here:
        assert len(list(Round(COURSE, HOW, here, ()).grade(handed, 2))) == count
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Gradebook(tmp_path / "there") as there,
    ):
        for number, _ in enumerate(
            Round(COURSE, HOW, there, ()).grade(handed, 2, cluster.scheduler_address)
        ):
            if number == count // 3:
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    with Gradebook(tmp_path / "here") as here, Gradebook(tmp_path / "there") as there:
        assert [_timeless(one) for one in here.entries(reports=True)] == [
            _timeless(one) for one in there.entries(reports=True)
        ]


def _timeless(one: Entry) -> Entry:
    return replace(
        one, seconds=0.0, graded=0.0, report=re.sub(r'"duration_s": [\d.e-]+', "", one.report)
    )


def test_a_worker_with_a_different_course_grades_nothing(handed_in: Path) -> None:
    task = next(task for task in tasks(handed_in) if isinstance(task, Task))
    other = replace(task, key=replace(task.key, course="a different one"))
    assert "different kit, course" in grade_on_worker(other, HOW).message
    away = grade_on_worker(task, replace(HOW, suites=str(handed_in / "nowhere")))
    assert away.outcome == "error"
    assert "nowhere" in away.message


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense"])
def test_a_missing_cluster_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    pytest.importorskip(
        "distributed", reason='Dask is not installed here: python -m pip install -e ".[cluster]"'
    )
    monkeypatch.setattr("grader.classroom.cluster.WAIT", 0.5)
    with Gradebook(tmp_path / "book") as book, pytest.raises(UsageError, match="no Dask scheduler"):
        list(Round(COURSE, HOW, book, ()).grade([], 1, address))
