"""A roster: who belongs to the class, and whose a submission is."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom.download import Download
from grader.classroom.entries import Entry
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import Task, read_task
from grader.classroom.layout import find_handed_in
from grader.classroom.roster import look_up, read_roster
from grader.classroom.round import Round
from grader.errors import UsageError
from support import touch
from support.classroom import HOW
from support.grading import COURSE


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
        *(
            (f"id,name,{column}\nada1,Ada Lovelace,\nmal1,Mallory M,777\n", *whose)
            for column in ("student id", "username", "email")
            for whose in (("777", "Ada Lovelace", "ada1"), ("777", "Mallory M", "mal1"))
        ),
        (
            "student id,name,id\n777,Mallory M,mal1\n,Ada Lovelace,777\n",
            "777",
            "Ada Lovelace",
            "777",
        ),
    ],
)
def test_a_roster_never_gives_one_learner_the_work_of_another(
    tmp_path: Path, text: str, learner: str, name: str, whose: str | None
) -> None:
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8")
    found, _ = look_up(read_roster(tmp_path / "roster.csv"), learner, name)
    assert (found.id if found else None) == whose


def owned(
    book: Gradebook, folder: Path, roster: str, *names: str
) -> tuple[dict[str, str], list[str]]:
    """Whose each of these files is by a roster, and what is said about it."""
    touch(*(folder / "in" / name for name in names))
    touch(folder / "roster.csv", text=roster)
    round_ = Round(COURSE, replace(HOW, required=3), book)
    people = read_roster(folder / "roster.csv")
    download = Download(folder, *find_handed_in(folder / "in"), people)
    tasks = [task for task in round_._tasks(download.handed) if isinstance(task, Task)]
    whose = {task.key.learner: task.handed.places[0].name for task in tasks}
    return whose, list(round_.remarks(download))


def of(learner: str, name: str, file: str = "engine.py") -> str:
    return f"{name}_{learner}_assignsubmission_file_{file}"


@pytest.mark.parametrize(
    ("roster", "files", "learners", "told"),
    [
        (
            "id,name\n777,Mallory M\nada,Ada Lovelace\n",
            [of("777", "Ada Lovelace"), of("778", "Mallory M")],
            ["Ada Lovelace (777)", "777"],
            "Ada Lovelace (777) cannot be matched to the roster: 777 is the id of Mallory M",
        ),
        (
            "id,name\nada,Ada Lovelace\n",
            [of("777", "Ada Lovelace"), of("778", "Ada Lovelace")],
            ["777", "778"],
            "may also belong to Ada Lovelace",
        ),
        (
            "id,name,login\nada,Ada Lovelace,777\n",
            [of("777", "Ada Lovelace"), of("778", "Ada Lovelace")],
            ["ada", "778"],
            "",  # the login says whose is whose
        ),
        (
            'id,name\n1,"Lovelace, Ada"\n2,"Turing, Alan"\n',
            [of("3", "Grace Hopper")],
            ["3"],
            "2 handed in nothing: Lovelace, Ada; Turing, Alan",
        ),
        (
            "id,name\n1,Ada\n",
            [of("3", "Grace Hopper", "engine.docx.zip")],
            [],
            "not on the roster: Grace Hopper (3)",
        ),
    ],
)
def test_a_submission_is_matched_or_named(
    roster: str, files: list[str], learners: list[str], told: str, book: Gradebook, tmp_path: Path
) -> None:
    whose, remarks = owned(book, tmp_path, roster, *files)
    assert whose == dict(zip(learners, files))
    assert told in "\n".join(remarks)


def test_an_instructor_sees_no_hints_meant_for_learners(tmp_path: Path) -> None:
    touch(tmp_path / "in" / "ada" / "essay.docx", text="PK")
    (one,) = find_handed_in(tmp_path / "in")[1]
    entry = read_task(one, COURSE, "", replace(HOW, phases=("1-6",)))
    assert isinstance(entry, Entry)
    assert entry.message == (
        "no engine.py in the folder 'ada'; 'essay.docx' is a Word document,"
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
    *(of("201", "Mallory M", of(id, name)) for id, name in HONEST.items()),
    *(of(str(300 + int(id)), name) for id, name in HONEST.items()),
    *(of(str(400 + int(id)), f"{name.upper()} ", "engine (2).py") for id, name in HONEST.items()),
    *(of(str(500 + int(id)), id) for id in HONEST),
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
def test_thirty_hostile_submissions_do_not_take_the_work_of_others(
    book: Gradebook, tmp_path: Path
) -> None:
    people = [(id, name, "London") for id, name in HONEST.items()]
    people += [("201", "Mallory M", "Flat 101"), ("204", "Eve E", "102")]
    roster = "".join(f"Participant {id},{name},{city}\n" for id, name, city in people)
    own = {id: of(id, name) for id, name in HONEST.items()}
    roster = f"Identifier,Full name,City\n{roster}"
    whose, _ = owned(book, tmp_path, roster, *own.values(), *HOSTILE)
    assert {id: whose[id] for id in own} == own


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
        ("identifier,github_username,github_id,name\n42,jd,7,Jane Doe\n", "JD", "JD"),
    ],
)
def test_a_roster_matches_ids_names_and_addresses(
    tmp_path: Path, text: str, learner: str, name: str
) -> None:
    touch(tmp_path / "roster.csv", text=text)
    people = read_roster(tmp_path / "roster.csv")
    found, _ = look_up(people, learner, name)
    assert found
    assert sorted(re.findall(r"\w+", found.name)) == ["Doe", "Jane"]
    assert look_up(people, "nobody", "else")[0] is None


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes, and links need a permission")
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda file: os.truncate(os.open(file, os.O_CREAT | os.O_RDWR), 4 << 30), "than 32 MiB"),
        (lambda file: file.symlink_to("/dev/zero"), "is not a regular file"),
        (getattr(os, "mkfifo", Path.mkdir), "is not a regular file"),
        (Path.mkdir, "is not a regular file"),
        (lambda file: file.symlink_to("nowhere"), "cannot be read"),
        (lambda file: file.write_bytes(b"id,name\n1,J\xfc\n"), "is not UTF-8"),
        (lambda file: file.write_text('id,name\n1,a\n2,"b\n3,c\n'), "line 3: "),
        (lambda file: file.write_text('id,name\n1,"a\nb"\n2,"c\n3,"d"\n'), "line 4: "),
        (lambda file: file.write_text("id,name\n"), "lists nobody"),
        (lambda file: file.write_text("name\nx\n"), "id"),
        (lambda file: file.write_text("id,name\n1,a\n1,b\n"), "more than once"),
        (lambda file: file.write_text("\x00"), "roster"),
        (lambda file: file.write_text(""), "roster"),
    ],
)
def test_a_roster_that_cannot_be_read_says_why(
    tmp_path: Path, make: Callable[[Path], object], message: str
) -> None:
    make(tmp_path / "roster.csv")
    with pytest.raises(UsageError, match=message):
        read_roster(tmp_path / "roster.csv")


def test_a_roster_may_be_a_link_and_names_sections_as_gradescope_does(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("Name,SID,Sections\nAda,1,B\n", encoding="utf-8")
    (tmp_path / "roster.csv").symlink_to("list.csv")
    assert [one.section for one in read_roster(tmp_path / "roster.csv")] == ["B"]
