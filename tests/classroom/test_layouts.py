"""Who handed in what: the downloads of every course system, and folders of any kind."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.classroom.entries import Entry
from grader.classroom.grading import read_task
from grader.classroom.layout import find_handed_in, unexplained
from grader.errors import UsageError
from support import changed, touch
from support.classroom import HOW, command, read_tasks, stored
from support.grading import COURSE

ONLINE = "assignsubmission_onlinetext"
HOSTILE = (  # in Moodle, where the first number is the participant's
    "Ada Lovelace_777_assignsubmission_file_engine.py",
    "Mallory M_12345_assignsubmission_file_x_777_assignsubmission_file_engine.py",
    "Eve E_12346_assignsubmission_comments_777_assignsubmission_file_engine.py",
    "Zed_777_assignsubmission_file_x_12347_assignsubmission_file_engine.py",
)


@pytest.mark.parametrize(
    ("layout", "files", "learners", "others"),
    [
        (
            "Canvas",
            "a_12_90_engine.py a_12_91_nn-1.py b_LATE_7_92_engine.py __MACOSX/x.py",
            {"12": "a engine.py nn.py", "7": "b"},
            "",
        ),
        (
            "Canvas",
            "a_1_2_engine.py b_3_4_engine.py x.py grades.csv ._x .DS_Store",
            {"1": "a", "3": "b"},
            "grades.csv x.py",
        ),
        ("Canvas", "a_1_2_engine.pdf b_3_4_engine.docx", {"1": "a", "3": "b"}, ""),
        (
            "Canvas",
            "a_1_2_x.py b_3_4_x.py m_5_assignsubmission_file_x.py",
            {"1": "a", "3": "b"},
            "m_5_assignsubmission_file_x.py",
        ),
        (
            "Canvas",
            " ".join(
                ["a_1_2_x.py", *(f"mal_3_{n}_a_777_assignsubmission_file_{n}.py" for n in range(9))]
            ),
            {
                "1": "a",
                "3": "mal " + " ".join(f"a_777_assignsubmission_file_{n}.py" for n in range(9)),
            },
            "",
        ),
        (
            "Moodle",
            "A_1_assignsubmission_file/x.py B_2_assignsubmission_file_/a.zip",
            {"1": "A", "2": "B"},
            "",
        ),
        (
            "Moodle",
            "A_1_assignsubmission_file/x.py B_2_assignsubmission_file_x.py",
            {"1": "A", "2": "B"},
            "",
        ),
        (
            "Moodle",
            "A_1_assignsubmission_file/x.py B_2_assignsubmission_file/x.py m/hw/x.py",
            {"1": "A", "2": "B"},
            "m",
        ),
        (
            "Moodle",
            f"A_1_assignsubmission_file/x A_1_{ONLINE}/x B_2_{ONLINE}/x",
            {"1": "A", "2": "B"},
            "",
        ),
        (
            "Gradescope",
            "submission_1/x.py submission_2/x.py mal/x.py submission_metadata.yml",
            {"submission_1": "submission_1", "submission_2": "submission_2"},
            "mal",
        ),
        (
            "nbgrader",
            "ada/ps1/x.py ada/ps1/timestamp.txt bob/ps1/x.py bob/ps1/timestamp.txt bob/ps2/x.py",
            {"ada": "ada", "bob": "bob"},
            "",
        ),
        (
            "folder",
            "ada/x.py bob.py cem.tar.gz readme.txt .git/x.py",
            {"ada": "ada", "bob": "bob", "cem": "cem"},
            ".git readme.txt",
        ),
        (
            "folder",
            "ada/x.py ..x/x.py .bob/x.py venv/x.py .cem.py .DS_Store ._ada",
            {"ada": "ada"},
            "..x .bob .cem.py venv",
        ),
        # one learner does not choose the layout
        *(
            (
                "folder",
                f"{planted} ada/x.py bob/x.py cem/x.py",
                {name: name for name in ("ada", "bob", "cem", *more.split())},
                others,
            )
            for planted, more, others in (
                ("mal/hw1/x.py mal/hw1/timestamp.txt", "mal", ""),
                ("mal/hw1/timestamp.txt bob/src/timestamp.txt", "mal", ""),
                ("m_1_2_x.py m_1_3_x.png", "m_1_2_x", "m_1_3_x.png"),
                ("m_7_assignsubmission_file_x.py", "m_7_assignsubmission_file_x", ""),
                ("m_7_assignsubmission_file/x.py", "m_7_assignsubmission_file", ""),
                ("submission_metadata.yml", "", "submission_metadata.yml"),
                (
                    "submission_1/x.py submission_metadata.yml",
                    "submission_1",
                    "submission_metadata.yml",
                ),
                ("submission_metadata.yml/x.py", "submission_metadata.yml", ""),
            )
        ),
    ],
)
def test_everybody_s_files_are_found_in_every_layout(
    tmp_path: Path, layout: str, files: str, learners: dict[str, str], others: str
) -> None:
    touch(*(tmp_path / name for name in files.split()))
    if layout == "Gradescope":
        (tmp_path / "submission_metadata.yml").write_text(
            "submission_1: {}\nsubmission_2: {}\n", encoding="utf-8"
        )
    found, handed = find_handed_in(tmp_path)
    named = {
        one.learner: " ".join([one.name, *(sorted(one.files) if one.places[1:] else ())])
        for one in handed
    }
    assert (found, named) == (layout, learners)
    assert unexplained(tmp_path, handed) == others.split()


def test_the_first_number_in_a_moodle_name_identifies_the_learner(tmp_path: Path) -> None:
    touch(*(tmp_path / name for name in HOSTILE))
    found = {one.learner: one for one in find_handed_in(tmp_path)[1]}
    assert {id: one.name for id, one in found.items() if not one.trouble} == {
        "777": "Ada Lovelace",
        "12345": "Mallory M",
        "12346": "Eve E",
    }
    assert [place.name for place in found["777"].places] == [HOSTILE[0]]
    assert "not clear whose" in found["Zed (777)"].trouble


@pytest.mark.parametrize("name", ["no", "."])
def test_a_folder_without_submissions_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        find_handed_in(tmp_path / name)


def test_gradescope_s_list_gives_names_and_times_and_may_hold_any_text(tmp_path: Path) -> None:
    touch(*(tmp_path / f"submission_{n}" / "engine.py" for n in range(1, 7)))
    (tmp_path / "submission_metadata.yml").write_text(
        "submission_1:\n"
        "  :submitters:\n"
        "  - :name: 2026-13-45\n"
        "    :sid: 0042\n"
        "  :created_at: 2026-11-01 10:00:00.000000000 Z\n"
        "submission_2:\n"
        "  :submitters: []\n"
        "submission_3:\n"
        "  :submitters:\n"
        '  - :name: "[/red]Zoe \\uD83D\\e[2J"\n'
        "    :sid: z\n"
        "  :created_at: 2026-99-99\n"
        "submission_4: {}\n"
        "submission_6:\n"
        "  :submitters:\n"
        "  - :name: Ric\n"
        "    :email: ric@x.org\n"
        "../evil:\n"
        "  :submitters:\n"
        "  - :name: E\n"
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
        "ric@x.org": "Ric",
        "n": "Nina",
    }
    assert time.gmtime(found["0042"].received)[:4] == (2026, 11, 1, 10)
    assert "that folder does not exist" in found["n"].trouble
    assert unexplained(tmp_path, found.values()) == ["submission_5"]
    (tmp_path / "submission_metadata.yml").write_text("- x\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is damaged"):
        find_handed_in(tmp_path)


def test_one_of_nbgrader_s_assignments_is_chosen(tmp_path: Path) -> None:
    for name in ("ada/ps1", "ada/ps2", "bob/ps2"):
        touch(tmp_path / name / "engine.py")
        touch(tmp_path / name / "timestamp.txt", text="2026-11-02 10:00 UTC")
    for assignment, message in ((None, "2 assignments: ps1, ps2"), ("x", "no assignment 'x'")):
        with pytest.raises(UsageError, match=message):
            find_handed_in(tmp_path, assignment)
    found = find_handed_in(tmp_path, "ps2")[1]
    assert [one.places[0].parts[-2:] for one in found] == [("ada", "ps2"), ("bob", "ps2")]
    assert time.gmtime(found[0].received)[:4] == (2026, 11, 2, 10)


def test_two_files_with_one_name_are_refused_but_numbered_pictures_are_not(tmp_path: Path) -> None:
    touch(
        tmp_path / "doejane_1_2_engine.py",
        tmp_path / "doejane_1_3_engine-1.py",
        tmp_path / "roeric_4_5_engine-2.py",
        tmp_path / "roeric_4_6_plot-1.png",
        tmp_path / "roeric_4_7_plot-2.png",
    )
    jane, ric = find_handed_in(tmp_path)[1]
    told = "'doejane_1_2_engine.py' and 'doejane_1_3_engine-1.py' both stand for 'engine.py'"
    assert (sorted(ric.files), ric.trouble) == (["engine.py", "plot-1.png", "plot-2.png"], "")
    read = read_tasks(tmp_path)[jane.learner]
    assert isinstance(read, Entry)
    assert (read.outcome, read.message) == ("refused", told)


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
def test_names_that_are_not_utf_8_are_graded_too(here: Path, names: list[bytes]) -> None:
    touch(*(here / "in" / os.fsdecode(name) for name in names), text=changed())
    assert command("in", "--phases", "phase1")[0] == 0
    assert [found.score for found in stored()] == [6, 6]
    for words in ("export --to csv", "export --to canvas", "export --to moodle", "report"):
        assert command(*words.split())[0] == 0


def test_a_missing_permission_is_the_reason_in_the_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch(tmp_path / "bob" / "in" / "engine.py", tmp_path / "zoe" / "engine.py")
    scan = os.scandir

    def refuse(path: str | os.PathLike[str], *_: object, **__: object) -> object:
        if Path(path).name == "in":
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return scan(path)

    monkeypatch.setattr("os.scandir", refuse)
    bob, _ = find_handed_in(tmp_path)[1]
    read = read_task(bob, COURSE, "course", HOW)
    assert isinstance(read, Entry)
    assert read.outcome == "refused"
    assert "cannot be read: Permission denied" in read.message


STAMPS: dict[str, Callable[[Path], object]] = {
    "time": lambda file: file.write_text("2026-11-02 10:00:00 UTC"),
    "none": lambda _file: None,
    "sparse": lambda file: file.write_bytes(b"2026-11-02 10:00:00 UTC" + b" " * 1025),
    "pipe": lambda file: os.mkfifo(file),  # noqa: PLW0108 - not on Windows
    "device": lambda file: file.symlink_to("/dev/zero"),
    "folder": Path.mkdir,
}


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes, and links need a permission")
def test_only_a_short_file_is_read_as_a_time(tmp_path: Path) -> None:
    for kind, make in STAMPS.items():
        touch(tmp_path / kind / "hw1" / "engine.py")
        make(tmp_path / kind / "hw1" / "timestamp.txt")
    layout, handed = find_handed_in(tmp_path)
    assert layout == "nbgrader"
    assert [one.learner for one in handed if one.timing] == ["time"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes")
def test_gradescope_s_list_is_never_read_without_a_limit(tmp_path: Path) -> None:
    touch(tmp_path / "submission_1" / "engine.py")
    os.mkfifo(tmp_path / "submission_metadata.yml")
    with pytest.raises(UsageError, match="is not a regular file"):
        find_handed_in(tmp_path)
