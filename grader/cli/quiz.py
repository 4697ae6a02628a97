"""`grade quiz` and `grade predict`. The second asks only the questions that show a small graph."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from grader.cli.hosting import current_page, host_of_command
from grader.cli.keyboard import Read, keys, type_answer
from grader.cli.options import complete_phases, course_option, examples
from grader.cli.places import find_home
from grader.cli.streams import make_console
from grader.curriculum.model import Course
from grader.text import plural

QUESTIONS, PREDICTIONS = 8, 3  # in a session


_seed = click.option(
    "--seed", type=click.IntRange(0), help="Repeat a session with the seed that it printed."
)


@click.command(
    short_help="Answer questions about what you build.",
    epilog=examples("grade quiz phase4 --count 5", "grade quiz understanding-modes"),
)
@click.argument("about", metavar="[PHASES OR ITEMS]...", nargs=-1, shell_complete=complete_phases)
@click.option(
    "--count",
    type=click.IntRange(1),
    default=QUESTIONS,
    show_default=True,
    help="How many questions.",
)
@_seed
@course_option
def quiz(about: tuple[str, ...], count: int, seed: int | None, course: Course) -> None:
    """Answer questions about what you build, many with new numbers each time. Every answer is
    explained and remembered.

    Keys: n skip to the next question, h hint, l list the questions, q quit. Press Enter after a
    number; a letter needs none.

    By default the questions are about the phases up to yours; `all extras` asks about everything.
    Correct answers tick items of the checklist. You can name items instead of phases.
    """
    _hold_session(course, about, count, seed, graphs=False)


@click.command(
    short_help="Predict a gradient before you run the program.",
    epilog=examples("grade predict phase5", "grade predict 4-6 --count 6"),
)
@click.argument("about", metavar="[PHASES]...", nargs=-1, shell_complete=complete_phases)
@click.option(
    "--count",
    type=click.IntRange(1),
    default=PREDICTIONS,
    show_default=True,
    help="How many questions.",
)
@_seed
@course_option
def predict(about: tuple[str, ...], count: int, seed: int | None, course: Course) -> None:
    """Predict a gradient before your own engine computes it. The numbers are new each time, and a
    wrong answer shows you every step.

    Keys: n skip to the next question, h hint, l list the questions, q quit. Press Enter after a
    number; a letter needs none.
    """
    _hold_session(course, about, count, seed, graphs=True)


def _hold_session(
    course: Course, about: tuple[str, ...], count: int, seed: int | None, *, graphs: bool
) -> None:
    import random

    from grader.learner.progress import FOLDER
    from grader.learner.quiz.answering import draw_session, record, words_so_far
    from grader.learner.quiz.own_engine import compute
    from grader.learner.quiz.quiz_screens import hold_session
    from grader.views.console import print_commands, print_heading

    home, console = find_home(course), make_console()
    chosen = random.SystemRandom().randrange(10**6) if seed is None else seed
    words = about or words_so_far(course, home, graphs=graphs)
    session = draw_session(course, words, random.Random(chosen), count, graphs=graphs)
    name, title = ("predict", "what will it be?") if graphs else ("quiz", "what you understand")
    total = len(session)
    print_heading(name, title, console, plural(total, "question"))
    found = partial(compute, course=course, home=home or Path(), host=host_of_command())
    answers, unsaved = [], ""
    try:
        with keys() as read:
            for asked, correct in hold_session(
                session, console, partial(_answer, read), found if graphs else None
            ):
                answers.append(correct)
                if home is not None:
                    unsaved = record(home, asked, correct=correct)
    except KeyboardInterrupt:  # Ctrl-C ends the questions, whatever it interrupts
        click.echo()
    others = " ".join([f"grade {name}", *words, f"--count {count}"])
    left = f", {total - len(answers)} not answered" if len(answers) < total else ""
    console.print(f"\n{sum(answers)} of {total} right{left}", style="bold")
    if unsaved:
        console.print(f"note: not saved, because {FOLDER} cannot be written: {unsaved}")
    print_commands([("next", f"`{others}`"), ("again", f"`{others} --seed {chosen}`")], console)


def _answer(read: Read, at_once: str) -> str | None:
    """Return a key or typed text, None at the end of the input."""
    if (page := current_page()) is not None:
        return page.ask("answer: ", at_once)
    if sys.stdin.isatty():
        click.echo("answer: ", nl=False)
        return type_answer(read, at_once)
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None
