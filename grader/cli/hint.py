"""`grade hint`: four levels for each phase, and causes of what one sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.options import complete_phase, course_option, examples, find_home, make_console
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.curriculum.model import Course


@click.command(
    short_help="Open the next of four hints.",
    epilog=examples("grade hint phase4", 'grade hint --symptom "gradient is half"'),
)
@click.argument("phase", required=False, shell_complete=complete_phase)
@click.option("--all", "everything", is_flag=True, help="Show all four levels.")
@click.option("--again", is_flag=True, help="Show only the levels that are already open.")
@click.option(
    "--symptom",
    "symptom",
    metavar="TEXT",
    help="Search by what you see: an error message, 'half', 'loss'.",
)
@click.option("--symptoms", is_flag=True, help="List all symptoms.")
@course_option
def hint(
    phase: str | None,
    symptom: str | None,
    *,
    course: Course,
    everything: bool,
    again: bool,
    symptoms: bool,
) -> int:
    """Open the next of four hints: idea, direction, specific, code. Hints cost nothing."""
    from grader.curriculum.model import HINT_LEVELS
    from grader.learner.progress import load_hints, load_progress, save_hints
    from grader.learner.quiz.course_screens import print_hints

    if symptom is not None or symptoms:
        return _symptoms(course, symptom, course.select([phase])[0].id if phase else "")
    home = find_home(course)
    known = load_progress(home)
    if phase is None:
        open_stages = [s for s in course.stages if s.id not in known or not known[s.id].done]
        stage = (open_stages or list(course.stages))[0]
    else:
        stage = course.select([phase])[0]
    opened = load_hints(home)
    count = (
        len(HINT_LEVELS)
        if everything
        else min(opened.get(stage.id, 0) + (not again), len(HINT_LEVELS))
    )
    if home is not None:
        save_hints(home, {**opened, stage.id: count})
    print_hints(stage, count, known[stage.id].open if stage.id in known else "", make_console())
    return 0


def _symptoms(course: Course, text: str | None, phase: str) -> int:
    from grader.learner.quiz.course_screens import print_symptoms
    from grader.learner.quiz.questions import load_quiz
    from grader.learner.quiz.symptoms import find_symptoms

    known = load_quiz(course)
    if not known.symptoms:
        raise UsageError(
            "this course has no list of symptoms", "open a hint instead: grade hint PHASE"
        )
    found = known.symptoms if text is None else find_symptoms(known, text)
    if phase:
        found = tuple(
            symptom for symptom in found if any(cause.phase == phase for cause in symptom.causes)
        )
    if phase and not found:
        click.echo(f"no symptom of {phase} matches; leave out the phase to search all phases")
        return 1
    print_symptoms(found, make_console(), brief=text is None)
    return 0 if found else 1
