"""`grade hint`: four levels of hints for each function, and causes of symptoms."""

from __future__ import annotations

import click

from grader.cli.options import complete_phases, course_option, examples
from grader.cli.places import find_home, folder_of_notebook
from grader.cli.streams import make_console
from grader.curriculum.model import Course
from grader.errors import UsageError


@click.command(
    short_help="Open the next of four hints.",
    epilog=examples(
        "grade hint", "grade hint Value.__mul__", 'grade hint --symptom "gradient is half"'
    ),
)
@click.argument("about", required=False, shell_complete=complete_phases)
@click.option("--all", "everything", is_flag=True, help="Show all levels.")
@click.option("--again", is_flag=True, help="Show only the levels that are already open.")
@click.option(
    "--symptom",
    "symptom",
    metavar="TEXT",
    help="Search by what you see: an error message, 'half', a line of a report.",
)
@click.option("--symptoms", is_flag=True, help="List all symptoms.")
@course_option
def hint(
    about: str | None,
    symptom: str | None,
    *,
    course: Course,
    everything: bool,
    again: bool,
    symptoms: bool,
) -> int:
    """Open the next of four hints about a function: idea, direction, specific, code.

    ABOUT is a function such as Value.__mul__, a checkpoint or a phase. A phase means its first open
    function. Default: what failed first in the last grading, or else the next stub. If a small
    change to your code was found to fix that failure, two hints about your line come first: what is
    wrong there, and the change. Opening hints costs nothing.
    """
    from grader.intake.read import read_submission
    from grader.learner.hints import find_pasted, find_topic, open_next
    from grader.learner.progress import load
    from grader.learner.quiz.course_screens import print_hints

    home, topic = find_home(course), None
    known = load(home)
    submission = read_submission(home, course.files) if home is not None else None
    if symptom is None and not symptoms:
        topic = find_topic(course, submission, known, about)
    elif symptom is not None:
        topic = find_pasted(course, submission, known, symptom)
    if topic is None:
        return _symptoms(course, symptom)
    if home is None:
        topic = topic._replace(checkpoint="")  # it is not known what is open
    count, is_kept = open_next(
        topic, home or folder_of_notebook(), everything=everything, again=again
    )
    print_hints(topic, count, make_console(), is_kept=is_kept)
    return 0


def _symptoms(course: Course, text: str | None) -> int:
    from grader.learner.quiz.course_screens import print_symptoms
    from grader.learner.quiz.questions import load_quiz
    from grader.learner.quiz.symptoms import find_symptoms

    known = load_quiz(course)
    if not known.symptoms:
        raise UsageError(
            "this course has no list of symptoms", "open a hint instead: grade hint PHASE"
        )
    found = known.symptoms if text is None else find_symptoms(known, text)
    print_symptoms(found, make_console(), brief=text is None)
    return 0 if found else 1
