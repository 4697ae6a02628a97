"""A course as data: one folder, one stage a folder in it, read from TOML and checked against its own suites."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from grader.errors import CourseError, UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
DEFAULT_COURSE = HERE / "course"
GROUPS = ("all", "extras")
HINT_LEVELS = ("idea", "direction", "specific", "code")


@dataclass(frozen=True)
class Checkpoint:
    """One thing that a learner can pass.

    `methods` are the names that must be written for it to have started; `needs` what it relies on without doing it itself;
    `proves` what later checkpoints may rely on once it passes: operators (`+`, reflected `r+`), their backward step (`+ gradient`), attributes, methods and classes.
    """

    id: str
    points: int
    bonus: bool
    methods: tuple[str, ...]
    proves: tuple[str, ...]
    needs: tuple[str, ...]
    checklist: tuple[str, ...]

    @property
    def function(self) -> str:
        """The name of its test function in the suite."""
        return "test_" + self.id.partition(".")[2].replace("-", "_")


@dataclass(frozen=True)
class Faulty:
    """A named wrong variant of the solution.

    `caught_by` are checkpoints that fail; the first is the first that does. `tutor` is what a kind tutor would say.
    """

    id: str
    file: Path
    title: str
    tutor: str
    caught_by: tuple[str, ...]
    deletes: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class Stage:
    """One stage of the course and everything that belongs to it.

    `packages` are what the learner's code needs beside Python, `extra` the kit's extra that installs them. A stage that is
    `alone` uses nothing of any other stage's file: no failure here has its cause there, nor the other way round. An optional one
    may be a `warm_up`, for before all others.
    """

    id: str
    folder: Path
    title: str
    summary: str
    file: str
    minutes: int
    optional: bool
    packages: tuple[str, ...]
    extra: str
    alone: bool
    warm_up: bool
    checkpoints: tuple[Checkpoint, ...]
    hints: tuple[tuple[str, str], ...]

    @property
    def suite(self) -> Path:
        """The hidden suite."""
        return self.folder / "suite.py"

    @property
    def module(self) -> str:
        """The module name of the learner's file."""
        return Path(self.file).stem

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each checkpoint: the first line of its test function's docstring."""
        tree = ast.parse(self.suite.read_text(encoding="utf-8"))
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        titles = {}
        for checkpoint in self.checkpoints:
            node = functions.get(checkpoint.function)
            docstring = ast.get_docstring(node) if node else None
            if not docstring:
                raise CourseError(f"{self.suite}: no {checkpoint.function} with a docstring")
            titles[checkpoint.id] = docstring.splitlines()[0]
        return titles

    @cached_property
    def faulty(self) -> tuple[Faulty, ...]:
        """The faulty engines whose mistake belongs to this stage."""
        return tuple(_faulty(self.id, file) for file in sorted((self.folder / "faulty").glob("*.py")))

    @property
    def points(self) -> int:
        """What can be earned here."""
        return sum(checkpoint.points for checkpoint in self.checkpoints)


class Graph(NamedTuple):
    """The names by which a learner's node is made, read and run: attributes and methods of it."""

    make: str
    data: str
    gradient: str
    operands: str
    step: str
    backward: str


