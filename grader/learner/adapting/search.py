"""Find the file of an engine from elsewhere, and start a worker to try it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader.boundary.transport import Host
from grader.curriculum import packages as installed
from grader.curriculum.model import Course
from grader.errors import InternalError, UsageError
from grader.intake.adapter import NOTEBOOK, Adapter, template
from grader.intake.foreign import python_files, read_foreign
from grader.judge.memory import Memory
from grader.judge.session import LearnerFault, Session, WorkerLost
from grader.learner.adapting.finder import Engine, Finder
from grader.learner.adapting.refusals import Refused, install, not_imported, own_module, package_in

_MAX_TRIED = 12
_MAX_ABOVE = 3
_LIKELY = ("engine", "engen", "autograd", "value", "tensor", "node", "core")
_NO_ENGINE = ("test", "setup", "conftest", "__main__")
_NEVER_PROVIDED = ("grader",)  # it contains the course, with its solutions


def find_engine(
    course: Course, path: Path, root: Path, host: Host, packages: Sequence[str] = ()
) -> Engine:
    """Return the engine in a file or notebook, or in a folder's first file that has one.

    Raise UsageError with what is missing.
    """
    if course.graph is None:
        raise UsageError(
            "this course has no [graph]", "an adapter needs the course's own names for a node"
        )
    installed.require(packages)
    refused: list[Refused] = []
    search = _Search(course, path, host, packages)
    candidates, root = _candidates(course, path, root), root.resolve()
    for candidate in candidates:
        for folder in dict.fromkeys((search.import_root(root, candidate), root)):
            try:
                return search.find(root, candidate, folder)
            except Refused as error:  # noqa: PERF203 - starting a worker for each takes far longer
                refused.append(error)
    if not refused:
        raise UsageError(
            f"there is no Python file in {str(path)!r} that may define an engine",
            "name the file or the notebook with the engine",
        )
    best = max(refused, key=lambda error: error.far)
    count = len(candidates) - 1
    others = f" ({count} other file{'s' * (count > 1)} tried as well)" if count else ""
    raise UsageError(best.message + others, best.hint)


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


def _modules_around(file: Path) -> dict[str, Path]:
    """Return the modules and packages in the folders around a file, each with the nearest of these
    folders. A package need not have an `__init__.py`.
    """
    found: dict[str, Path] = {}
    for folder in (file.parent, *file.parent.parents)[:_MAX_ABOVE]:
        for place in (folder, *sorted(folder.glob("*/"))):
            with suppress(OSError):  # somebody has just removed it
                for path in sorted(place.glob("*.py")):
                    found.setdefault(path.relative_to(folder).with_suffix("").parts[0], folder)
        found.setdefault(folder.name, folder.parent)
    return {name: folder for name, folder in found.items() if name != "__init__"}


class _Search:
    """Searches one file after the other for an engine, each in a worker."""

    def __init__(self, course: Course, given: Path, host: Host, packages: Sequence[str]) -> None:
        self._course, self._given, self._host, self._packages = course, given, host, packages

    def find(self, root: Path, candidate: str, folder: Path) -> Engine:
        """Return the engine in a file, imported from this folder. Raise Refused."""
        path = (root / candidate).relative_to(folder).as_posix()
        engine = self._with_packages(folder, path)
        note = f"its modules are imported from {folder}, because its imports start there"
        notes = engine.notes if folder == root else (*engine.notes, note)
        return replace(engine, notes=notes, root=folder)

    def import_root(self, root: Path, candidate: str) -> Path:
        """Return the folder that the file's imports start from: the nearest one that has what they
        name.
        """
        if candidate.endswith(NOTEBOOK):
            return root
        here, file = root, root / candidate
        around = _modules_around(file)
        for _ in range(_MAX_ABOVE):
            path = file.relative_to(here).as_posix()
            with self._session(here, path, (), list(around)) as session:
                try:
                    session.load()
                except (LearnerFault, WorkerLost) as failure:
                    if failure.fault.message.startswith("attempted relative import"):
                        here = here.parent
                        continue
                    if (name := package_in(failure.fault)) in around:
                        here = around[name]
                        continue
                return here
        return here

    def _with_packages(self, root: Path, candidate: str) -> Engine:
        """Return the engine in a file, with the installed packages that it imports."""
        provided, own = list(self._packages), _modules_around(root / candidate)
        unusable: dict[str, str] = {}
        while True:
            with self._session(root, candidate, provided) as session:
                try:
                    absent, fault = session.load().absent, None
                except (LearnerFault, WorkerLost) as failure:
                    absent, fault = (package_in(failure.fault),), failure.fault
                except InternalError as error:
                    if len(provided) == len(self._packages):
                        raise
                    unusable[provided.pop()] = error.message
                    continue
                known = {*provided, *_NEVER_PROVIDED}
                absent = tuple(name for name in absent if name.isidentifier() and name not in known)
                missing = [name for name in absent if installed.absent([name])]
                if usable := [name for name in absent if name not in {*missing, *unusable}]:
                    provided.append(usable[0])
                    continue
                try:
                    if fault is not None:
                        raise not_imported(candidate, fault)
                    engine = self._in_session(session, candidate)
                except Refused as refused:
                    name = package_in(refused.fault) if refused.fault else ""
                    hint = own_module(name) if name in own else ""
                    raise refused.extended(_unusable(unusable), hint) from None
                strangers = [name for name in missing if name not in own]
                added = [name for name in provided if name not in self._packages]
                adapter = replace(engine.adapter, packages=tuple(provided))
                return Engine(adapter, engine.missing, _notes(added, strangers, unusable))

    def _in_session(self, session: Session, candidate: str) -> Engine:
        course = self._course
        assert course.graph is not None
        asked = [
            name.partition(".")[2]
            for stage in course.stages
            if stage.file == course.engine
            for name in stage.asked
        ]
        form = {name.rpartition(".")[2] for name in course.graph.form}
        methods = [
            name
            for name in dict.fromkeys(asked)
            if name and not name.startswith("__") and name not in {*form, course.graph.backward}
        ]
        try:
            return Finder(session, course.engine, candidate, methods, course.graph.backward).find()
        except Refused as refused:
            notes = session.load().notes
            troubles = [n.trouble for n in notes if n.how in {"raised", "syntax", "timeout"}]
            raise refused.extended(troubles[:1]) from None

    @contextmanager
    def _session(
        self, root: Path, candidate: str, packages: Sequence[str], own: Sequence[str] = ()
    ) -> Iterator[Session]:
        """Yield a session with the file in it. Missing modules in `own` get no placeholder."""
        file = self._course.engine
        draft = Adapter("", {file: candidate}, "", template("f({})", ""), template("{}.f()", ""))
        submission = read_foreign(root, draft, self._host.reader, self._given)
        located = installed.locate(packages)
        module = draft.module(file)
        with closing(
            Session(
                partial(self._host.worker, installed.readable(located)),
                submission,
                module,
                [],
                [module] if submission.is_notebook else own,
                memory=Memory(forgiving=False),
                packages=located,
            )
        ) as session:
            yield session


def _notes(
    added: Sequence[str], missing: Sequence[str], unusable: dict[str, str]
) -> tuple[str, ...]:
    here = [
        f"it imports {name}, which is installed here and listed under packages in the adapter"
        for name in added
    ]
    gone = (
        f"it imports {' and '.join(missing)}: not installed here, so the code that uses it will"
        f" fail; to grade that too: {install(missing)}"
    )
    return (*here, *[gone] * bool(missing), *_unusable(unusable))


def _unusable(packages: dict[str, str]) -> list[str]:
    return [
        f"it imports {name}, which is installed here but cannot be used: {why}"
        for name, why in packages.items()
    ]
