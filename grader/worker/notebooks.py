"""Extract a notebook's Python code, cell by cell.

A cell that is valid Python stays as it is. Otherwise the compiler names the line it cannot parse,
and that line is blanked out if it is a magic, a shell command or a call for help. So nothing inside
a string or a bracket is ever mistaken for one. Line numbers do not change. The reader loads this
file by path; it imports only the standard library.
"""

from __future__ import annotations

import re
from typing import Any

from .archives import Refused
from .bounds import MAX_CELLS, MAX_CODE
from .protocol import CellSource, Skipped

MAX_SKIPPED = 200  # how many lines of a cell may be blanked out
ONLY_PARSE = 0x400 | 0x2000  # PyCF_ONLY_AST, PyCF_ALLOW_TOP_LEVEL_AWAIT

# cell magics that run Python code and keep the names it defines
_KEPT = {"time", "capture", "prun", "memit", "mprun", "lprun", "snakeviz"}
_WRITTEN = {"writefile", "file"}
_MAGIC = re.compile(
    r"""\s*(?:
    [%!?]                                       # %matplotlib inline, !ls, ?Value
    | [\w.,\s\[\]'"()*]+=\s*[%!]                # lines = !ls, x = %who_ls
    | %?[\w.*\[\]]+\?{1,2}\s*$                  # Value?, Value.backward??
    | (?:pip3?|conda|mamba)\s+\w                # pip install, without the sign
)""",
    re.VERBOSE,
)
# the kit's own, which no report needs to mention
_OURS = re.compile(r"%(?:grade\b|(?:re)?load_ext\s+grader\b|env\s+GRADE_COURSE\b)")
_TIMED = re.compile(r"(\s*)%time\s+(?!-)(?=\S)")


def cells(data: bytes) -> list[CellSource]:
    """Return a notebook's code cells. Raise Refused if it cannot be read or is too large."""
    import json

    try:
        notebook = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Refused("is not UTF-8") from error
    except RecursionError as error:
        raise Refused("is nested too deeply") from error
    except ValueError as error:
        raise Refused(f"is not valid JSON: {error}") from error
    found = [cell for cell in _cells(notebook) if cell.get("cell_type") == "code"]
    if (language := _language(notebook)) not in {"", "python", "ipython", "python3"}:
        raise Refused(f"is a notebook for {language[:40]}, not Python")
    if not found:
        raise Refused("has no code cell")
    if len(found) > MAX_CELLS:
        raise Refused(f"has more than {MAX_CELLS} code cells")
    texts = [_text(cell) for cell in found]
    if sum(map(len, texts)) > MAX_CODE:
        raise Refused(f"has more than {MAX_CODE >> 10} KiB of code")
    return [
        CellSource(number, *_python(cell, text), _count(cell))
        for number, (cell, text) in enumerate(zip(found, texts), 1)
    ]


def _cells(notebook: Any) -> list[dict[str, Any]]:
    """Return all cells, in version 4 of the format or earlier ones."""
    if not isinstance(notebook, dict):
        raise Refused("is not a notebook, because its JSON is not an object")
    found = notebook.get("cells")
    if found is None and isinstance(sheets := notebook.get("worksheets"), list):
        found = [
            cell
            for sheet in sheets
            if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
            for cell in sheet["cells"]
        ]
    if not isinstance(found, list):
        raise Refused("is not a notebook, because it has no cells")
    return [cell for cell in found if isinstance(cell, dict)]


def _language(notebook: dict[str, Any]) -> str:
    """Return the language that the notebook declares, or an empty string."""
    metadata = _table(notebook, "metadata")
    told = (
        _table(metadata, "language_info").get("name"),
        _table(metadata, "kernelspec").get("language"),
    )
    return next((name.lower() for name in told if isinstance(name, str)), "")


def _table(holder: dict[str, Any], name: str) -> dict[str, Any]:
    found = holder.get(name)
    return found if isinstance(found, dict) else {}


def _count(cell: dict[str, Any]) -> int:
    count = cell.get("execution_count", cell.get("prompt_number"))
    return count if type(count) is int and 0 < count < 1 << 31 else 0


def _text(cell: dict[str, Any]) -> str:
    """Return a cell's source: a text or a list of texts, called `input` before version 4."""
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    text = source if isinstance(source, str) else ""
    return (
        text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "backslashreplace").decode()
    )


def _python(cell: dict[str, Any], text: str) -> tuple[str, list[Skipped]]:
    """Return a cell's Python code and the skipped lines."""
    other = _table(_table(cell, "metadata"), "vscode").get(
        "languageId", cell.get("language", "python")
    )
    lines = text.split("\n")
    if isinstance(other, str) and other.lower() not in {"python", "ipython"}:
        return "", [Skipped(0, f"its language, {other[:40]}")]
    skipped: list[Skipped] = []
    for index, line in enumerate(lines):
        magic = re.match(r"\s*%%(\w+)\s*(.*)", line)
        if magic and not (
            magic[1] in _KEPT or (magic[1] in _WRITTEN and magic[2].strip("\"' ").endswith(".py"))
        ):
            return "", [*skipped, Skipped(0, line.strip())]
        if magic:
            skipped.append(Skipped(index + 1, line.strip()))
            lines[index] = ""
        elif line.strip():
            break
    _blank_out(lines, skipped)
    return "\n".join(lines), [line for line in skipped if not _OURS.match(line.text)]


def _blank_out(lines: list[str], skipped: list[Skipped]) -> None:
    """Make the lines valid Python if leaving out magics is enough."""
    rewritten: set[int] = set()
    while len(skipped) < MAX_SKIPPED:
        try:
            compile("\n".join(lines), "cell", "exec", ONLY_PARSE, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            index = (getattr(error, "lineno", None) or 0) - 1
        else:
            return
        if not 0 <= index < len(lines) or not (index in rewritten or _MAGIC.match(lines[index])):
            return
        line = lines[index]
        if index not in rewritten and (timed := _TIMED.match(line)):
            rewritten.add(index)
            # `%time` runs the statement in the notebook too
            lines[index] = timed[1] + line[timed.end() :]
            continue
        skipped.append(Skipped(index + 1, line.strip()))
        end = index
        while lines[end].endswith("\\") and end + 1 < len(lines):
            end += 1
        indent = line[: len(line) - len(line.lstrip())]
        lines[index : end + 1] = [f"{indent}pass", *[""] * (end - index)]
