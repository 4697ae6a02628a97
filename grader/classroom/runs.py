"""Code as runs of tokens, to compare it. Nothing is parsed or executed.

Names and layout do not count. Runs of tokens are hashed, and the smallest hash in each window is a
fingerprint, so any longer common run is found ("Winnowing", Schleimer, Wilkerson and Aiken, 2003).
"""

from __future__ import annotations

import builtins
import keyword
import re
import tokenize
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import groupby
from textwrap import dedent
from typing import NamedTuple
from zlib import crc32

from grader.text import safe

RUN = 30  # tokens: about four lines
WINDOW = 10
PHRASE = 8  # tokens: about one expression
_LAYOUT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}
_STRINGS = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)}
_BEGINNINGS = {"class", "def"}
_PLAIN = {*keyword.kwlist, *dir(builtins)}
_MAGIC = re.compile(r"^[ \t]*[%!].*$", re.MULTILINE)  # in notebooks
_MEANT = re.compile(r"\bclass (\w+)|\bimport (\w+)|(\.\w+)")


class Token(NamedTuple):
    """One token of some code, its place, and the class and function around it."""

    word: str
    file: int
    line: int
    part: tuple[str, str]


def meant_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that mean the same in every submission: classes, imports and attributes."""
    return frozenset(
        word for text in texts for parts in _MEANT.findall(text) for word in parts if word
    )


class Code:
    """The tokens of a submission's files, which have names for the learner and texts, and a hash
    for each run and each different phrase. Functions are sorted by the names that the course gives
    them, and then by what is in them, so their order in the files does not count.
    """

    def __init__(self, files: Mapping[str, str], meant: frozenset[str]) -> None:
        self._files = [*files.items()]
        tokens = (
            each for file, text in enumerate(files.values()) for each in _tokens(file, text, meant)
        )
        parts = [[*part] for _, part in groupby(tokens, lambda token: (token.file, token.part))]
        parts.sort(key=lambda part: _order(part, meant))
        self.tokens = [token for part in parts for token in part]
        self.runs = _hashes(self.tokens, RUN)
        # a phrase that joins two functions belongs to neither
        self.phrases = frozenset(each for part in parts for each in _hashes(part, PHRASE))

    def fingerprints(self, given: Collection[int]) -> frozenset[int]:
        """Return the fingerprints of all runs that were not given."""
        own = [run for run in self.runs if run not in given]
        windows = range(max(1, len(own) - WINDOW + 1))
        return frozenset(min(own[start : start + WINDOW]) for start in windows if own)

    def common(self, other: Code, given: Collection[int]) -> list[tuple[str, str]]:
        """Return the lines that two submissions have in common, each with its place, in the order
        of the first.
        """
        where = {run: place for place, run in enumerate(other.runs) if run not in given}
        parts: dict[tuple[int, tuple[str, str]], list[tuple[Token, Token]]] = {}
        done = 0
        for start, run in enumerate(self.runs):
            if run in where:
                shift = where[run] - start
                for place in range(max(start, done), start + RUN):
                    both = self.tokens[place], other.tokens[place + shift]
                    parts.setdefault((both[0].file, both[0].part), []).append(both)
                done = start + RUN
        order = sorted(parts.values(), key=lambda pairs: (pairs[0][0].file, pairs[0][0].line))
        return [
            (self._excerpt(left), other._excerpt(right))
            for left, right in (zip(*pairs) for pairs in order)
        ]

    def _excerpt(self, tokens: Sequence[Token]) -> str:
        name, text = self._files[tokens[0].file]
        lines = [token.line for token in tokens]
        rows = StringIO(text, newline=None).read().split("\n")[min(lines) - 1 : max(lines)]
        code = [safe(row) for row in dedent("\n".join(rows)).split("\n")]
        return "\n".join([f"{safe(name)}, line {min(lines)}:", *code])


def _order(part: Sequence[Token], meant: frozenset[str]) -> tuple[list[str], list[str]]:
    """Return a key for sorting functions: names that mean the same everywhere, and the words."""
    names = part[0].part
    known = [name for name in names if name.startswith("__") or {name, f".{name}"} & meant]
    return known, [token.word for token in part]


def _hashes(tokens: Sequence[Token], length: int) -> list[int]:
    words = [token.word for token in tokens]
    ends = range(length, len(words) + 1)
    return [crc32(" ".join(words[end - length : end]).encode()) for end in ends]


def _tokens(file: int, text: str, meant: frozenset[str]) -> Iterator[Token]:
    """Yield the tokens of a file up to its first error, without comments, layout and docstrings.
    All names that the course does not define are one word, and so are all strings.
    """
    lines = StringIO(_MAGIC.sub("", text), newline=None)
    depth, begins, before, outer, part = 0, True, "", "", ("", "")
    try:
        for kind, word, (line, _), _, _ in tokenize.generate_tokens(lines.readline):
            if kind in _LAYOUT:
                depth += (kind == tokenize.INDENT) - (kind == tokenize.DEDENT)
                begins = True
                continue
            if before in _BEGINNINGS and depth < 2:
                outer = outer if depth else word
                part = (outer, word)
            is_docstring = kind in _STRINGS and begins
            is_said = word in _BEGINNINGS and depth < 2  # by the name that follows
            if not (is_docstring or is_said):
                yield Token(_shown_as(kind, word, before, meant), file, line, part)
            begins, before = False, word
    except (tokenize.TokenError, SyntaxError):
        return


def _shown_as(kind: int, word: str, before: str, meant: frozenset[str]) -> str:
    """Return the word of a token; one word for all strings, and one for names without a meaning."""
    if kind in _STRINGS:
        return "string"
    is_known = word in _PLAIN or word in meant or word.startswith("__")
    has_meaning = f".{word}" in meant if before == "." else is_known
    return word if has_meaning or kind != tokenize.NAME else "name"
