"""Find the one small change that makes code valid Python, such as a colon at the end of a line.

Python's own message depends on its version, and often names the place of the error, not the missing
thing. The worker loads this file by path; it imports only the standard library.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

BEFORE = 2  # lines of code before the one where the parser stops
MOST = 300  # changes to try
FLAGS = 0x2000  # PyCF_ALLOW_TOP_LEVEL_AWAIT, for the cells of a notebook
_TESTS = r"\s*(if|elif|while|assert)\b"
_BLOCKS = r"\s*(if|elif|while|else|for|def|class|try|except|finally|with|async)\b"
_CODE = re.compile(r"""(?:[^#"']|"[^"]*"|'[^']*')*""")
_ASSIGNS = r"(?<![=<>!:+*/-])=(?!=)"
_OTHERS = {"else if": "elif", "&&": "and", "||": "or", "!": "not ", "=<": "<=", "=>": ">="}
_STRAY = "$?`;:,"
_INDENTED = "it is indented by {}; {} would fit"


def slip_in(source: str, stopped: int) -> tuple[int, str] | None:
    """Return the line of the change and what is wrong there, or None if it is not certain.

    `stopped` is the line where the parser stops. If several kinds of changes would do, it is
    unclear which one is meant.
    """
    lines = re.split(r"\r\n|\r|\n", source)
    tries = 0
    near = [at for at, line in enumerate(lines[:stopped]) if _code(line)][: -2 - BEFORE : -1]
    for at in sorted(near, key=lambda at: _indent(lines[at]) % 4 == 0):
        found: dict[str, list[str]] = {}
        for told, changed in _changes(lines, at):
            tries += 1
            if tries > MOST:
                return None
            if _is_valid("\n".join([*lines[:at], changed, *lines[at + 1 :]])):
                found.setdefault(told, []).append(changed)
        if found:
            fits = " or ".join(str(_indent(each)) for each in found.get(_INDENTED, ()))
            told = next(iter(found)).format(_indent(lines[at]), fits)
            return (at + 1, told) if len(found) == 1 else None
    return None


def _changes(lines: list[str], at: int) -> Iterator[tuple[str, str]]:
    """Yield what may be wrong in a line, with the corrected line."""
    line, code = lines[at], _code(lines[at])
    if re.match(_BLOCKS, line) and not code.endswith(":"):
        yield "a colon is missing at its end", f"{code}:{line[len(code) :]}"
    for told, pattern, new in _wrong(line):
        for each in re.finditer(pattern, line):
            yield told, line[: each.start()] + new + line[each.end() :]
    if "\t" not in line[: _indent(line)]:
        above = [_indent(each) for each in lines[:at] if _code(each)] or [0]
        for width in sorted({*above, above[-1] + 4} - {_indent(line)}):
            yield _INDENTED, " " * width + line.lstrip()


def _wrong(line: str) -> Iterator[tuple[str, str, str]]:
    """Yield what may be wrong in a line, a pattern for it, and what belongs in its place."""
    for opening, closing in ("()", "[]", "{}"):
        more = line.count(opening) - line.count(closing)
        if more > 0:
            yield f"a `{closing}` is missing", "", closing
        elif more < 0:
            yield f"it has one `{closing}` too many", re.escape(closing), ""
    for quote in "\"'":
        if line.count(quote) % 2 and not re.search(rf"\w\w{quote}\w", line):  # not as in "don't"
            yield f"a `{quote}` is missing", "", quote
    if re.match(_TESTS, line):
        yield "`=` assigns; a comparison is `==`", _ASSIGNS, "=="
    for stray in _STRAY:
        yield f"a `{stray}` does not belong there", re.escape(stray), ""
    for old, new in _OTHERS.items():
        yield f"Python writes `{new.strip()}` for `{old}`", re.escape(old), new


def _code(line: str) -> str:
    """Return a line without its comment."""
    found = _CODE.match(line)
    return found[0].rstrip() if found else ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_valid(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "", "exec", FLAGS, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
