"""Find the file of an engine from elsewhere, and start a worker to try it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
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
from grader.learner.adapting.finder import Engine, Finder
from grader.learner.tracing.words import described

_MAX_TRIED = 12
_LIKELY = ("engine", "engen", "autograd", "value", "tensor", "node", "core")
_LACKS = re.compile(r"^(?=[^\W\d])\w+(?=\S* is not available while)|(?<=No module named ')\w+")
_NO_ENGINE = ("test", "setup", "conftest", "__main__")


def find_engine(
    course: Course, path: Path, root: Path, host: Host, packages: Sequence[str] = ()
) -> Engine:
    """Return the engine in a file or notebook, or in a folder's first file that has one.

    A file is imported from the root, the folder above, or its own. Raise UsageError that says what
    is missing.
    """
    if course.graph is None:
        raise UsageError(
            "this course has no [graph]", "an adapter needs the course's own names for a node"
        )
    installed.require(packages)
    refused: list[UsageError] = []
    search = _Search(course, path, host, packages)
    candidates, root = _candidates(course, path, root), root.resolve()
    for file in (root / candidate for candidate in candidates):
        for folder in dict.fromkeys((root, root.parent, file.parent)):
            try:
                return search.find(folder, file.relative_to(folder).as_posix())
            except UsageError as error:  # noqa: PERF203 - starting a worker for each takes far longer
                refused.append(error)
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
    files = [file for file in python_files(root) if inside == "." or file.startswith(f"{inside}/")]
    likely = (Path(course.files[0]).stem, *_LIKELY)

    def rank(file: str) -> tuple[int, str]:
        name = Path(file).stem.lower()
        return next((n for n, word in enumerate(likely) if word in name), len(likely)), file

    engines = [file for file in files if not Path(file).stem.startswith(_NO_ENGINE)]
    return sorted(engines, key=rank)[:_MAX_TRIED]


class _Search:
    """Searches files for an engine, one by one, each in a worker."""

    def __init__(self, course: Course, given: Path, host: Host, packages: Sequence[str]) -> None:
        self._course, self._given, self._host, self._packages = course, given, host, packages

    def find(self, root: Path, path: str) -> Engine:
        """Return the engine in a file imported from this folder, with the installed packages that
        it imports. Raise UsageError.
        """
        provided = [*self._packages]
        while True:
            with self._session(root, path, provided) as session:
                absent, problem = _load(session)
                usable = {*absent} - {*provided, *installed.absent(absent)}
                if usable:
                    provided += sorted(usable)
                    continue
                if problem:
                    raise UsageError(
                        f"importing {path} {problem}",
                        "fix that line; or, if it is not part of the engine, move it below: if"
                        " __name__ == '__main__':",
                    )
                engine = Finder(session, self._course, path).find()
            adapter = replace(engine.adapter, packages=tuple(provided))
            notes = [
                f"it imports {name}, so packages lists {name}"
                for name in provided
                if name not in self._packages
            ]
            notes += [
                f"it imports {name}, so the code that uses it will fail; {installed.advice([name])}"
                for name in absent
                if name not in provided
            ]
            return replace(engine, adapter=adapter, notes=tuple(notes), root=root)

    @contextmanager
    def _session(self, root: Path, path: str, packages: Sequence[str]) -> Iterator[Session]:
        """Yield a session with the file in it. Modules near it get no placeholder."""
        file = self._course.engine
        draft = Adapter("", {file: path}, "", template("f({})", ""), template("{}.f()", ""))
        submission = read_foreign(root, draft, self._host.reader, self._given)
        located = installed.locate(packages)
        module = draft.module(file)
        own = [module]
        for folder in () if path.endswith(NOTEBOOK) else ((root / path).parent, root.parent):
            own += [near.stem for near in folder.glob("*") if near.suffix in {"", ".py"}]
        with closing(
            Session(
                partial(self._host.worker, installed.readable(located)),
                submission,
                module,
                [],
                own,
                memory=Memory(forgiving=False),
                packages=located,
            )
        ) as session:
            yield session


def _load(session: Session) -> tuple[Sequence[str], str]:
    """Return the packages that the file lacks, and why it cannot be imported, if it cannot."""
    try:
        return session.load().absent, ""
    except (LearnerFault, WorkerLost) as failure:
        return _LACKS.findall(failure.fault.message), described(failure.fault)
