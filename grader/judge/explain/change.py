"""Compare a learner's function with an edited version of it, word by word, without parsing it.

The edited version comes from a worker, so nothing else that the worker says of it is believed.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Sequence
from difflib import SequenceMatcher
from io import StringIO
from keyword import iskeyword
from typing import NamedTuple

_BLOCKS = {"if", "elif", "else", "for", "while", "def", "with", "try", "except", "finally"}
_SPACE = {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}
_QUOTES = re.compile(r"[\s'\"]")
_DEFINES = re.compile(r"([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)")


class Statement(NamedTuple):
    """A simple statement or the beginning of a block: its words, how deep it is nested, and the
    line of each word.
    """

    words: tuple[str, ...]
    level: int
    lines: tuple[int, ...]


class Change(NamedTuple):
    """The lines that change, counted from 1, and the texts that go and that come."""

    lines: list[int]
    gone: str
    come: str


def form_of(statements: Sequence[Statement]) -> list[str]:
    """Return the words of statements with numbers for names, since these do not matter."""
    names: dict[str, str] = {}
    words = [word for each in statements for word in each.words]
    return [
        names.setdefault(word, f"${len(names)}")
        if word.isidentifier() and not iskeyword(word) and before != "."
        else word
        for before, word in zip(["", *words], words)
    ]


def likeness_of(come: str, after: str, right: str) -> tuple[bool, bool]:
    """Return whether a version of a function is the right one, but for names, and whether at least
    the statements that come are in it.
    """
    is_same, known = form_of(statements_of(after)), statements_of(right)
    forms = [form_of([each]) for each in known]
    is_like = all(form_of([each]) in forms for each in statements_of(come))
    return is_same == form_of(known), is_like


def statements_of(source: str, ignored: str = "") -> list[Statement]:
    """Return the statements of a source without these words. Raise TokenError, SyntaxError."""
    found: list[Statement] = []
    words: list[tuple[str, int]] = []
    level = depth = 0
    for kind, text, (line, _), _, _ in tokenize.generate_tokens(StringIO(source).readline):
        if kind in {tokenize.INDENT, tokenize.DEDENT}:
            level += 1 if kind == tokenize.INDENT else -1
        elif kind not in _SPACE:
            depth += (text in "([{") - (text in ")]}") if text.strip() else 0
            if text.strip() and text not in ignored:
                words.append((_QUOTES.sub("", text), line))
            begins = text == ":" and not depth and words[0][0] in _BLOCKS
            if words and (kind == tokenize.NEWLINE or (begins and ("lambda", line) not in words)):
                on_a_line = bool(found) and found[-1].lines[-1] == words[0][1]  # as in `if a: b`
                texts, lines = zip(*words)
                found.append(Statement(texts, level + on_a_line, lines))
                words = []
    return found


def change(before: str, after: str) -> Change:
    """Return how two versions of a function differ; in parentheses only if in nothing else."""
    for ignored in ("(),", ""):
        old, new = statements_of(before, ignored), statements_of(after, ignored)
        keys = [[each[:2] for each in version] for version in (old, new)]
        codes = SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes()
        differ = [each[1:] for each in codes if each[0] != "equal"]
        if differ:
            break
    gone = [each for i, j, _, _ in differ for each in old[i:j]]
    come = [each for _, _, k, m in differ for each in new[k:m]]
    lines: set[int] = set()
    for i, j, k, m in differ:
        for each in old[i:j]:
            lines |= _lines_of(each, [word for one in new[k:m] for word in one.words])
        if i == j and new[k].words not in {each.words for each in gone}:  # it is not only moved
            is_next = i < len(old) and old[i].level == new[k].level
            lines.add(old[i].lines[0] if is_next else old[i - 1].lines[-1])
    return Change(sorted(lines), _text_of(gone, before), _text_of(come, after))


def _lines_of(statement: Statement, words: Sequence[str]) -> set[int]:
    """Return the lines of a statement that differ from these words, or else its first line."""
    lines: set[int] = set()
    matched = SequenceMatcher(None, statement.words, words, autojunk=False).get_opcodes()
    for tag, i, j, _, _ in matched if words else ():
        if tag != "equal":
            lines |= {*statement.lines[i if i < j else max(i - 1, 0) : max(i, j)]}
    return lines or {statement.lines[0]}


def _text_of(statements: Sequence[Statement], source: str) -> str:
    rows = source.split("\n")
    return "\n".join(
        rows[line - 1] for line in sorted({n for one in statements for n in one.lines})
    )


def function_at(rows: Sequence[str], line: int) -> str:
    """Return the function or method around a line, as `Value.tanh`."""
    around: list[tuple[str, str]] = []
    width = len(rows[line - 1]) - len(rows[line - 1].lstrip()) + 1
    for row in reversed(rows[:line]):
        if row.strip() and not row.lstrip().startswith("#"):
            indent = len(row) - len(row.lstrip())
            if indent < width and (found := _DEFINES.match(row)):
                around.insert(0, (found[2], found[3]))
            width = min(width, indent)
    names = [name for _, name in around]
    outer = next((n for n, (kind, _) in enumerate(around) if kind == "def"), None)
    return "<module>" if outer is None else ".".join(names[: outer + 1])
