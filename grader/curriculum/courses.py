"""A course as data: one folder, one stage a folder in it, read from TOML and checked against its
own suites.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from grader.curriculum.faulty import Faulty, read_faulty, read_python
from grader.curriculum.packages import refuse_unfit
from grader.curriculum.tables import Table, read_table
from grader.errors import CourseError, UsageError
from grader.model import Visibility

DEFAULT_COURSE = Path(__file__).parents[1] / "course"
COURSE, STAGE, SUITE, SHOW = "course.toml", "stage.toml", "suite.py", "show.py"
GROUPS = ("all", "extras")
HINT_LEVELS = ("idea", "direction", "specific", "code")


@dataclass(frozen=True)
class Checkpoint:
    """One thing that a learner can pass.

    `methods` are the names that must be written for it to have started; `needs` what it relies on
    without doing it itself;
    `proves` what later checkpoints may rely on once it passes: operators (`+`, reflected `r+`),
    their backward step (`+ gradient`), attributes, methods and classes.
    `visibility` says when learners see what became of it; a `private` one comes from
    `grader.curriculum.private`.
    """

    id: str
    points: int
    bonus: bool
    methods: tuple[str, ...]
    proves: tuple[str, ...]
    needs: tuple[str, ...]
    checklist: tuple[str, ...]
    visibility: Visibility = Visibility.VISIBLE
    private: bool = False

    @property
    def function(self) -> str:
        """The name of its test function in the suite."""
        return "test_" + self.id.partition(".")[2].replace("-", "_")


@dataclass(frozen=True)
class Stage:
    """One stage of the course and everything that belongs to it.

    `packages` are what the learner's code needs beside Python, `extra` the kit's extra that
    installs them. A stage that is
    `alone` uses nothing of any other stage's file: no failure here has its cause there, nor the
    other way round. An optional one
    may be a `warm_up`, for before all others. `private` is the folder with what was laid on top of
    it, if something was.
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
    private: Path | None = None

    @property
    def suite(self) -> Path:
        """The hidden suite."""
        return self.folder / SUITE

    @property
    def suites(self) -> tuple[Path, ...]:
        """All that judges it: the hidden suite, and the private one."""
        return (self.suite,) if self.private is None else (self.suite, self.private / SUITE)

    @property
    def show(self) -> Path:
        """What it has to show when it is done, if it has something: see `grader.learner.training`."""  # noqa: E501
        return self.folder / SHOW

    @property
    def shows(self) -> bool:
        """Whether it has."""
        return self.show.is_file()

    @property
    def module(self) -> str:
        """The module name of the learner's file."""
        return Path(self.file).stem

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each checkpoint: the first paragraph of its test function's docstring."""
        functions = {
            suite: {
                node.name: node
                for node in read_python(suite)[1].body
                if isinstance(node, ast.FunctionDef)
            }
            for suite in self.suites
        }
        titles = {}
        for checkpoint in self.checkpoints:
            suite = self.suites[checkpoint.private]
            node = functions[suite].get(checkpoint.function)
            docstring = ast.get_docstring(node) if node else None
            if not docstring:
                raise CourseError(
                    f"{suite} has no function {checkpoint.function} with a docstring",
                    f"write it for the checkpoint {checkpoint.id!r}, or take that out of"
                    f" {suite.parent / STAGE}",
                )
            titles[checkpoint.id] = " ".join(docstring.partition("\n\n")[0].split())
        return titles

    @cached_property
    def faulty(self) -> tuple[Faulty, ...]:
        """The faulty engines whose mistake belongs to this stage."""
        return tuple(
            read_faulty(self.id, file) for file in sorted((self.folder / "faulty").glob("*.py"))
        )

    @cached_property
    def private_faulty(self) -> tuple[Faulty, ...]:
        """Those that prove the private suite. No learner is told of them."""
        return (
            tuple(
                read_faulty(self.id, file)
                for file in sorted((self.private / "faulty").glob("*.py"))
            )
            if self.private
            else ()
        )

    @property
    def points(self) -> int:
        """What can be earned here."""
        return sum(checkpoint.points for checkpoint in self.checkpoints)


