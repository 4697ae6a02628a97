"""`grade show`: train the learner's own network, and draw what it has learnt."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import at_option, complete_phases, course_option, examples
from grader.cli.places import locate
from grader.cli.screen import waiting
from grader.cli.streams import make_console, save
from grader.errors import UsageError
from grader.text import safe

if TYPE_CHECKING:
    from grader.curriculum.model import Course, Stage
    from grader.judge.recorder import Recorder
    from grader.learner.training.training import Training

SUFFIX = ".svg"
PICTURE = f"training{SUFFIX}"
MOST_STEPS = 2_000  # a worker has 60 s of processor time; the reference needs 30


@click.command(
    short_help="Train your network and draw what it has learnt.",
    epilog=examples("grade show --save moons.svg"),
)
@click.argument("phase", required=False, shell_complete=complete_phases)
@at_option(help="Train the network in this folder instead of yours.")
@click.option("--steps", type=click.IntRange(1, MOST_STEPS), help="Number of training steps.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    metavar="N",
    help="Seed for the initial weights.",
)
@click.option("--save", "file", metavar="FILE", help="Write the picture to this .svg file.")
@course_option
def show(
    phase: str | None,
    path: str | None,
    steps: int | None,
    seed: int,
    file: str | None,
    course: Course,
) -> int:
    """Train your network with your own loop, and draw the loss at every step and the network's
    answer at every point.

    Ctrl-C ends the training early and draws what has been learnt by then. Exit code 1 if your code
    does not finish.
    """
    from grader.cli.hosting import host_of_command
    from grader.judge.recorder import Recorder
    from grader.learner.own_code import session_at

    stage = _stage(course, phase)
    if file is not None and Path(file).suffix.lower() != SUFFIX:
        raise UsageError(
            f"--save {safe(file, 200)!r}: the name must end in .svg",
            "for example: --save picture.svg",
        )
    where, home = locate(course, path)
    with session_at(course, where, stage.file, host_of_command()) as session:
        recorder = Recorder(session, seed=seed)
        with _noting_ctrl_c() as stop:
            done = _train(course, stage, recorder, steps, stop)
    _show(done, file, Path(home or where))
    if done.ended:
        click.echo(f"error: {done.ended}", err=True)
        click.echo(f"hint: to see which checkpoint fails: grade {stage.id}", err=True)
        return 1
    if stop.is_set():
        click.echo(f"stopped after {len(done.losses)} of {done.steps} steps", err=True)
        return 130
    return 0


def _show(done: Training, file: str | None, home: Path) -> None:
    """Print the picture, and save it on request. A page shows a saved one instead."""
    from grader.cli.hosting import current_page
    from grader.learner.progress import progress_folder
    from grader.learner.training.image import to_svg
    from grader.learner.training.text import print_picture

    on_page = current_page() is not None
    if on_page:
        click.echo(done.summary)
    else:
        print_picture(done, make_console())
    if on_page or file is not None:
        save(Path(file or progress_folder(home) / PICTURE), to_svg(done))
    if file is not None:
        click.echo(f"the picture is in {file}", err=True)


def _stage(course: Course, phase: str | None) -> Stage:
    """Return the named stage, or the first that has something to show."""
    able = [stage for stage in course.stages if stage.show.is_file()]
    chosen = [stage for stage in able if phase is None or stage in course.select([phase])]
    if not chosen:
        names = ", ".join(stage.id for stage in able)
        raise UsageError(
            f"{phase or 'this course'} has nothing to show", f"phases that do: {names or 'none'}"
        )
    return chosen[0]


def _train(
    course: Course, stage: Stage, recorder: Recorder, steps: int | None, stop: threading.Event
) -> Training:
    """Train and paint. Show the progress on a line of the terminal, which disappears."""
    from grader.learner.training.training import Training, load_show

    shown = load_show(course, stage, recorder)
    done = Training(shown, recorder, steps or shown.steps)
    with waiting() as say:

        def tell(done: Training) -> bool:
            if say is not None:
                say(f"step {len(done.losses)}/{done.steps} loss {done.loss:.3g}")
            return not stop.is_set()

        done.run(tell)
    return done


@contextmanager
def _noting_ctrl_c() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C sets, which ends the training after the running steps."""
    pressed = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: pressed.set())
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)
