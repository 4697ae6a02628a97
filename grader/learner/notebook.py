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

from grader.curriculum import source
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
    text: str
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
    steps = [step for file in files for step in _steps(course, file)]
    continued = [step.continues for step in steps if step.continues]
    about = "\n\n".join([_introduction(course, stages[0]), *map(_on_continuing, continued[:1])])
    cells = [v4.new_markdown_cell(about), v4.new_code_cell(_setup(course))]
    for stage in stages:
        cells.append(
            v4.new_markdown_cell(
                f"## {_label(stage)}: {stage.title}\n\n{stage.summary.strip()}\n\nAbout"
                f" {stage.minutes} minutes."
            )
        )
        cells += [v4.new_code_cell(step.text) for step in steps if step.stage is stage]
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


def _introduction(course: Course, first: Stage) -> str:
    return f"""# {course.title}

Work from top to bottom. Replace each `raise NotImplementedError` with your code and run the cell. Keep the names, arguments and results that
the docstrings describe; everything else is up to you. Add cells wherever you like to try something out.

Each phase ends with a cell such as `%grade {first.id}`. It grades the cells that you have run, in the same order, and shows
which checkpoints pass and why the others fail. `%grade` without arguments shows where you stand; `%grade hint {first.id}` gives a hint.

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


# comments between blank lines: headings, and remarks on the code above
_ASIDE = re.compile(r"^\n(?:[ \t]*#.*\n)+(?=\n|\Z)", re.MULTILINE)


def _steps(course: Course, file: str) -> Iterator[Step]:
    """Yield the cells of a file, in order: each function, each class as its first stage needs it,
    and each method of a later stage, which continues its class. Optional stages are left out. Code
    that no stage asks for, such as imports, goes above the code that follows.
    """
    stages = [stage for stage in course.stages if stage.file == file]
    asked = {function: stage for stage in stages for function in course.functions(stage)}
    begins: dict[str, Stage] = {}
    for name, stage in sorted(asked.items(), key=lambda item: item[1].optional):
        begins.setdefault(name.partition(".")[0], stage)
    text = _source(course, file)
    functions = source.functions_in(text)
    later = [
        name
        for name in functions
        if name in asked and asked[name] is not begins[name.partition(".")[0]]
    ]
    text = source.replace_functions(text, dict.fromkeys(later, b""))
    lines, begin, given = text.decode().splitlines(), 0, list[str]()
    for node in parse_python(text).body:
        code, begin = lines[begin : node.end_lineno], node.end_lineno or 0
        name = getattr(node, "name", "")
        first = begins.get(name)
        if _is_elsewhere(node, course) or (first is not None and first.optional):
            continue
        given += code
        if first is not None:
            yield Step(first, "\n".join(given).strip("\n"))
            given = []
        for method in later:
            if method.startswith(f"{name}.") and not asked[method].optional:
                head = f"class {name}({name}):\n"
                yield Step(asked[method], head + functions[method].decode().strip("\n"), name)
    if given:
        last = next(stage for stage in reversed(stages) if not stage.optional)
        yield Step(last, "\n".join(given).strip("\n"))


def _source(course: Course, file: str) -> bytes:
    """Return the text of an exercise as a notebook needs it, which has all names in one place."""
    text = (course.exercises / file).read_text(encoding="utf-8")
    text = re.sub(rf"(?m)^[ \t]*>>> from ({'|'.join(course.modules)}) import [\w, ]+\n", "", text)
    return _ASIDE.sub("", re.sub(r"`(?=grade \w+`)", "`%", text)).encode()


def _is_elsewhere(node: ast.stmt, course: Course) -> bool:
    """Return whether a notebook leaves this statement out: the module's docstring, an import from
    the course's files, or `if __name__ == "__main__"`.
    """
    if isinstance(node, ast.If):
        return "__name__" in ast.unparse(node.test)
    modules = [getattr(node, "module", ""), *(each.name for each in getattr(node, "names", ()))]
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_docstring or not {*modules}.isdisjoint(course.modules)


def _refuse_doubles(course: Course, files: Iterable[str]) -> None:
    """Raise CourseError if two files define the same name, because a notebook is one namespace."""
    trees = (parse_python(_source(course, file)) for file in files)
    names = Counter(getattr(node, "name", "") for tree in trees for node in tree.body)
    twice = [name for name, count in names.items() if name and count > 1]
    if twice:
        raise CourseError(
            f"two files define {twice[0]!r}",
            "give them different names, because a notebook has one namespace for all files",
        )
