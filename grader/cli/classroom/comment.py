"""`grade class comment`, `mark`, `undo`, `journal`: changes by hand, with author and time."""

from __future__ import annotations

import getpass
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from grader.classroom.gradebook import Gradebook
from grader.classroom.journal import Comment
from grader.cli.classroom.options import book_option, find_learner, one_line, open_gradebook
from grader.cli.options import examples
from grader.cli.streams import save
from grader.errors import UsageError


@click.command(
    short_help="Comment on a learner's mark, and change it by hand.",
    epilog=examples(
        'grade class comment ada "explained it in person" --points +2',
        'grade class comment ada "explained it" --points +1 --edit 7',
    ),
)
@click.argument("learner")
@click.argument("text")
@click.option("--points", type=float, default=0.0, metavar="N", help="Points to add: +2 or -1.5.")
@click.option("--edit", type=int, default=0, metavar="NUMBER", help="Replace this comment.")
@book_option
def comment(learner: str, text: str, points: float, edit: int, book: str) -> None:
    """Add TEXT to the mark of LEARNER, and points if you like. Exports, pages and feedback show
    both.
    """
    from grader.classroom.journal import Comment, find_line
    from grader.classroom.policy import MOST_POINTS
    from grader.intake.submission import printable

    if not abs(points) <= MOST_POINTS:  # also true for nan
        raise UsageError(
            f"--points {points:g} is not between -{MOST_POINTS:,} and {MOST_POINTS:,}",
            "for example: --points +2",
        )
    with open_gradebook(book) as gradebook:
        who = find_learner(gradebook.learners(), learner)
        if edit:
            old = find_line(gradebook.journal(), edit)
            if old.item or old.undoes or old.learner != who:
                raise UsageError(
                    f"line {edit} is not a comment on {who!r}",
                    "grade class journal lists all lines",
                )
        _write(gradebook, Comment(who, printable(text), points, replaces=edit))


@click.command(
    short_help="Mark hand-graded parts, one or a whole table.",
    epilog=examples(
        'grade class mark ada style 4 --comment "clear names"',
        "grade class mark --import marks.csv",
    ),
)
@click.argument("learner", required=False)
@click.argument("item", required=False)
@click.argument("points", required=False)
@click.option("--comment", "text", default="", metavar="TEXT", help="Reason, for the learner.")
@click.option(
    "--import",
    "table",
    metavar="CSV",
    help="Import a table with the columns learner, item, points and comment: all of it, or nothing"
    " if a row is wrong.",
)
@click.option(
    "--table",
    "target",
    metavar="CSV",
    help="Write that table for everybody, with the marks so far, to fill in and import.",
)
@book_option
def mark(
    learner: str | None,
    item: str | None,
    points: str | None,
    text: str,
    table: str | None,
    target: str | None,
    book: str,
) -> None:
    """Give LEARNER the POINTS for ITEM, a hand-graded part that class.toml declares next to the
    gradebook. A new mark replaces the old one.
    """
    from grader.classroom.exports import marks_table
    from grader.classroom.journal import Comment, in_effect
    from grader.classroom.policy import FILE
    from grader.classroom.rubric import Item, find_item, points_for, read_marks
    from grader.curriculum.tables import read_table
    from grader.intake.submission import printable

    with open_gradebook(book) as gradebook:
        names = gradebook.learners()
        rubric = read_table(Path(book).with_name(FILE), UsageError, optional=True).get(
            "rubric", tuple[Item, ...], ()
        )
        known = {
            (one.learner, one.item): one
            for lines in in_effect(gradebook.journal()).values()
            for one in lines
            if one.item
        }
        if table is not None:
            marks = read_marks(Path(table), names, rubric)
            said = {(one.learner, one.item, one.points, one.text) for one in known.values()}
            new = [
                one for one in marks if (one.learner, one.item, one.points, one.text) not in said
            ]
            gradebook.write(*(_signed(_instead(one, known)) for one in new))
            click.echo(
                f"{table}: {len(new)} new or changed marks, {len(marks) - len(new)} as before"
            )
        elif target is not None:
            save(Path(target), marks_table(names, rubric, known))
            click.echo(f"wrote {target}; fill it in, then: grade class mark --import {target}")
        elif learner is None or item is None or points is None:
            raise UsageError(
                "a mark needs a learner, an item and points",
                "for example: grade class mark ada style 4, or add --import marks.csv",
            )
        else:
            given, who = points_for(find_item(rubric, item), points), find_learner(names, learner)
            _write(gradebook, _instead(Comment(who, printable(text), given, item), known))


@click.command(
    short_help="Undo a mark or a comment.",
    epilog=examples("grade class journal ada", "grade class undo 7"),
)
@click.argument("number", type=int)
@book_option
def undo(number: int, book: str) -> None:
    """Undo line NUMBER of the journal. The line it replaced counts again. The line stays in the
    journal, and an undo can be undone.
    """
    from grader.classroom.journal import Comment, find_line

    with open_gradebook(book) as gradebook:
        old = find_line(gradebook.journal(), number)
        _write(gradebook, Comment(old.learner, "", replaces=number))


@click.command(
    short_help="List what was changed by hand, by whom and when.",
    epilog=examples("grade class journal", "grade class journal ada"),
)
@click.argument("learner", required=False)
@book_option
def journal(learner: str | None, book: str) -> None:
    """List all changes to marks by hand, or only LEARNER's, with their numbers."""
    from grader.classroom.journal import described
    from grader.classroom.times import shown_time

    with open_gradebook(book) as gradebook:
        names, lines = gradebook.learners(), gradebook.journal()
    who = None if learner is None else find_learner(names, learner)
    for one, text in described(lines):
        if who in {None, one.learner}:
            head = f"{one.number:3} {shown_time(one.written)} {one.who}: {names[one.learner]}"
            click.echo(one_line(f"{head}: {text}"))


def _instead(line: Comment, known: Mapping[tuple[str, str], Comment]) -> Comment:
    """Return a mark that replaces the one that the learner has for that item, if any."""
    old = known.get((line.learner, line.item))
    return replace(line, replaces=old.number) if old else line


def _write(gradebook: Gradebook, line: Comment) -> None:
    """Write a line into the journal, and say what it changes."""
    from grader.classroom.entries import called

    number = gradebook.write(_signed(line))
    name = called(gradebook.learners()[line.learner], line.learner)
    click.echo(one_line(f"{name}: {line.summary}; to undo: grade class undo {number}"))


def _signed(line: Comment) -> Comment:
    try:
        who = getpass.getuser()
    except (OSError, KeyError, ImportError):  # an account without a name
        who = "unknown"
    return replace(line, who=who, written=time.time())
