"""The parts of a course: stages with their checkpoints, in order, and what they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from grader.curriculum.select import stages_named
from grader.curriculum.tables import A_TEXT, matching
from grader.errors import CourseError, UsageError
from grader.model import Visibility

if TYPE_CHECKING:
    from grader.curriculum.faulty import Faulty

DEFAULT_COURSE = Path(__file__).parents[1] / "course"
COURSE, STAGE, SUITE, SHOW = "course.toml", "stage.toml", "suite.py", "show.py"
MISTAKES = "mistakes.toml"
A_MODULE = matching(r"[^\W\d]\w*\.py", 'the name of a Python file, such as "engine.py"')


class Hints(NamedTuple):
    """Four hints about one function, each more specific; `code` is its whole body, which copies
    for learners lack.
    """

    idea: Annotated[str, A_TEXT]
    direction: Annotated[str, A_TEXT]
    specific: Annotated[str, A_TEXT]
    code: Annotated[str, A_TEXT] = ""

    @property
    def named(self) -> tuple[tuple[str, str], ...]:
        """Return the hints that there are, with their names, from a nudge to the answer."""
        return tuple((name, text) for name, text in self._asdict().items() if text)


@dataclass(frozen=True)
class Checkpoint:
    """One thing that a learner can pass.

    It counts as started once the names in `methods` are written. `about` lists the functions that
    must stay the learner's own even if the reference replaces the rest; see `Course.about`. `needs`
    are names that it uses without testing them. `proves` are names that later checkpoints may rely
    on once it passes: operators (`+`, reflected `r+`), their backward step (`+ gradient`),
    attributes, methods and classes. `visibility` says when learners see its result; a `private` one
    comes from a folder of private suites.
    """

    id: str
    points: int
    methods: tuple[str, ...]
    bonus: bool = False
    about: tuple[str, ...] = ()
    proves: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    checklist: tuple[str, ...] = ()
    visibility: Visibility = Visibility.VISIBLE
    private: bool = False

    @cached_property
    def function(self) -> str:
        """Return the name of its test function in the suite."""
        return "test_" + self.id.partition(".")[2].replace("-", "_")


@dataclass(frozen=True, eq=False)
class Stage:
    """One stage of the course and everything that belongs to it.

    `packages` lists the packages that the learner's code needs. `see` is a command that shows the
    achievement to learners who have passed the stage. A stage that is `alone` uses nothing from
    other stages' files, so no failure in one can cause a failure in the other. An optional stage
    may be a `warm_up`, to be done before all others. If its functions return `answers`, no fix is
    searched for, because it would give one away. `private` is the folder of its private suite, if
    there is one.
    """

    id: str
    folder: Path
    title: str
    summary: Annotated[str, A_TEXT]
    file: Annotated[str, A_MODULE]
    minutes: int
    checkpoints: tuple[Checkpoint, ...]
    hints: dict[str, Hints] = field(default_factory=dict)
    optional: bool = False
    packages: tuple[str, ...] = ()
    alone: bool = False
    warm_up: bool = False
    answers: bool = False
    see: str = ""
    private: Path | None = None

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """Return the functions and names that its checkpoints ask for, each once."""
        return tuple(dict.fromkeys(name for each in self.checkpoints for name in each.methods))

    @property
    def names(self) -> tuple[str, str]:
        """Return the names that select the stage: `phase4` and `4`."""
        return self.id, self.id.removeprefix("phase")

    @property
    def suite(self) -> Path:
        """Return the path of the hidden suite."""
        return self.folder / SUITE

    @property
    def suites(self) -> tuple[Path, ...]:
        """Return the hidden suite, and the private one if there is one."""
        return (self.suite,) if self.private is None else (self.suite, self.private / SUITE)

    @property
    def show(self) -> Path:
        """Return the path of the stage's show.py, which `grade show` runs, if there is one."""
        return self.folder / SHOW

    @cached_property
    def module(self) -> str:
        """Return the module name of the learner's file."""
        return Path(self.file).stem

    @cached_property
    def titles(self) -> dict[str, str]:
        """Return the checkpoints' titles: the first paragraph of each test's docstring."""
        import ast  # only where a suite is read

        from grader.curriculum.syntax import read_python

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
        """Return the faulty engines whose mistake belongs to this stage."""
        from grader.curriculum.faulty import read_mistakes

        return read_mistakes(self.id, self.folder / MISTAKES)

    @cached_property
    def private_faulty(self) -> tuple[Faulty, ...]:
        """Return the faulty engines that prove the private suite. Learners never see them."""
        from grader.curriculum.faulty import read_mistakes

        return read_mistakes(self.id, self.private / MISTAKES) if self.private else ()

    @property
    def points(self) -> int:
        """Return the points that can be earned."""
        return sum(checkpoint.points for checkpoint in self.checkpoints)


