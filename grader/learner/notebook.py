"""Write the course as one notebook: an introduction, code cells and a check for each phase.

It is built from the course's exercises. A class begins in one cell and continues in later ones as
`class Value(Value):`. So the code in a cell is the code that would go into the file, and it can use
the same names.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from grader.curriculum.model import Course, Stage
from grader.curriculum.syntax import parse_python
from grader.errors import CourseError

_PYTHON = {
    "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
    "language_info": {"name": "python"},
}


class Step(NamedTuple):
    """A code cell: its stage, and the class that it continues."""

    stage: Stage
    source: str
    continues: str = ""


def make_notebook(course: Course) -> Any:
    """Return the notebook for the phases that are not optional.

    It is identical each time. Raise CourseError if the course defines a name in two files.
    """
    import nbformat

    v4: Any = nbformat.v4
    stages = [stage for stage in course.stages if not stage.optional]
    files = list(dict.fromkeys(stage.file for stage in stages))
    _refuse_doubles(course, files)
    steps = [step for file in files for step in _steps(course, file) if not step.stage.optional]
    continued = [step.continues for step in steps if step.continues]
    about = "\n\n".join([_introduction(course, stages), *map(_on_continuing, continued[:1])])
    cells = [v4.new_markdown_cell(about), v4.new_code_cell(_setup(course))]
    for stage in stages:
        cells.append(
            v4.new_markdown_cell(
                f"## {_label(stage)}: {stage.title}\n\n{stage.summary.strip()}\n\nAbout"
                f" {stage.minutes} minutes."
            )
        )
        cells += [v4.new_code_cell(step.source) for step in steps if step.stage is stage]
        cells.append(v4.new_code_cell(f"%grade {stage.id}"))
    cells.append(v4.new_markdown_cell(_end(course)))
    for number, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{number}"
    return v4.new_notebook(cells=cells, metadata=_PYTHON)


def notebook_text(notebook: Any) -> str:
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


class _Part(NamedTuple):
    """Lines of an exercise file up to the end of a statement: its class, if any, and its name. A
    class begins with a part that has no name.
    """

    owner: str
    name: str
    text: str


def _parts(course: Course, file: str) -> list[_Part]:
    """Return everything in a file but what a notebook has elsewhere: the module's docstring,
    imports from the course's files, and `if __name__ == "__main__"`.
    """
    text = (course.exercises / file).read_text(encoding="utf-8")
    parts, lines, begin = list[_Part](), text.splitlines(), 0
    # headings, and example imports of names that the notebook already has
    dropped = re.compile(rf"\s*# ---|\s*>>> from ({'|'.join(course.modules)}) import [\w, ]+$")
    aside = re.compile(r"\A(?:[ \t]*(?:#.*)?\n)+\n")  # comments that are about the code above
    for node in parse_python(text).body:
        ends = [("", getattr(node, "name", ""), node.end_lineno)]
        if isinstance(node, ast.ClassDef):
            first, *rest = node.body
            has_docstring = _is_docstring(first)
            ends = [(node.name, "", first.end_lineno if has_docstring else node.lineno)]
            inside = rest if has_docstring else node.body
            ends += [(node.name, getattr(part, "name", ""), part.end_lineno) for part in inside]
        for owner, name, end in ends:
            kept = (line for line in lines[begin:end] if not dropped.match(line))
            source = re.sub(r"`(?=grade \w+`)", "`%", "\n".join(kept))
            source = aside.sub("\n", source)
            begin = end or 0
            modules = [getattr(node, "module", ""), *(n.name for n in getattr(node, "names", ()))]
            is_main = isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
            if not (is_main or _is_docstring(node) or {*modules} & {*course.modules}):
                parts.append(_Part(owner, name, source))
    return parts


def _steps(course: Course, file: str) -> Iterator[Step]:
    """Yield the cells of a file, in order. Code that no stage needs, such as imports, goes above
    the code that follows, and in a class it belongs to the method above it.

    A class begins with its first stage, preferring stages that are not optional, and has one more
    cell for each method of a later one.
    """
    stages = [stage for stage in course.stages if stage.file == file]
    asked = {function: stage for stage in stages for function in course.functions(stage)}
    cells: list[tuple[Stage, str, list[str]]] = []
    given = list[str]()
    for owner, name, text in _parts(course, file):
        stage = asked.get(f"{owner}.{name}" if owner else name)
        needed = [asked[function] for function in asked if owner == function.partition(".")[0]]
        begins = min(needed, key=lambda stage: stage.optional, default=None)
        if (starts := begins or stage) is None:
            given.append(text)
        elif begins is None or not name:
            first = here = (starts, "", [*given, text])
            cells.append(here)
            given = given if here[0].optional else []
        else:
            if stage is begins:
                here = first
            elif stage is not None:
                here = (stage, owner, [f"class {owner}({owner}):"])
                cells.append(here)
            here[2].append(text)
    if given:
        cells.append((next(stage for stage in reversed(stages) if not stage.optional), "", given))
    for stage, owner, texts in cells:
        source = "\n".join(texts).strip("\n")
        yield Step(stage, source.replace(":\n\n", ":\n", 1) if owner else source, owner)


def _is_docstring(node: ast.stmt) -> bool:
    value = getattr(node, "value", None) if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _refuse_doubles(course: Course, files: Iterable[str]) -> None:
    """Raise CourseError if two files define the same name, because a notebook is one namespace."""
    names = (
        name
        for file in files
        for name in {part.owner or part.name for part in _parts(course, file)}
    )
    twice = [name for name, count in Counter(names).items() if name and count > 1]
    if twice:
        raise CourseError(
            f"two files define {twice[0]!r}",
            "give them different names, because a notebook has one namespace for all files",
        )