class Graph(NamedTuple):
    """The names by which a learner's node is made, read and run: attributes and methods of it. `op`
    is what says how it was made, if anything does.

    `form` are names that the stubs ask for and that are no numbers: nobody else's engine needs
    them.
    """

    make: str
    data: str
    gradient: str
    operands: str
    step: str
    backward: str
    op: str = ""
    form: tuple[str, ...] = ()


@dataclass(frozen=True)
class Course:
    """All stages in order, and what they have in common.

    `graph` is None where what learners build leaves no graph behind: then nothing is diagnosed.
    `styles` are files with other right ways to write a part of the reference, as patches for it: in
    them the same mistake may
    show other numbers; `reading` is what to read when it is done. `kit` is where exercises/ and
    solutions/ lie, if not in its own folder. `private` is the folder of private suites, if there
    are some.
    """

    folder: Path
    title: str
    vocabulary: str
    shared: tuple[str, ...]
    kit: str
    graph: Graph | None
    checklist: dict[str, str]
    own_word: dict[str, str]
    styles: tuple[str, ...]
    reading: tuple[str, ...]
    stages: tuple[Stage, ...]
    private: Path | None = None

    @property
    def is_default(self) -> bool:
        """Whether `grade` takes it where nobody names another."""
        return self.folder == DEFAULT_COURSE

    @property
    def exercises(self) -> Path:
        """The folder of stubs that learners begin with."""
        return self._kit("exercises")

    @property
    def solutions(self) -> Path:
        """The folder with the reference."""
        return self._kit("solutions")

    def _kit(self, name: str) -> Path:
        own = self.folder / name
        return own if own.is_dir() else (self.folder / self.kit).resolve() / name

    @property
    def files(self) -> tuple[str, ...]:
        """The learner's files, in the order in which the course comes to them."""
        return tuple(dict.fromkeys(stage.file for stage in self.stages))

    @property
    def modules(self) -> tuple[str, ...]:
        """The module names of the learner's files."""
        return tuple(Path(file).stem for file in self.files)

    def modules_until(self, stage: Stage) -> tuple[str, ...]:
        """The modules that a stage stands on: its own file, and those that the course came to
        before, unless it is alone.
        """
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
        """The checkpoints that prove an item of the checklist: everybody's, or the optional ones
        where there are no others.
        """
        proving = [
            checkpoint
            for checkpoint in self.checkpoints
            if item in checkpoint.checklist and not checkpoint.bonus
        ]
        everybody = [
            checkpoint for checkpoint in proving if not self.stage_of(checkpoint.id).optional
        ]
        return tuple(everybody or proving)

    def stage(self, name: str) -> Stage:
        """The stage of that id."""
        return next(stage for stage in self.stages if stage.id == name)

    def stage_of(self, checkpoint_id: str) -> Stage:
        """The stage that a checkpoint belongs to."""
        return self.stage(checkpoint_id.partition(".")[0])

    def functions(self, stage: Stage) -> tuple[str, ...]:
        """The functions and methods that a learner writes in a stage: those that no stage before it
        in the same file is about.
        """
        before = [
            other for other in self.stages[: self.stages.index(stage)] if other.file == stage.file
        ]
        known = {
            name
            for other in before
            for checkpoint in other.checkpoints
            for name in checkpoint.methods
        }
        return tuple(
            dict.fromkeys(
                name
                for checkpoint in stage.checkpoints
                for name in checkpoint.methods
                if name not in known
            )
        )

    def names(self, file: str) -> tuple[str, ...]:
        """Every name of a learner's file that some checkpoint is about, with the classes that they
        are in.
        """
        methods = [
            name
            for stage in self.stages
            if stage.file == file
            for c in stage.checkpoints
            for name in c.methods
        ]
        return tuple(
            dict.fromkeys(part for name in methods for part in (name.partition(".")[0], name))
        )

    def select(self, words: Sequence[str]) -> tuple[Stage, ...]:
        """The stages that a person means by `phase4`, `4`, `1-4`, `ext1`, `all` or `extras`, in the
        order of the course.

        `all` are those that everybody does, `extras` the optional ones; a checkpoint's id means its
        stage.

        Raises UsageError for a word that is none of these.
        """
        wanted = {stage.id for word in words for stage in self._select(word)}
        return tuple(stage for stage in self.stages if stage.id in wanted)

    def select_checkpoints(self, words: Sequence[str]) -> frozenset[str]:
        """The ids of the checkpoints that a person means: those of whole stages, and single ones.
        Raises as `select`.
        """
        return frozenset(id for word in words for id in self._select_checkpoints(word))

    def _select_checkpoints(self, word: str) -> list[str]:
        if "." not in word:
            return [
                checkpoint.id for stage in self._select(word) for checkpoint in stage.checkpoints
            ]
        name, _, last = word.lower().partition(".")
        stage = self.stages[self._index(name, word)]
        ids = [checkpoint.id for checkpoint in stage.checkpoints]
        if f"{stage.id}.{last}" not in ids:
            raise UsageError(
                f"there is no checkpoint {word!r}",
                f"{_meant(f'{stage.id}.{last}', ids)}the checkpoints are {', '.join(ids)}",
            )
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
        known = [stage.id for stage in self.stages]
        few = "-".join(id.removeprefix("phase") for id in (known[0], known[min(3, len(known) - 1)]))
        raise UsageError(
            f"there is no phase {word!r}",
            f"{_meant(name.lower(), known)}the phases are {', '.join(known)}; also {few}, all and"
            " extras",
        )


