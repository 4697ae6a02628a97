"""Find the file of an engine from elsewhere, and start a worker to try it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from grader.boundary.transport import Host
from grader.curriculum import packages as installed
from grader.curriculum.model import Course
from grader.errors import UsageError
from grader.intake.adapter import NOTEBOOK, Adapter, template
from grader.intake.foreign import python_files, read_foreign
from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.memory import Memory
from grader.judge.session import Session
from grader.learner.adapting.finder import Finder
from grader.learner.tracing.words import described

_LIKELY = ("engine", "engen", "autograd", "value", "tensor", "node", "core")


def find_engine(
    course: Course, path: Path, root: Path, host: Host, packages: Sequence[str] = ()
) -> tuple[Adapter, list[str], Path]:
    """Return the adapter of the engine in a file or notebook, or in a folder's first file that has
    one, notes for the user, and the folder that the adapter's paths start from. Files that define
    the class of their results come first.

    A file is imported from the root, the folder above, or a folder between the root and the file.
    Raise UsageError that says what is missing.
    """
    course.require_graph()
    installed.require(packages)
    found, refused = list[tuple[Adapter, list[str], Path]](), list[UsageError]()
    candidates, root = _candidates(course, path, root), root.resolve()
    for file in (root / candidate for candidate in candidates):
        for folder in (
            root,
            root.parent,
            *(f for f in reversed(file.parents) if root in f.parents),
        ):
            try:
                adapter, notes, is_home = _find(
                    course, path, host, packages, folder, file.relative_to(folder).as_posix()
                )
            except UsageError as error:  # noqa: PERF203 - starting a worker for each takes far longer
                refused.append(error)
            else:
                if is_home:
                    return adapter, notes, folder
                found.append((adapter, notes, folder))
                break
    if found:
        return found[0]
    if not refused:
        raise UsageError(
            f"there is no Python file in {str(path)!r} that may define an engine",
            "name the file or the notebook with the engine",
        )
    raise refused[0]


def _candidates(course: Course, path: Path, root: Path) -> list[str]:
    """Return the file itself, or the files in the folder, the most likely names first."""
    inside = path.resolve().relative_to(root.resolve()).as_posix()
    if path.is_file():
        return [inside]
    likely = (Path(course.files[0]).stem, *_LIKELY)

    def rank(file: str) -> tuple[int, str]:
        name = Path(file).stem.lower()
        return next((n for n, word in enumerate(likely) if word in name), len(likely)), file

    engines = [
        file
        for file in python_files(root)
        if (inside == "." or file.startswith(f"{inside}/"))
        and not Path(file).stem.startswith(("test", "setup", "conftest", "__main__"))
    ]
    return sorted(engines, key=rank)[:12]


def _find(  # noqa: PLR0913, PLR0917 - what find_engine is given, and where to look
    course: Course, given: Path, host: Host, packages: Sequence[str], root: Path, path: str
) -> tuple[Adapter, list[str], bool]:
    """Return the adapter of the engine in a file imported from this folder, notes for the user, and
    whether the file defines the class of its results. Raise UsageError.

    Modules near the file get no placeholder.
    """
    draft = Adapter("", {course.engine: path}, "", template("f({})"), "data", "grad")
    module = draft.module(course.engine)
    folders = () if path.endswith(NOTEBOOK) else ((root / path).parent, root.parent)
    near = (each for folder in folders for each in folder.glob("*") if each.suffix in {"", ".py"})
    session = Session(
        host.worker,
        read_foreign(root, draft, host.worker, given),
        module,
        [],
        [module, *(each.stem for each in near)],
        memory=Memory(forgiving=False),
        provided=packages,
    )
    with closing(session):
        try:
            session.load()
        except (LearnerFault, WorkerLost) as failure:
            raise UsageError(
                f"importing {path} {described(failure.fault)}",
                "fix that line; if it lacks a package, add --package NAME; or, if it is not part"
                " of the engine, move it below: if __name__ == '__main__':",
            ) from None
        adapter, missing, is_home = Finder(session, course, path).find()
    notes = [
        f"it imports {name}, so the code that uses it will fail; to provide it: --package {name}"
        for name in session.memory.absent
    ]
    notes += [f"not found, so not tested: {', '.join(missing)}"] if missing else []
    return replace(adapter, packages=tuple(packages)), notes, is_home
