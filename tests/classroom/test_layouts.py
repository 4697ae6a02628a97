"""Who handed in what: the downloads of every course system, and folders of any kind."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom.entries import Entry
from grader.classroom.exports import export
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import Task, read_task
from grader.classroom.layout import find_handed_in, unexplained
from grader.classroom.marks import Rules, standings
from grader.classroom.page import class_page
from grader.classroom.roster import read_roster
from grader.classroom.round import Round
from grader.classroom.times import IN_TIME, LATE
from grader.errors import UsageError
from support.classroom import COURSE, HOW, SOLUTION, touch


def test_canvas_files_are_matched_to_learners(tmp_path: Path) -> None:
    touch(
        tmp_path / "doejane_12345_900001_engine.py",
        tmp_path / "doejane_12345_900002_nn-1.py",
        tmp_path / "roeric_LATE_777_900003_engine.py",
        tmp_path / "__MACOSX" / "x.py",
    )
    layout, found = find_handed_in(tmp_path)
    assert layout == "Canvas"
    assert {one.learner: (one.name, sorted(one.files), one.timing) for one in found} == {
        "12345": ("doejane", ["engine.py", "nn.py"], IN_TIME),
        "777": ("roeric", [], LATE),
    }


def test_moodle_folders_are_matched_to_participants(tmp_path: Path) -> None:
    touch(
        tmp_path / "Jane Doe_4711_assignsubmission_file" / "engine.py",
        tmp_path / "Ric Roe_4712_assignsubmission_file_" / "a.zip",
    )
    layout, found = find_handed_in(tmp_path)
    assert (layout, [(one.learner, one.name) for one in found]) == (
        "Moodle",
        [("4711", "Jane Doe"), ("4712", "Ric Roe")],
    )


def test_gradescope_folders_are_matched_by_its_list(tmp_path: Path) -> None:
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
        assert list(everybody.grade(everybody.match(handed), 1)) == [("graded", "Jane Doe")]
        scores = {one.key.learner: (one.name, one.score) for one in book.entries()}
        assert scores == {"42": ("Jane Doe", 6), "43": ("Ric Roe", 6), "44": ("Sam Soe", 6)}
        assert "1 handed in nothing: Tia" in everybody.remarks(handed)
        sam = [replace(handed[0], learner="44", name="Sam Soe", partners=())]
        again = Round(COURSE, HOW, book, read_roster(tmp_path / "r.csv"))
        assert list(again.grade(again.match(sam), 1)) == [("known", "Sam Soe")]
        assert [one.score for one in book.entries("45")] == [6]


def test_text_typed_into_moodle_is_a_comment(tmp_path: Path) -> None:
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


def test_nbgrader_folders_are_matched_to_students(tmp_path: Path) -> None:
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


def test_the_first_number_in_a_moodle_name_identifies_the_learner(tmp_path: Path) -> None:
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


def test_file_names_of_one_learner_do_not_change_the_layout(tmp_path: Path) -> None:
    touch(
        tmp_path / "doejane_1_2_engine.py",
        *(tmp_path / f"mallory_3_{n}_a_777_assignsubmission_file_{n}.py" for n in range(9)),
    )
    layout, found = find_handed_in(tmp_path)
    assert (layout, {one.learner for one in found}) == ("Canvas", {"1", "3"})


def test_two_files_with_one_name_are_refused_but_numbered_pictures_are_not(tmp_path: Path) -> None:
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
    read = read_task(jane, COURSE, "course", HOW)
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
def test_names_that_are_not_utf_8_are_graded_too(tmp_path: Path, names: list[bytes]) -> None:
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
        one.learner: read_task(one, COURSE, "course", HOW) for one in find_handed_in(tmp_path)[1]
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
    read = read_task(bob, COURSE, "course", HOW)
    assert isinstance(read, Entry)
    assert read.outcome == "refused"
    assert "cannot be read: Permission denied" in read.message
    assert not zoe.unreadable


def _stamp(folder: Path, kind: str) -> None:
    """Write nbgrader's time into a folder, or something that only looks like it."""
    stamp = folder / "timestamp.txt"
    if kind == "pipe":
        os.mkfifo(stamp)
    elif kind == "device":
        stamp.symlink_to("/dev/zero")
    elif kind == "folder":
        stamp.mkdir()
    else:
        stamp.write_text("2026-11-02 10:00:00 UTC", encoding="utf-8")
        if kind == "sparse":
            os.truncate(stamp, 3 << 30)