def _meant(word: str, names: Sequence[str]) -> str:
    """A question about the one name that is nearest; nothing where several are as near."""
    from difflib import SequenceMatcher

    near = sorted(
        ((SequenceMatcher(None, word, name).ratio(), name) for name in names), reverse=True
    )[:2]
    alone = near[0][0] > 0.8 and (len(near) == 1 or near[0][0] - near[1][0] > 0.02)
    return f"did you mean {near[0][1]}? " if alone else ""


# --- the two kinds of files ---


def load_course(folder: Path = DEFAULT_COURSE) -> Course:
    """Read a course. Raises UsageError where there is none, CourseError for what is missing or
    contradicts itself.
    """
    folder = folder.resolve()
    refuse_folder(folder)
    if not os.path.isfile(folder / COURSE):  # noqa: PTH113 - Path.is_file raises where that is not permitted
        what = (
            f"no {COURSE} in the folder {str(folder)!r}"
            if os.path.isdir(folder)  # noqa: PTH112
            else f"there is no folder {str(folder)!r}"
        )
        raise UsageError(
            what, f"name the folder of a course, with its {COURSE}; `grade dev new` begins one"
        )
    table = read_table(folder / COURSE)
    table.only(COURSE_KEYS)
    names = table.texts("stages")
    _check_stages(names, table.where)
    vocabulary = table.text("vocabulary", "vocabulary.py")
    if not _is_module(vocabulary) or not (folder / vocabulary).is_file():
        raise CourseError(
            f"there is no {folder / vocabulary}",
            "it is a Python file with the fixtures that the suites share, and may be empty",
        )
    return Course(
        folder=folder,
        title=table.text("title"),
        vocabulary=vocabulary,
        shared=table.texts("shared", ()),
        kit=table.text("kit", "."),
        graph=_graph(table.table("graph")) if "graph" in table else None,
        checklist=table.table("checklist", optional=True).all_texts(),
        own_word=table.table("own_word", optional=True).all_texts(),
        styles=table.texts("styles", ()),
        reading=table.texts("reading", ()),
        stages=tuple(_stage(folder / name) for name in names),
    )


def refuse_folder(folder: Path) -> None:
    """Raise UsageError for a folder in which no suite could be run."""
    if "::" in str(folder) or "[" in str(folder):
        raise UsageError(
            f"no suite can be run in {str(folder)!r}: pytest reads :: and [ as something else",
            "rename that folder, or name another",
        )


COURSE_KEYS = (
    "title",
    "vocabulary",
    "shared",
    "kit",
    "styles",
    "reading",
    "stages",
    "graph",
    "checklist",
    "own_word",
)
STAGE_KEYS = (
    "title",
    "summary",
    "file",
    "minutes",
    "optional",
    "packages",
    "extra",
    "alone",
    "warm_up",
    "needs",
    "checkpoint",
    "hints",
)
CHECKPOINT_KEYS = ("id", "points", "bonus", "methods", "proves", "needs", "checklist", "visibility")


