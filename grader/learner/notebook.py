"""Write the course as one notebook: an introduction, code cells and a check for each phase.

It is built from the course's exercises. A class begins in one cell and continues in later ones as
`class Value(Value):`. So the code in a cell is the code that would go into the file, and it can use
the same names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.curriculum.model import Course, Stage
from grader.curriculum.syntax import parse_python
from grader.errors import CourseError

if TYPE_CHECKING:
    from nbformat import NotebookNode

_PYTHON = {
    "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
    "language_info": {"name": "python"},
}
_RULER = re.compile(r"\s*# ---")  # a heading between methods; in the notebook it is text


@dataclass(frozen=True)
class Step:
    """A code cell: its stage, the top-level names it defines, and the class it continues."""

    stage: Stage
    source: str
    defines: tuple[str, ...] = ()
    continues: str = ""


def make_notebook(course: Course) -> NotebookNode:
    """Return the notebook for the phases that are not optional.

    It is valid and the same each time.

    Raise CourseError if the course has no such phase or defines a name in two files.
    """
    import nbformat

    v4: Any = nbformat.v4
    stages = [stage for stage in course.stages if not stage.optional]
    if not stages:
        raise CourseError(
            f"all stages of {course.title!r} are optional",
            "make a stage required, because a notebook holds only those",
        )
    steps = [
        step
        for file in dict.fromkeys(stage.file for stage in stages)
        for step in _steps(course, file)
    ]
    _refuse_doubles(steps)
    cells = [v4.new_markdown_cell(_introduction(course, stages)), v4.new_code_cell(_setup(course))]
    explained = False
    for stage in stages:
        cells.append(
            v4.new_markdown_cell(
                f"## {_label(stage)}: {stage.title}\n\n{stage.summary.strip()}\n\nAbout"
                f" {stage.minutes} minutes."
            )
        )
        for step in (step for step in steps if step.stage is stage):
            if step.continues and not explained:
                explained = True
                cells.append(v4.new_markdown_cell(_on_continuing(step.continues)))
            cells.append(v4.new_code_cell(step.source))
        cells.append(v4.new_code_cell(f"%grade {stage.id}"))
    cells.append(v4.new_markdown_cell(_end(course)))
    for number, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{number}"
    notebook: NotebookNode = v4.new_notebook(cells=cells, metadata=_PYTHON)
    nbformat.validate(notebook)
    return notebook


def notebook_text(notebook: NotebookNode) -> str:
    """Return the content of the file."""
    import nbformat

    write: Any = nbformat.writes
    return f"{write(notebook)}\n"


# --- text cells ---


def _label(stage: Stage) -> str:
    return re.sub(r"(?<=[a-z])(?=\d)", " ", stage.id).capitalize()


def _introduction(course: Course, stages: list[Stage]) -> str:
    first = stages[0].id
    return f"""# {course.title}

Work from top to bottom. Replace each `raise NotImplementedError` with your code and run the cell. Keep the names, arguments and results that
the docstrings describe; everything else is up to you. Add cells wherever you like to try something out.

Each phase ends with a cell such as `%grade {first}`. It grades the cells that you have run, in the order in which you ran them, and shows
which checkpoints pass and why the others fail. `%grade` without arguments shows where you stand; `%grade hint {first}` gives a hint.

The next cell needs the kit in the Python that runs this notebook. If it reports that there is no module `grader`, install the kit with
`%pip install`, as its README explains, and run the cell again. In Colab, do this once for each new machine."""  # noqa: E501


def _setup(course: Course) -> str:
    own = [] if course.is_default else [f"%env GRADE_COURSE={course.folder}"]
    return "\n".join([*own, "%load_ext grader"])


def _on_continuing(name: str) -> str:
    return f"""**How a class continues in a later cell.** `class {name}({name}):` makes a new class `{name}` with everything that the old one has, plus what you write
below it. Your methods look up `{name}(...)` when they run, so it always makes the newest.

Two things follow. Objects that you made earlier belong to an older class and lack what came later, so run their cell again. And if you run
the cell in which the class *begins*, it starts over, so run the cells that continue it again too."""  # noqa: E501


def _end(course: Course) -> str:
    extras = ", ".join(f"`{stage.file}` ({stage.id})" for stage in course.stages if stage.optional)
    more = (
        f"\n\nIf you want more, `grade init FOLDER` writes the optional phases as files: {extras}."
        if extras
        else ""
    )
    return f"""## All of it

`%grade all` grades every phase. To hand in the notebook, save it. `grade all --at NOTEBOOK` grades the file from top to bottom,
so restart the kernel and run all cells first.{more}"""  # noqa: E501


# --- code cells ---


class _File:
    """An exercise file, and the stage that needs each of its functions."""

    def __init__(self, course: Course, file: str) -> None:
        text = (course.exercises / file).read_text(encoding="utf-8")
        self.name, self.lines, self.tree = file, text.splitlines(), parse_python(text)
        self.modules = course.modules
        stages = [stage for stage in course.stages if stage.file == file]
        self.asked = {name: stage for stage in stages for name in course.functions(stage)}
        self.order = course.stages
        self.first = next(stage for stage in stages if not stage.optional)

    def start(self, node: ast.stmt) -> int:
        """Return the index of a statement's first line, with its decorators and comments above."""
        first: int = (
            min([node.lineno, *(part.lineno for part in getattr(node, "decorator_list", ()))]) - 1
        )
        while (
            first
            and self.lines[first - 1].lstrip().startswith("#")
            and not _RULER.match(self.lines[first - 1])
        ):
            first -= 1
        return first

    def text(self, node: ast.stmt) -> str:
        """Return the lines of a statement."""
        return self.clean(self.lines[self.start(node) : node.end_lineno])

    def clean(self, lines: list[str]) -> str:
        """Remove headings, and example imports of names that the notebook already has."""
        imports = re.compile(rf"\s*>>> from ({'|'.join(self.modules)}) import [\w, ]+$")
        kept = [line for line in lines if not _RULER.match(line) and not imports.match(line)]
        return re.sub(r"`(?=grade \w+`)", "`%", "\n".join(kept)).rstrip()