class Graph(NamedTuple):
    """The names that a learner's node uses: its class, attributes and methods. `op` is the
    attribute that names the operation, and `order` the method that lists the nodes, if there is
    one.

    `form` lists names that the stubs ask for but that do not hold numbers; other engines may lack
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
    order: str = ""

    @property
    def module(self) -> str:
        """Return the module that defines the class of a node."""
        return self.make.rpartition(".")[0]

    @property
    def node(self) -> str:
        """Return the name of that class."""
        return self.make.rpartition(".")[2]


@dataclass(frozen=True, eq=False)
class Course:
    """All stages in order, and what they share. Two courses loaded separately are different.

    Without a `graph`, no operation is examined on its own. `styles` are patches that rewrite a part
    of the reference in a different correct way; the same mistake may give different numbers there.
    `reading` lists what to read afterwards, and `private` is the folder of private suites, if any.
    """

    folder: Path
    title: str
    stages: tuple[Stage, ...]
    vocabulary: Annotated[str, A_MODULE] = "vocabulary.py"
    shared: tuple[str, ...] = ()
    kit: str = "."
    graph: Graph | None = None
    checklist: dict[str, str] = field(default_factory=dict)
    own_word: dict[str, str] = field(default_factory=dict)
    styles: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    private: Path | None = None

    @property
    def is_default(self) -> bool:
        """Return whether this is the course that `grade` uses by default."""
        return self.folder == DEFAULT_COURSE

    @cached_property
    def exercises(self) -> Path:
        """Return the folder of stubs that learners start from."""
        return self._kit("exercises")

    @cached_property
    def solutions(self) -> Path:
        """Return the folder of the reference solution, which copies for learners lack."""
        return self._kit("solutions")

    def require_solutions(self, use: str, hint: str) -> None:
        """Raise UsageError if the reference solution is not here, because `use` needs it."""
        if not self.solutions.is_dir():
            raise UsageError(f"this copy of the course has no solutions, which {use} needs", hint)

    def require_graph(self) -> Graph:
        """Return the names that a node uses. Raise UsageError if there are none, because an adapter
        needs them.
        """
        if self.graph is None:
            raise UsageError(
                "this course has no [graph]", "an adapter needs the course's own names for a node"
            )
        return self.graph

    def _kit(self, name: str) -> Path:
        own = self.folder / name
        return own if own.is_dir() else (self.folder / self.kit).resolve() / name

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Return the learner's files, in the order that the course needs them."""
        return tuple(dict.fromkeys(stage.file for stage in self.stages))

    @cached_property
    def modules(self) -> tuple[str, ...]:
        """Return the module names of the learner's files."""
        return tuple(Path(file).stem for file in self.files)

    @property
    def engine(self) -> str:
        """Return the learner's file that defines the class of a node. There must be a `graph`."""
        return f"{self.require_graph().module}.py"

    def modules_until(self, stage: Stage) -> tuple[str, ...]:
        """Return the modules that a stage uses: its own and, unless it is alone, earlier ones."""
        if stage.alone:
            return (stage.module,)
        return self.modules[: self.files.index(stage.file) + 1]

    @cached_property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """Return every checkpoint, in the order of the course."""
        return tuple(checkpoint for stage in self.stages for checkpoint in stage.checkpoints)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Return the ids of the checkpoints, in the order of the course."""
        return tuple(checkpoint.id for checkpoint in self.checkpoints)

    def proving(self, item: str) -> tuple[Checkpoint, ...]:
        """Return the checkpoints that prove an item; optional ones only if nothing else does."""
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
        """Return the stage with this id."""
        return next(stage for stage in self.stages if stage.id == name)

    def before(self, stage: Stage) -> tuple[Stage, ...]:
        """Return the stages before this one."""
        return self.stages[: self.stages.index(stage)]

    def stage_of(self, checkpoint_id: str) -> Stage:
        """Return the stage that a checkpoint belongs to."""
        return self.stage(checkpoint_id.partition(".")[0])

    def functions(self, stage: Stage) -> tuple[str, ...]:
        """Return the functions that a stage is the first of its file's stages to ask for."""
        known = {
            name for other in self.before(stage) if other.file == stage.file for name in other.asked
        }
        return tuple(name for name in stage.asked if name not in known)

    def about(self, checkpoint: Checkpoint) -> tuple[str, ...]:
        """Return the functions that a checkpoint is about, which no reference may replace.

        By default, they are the methods that its stage is the first to ask for, or, without any,
        all of its methods.
        """
        own = self.functions(self.stage_of(checkpoint.id))
        new = tuple(name for name in checkpoint.methods if name in own)
        return checkpoint.about or new or checkpoint.methods

    def names(self, file: str) -> tuple[str, ...]:
        """Return every name in a file that a checkpoint asks for, and the classes around them."""
        asked = [name for stage in self.stages if stage.file == file for name in stage.asked]
        return tuple(
            dict.fromkeys(part for name in asked for part in (name.partition(".")[0], name))
        )

    def select(self, words: Sequence[str]) -> tuple[Stage, ...]:
        """Return the stages that the words name, in order. Raise UsageError if one names none."""
        named = [stage for word in words for stage in stages_named(self.stages, word)]
        return tuple(stage for stage in self.stages if stage in named)
