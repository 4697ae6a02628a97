"""Check an adapter's words against a course's words."""

from __future__ import annotations

from collections.abc import Iterable

from grader.curriculum.model import Course
from grader.errors import UsageError
from grader.intake.adapter import Adapter
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.script.operators import OF_NUMBERS


def check_words(adapter: Adapter, course: Course) -> None:
    """Raise UsageError for a word in the adapter that this course does not know, or if this course
    has no graph.

    Otherwise a typo would look like something the engine lacks.
    """
    graph = course.require_graph()
    names = {name for file in course.files for name in course.names(file)}
    own = sorted(
        {
            name.partition(".")[2]
            for name in names
            if name.startswith(f"{graph.node}.") and not name.endswith("__")
        }
        - {graph.backward, *graph.form}
    )
    own += sorted(names & FUNCTIONS.keys())
    classes = sorted({name.partition(".")[0] for name in names if "." in name} - {graph.node})
    known: dict[str, tuple[Iterable[str], list[str]]] = {
        "files": (adapter.files, list(course.files)),
        "calls": (adapter.calls, [*own, *OF_NUMBERS]),
        "networks": ([words.split()[0] for words in adapter.networks if words.split()], classes),
    }
    for table, (words, allowed) in known.items():
        if unknown := [word for word in words if word not in allowed]:
            raise UsageError(
                f"{adapter.where}: [{table}]: this course has no {unknown[0]!r}",
                f"the names are {', '.join(allowed)}",
            )
    if course.engine not in adapter.files:
        raise UsageError(
            f"{adapter.where}: [files] does not say where {course.engine!r} is",
            f'write "{course.engine}" = "path/of/the/engine.py"',
        )