def _steps(course: Course, name: str) -> Iterator[Step]:
    """Yield the cells of a file, in order.

    Code that no stage needs goes with the stage above it; imports go on top of the code that
    follows.
    """
    file = _File(course, name)
    stage, given = file.first, _Given()
    for node in file.tree.body:
        if _is_docstring(node) or _is_main(node):
            continue
        asked = _stage_of(file, node) if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else None
        if asked is None or not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            given.add(file, node)
            continue
        if asked.optional:
            continue
        imports = given.text if given.only_imports else ""
        if given.text and not imports:
            yield Step(stage, given.text, given.names)
        stage, given = asked, _Given()
        first, *others = (
            _class(file, node, stage)
            if isinstance(node, ast.ClassDef)
            else [Step(stage, file.text(node), (node.name,))]
        )
        yield replace(first, source=f"{imports}\n\n\n{first.source}") if imports else first
        yield from others
    if given.text:
        yield Step(stage, given.text, given.names)


class _Given:
    """Statements that are given: imports together, everything else separately."""

    def __init__(self) -> None:
        self.text = ""
        self.names: tuple[str, ...] = ()
        self.only_imports = True

    def add(self, file: _File, node: ast.stmt) -> None:
        """Append a statement, in the form that the notebook needs."""
        is_import = isinstance(node, (ast.Import, ast.ImportFrom))
        text = (
            _own_import(node, file.modules)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            else file.text(node)
        )
        if text:
            between = "\n" if is_import and self.only_imports else "\n\n"
            self.text = f"{self.text}{between if self.text else ''}{text}"
            self.only_imports &= is_import
            self.names += tuple(_names(node))


def _stage_of(file: _File, node: ast.FunctionDef | ast.ClassDef) -> Stage | None:
    """Return the stage that a statement belongs to, or None.

    A class belongs to the first stage that needs one of its methods, preferring stages that are not
    optional.
    """
    if isinstance(node, ast.ClassDef):
        inside = [
            f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)
        ]
        stages = [file.asked[name] for name in (node.name, *inside) if name in file.asked]
        return min(
            stages, key=lambda stage: (stage.optional, file.order.index(stage)), default=None
        )
    return file.asked.get(node.name)


def _class(file: _File, node: ast.ClassDef, begins: Stage) -> Iterator[Step]:
    """Yield the cell in which a class begins, with its first stage, then one per later method."""
    body = node.body[1:] if _is_docstring(node.body[0]) else node.body
    end = file.start(body[0]) if body else node.end_lineno
    parts = [file.clean(file.lines[file.start(node) : end])]
    later: list[tuple[Stage, list[str]]] = []
    stage, here = begins, parts
    for part in body:
        asked = (
            file.asked.get(f"{node.name}.{part.name}")
            if isinstance(part, ast.FunctionDef)
            else None
        )
        if asked is not None:
            stage, here = asked, parts
            if stage is not begins:
                here = []
                later.append((stage, here))
        here.append(file.text(part))
    yield Step(begins, "\n\n".join(parts), (node.name,))
    for stage, texts in later:
        if not stage.optional:
            yield Step(
                stage,
                f"class {node.name}({node.name}):\n" + "\n\n".join(texts),
                continues=node.name,
            )


def _own_import(node: ast.Import | ast.ImportFrom, modules: Collection[str]) -> str:
    """Return an import without the names from the course's files, which the cells above define.

    A name imported under an alias gets that alias.
    """
    if isinstance(node, ast.ImportFrom):
        if node.module not in modules:
            return ast.unparse(node)
        return "\n".join(
            f"{alias.asname} = {alias.name}"
            for alias in node.names
            if alias.asname not in {None, alias.name}
        )
    lines = [f"import {ast.unparse(alias)}" for alias in node.names if alias.name not in modules]
    own = [
        f"{alias.asname or alias.name} = sys.modules[__name__]"
        for alias in node.names
        if alias.name in modules
    ]
    return "\n".join([*lines, *(["import sys", *own] if own else [])])


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _is_main(node: ast.stmt) -> bool:
    """Return whether this is `if __name__ == "__main__"`, which a notebook does not need."""
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


def _names(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _refuse_doubles(steps: Iterable[Step]) -> None:
    """Raise CourseError if two files define the same name, because a notebook is one namespace."""
    where: dict[str, str] = {}
    for step in steps:
        for name in step.defines:
            if where.setdefault(name, step.stage.file) != step.stage.file:
                raise CourseError(
                    f"{name!r} is defined in {where[name]} and in {step.stage.file}",
                    "give them different names, because a notebook has one namespace for all files",
                )


def default_name(course: Course) -> Path:
    """Return the notebook's default name."""
    return Path(course.files[0]).with_suffix(".ipynb")