@dataclass(frozen=True)
class Course:
    """All stages in order, and what they have in common.

    `styles` are files with other right ways to write a part of the reference, as patches for it: in them the same mistake may
    show other numbers.
    """

    folder: Path
    title: str
    vocabulary: str
    shared: tuple[str, ...]
    graph: Graph
    checklist: dict[str, str]
    own_word: dict[str, str]
    styles: tuple[str, ...]
    stages: tuple[Stage, ...]

    @property
    def exercises(self) -> Path:
        """The folder of stubs that learners begin with."""
        return self._kit("exercises")

    @property
    def solutions(self) -> Path:
        """The folder with the reference."""
        return self._kit("solutions")

    def _kit(self, name: str) -> Path:
        return kit_folder(name) if self.folder == DEFAULT_COURSE else self.folder / name

    @property
    def files(self) -> tuple[str, ...]:
        """The learner's files, in the order in which the course comes to them."""
        return tuple(dict.fromkeys(stage.file for stage in self.stages))

    @property
    def modules(self) -> tuple[str, ...]:
        """The module names of the learner's files."""
        return tuple(Path(file).stem for file in self.files)

    def modules_until(self, stage: Stage) -> tuple[str, ...]:
        """The modules that a stage stands on: its own file, and those that the course came to before, unless it is alone."""
        if stage.alone:
            return (stage.module,)
        return self.modules[: self.files.index(stage.file) + 1]

    @property
    def packages(self) -> tuple[str, ...]:
        """Every package that the learner's code may need in some stage."""
        return tuple(dict.fromkeys(name for stage in self.stages for name in stage.packages))

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """Every checkpoint, in the order of the course."""
        return tuple(checkpoint for stage in self.stages for checkpoint in stage.checkpoints)

    def proving(self, item: str) -> tuple[Checkpoint, ...]:
        """The checkpoints that prove an item of the checklist: everybody's, or the optional ones where there are no others."""
        proving = [checkpoint for checkpoint in self.checkpoints if item in checkpoint.checklist and not checkpoint.bonus]
        everybody = [checkpoint for checkpoint in proving if not self.stage_of(checkpoint.id).optional]
        return tuple(everybody or proving)

    def stage(self, name: str) -> Stage:
        """The stage of that id."""
        return next(stage for stage in self.stages if stage.id == name)

    def stage_of(self, checkpoint_id: str) -> Stage:
        """The stage that a checkpoint belongs to."""
        return self.stage(checkpoint_id.partition(".")[0])

    def functions(self, stage: Stage) -> tuple[str, ...]:
        """The functions and methods that a learner writes in a stage: those that no stage before it in the same file is about."""
        before = [other for other in self.stages[: self.stages.index(stage)] if other.file == stage.file]
        known = {name for other in before for checkpoint in other.checkpoints for name in checkpoint.methods}
        return tuple(dict.fromkeys(name for checkpoint in stage.checkpoints for name in checkpoint.methods if name not in known))

    def names(self, file: str) -> tuple[str, ...]:
        """Every name of a learner's file that some checkpoint is about, with the classes that they are in."""
        methods = [name for stage in self.stages if stage.file == file for c in stage.checkpoints for name in c.methods]
        return tuple(dict.fromkeys(part for name in methods for part in (name.partition(".")[0], name)))

    def select(self, words: Sequence[str]) -> tuple[Stage, ...]:
        """The stages that a person means by `phase4`, `4`, `1-4`, `ext1`, `all` or `extras`, in the order of the course.

        `all` are those that everybody does, `extras` the optional ones; a checkpoint's id means its stage.

        Raises UsageError for a word that is none of these.
        """
        wanted = {stage.id for word in words for stage in self._select(word)}
        return tuple(stage for stage in self.stages if stage.id in wanted)

    def select_checkpoints(self, words: Sequence[str]) -> frozenset[str]:
        """The ids of the checkpoints that a person means: those of whole stages, and single ones. Raises as `select`."""
        return frozenset(id for word in words for id in self._select_checkpoints(word))

    def _select_checkpoints(self, word: str) -> list[str]:
        if "." not in word:
            return [checkpoint.id for stage in self._select(word) for checkpoint in stage.checkpoints]
        name, _, last = word.lower().partition(".")
        stage = self.stages[self._index(name, word)]
        ids = [checkpoint.id for checkpoint in stage.checkpoints]
        if f"{stage.id}.{last}" not in ids:
            raise UsageError(f"there is no checkpoint {word!r}", f"the checkpoints are {', '.join(ids)}")
        return [f"{stage.id}.{last}"]

    def words_for(self, stages: Collection[Stage]) -> str:
        """The shortest words that select these stages: `1-3 5`."""
        runs: list[list[str]] = []
        for before, stage in zip((None, *self.stages), self.stages):
            if stage in stages:
                if before not in stages:
                    runs.append([])
                runs[-1].append(stage.id.removeprefix("phase"))
        return " ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)

    def _select(self, word: str) -> tuple[Stage, ...]:
        if "." in word:
            (checkpoint,) = self._select_checkpoints(word)
            return (self.stage_of(checkpoint),)
        if word in GROUPS:
            return tuple(stage for stage in self.stages if stage.optional == (word == "extras"))
        first, dash, last = word.partition("-")
        start, end = self._index(first, word), self._index(last if dash else first, word)
        if start > end:
            raise UsageError(f"{word!r} runs backwards", f"did you mean {last}-{first}?")
        return self.stages[start : end + 1]

    def _index(self, name: str, word: str) -> int:
        for index, stage in enumerate(self.stages):
            if name.lower() in {stage.id, stage.id.removeprefix("phase")}:
                return index
        known = ", ".join(stage.id for stage in self.stages)
        raise UsageError(f"there is no phase {word!r}", f"the phases are {known}; also 4, 1-4, all and extras")


