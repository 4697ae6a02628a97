"""Edit the learner's own file function by function, and keep the rest byte for byte.

This happens only at the learner's request. Grading never uses it; it parses no submission. Every
file is saved with a date before it is overwritten.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from difflib import unified_diff
from pathlib import Path

from grader.curriculum import source
from grader.curriculum.model import Course, Stage
from grader.curriculum.syntax import parse_python
from grader.errors import SubmissionError, UsageError
from grader.intake.submission import refuse_links
from grader.learner.files import write_whole
from grader.learner.progress import progress_folder

SAVED = "saved"


# --- functions in a file ---


def functions_in(text: bytes, shown: str) -> dict[str, bytes]:
    """Return the lines of every function and method by qualified name.

    Raise SubmissionError if the file is not Python.
    """
    with _understood(shown):
        return source.functions_in(text)


def functions_of(folder: Path, file: str) -> dict[str, bytes]:
    """Return the functions in a file of this folder. Raise SubmissionError or OSError."""
    return functions_in((folder / file).read_bytes(), file)


def replace_functions(text: bytes, functions: Mapping[str, bytes], shown: str) -> bytes:
    """Return the file with these functions replacing the old ones.

    Raise SubmissionError if the file is not Python before or afterwards, or if a class is missing.
    """
    with _understood(shown):
        edited = source.replace_functions(text, functions)
        parse_python(edited)
    return edited


@contextmanager
def _understood(shown: str) -> Iterator[None]:
    try:
        yield
    except LookupError as error:
        raise SubmissionError(
            f"{error.args[0]} in {shown!r}", "compare it with a fresh copy: grade init FOLDER"
        ) from error
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SubmissionError(
            f"{shown!r} is not valid Python: {str(error) or 'it is nested too deeply'}",
            "fix that first; nothing has changed",
        ) from error


def _function(text: str) -> ast.FunctionDef:
    """Return the function in a dedented text."""
    (node,) = parse_python(text).body
    assert isinstance(node, ast.FunctionDef)
    return node


def without_docstring(text: bytes) -> str:
    """Return a function as dedented text, without its docstring and trailing comments."""
    plain = source.fitted(text).decode("utf-8", "replace")
    node, lines = _function(plain), plain.splitlines(keepends=True)
    if ast.get_docstring(node) is not None:
        del lines[node.body[0].lineno - 1 : node.body[0].end_lineno]
    return "".join(lines)


def with_docstring(stub: bytes, function: bytes) -> bytes:
    """Return a function with the signature and docstring of its stub."""
    plain, body = source.fitted(stub).decode(), without_docstring(function)
    head = plain.splitlines(keepends=True)[: _function(plain).body[0].end_lineno]
    rest = body.splitlines(keepends=True)[_function(body).body[0].lineno - 1 :]
    return "".join([*head, *rest]).encode()


def is_stub(text: bytes) -> bool:
    """Return whether a function does nothing but raise NotImplementedError."""
    node = _function(source.fitted(text).decode("utf-8", "replace"))
    is_short = len(node.body) <= 1 + (ast.get_docstring(node) is not None)
    return is_short and isinstance(node.body[-1], ast.Raise)


# --- next to the reference ---


def beside_reference(course: Course, home: Path | None, stage: Stage) -> dict[str, list[str]]:
    """Return the functions of a stage's solution, each compared with the learner's own."""
    right = functions_of(course.solutions, stage.file)
    mine: dict[str, bytes] = {}
    if home is not None and (home / stage.file).is_file():
        mine = functions_of(home, stage.file)
    wanted = [name for name in right if name in course.functions(stage)]
    return {name: compared(mine.get(name, b""), right[name]) for name in wanted}


def compared(mine: bytes, reference: bytes) -> list[str]:
    """Return the lines of both, each after a sign: `-` for the learner's, `+` for the reference's,
    or a blank. A stub is not compared; identical code has no lines.
    """
    new = [line.rstrip() for line in without_docstring(reference).splitlines()]
    if not mine or is_stub(mine):
        return [f" {line}" for line in new]
    old = [line.rstrip() for line in without_docstring(mine).splitlines()]
    return list(unified_diff(old, new, n=len(new), lineterm=""))[3:]


# --- what the file held before ---


def reset(course: Course, home: Path, stage: Stage) -> Path:
    """Put the stubs of a stage back into the learner's file, which is saved first. Return where.

    Raise SubmissionError or OSError.
    """
    file = home / stage.file
    refuse_links(file, home)
    now, stubs = file.read_bytes(), functions_of(course.exercises, stage.file)
    wanted = {name: stubs[name] for name in course.functions(stage) if name in stubs}
    content = replace_functions(now, wanted, str(file))
    when = datetime.now()  # noqa: DTZ005 - the learner's local time, in a file name for them
    saved = progress_folder(home, SAVED) / f"{when:%Y-%m-%d-%H%M%S-%f}.{stage.id}.{stage.file}"
    write_whole(saved, now)
    write_whole(file, content)
    return saved


def undo(course: Course, home: Path) -> Stage:
    """Undo the last reset, and return its stage. Raise UsageError.

    The file is saved first, and only the functions are restored.
    """
    # restored code has another name
    saved = sorted(progress_folder(home, SAVED).glob("[0-9]*.*.*.py"))
    if not saved:
        raise UsageError("there is nothing to undo", "only grade reset PHASE can be undone")
    stage = course.stage(saved[-1].name.split(".")[1])
    file = home / stage.file
    refuse_links(file, home)
    now, old = file.read_bytes(), functions_in(saved[-1].read_bytes(), stage.file)
    write_whole(saved[-1].with_name(f"undone-{saved[-1].name}"), now)
    mine = {name: old[name] for name in course.functions(stage) if name in old}
    write_whole(file, replace_functions(now, mine, stage.file))
    saved[-1].rename(saved[-1].with_name(f"restored-{saved[-1].name}"))
    return stage