def _check_stages(names: Sequence[str], where: str) -> None:
    if not names:
        raise CourseError(
            f"{where}: 'stages' is empty",
            "list the folders of the stages in the order of the course; `grade dev new` makes one",
        )
    for name in names:
        if problem := wrong_stage_id(name):
            raise CourseError(
                f"{where}: 'stages' lists {name!r}, and {problem}", "rename its folder as well"
            )
        if names.count(name) > 1:
            raise CourseError(
                f"{where}: 'stages' lists {name!r} {names.count(name)} times", "a stage comes once"
            )


def wrong_stage_id(name: str) -> str:
    """Why a stage cannot be called so, as the end of a sentence; empty where it can."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        return "a stage is called by small letters, digits and _, with a letter first"
    return "that word means several stages" if name in GROUPS else ""


def _is_module(file: str) -> bool:
    return file.removesuffix(".py").isidentifier() and file.endswith(".py")


def _graph(table: Table) -> Graph:
    table.only(Graph._fields)
    return Graph(
        **{name: table.text(name) for name in Graph._fields if name not in Graph._field_defaults},
        op=table.text("op", ""),
        form=table.texts("form", ()),
    )


def _stage(folder: Path) -> Stage:
    table = read_table(folder / STAGE)
    table.only(STAGE_KEYS)
    file = table.text("file")
    if not _is_module(file):
        raise CourseError(
            f"{table.where}: 'file' is {file!r}",
            'name a Python file that can be imported: file = "engine.py"',
        )
    hints = table.table("hints")
    hints.only(HINT_LEVELS)
    checkpoints = read_checkpoints(table, folder)
    packages = table.texts("packages", ())
    refuse_unfit(packages, f"{table.where}: 'packages'", CourseError)
    return Stage(
        id=folder.name,
        folder=folder,
        title=table.text("title"),
        summary=table.text("summary").strip(),
        file=file,
        minutes=table.whole("minutes"),
        optional=table.flag("optional"),
        packages=packages,
        extra=table.text("extra", ""),
        alone=table.flag("alone"),
        warm_up=table.flag("warm_up"),
        checkpoints=checkpoints,
        hints=tuple((level, hints.text(level).strip()) for level in HINT_LEVELS),
    )


def read_checkpoints(
    table: Table,
    folder: Path,
    keys: Sequence[str] = CHECKPOINT_KEYS,
    unsaid: Visibility = Visibility.VISIBLE,
) -> tuple[Checkpoint, ...]:
    """The checkpoints that a stage.toml lists, each of which may have these keys; their suite lies
    beside it.
    """
    if not (folder / SUITE).is_file():
        raise CourseError(
            f"there is no {folder / SUITE}",
            "write the hidden suite, with a test function for each checkpoint",
        )
    checkpoints = tuple(
        _checkpoint(folder.name, entry, table.texts("needs", ()), keys, unsaid)
        for entry in table.tables("checkpoint")
    )
    ids = [checkpoint.id for checkpoint in checkpoints]
    if twice := [id for id in ids if ids.count(id) > 1]:
        raise CourseError(
            f"{table.where}: the checkpoint {twice[0]!r} is listed {ids.count(twice[0])} times",
            "give each an id of its own",
        )
    return checkpoints


def _checkpoint(
    stage: str, entry: Table, needs: Sequence[str], keys: Sequence[str], unsaid: Visibility
) -> Checkpoint:
    entry.only(keys)
    id, bonus, visibility = (
        entry.text("id"),
        entry.flag("bonus"),
        entry.text("visibility", unsaid.value),
    )
    if visibility not in (known := [each.value for each in Visibility]):
        raise CourseError(
            f"{entry.where}: 'visibility' is {visibility!r}", f"write one of {', '.join(known)}"
        )
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id):
        raise CourseError(
            f"{entry.where}: 'id' is {id!r}", "write small letters and digits, with - between words"
        )
    return Checkpoint(
        id=f"{stage}.{id}",
        points=0 if bonus else entry.whole("points"),
        bonus=bonus,
        methods=entry.texts("methods"),
        proves=entry.texts("proves", ()),
        needs=(*needs, *entry.texts("needs", ())),
        checklist=entry.texts("checklist", ()),
        visibility=Visibility(visibility),
    )


def kit_folder(name: str) -> Path:
    """`exercises` or `solutions` of the default course."""
    course = load_course()
    return {"exercises": course.exercises, "solutions": course.solutions}[name]