def load_course(folder: Path = DEFAULT_COURSE) -> Course:
    """Read a course. Raises CourseError for what is missing or contradicts itself."""
    table = read_toml(folder / "course.toml")
    try:
        return Course(
            folder=folder,
            title=table["title"],
            vocabulary=table["vocabulary"],
            shared=tuple(table.get("shared", ())),
            graph=Graph(**table["graph"]),
            checklist=dict(table["checklist"]),
            own_word=dict(table.get("own_word", ())),
            styles=tuple(table.get("styles", ())),
            stages=tuple(_stage(folder / name) for name in table["stages"]),
        )
    except KeyError as missing:
        raise CourseError(f"{folder / 'course.toml'} has no {missing}") from missing


def _stage(folder: Path) -> Stage:
    table = read_toml(folder / "stage.toml")
    try:
        return Stage(
            id=folder.name,
            folder=folder,
            title=table["title"],
            summary=table["summary"].strip(),
            file=table["file"],
            minutes=table["minutes"],
            optional=bool(table.get("optional", False)),
            packages=tuple(table.get("packages", ())),
            extra=table["extra"] if "packages" in table else "",
            alone=bool(table.get("alone", False)),
            warm_up=bool(table.get("warm_up", False)),
            checkpoints=tuple(_checkpoint(folder.name, entry, table.get("needs", ())) for entry in table["checkpoint"]),
            hints=tuple((level, table["hints"][level].strip()) for level in HINT_LEVELS),
        )
    except KeyError as missing:
        raise CourseError(f"{folder / 'stage.toml'} has no {missing}") from missing


def _checkpoint(stage: str, entry: dict[str, Any], needs: Sequence[str]) -> Checkpoint:
    bonus = bool(entry.get("bonus", False))
    return Checkpoint(
        id=f"{stage}.{entry['id']}",
        points=0 if bonus else int(entry["points"]),
        bonus=bonus,
        methods=tuple(entry["methods"]),
        proves=tuple(entry.get("proves", ())),
        needs=(*needs, *entry.get("needs", ())),
        checklist=tuple(entry.get("checklist", ())),
    )


def _faulty(stage: str, file: Path) -> Faulty:
    source = file.read_text(encoding="utf-8")
    tree = ast.parse(source)
    constants = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id.isupper()
    }
    title, _, tutor = (ast.get_docstring(tree) or "").partition("\n\n")
    if not title or not tutor or not constants.get("CAUGHT_BY"):
        raise CourseError(f"{file} needs a title, a sentence of a tutor and CAUGHT_BY")
    return Faulty(
        f"{stage}.{file.stem.replace('_', '-')}", file, title, " ".join(tutor.split()),
        tuple(constants["CAUGHT_BY"]), tuple(constants.get("DELETES", ())), source,
    )  # fmt: skip


def read_toml(file: Path) -> dict[str, Any]:
    """The table in a file. Raises CourseError for one that cannot be read or is no TOML."""
    try:
        with file.open("rb") as stream:
            table: dict[str, Any] = tomllib.load(stream)
            return table
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{file}: {error}") from error


def kit_folder(name: str) -> Path:
    """`exercises` or `solutions`: inside an installed kit, or beside the package in a checkout."""
    installed = HERE / "kit" / name
    return installed if installed.is_dir() else HERE.parent / name
