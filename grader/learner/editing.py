"""Edit the learner's own file function by function, and keep the rest byte for byte.

This happens only at the learner's request. Grading never uses it; it parses no submission. Every
file is saved with a date before it is overwritten.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from grader.curriculum import source
from grader.curriculum.syntax import parse_python
from grader.errors import SubmissionError, UsageError
from grader.intake.submission import refuse_links
from grader.learner.files import write_whole
from grader.learner.progress import FOLDER, check_types, progress_folder, progress_path, read_json

SAVED = "saved"
LOG = "log.json"


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
    """Return the file with these functions in place of its own.

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
    except SyntaxError as error:
        raise SubmissionError(
            f"{shown!r} is not valid Python: line {error.lineno}: {error.msg}",
            "fix that line first; nothing has changed",
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise SubmissionError(
            f"{shown!r} cannot be parsed: {str(error) or 'it is nested too deeply'}",
            "fix it first; nothing has changed",
        ) from error


def _first(text: bytes) -> ast.FunctionDef | None:
    """Return the function in this text, or None if it cannot be parsed."""
    try:
        node = parse_python(text).body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
        return None
    return node if isinstance(node, ast.FunctionDef) else None


def without_docstring(text: bytes) -> str:
    """Return a function as dedented text, without its docstring and trailing comments."""
    plain = source.fitted(text)
    node = _first(plain)
    lines = plain.decode("utf-8", "replace").splitlines(keepends=True)
    if node is not None and ast.get_docstring(node) is not None:
        del lines[node.body[0].lineno - 1 : node.body[0].end_lineno]
    return "".join(lines)


def with_docstring(stub: bytes, function: bytes) -> bytes:
    """Return a function with the signature and docstring of its stub."""
    plain, body = source.fitted(stub), without_docstring(function).encode()
    given, written = _first(plain), _first(body)
    assert given is not None
    assert written is not None
    head = plain.splitlines(keepends=True)[: given.body[0].end_lineno]
    return b"".join([*head, *body.splitlines(keepends=True)[written.body[0].lineno - 1 :]])


def is_stub(text: bytes) -> bool:
    """Return whether a function does nothing but raise NotImplementedError."""
    node = _first(source.fitted(text))
    if node is None or not isinstance(node.body[-1], ast.Raise):
        return False
    return len(node.body) <= 1 + (ast.get_docstring(node) is not None)


# --- what the file held before ---


@dataclass(frozen=True)
class Saved:
    """A change: its file, reason and functions, the saved text, and the hash of the new content."""

    when: str
    file: str
    reason: str
    functions: tuple[str, ...]
    before: str
    sha256: str


def change(
    home: Path, file: str, content: bytes, reason: str, functions: Sequence[str] = ()
) -> Path:
    """Save the learner's file, then overwrite it. Return where it was saved. Raise OSError."""
    before = (home / file).read_bytes()
    folder = progress_folder(home, SAVED)
    now = datetime.now()  # noqa: DTZ005 - the learner's local time, in a file name for them
    saved = folder / f"{now:%Y-%m-%d-%H%M%S-%f}-{file}"
    write_whole(saved, before)
    entry = Saved(
        f"{now:%Y-%m-%d %H:%M:%S}",
        file,
        reason,
        tuple(functions),
        saved.name,
        hashlib.sha256(content).hexdigest(),
    )
    _write_log(home, [*load_saved(home), entry])
    write_whole(home / file, content)
    return saved


def load_saved(home: Path) -> list[Saved]:
    """Return all changes, oldest first; none if the record cannot be read."""
    try:
        return [_saved(entry) for entry in read_json(home, SAVED, LOG)["changes"]]
    except (ValueError, TypeError, KeyError):
        return []


def _saved(entry: Mapping[str, Any]) -> Saved:
    saved = Saved(**{**entry, "functions": tuple(entry["functions"])})
    check_types([saved.when, saved.file, saved.reason, saved.before, saved.sha256])
    check_types(saved.functions)
    return saved


def _write_log(home: Path, entries: Sequence[Saved]) -> None:
    document = {"format": 1, "changes": [asdict(entry) for entry in entries]}
    write_whole(progress_path(home, SAVED, LOG), (json.dumps(document, indent=2) + "\n").encode())


def undo(home: Path) -> Saved:
    """Undo the last change and return it. Raise UsageError.

    If the file has been edited since, only the changed functions are restored.
    """
    entries = load_saved(home)
    if not entries:
        raise UsageError("there is nothing to undo", "only grade reset PHASE can be undone")
    last = entries[-1]
    if re.search(r"[/\\\0]", last.before + last.file):  # not written by this kit
        raise UsageError(
            f"the record in {home / FOLDER / SAVED / LOG} is damaged",
            "your saved code is in the same folder",
        )
    try:
        before = progress_path(home, SAVED, last.before).read_bytes()
        now = (home / last.file).read_bytes()
    except OSError as error:
        raise UsageError(
            f"{error.filename} cannot be read: {error.strerror}",
            "your saved code is in .grade/saved",
        ) from error
    refuse_links(home / last.file, home)
    if hashlib.sha256(now).hexdigest() != last.sha256:
        old = functions_in(before, last.file)
        kept = {name: old[name] for name in last.functions if name in old}
        before = replace_functions(now, kept, last.file)
        write_whole(home / FOLDER / SAVED / f"undone-{last.before}", now)
    write_whole(home / last.file, before)
    _write_log(home, entries[:-1])
    return last
