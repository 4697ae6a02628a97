"""What a course is: stages with their checkpoints, in order, and what they have in common."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from grader.curriculum.faulty import Faulty, read_faulty, read_python
from grader.curriculum.select import checkpoints_named, shortest_words, stages_named
from grader.errors import CourseError
from grader.model import Visibility

DEFAULT_COURSE = Path(__file__).parents[1] / "course"
COURSE, STAGE, SUITE, SHOW = "course.toml", "stage.toml", "suite.py", "show.py"
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
    formerly: str = ""
    private: Path | None = None

    @property
    def names(self) -> tuple[str, str]:
        """What a person may call it: `phase4`, or `4`."""
        return self.id, self.id.removeprefix("phase")

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
        """The title of each checkpoint: the first line of its test function's docstring."""
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
            titles[checkpoint.id] = docstring.splitlines()[0]
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
    show other numbers; `reading` is what to read when it is done. `private` is the folder of
    private suites, if there are some.
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
        """Whether `grade` takes it if nobody names another."""
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
    def renamed(self) -> dict[str, str]:
        """The former name of each stage that has one, with the name that it has now."""
        now = {stage.id for stage in self.stages}
        return {
            stage.formerly: stage.id
            for stage in self.stages
            if stage.formerly and stage.formerly not in now
        }

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
        """Return the stages that the words name, in the order of the course. Raises UsageError for
        a word that names none.
        """
        named = [stage for word in words for stage in stages_named(self.stages, word)]
        return tuple(stage for stage in self.stages if stage in named)

    def select_checkpoints(self, words: Sequence[str]) -> frozenset[str]:
        """Return the ids of the checkpoints that the words name. Raises UsageError as `select`."""
        return frozenset(id for word in words for id in checkpoints_named(self.stages, word))

    def words_for(self, stages: Collection[Stage]) -> str:
        """Return the shortest words that select these stages: `1-3 5`."""
        return shortest_words(self.stages, stages)
