"""Exports that course systems read: whose mark, which mark, and why none."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.entries import Mark
from grader.classroom.exports import export
from grader.classroom.journal import Comment
from grader.classroom.marks import Standing, standings
from grader.classroom.policy import Policy
from grader.classroom.roster import NOBODY, Person, look_up, read_csv, read_roster
from grader.classroom.rubric import Item
from grader.classroom.worksheet import find_worksheet
from grader.errors import UsageError
from support.classroom import command, entry, marks_of, store, stored
from support.grading import COURSE


def table(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def exported(name: str, marks: Sequence[Standing], *people: Person, **how: Any) -> list[list[str]]:
    return table(export(name, with_people(marks, people), "Autograd", **how))


def with_people(marks: Sequence[Standing], people: Sequence[Person]) -> list[Standing]:
    known = {person.id: person for person in people}
    return [replace(one, person=known.get(one.learner, NOBODY)) for one in marks]


def written(name: str, *words: str) -> list[list[str]]:
    """What a command exports."""
    assert command("export", "--to", name, *words)[0] == 0
    return table(Path(f"{name}.csv").read_bytes())


def test_exports_have_a_row_for_everybody(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\n"
        '"Lovelace, Ada",ada,s1,al,B\n'
        "Zoe,zoe,s2,zz,B\n",
        encoding="utf-8",
    )
    people = read_roster(tmp_path / "r.csv")
    marks = marks_of(entry(), ada="=cmd|Ada", zoe="Zoe")
    plain = exported("csv", marks, *people)
    assert [row[-3:] for row in plain[:2]] == [["phase1", "phase1.data", "phase1.grad"], [*"110"]]
    assert [row[1:5:3] for row in plain[1:]] == [["'=cmd|Ada", "graded"], ["Zoe", "not handed in"]]
    assert [row[2] for row in plain] == ["section", "B", "B"]
    canvas = exported("canvas", marks, *people)
    assert canvas == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Autograd"],
        ["    Points Possible", "", "", "", "", "6"],
        ["Lovelace, Ada", "ada", "s1", "al", "B", "3"],
        ["Zoe", "zoe", "s2", "zz", "B", ""],
    ]
    phases = exported("canvas", marks, *people, by_phase=True)
    assert [row[5:] for row in phases[::2]] == [["Autograd", "Autograd phase1"], ["3", "1"]]
    moodle = exported("moodle", standings([entry("4711")], {"4711": "Jane"}, {}, Policy()))
    assert "Last modified (grade)" in moodle[0]
    assert moodle[1] == ["Participant 4711", "Jane", "", "3", "6", "", "phase1 1/2"]


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
def test_no_cell_is_a_formula_or_a_command(text: str, written: str) -> None:
    rows = exported("csv", standings([], {text: text}, {}, Policy()))
    assert rows[1][:2] == [written, written]


@pytest.mark.parametrize("outcome", ["error", "refused"])
def test_a_missing_grading_is_blank_in_every_export(outcome: str) -> None:
    marks = marks_of(replace(entry(outcome=outcome, score=0), message="a PDF", marks=()))
    (head, row) = exported("csv", marks)
    cells = dict(zip(head, row))
    assert (cells["outcome"], cells["reason"], cells["score"]) == (outcome, "a PDF", "")
    assert exported("canvas", marks)[2][5] == ""
    assert exported("moodle", marks)[1][3:] == ["", "6", "", "a PDF"]


def test_a_checkpoint_that_was_not_judged_leaves_its_phase_blank() -> None:
    unknown = replace(entry(outcome="error"), marks=(Mark("phase1.a", "error", 0, 1, False),))
    (head, row) = exported("csv", marks_of(unknown))
    assert (head[-2:], row[-2:]) == (["phase1", "phase1.a"], ["", ""])


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (["Homework 1 (4711)"], "Homework 1 (4711)"),
        (["Homework 1 (4711)", "Final Score"], "Homework 1 (4711)"),
        (["Homework 1 (4711)", "Essay (4712)"], ""),
        ([], ""),
    ],
)
def test_canvas_gets_the_only_assignment_of_the_roster(
    here: Path, columns: list[str], expected: str
) -> None:
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *columns]
    lines = [head, ["    Points Possible"], ["Lovelace, Ada", "ada", "s1", "al", "B"]]
    (here / "r.csv").write_text("\n".join(",".join(f'"{c}"' for c in line) for line in lines))
    store(entry())
    for words, title in (([], expected or COURSE.title), (["--assignment", "ps1"], "ps1")):
        assert written("canvas", "--roster", "r.csv", *words)[0][5:] == [title]


DATE = "Montag, 2. November 2026, 10:00"
GERMAN = [
    *("ID", "Vollständiger Name", "E-Mail-Adresse", "Status", "Bewertung", "Bestwertung"),
    *("Bewertung kann geändert werden", "Zuletzt geändert (Abgabe)", "Texteingabe online"),
    *("Zuletzt geändert (Bewertung)", "Feedback als Kommentar"),
]


def worksheet(file: Path, head: list[str], word: str, *comments: str) -> list[list[str]]:
    """Write and return a worksheet with a person for each comment."""
    rows = [
        [
            *(f"{word}{501 + n}", f"Jane {n}", "j@x.org", "Abgegeben", "", "100,00"),
            *("Ja", DATE, "ok", "-" if n else DATE, text),
        ]
        for n, text in enumerate(comments)
    ]
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([head, *rows])
    return [head, *rows]


@pytest.mark.parametrize(
    ("head", "word"),
    [
        (GERMAN, "Teilnehmer/in"),
        (
            [
                *("Identifier", "Full name", "Email address", "Status", "Grade", "Maximum grade"),
                *("Grade can be changed", "Last modified (submission)", "Online text"),
                *("Last modified (grade)", "Feedback comments"),
            ],
            "Participant ",
        ),
        (["Identifiant", "Nom", "Courriel", *GERMAN[3:]], "Participant\u00a0"),
    ],
)
def test_moodle_gets_its_own_worksheet_back(here: Path, head: list[str], word: str) -> None:
    comments = ["", " Good work,\nsee me! ", "oral exam", "-excused", "phase1 0/2"]
    before = worksheet(here / "r.csv", head, word, *comments)
    people = read_roster(here / "r.csv")
    found = [look_up(people, str(501 + n), f"Jane {n}")[0] for n in (0, 1, 4)]
    entries = [entry(one.id, score=score) for one, score in zip(found, (3, 4, 5)) if one]
    marks = marks_of(*entries, policy=Policy(out_of=100), **{p.id: p.name for p in people})
    marks = with_people(marks, people)
    content = export("moodle", marks, "x", worksheet=find_worksheet(read_csv(here / "r.csv")))
    expected = [list(row) for row in before]
    for row, grade_, text in (
        (1, "50", "phase1 1/2"),
        (2, "66,67", f"{comments[1]}\nphase1 1/2"),
        (5, "83,33", "phase1 1/2"),
    ):
        expected[row][4], expected[row][-1] = grade_, text
    assert table(content) == expected
    again = find_worksheet(content.decode("utf-8-sig"))
    assert export("moodle", marks, "x", worksheet=again) == content


def test_moodle_s_maximum_is_the_scale(tmp_path: Path) -> None:
    worksheet(tmp_path / "r.csv", GERMAN, "Teilnehmer/in", "")
    sheet = find_worksheet(read_csv(tmp_path / "r.csv"))
    with pytest.raises(UsageError, match="out of 6, and the assignment in Moodle is out of 100"):
        exported("moodle", marks_of(entry()), worksheet=sheet)


def test_every_started_day_costs_its_share_on_the_scale_of_the_mark() -> None:
    policy = Policy(due=100.0, late_per_day=0.1, out_of=60)
    marks = [
        marks_of(entry(score=6, received=received), policy=policy)[0]
        for received in (100.0, 101.0, 100.0 + 86400, 100.0 + 86401, 1e9)
    ]
    assert [one.points for one in marks] == [60, 54, 54, 48, 0]
    both = [entry(score=5, received=1.0), entry(sha256="b", score=6, received=1e6)]
    comments = {"ada": [Comment("ada", "oral", 0.6)]}
    (best,) = standings(both, {"ada": "Ada"}, comments, policy)
    assert (best.points, best.late, best.note) == (56, False, "oral (+6 points)")
    assert marks[1].note == "1 day late: -6 points"


@pytest.mark.parametrize(("comments", "points"), [([], None), ([Comment("", "oral", 1)], 5)])
def test_a_part_marked_by_hand_makes_no_mark_without_tests(
    comments: list[Comment], points: float | None
) -> None:
    policy = Policy(rubric=(Item("style", "Style", 4),))
    lines = [Comment("", "", 4, "style"), *comments]
    refused = replace(entry("eve", outcome="refused"), message="a PDF")
    names = {"eve": "Eve", "zoe": "Zoe"}
    marks = standings([refused], names, {"eve": lines, "zoe": lines}, policy)
    assert [one.points for one in marks] == [points, points]
    assert [one.reason for one in marks] == ["a PDF", "not handed in"]
    assert [one.so_far for one in marks] == [points or 4] * 2


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_learners_are_graded_again_on_purpose(handed_in: Path) -> None:
    words = (handed_in, "--phases", "phase1")
    command(*words)
    before = stored()
    assert "1 graded, 4 unchanged" in command(*words, "--again", "ada")[1]
    assert [one.received for one in stored()] == [one.received for one in before]
    assert "4 graded, 1 could not be read" in command(*words, "--again", "all")[1]
    assert command(*words, "--again", "nobody")[0] == 2
