"""Write the course as one notebook: an introduction, code cells and a check for each phase.

It is built from the course's exercises. A class begins in one cell and continues in later ones as
`class Value(Value):`. So the code in a cell is the code that would go into the file, and it can use
the same names.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from grader.curriculum.model import Course, Stage
from grader.curriculum.syntax import parse_python
from grader.errors import CourseError

if TYPE_CHECKING:
    from nbformat import NotebookNode

_PYTHON = {
    "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
    "language_info": {"name": "python"},
}


class Step(NamedTuple):
    """A code cell: its stage, and the class that it continues."""

    stage: Stage
    source: str
    continues: str = ""


def make_notebook(course: Course) -> NotebookNode:
    """Return the notebook for the phases that are not optional.

    It is identical each time. Raise CourseError if the course defines a name in two files.
    """
    import nbformat

    v4: Any = nbformat.v4
    stages = [stage for stage in course.stages if not stage.optional]
    files = [_File(course, name) for name in dict.fromkeys(stage.file for stage in stages)]
    _refuse_doubles(files)
    steps = [step for file in files for step in file.steps()]
    cells = [v4.new_markdown_cell(_introduction(course, stages)), v4.new_code_cell(_setup(course))]
    first = next((step for step in steps if step.continues), None)
    for stage in stages:
        cells.append(
            v4.new_markdown_cell(
                f"## {_label(stage)}: {stage.title}\n\n{stage.summary.strip()}\n\nAbout"
                f" {stage.minutes} minutes."
            )
        )
        for step in steps:
            if step is first and step.stage is stage:
                cells.append(v4.new_markdown_cell(_on_continuing(step.continues)))
            if step.stage is stage:
                cells.append(v4.new_code_cell(step.source))
        cells.append(v4.new_code_cell(f"%grade {stage.id}"))
    cells.append(v4.new_markdown_cell(_end(course)))
    for number, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{number}"
    notebook: NotebookNode = v4.new_notebook(cells=cells, metadata=_PYTHON)
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

Each phase ends with a cell such as `%grade {first}`. It grades the cells that you have run, in the same order, and shows
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
the cell where the class *begins*, it starts over, so run the cells that continue it again too."""  # noqa: E501


def _end(course: Course) -> str:
    has_extras = any(stage.optional for stage in course.stages)
    more = "\n\nIf you want more, `grade init FOLDER` writes the optional phases as files."
    return f"""## All of it

`%grade all` grades every phase. To hand in the notebook, save it. `grade all --at NOTEBOOK` grades the file from top to bottom,
so restart the kernel and run all cells first.{more * has_extras}"""  # noqa: E501


# --- code cells ---


class _File:
    """An exercise file, and the stage that needs each of its functions."""

    def __init__(self, course: Course, name: str) -> None:
        text = (course.exercises / name).read_text(encoding="utf-8")
        self.name, self.lines, self.modules = name, text.splitlines(), course.modules
        self.body = [
            node
            for node in parse_python(text).body
            # a notebook needs no `if __name__ == "__main__"`
            if not (isinstance(node, ast.If) and "__name__" in ast.unparse(node.test))
        ]
        self.stages = [stage for stage in course.stages if stage.file == name]
        self.asked = {
            function: stage for stage in self.stages for function in course.functions(stage)
        }

    def steps(self) -> Iterator[Step]:
        """Yield the cells of the file, in order.

        Code that no stage needs, such as imports, goes above the code that follows.
        """
        given, last = "", next(stage for stage in self.stages if not stage.optional)
        for node in self.body[_is_docstring(self.body[0]) :]:
            stage = self._stage_of(node)
            if stage is None:
                given = _joined(given, self._given(node))
            elif not stage.optional:
                cells = list(
                    self._class(node, stage)
                    if isinstance(node, ast.ClassDef)
                    else [Step(stage, self._text(node))]
                )
                if given:
                    cells[0] = cells[0]._replace(source=f"{given}\n\n\n{cells[0].source}")
                given, last = "", stage
                yield from cells
        if given:
            yield Step(last, given)

    def _stage_of(self, node: ast.stmt) -> Stage | None:
        """Return the stage that a statement belongs to, or None.

        A class belongs to the first stage that needs one of its methods, preferring stages that are
        not optional.
        """
        names = [getattr(node, "name", "")]
        names += [f"{names[0]}.{getattr(part, 'name', '')}" for part in getattr(node, "body", ())]
        stages = [self.asked[name] for name in names if name in self.asked]
        order = sorted(stages, key=lambda stage: (stage.optional, self.stages.index(stage)))
        return order[0] if order else None

    def _class(self, node: ast.ClassDef, begins: Stage) -> Iterator[Step]:
        """Yield the cell where a class begins, with its first stage, then one per later method.

        Helpers after a method belong to that method.
        """
        body = node.body[_is_docstring(node.body[0]) :]
        end = self._start(body[0]) if body else node.end_lineno
        cells = [(begins, [self._clean(self.lines[self._start(node) : end])])]
        here = cells[0]
        for part in body:
            asked = self.asked.get(f"{node.name}.{getattr(part, 'name', '')}")
            if asked is begins:
                here = cells[0]
            elif asked is not None:
                here = asked, []
                cells.append(here)
            here[1].append(self._text(part))
        yield Step(begins, "\n\n".join(cells[0][1]))
        for stage, texts in cells[1:]:
            if not stage.optional:
                head = f"class {node.name}({node.name}):\n"
                yield Step(stage, head + "\n\n".join(texts), node.name)

    def _start(self, node: ast.stmt) -> int:
        """Return the index of a statement's first line, with its decorators and comments above."""
        decorators = getattr(node, "decorator_list", ())
        first: int = min([node.lineno, *(part.lineno for part in decorators)]) - 1
        while first and re.match(r"\s*#(?! ---)", self.lines[first - 1]):
            first -= 1
        return first

    def _text(self, node: ast.stmt) -> str:
        return self._clean(self.lines[self._start(node) : node.end_lineno])

    def _clean(self, lines: list[str]) -> str:
        """Remove headings, and example imports of names that the notebook already has."""
        dropped = re.compile(rf"\s*# ---|\s*>>> from ({'|'.join(self.modules)}) import [\w, ]+$")
        kept = "\n".join(line for line in lines if not dropped.match(line))
        return re.sub(r"`(?=grade \w+`)", "`%", kept).rstrip()

    def _given(self, node: ast.stmt) -> str:
        """Return a statement, but no import from the course's files, which cells above have."""
        names = [getattr(node, "module", ""), *(alias.name for alias in getattr(node, "names", ()))]
        return "" if {*names} & {*self.modules} else self._text(node)


def _joined(above: str, text: str) -> str:
    """Return imports on consecutive lines, and other statements with a blank line in between."""
    near = above.startswith(("import", "from")) and text.startswith(("import", "from"))
    return ("\n" if near else "\n\n").join(filter(None, (above, text)))


def _is_docstring(node: ast.stmt) -> bool:
    value = getattr(node, "value", None) if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _refuse_doubles(files: Sequence[_File]) -> None:
    """Raise CourseError if two files define the same name, because a notebook is one namespace."""
    names = Counter(name for file in files for name in {getattr(n, "name", "") for n in file.body})
    twice = [name for name, count in names.items() if name and count > 1]
    if twice:
        raise CourseError(
            f"two files define {twice[0]!r}",
            "give them different names, because a notebook has one namespace for all files",
        )


def default_name(course: Course) -> Path:
    """Return the notebook's default name."""
    return Path(course.files[0]).with_suffix(".ipynb")