@pytest.mark.parametrize(
    ("planted", "layout", "count"),
    [
        (("mal/hw1/engine.py", "mal/hw1/timestamp.txt"), "folder", 4),
        (("mal/hw1/timestamp.txt", "bob/src/x.py", "bob/src/timestamp.txt"), "folder", 4),
        (("mal_1_2_engine.py", *(f"mal_1_{n}_x.png" for n in range(9))), "folder", 13),
        (("mal_7_assignsubmission_file_engine.py",), "folder", 4),
        (("mal_7_assignsubmission_file/x.py",), "folder", 4),
        (("submission_metadata.yml",), "folder", 3),
        (("submission_1/x.py", "submission_metadata.yml"), "folder", 4),
        (("submission_metadata.yml/x.py",), "folder", 4),
    ],
)
def test_one_learner_does_not_choose_the_layout(
    tmp_path: Path, planted: tuple[str, ...], layout: str, count: int
) -> None:
    touch(*(tmp_path / f"{name}/engine.py" for name in ("ada", "bob", "cem")))
    touch(*(tmp_path / name for name in planted))
    found, handed = find_handed_in(tmp_path)
    pictures = sum(name.endswith(".png") for name in planted)
    assert (found, len(handed)) == (layout, count - pictures)
    assert {"ada", "bob", "cem"} <= {one.learner for one in handed}


@pytest.mark.parametrize(
    ("names", "layout", "lost"),
    [
        ("a_1_2_engine.py b_3_4_engine.py mal_5_assignsubmission_file_x.py", "Canvas", 1),
        ("a_1_2_engine.pdf b_3_4_engine.docx", "Canvas", 0),
        ("A_1_assignsubmission_file/x.py B_2_assignsubmission_file/x.py m/hw/x.py", "Moodle", 1),
        ("submission_1/x.py submission_2/x.py mal/x.py", "Gradescope", 1),
    ],
)
def test_most_submissions_choose_the_layout(
    tmp_path: Path, names: str, layout: str, lost: int
) -> None:
    touch(*(tmp_path / name for name in names.split()))
    if layout == "Gradescope":
        text = "submission_1: ~\nsubmission_2: ~\n"
        (tmp_path / "submission_metadata.yml").write_text(text, encoding="utf-8")
    found, handed = find_handed_in(tmp_path)
    assert (found, len(unexplained(tmp_path, handed))) == (layout, lost)


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes, and links need a permission")
def test_only_a_short_file_is_read_as_a_time(tmp_path: Path) -> None:
    kinds = ("time", "sparse", "pipe", "device", "folder", "none")
    for kind in kinds:
        touch(tmp_path / kind / "hw1" / "engine.py")
        if kind != "none":
            _stamp(tmp_path / kind / "hw1", kind)
    layout, handed = find_handed_in(tmp_path)
    troubles = {one.learner: one.trouble.rpartition("' ")[2] for one in handed}
    assert (layout, troubles) == (
        "nbgrader",
        {
            "time": "",
            "none": "",
            "sparse": "is larger than 100 bytes",
            "pipe": "is not a regular file",
            "device": "is a link, which the grader does not follow",
            "folder": "is not a regular file",
        },
    )


def test_an_assignment_that_few_have_is_not_asked_about(tmp_path: Path) -> None:
    for name in ("ada/hw1", "bob/hw1", "cem/hw1", "cem/hw2"):
        touch(tmp_path / name / "engine.py", tmp_path / name / "timestamp.txt")
    assert [one.learner for one in find_handed_in(tmp_path)[1]] == ["ada", "bob", "cem"]
    assert [one.learner for one in find_handed_in(tmp_path, "hw2")[1]] == ["cem"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes")
def test_gradescope_s_list_is_never_read_without_a_limit(tmp_path: Path) -> None:
    touch(tmp_path / "submission_1" / "engine.py")
    os.mkfifo(tmp_path / "submission_metadata.yml")
    with pytest.raises(UsageError, match="is not a regular file"):
        find_handed_in(tmp_path)


def test_names_with_a_dot_are_mentioned(tmp_path: Path) -> None:
    touch(*(tmp_path / name / "engine.py" for name in ("ada", "..x", ".bob", "venv")))
    touch(tmp_path / ".cem.py", tmp_path / ".DS_Store", tmp_path / "._ada", tmp_path / "__MACOSX/x")
    found = find_handed_in(tmp_path)[1]
    assert [one.learner for one in found] == ["ada"]
    assert unexplained(tmp_path, found) == ["..x", ".bob", ".cem.py", "venv"]
