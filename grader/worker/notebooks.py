"""Extract a notebook's Python code, cell by cell.

A cell that is valid Python stays as it is. Otherwise the compiler names the line it cannot parse,
and that line is blanked out if it is a magic, a shell command or a call for help. So nothing inside
a string or a bracket is ever mistaken for one. Line numbers do not change. The worker loads this
file by path; it imports only the standard library.
"""

from __future__ import annotations

import re
from typing import Any

from .archives import Refused
from .bounds import MAX_CELLS, MAX_CODE
from .cells import PARSE
from .protocol import CellSource, Skipped

MAX_SKIPPED = 200  # how many lines of a cell may be blanked out

# They are compiled when a worker needs them, as most do not.
# cell magics that run Python code and keep the names it defines, or write it
_KEPT = r"(time|capture|prun|memit|mprun|lprun|snakeviz)\b|(write)?file\s.*\.py[\"']?\s*$"
_MAGIC = r"""(?x)
    \s*(?:
    [%!?]                                       # %matplotlib inline, !ls, ?Value
    | [\w.,\s\[\]'"()*]+=\s*[%!]                # lines = !ls, x = %who_ls
    | %?[\w.*\[\]]+\?{1,2}\s*$                  # Value?, Value.backward??
    | (?:pip3?|conda|mamba)\s+\w                # pip install, without the sign
)"""
# the kit's own, which no report needs to mention
_OURS = r"%(?:grade\b|(?:re)?load_ext\s+grader\b|env\s+GRADE_COURSE\b)"


def cells(data: bytes) -> list[CellSource]:
    """Return a notebook's code cells. Raise Refused if it cannot be read or is too large."""
    import json

    try:
        notebook = json.loads(data.decode("utf-8-sig"))
        about = notebook.get("metadata", {})
        name = about.get("language_info", {}).get("name")
        name = str(name or about.get("kernelspec", {}).get("language", "python")).lower()
        sheets = notebook.get("worksheets", [notebook])  # before version 4 of the format
        found = [cell for one in sheets for cell in one["cells"] if cell["cell_type"] == "code"]
        texts = [_text(cell) for cell in found]
    except ValueError as error:
        raise Refused(f"is not valid JSON: {error}") from error
    except (AttributeError, KeyError, TypeError) as error:
        raise Refused("is not a notebook") from error
    if not name.startswith(("python", "ipython")):
        raise Refused(f"is a notebook for {name[:40]}, not Python")
    if not found:
        raise Refused("has no code cell")
    if len(found) > MAX_CELLS or sum(map(len, texts)) > MAX_CODE:
        raise Refused(f"has more than {MAX_CELLS} code cells or {MAX_CODE >> 10} KiB of code")
    return [CellSource(*_python(text), _count(cell)) for cell, text in zip(found, texts)]


def _count(cell: dict[str, Any]) -> int:
    count = cell.get("execution_count", cell.get("prompt_number"))
    return count if type(count) is int and 0 < count < 1 << 31 else 0


def _text(cell: dict[str, Any]) -> str:
    """Return a cell's source: a text or a list of texts, called `input` before version 4."""
    text = "".join(cell.get("source", cell.get("input", "")))
    return (
        text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "backslashreplace").decode()
    )


def _python(text: str) -> tuple[str, list[Skipped]]:
    """Return a cell's Python code and the skipped lines."""
    lines = text.split("\n")
    skipped: list[Skipped] = []
    for index, line in enumerate(lines):
        if not line.strip():
            continue
        magic = re.match(r"\s*%%(?=\w)", line)
        if not magic:
            break
        if not re.match(_KEPT, line[magic.end() :]):
            return "", [*skipped, Skipped(0, line.strip())]
        skipped.append(Skipped(index + 1, line.strip()))
        lines[index] = ""
    _blank_out(lines, skipped)
    return "\n".join(lines), [line for line in skipped if not re.match(_OURS, line.text)]


def _blank_out(lines: list[str], skipped: list[Skipped]) -> None:
    """Make the lines valid Python if leaving out magics is enough."""
    while len(skipped) < MAX_SKIPPED:
        try:
            compile("\n".join(lines), "cell", "exec", PARSE, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            index = (getattr(error, "lineno", None) or 0) - 1
        else:
            return
        if not 0 <= index < len(lines) or not re.match(_MAGIC, lines[index]):
            return
        line, end = lines[index], index
        skipped.append(Skipped(index + 1, line.strip()))
        while lines[end].endswith("\\") and end + 1 < len(lines):
            end += 1
        indent = line[: len(line) - len(line.lstrip())]
        lines[index : end + 1] = [f"{indent}pass", *[""] * (end - index)]
