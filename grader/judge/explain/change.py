"""Compare a learner's function with an edited version of it, word by word, without parsing it.

The edited version comes from a worker, so the judge believes nothing else that the worker says
about it.
"""

from __future__ import annotations

import builtins
import re
import tokenize
from collections.abc import Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from io import StringIO
from keyword import iskeyword
from tokenize import TokenError
from typing import NamedTuple, TypeAlias

from grader.judge.excerpt import MOST_SHOWN

_BLOCKS = {
    *("if", "elif", "else", "for", "while", "def", "with"),
    *("try", "except", "finally", "match", "case"),
}
_BLOCK_NAMES = {"for": "loop", "while": "loop", "def": "function"}
_IN_PLACE = re.compile(r"\w+ = (\w+) \. (append|extend|insert|reverse|sort)\b")
_ADDS = {(".", method) for method in ("append", "extend", "insert", "add")}
_CALLS = re.compile(r"\b(?!(?:in|and|or|not|if|else|for)\b)\w+ \(")
_SHARED = re.compile(
    r" (\w+)(?: : [^,=]+)? = (?:\[ \]|\{ \}|set|list|dict|(?!None|True|False)[A-Z]\w*[a-z])(?= )"
)
_SPELLING = "(),"  # Python allows more or fewer of these
_SPACE = {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}
_QUOTES = re.compile(r"[\s'\"]")
Key: TypeAlias = tuple[tuple[str, ...], int]  # the words and the level of a statement
_DEFINES = re.compile(r"([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)")


class Statement(NamedTuple):
    """A simple statement or the beginning of a block: its words, how deep it is nested, and the
    line of each word.
    """

    words: tuple[str, ...]
    level: int
    lines: tuple[int, ...]


class Change(NamedTuple):
    """The first changed line, all changed lines, the old text, the new text, the lines at which
    only something is added, and the reason for the change.
    """

    first: int
    lines: list[int]
    gone: str
    come: str
    added: set[int]
    why: str


def form_of(statements: Sequence[Statement]) -> list[str]:
    """Return the words of statements with numbers for names, since these do not matter, unless
    they are Python's own.
    """
    names: dict[str, str] = {}
    words = _words_of(statements)
    return [
        names.setdefault(word, f"${len(names)}")
        if word.isidentifier() and not (iskeyword(word) or hasattr(builtins, word) or before == ".")
        else word
        for before, word in zip(["", *words], words)
    ]


def likeness_of(come: str, after: str, right: str) -> tuple[bool, bool]:
    """Return whether a version of a function equals the reference except for names, and whether at
    least its new statements occur there.
    """
    is_same, known = form_of(statements_of(after)), statements_of(right)
    forms = [form_of([each]) for each in known]
    is_like = all(form_of([each]) in forms for each in statements_of(come))
    return is_same == form_of(known), is_like


def telling_lines(function: str, *, loops: bool = True) -> list[int]:
    """Return the lines of a function that say most, counted from its first: all of a short one, or
    else the block that adds to its result, or its first loop, if `loops` count; an inner function
    only if it returns nothing. Return its first line if there is none.
    """
    try:
        body = [
            one
            for one in statements_of(function)[1:]
            if len(one.words) > 1 or iskeyword(one.words[0])  # not a docstring
        ]
    except (TokenError, SyntaxError):
        return [0]
    if len(lines := _lines_in(body)) <= MOST_SHOWN:
        return lines or [0]
    returned = {word for one in body if one.words[0] == "return" for word in one.words[1:]}
    adds = [n for n, one in enumerate(body) if one.words[1:3] in _ADDS and one.words[0] in returned]
    added = [n for n in adds if not _CALLS.search(" ".join(body[n].words[4:]))]  # else look there
    kinds = ("for", "while") if returned else ("for", "while", "def")
    blocks = [n for n, one in enumerate(body) if loops and one.words[0] in kinds]
    if not (found := added or blocks):
        return [0]
    place = found[0]
    above = range(place)[::-1] if added else ()
    begin = next((n for n in above if body[n].level < body[place].level), 0 if added else place)
    rest = (n for n in range(place + 1, len(body)) if body[n].level <= body[begin].level)
    block = _lines_in(body[begin : next(rest, None)])
    last = max(MOST_SHOWN, body[place].lines[-1] - block[0])
    return block[max(0, last - MOST_SHOWN) : last]


def _lines_in(statements: Sequence[Statement]) -> list[int]:
    """Return the lines from the first statement to the last, counted from 0."""
    return [*range(statements[0].lines[0] - 1, statements[-1].lines[-1])] if statements else []


def statements_of(source: str, ignored: str = "", first: int = 1) -> list[Statement]:
    """Return the statements of a source, which begins in the `first` line, without these words.
    Raise TokenError, SyntaxError.
    """
    found: list[Statement] = []
    words: list[tuple[str, int]] = []
    level = depth = inner = last = 0
    for kind, text, (line, _), _, _ in tokenize.generate_tokens(StringIO(source).readline):
        if kind in {tokenize.INDENT, tokenize.DEDENT}:
            level += 1 if kind == tokenize.INDENT else -1
        elif kind not in _SPACE:
            depth += (text in "([{") - (text in ")]}") if text.strip() else 0
            is_pattern = bool(words) and words[0][0] == "case" and text in "[]"
            if kind == last == tokenize.STRING and words:  # one text in several parts
                words[-1] = words[-1][0] + _plain(text, kind), words[-1][1]
            elif text.strip() and text not in ignored and not (is_pattern and ignored):
                words.append((_plain(text, kind), line + first - 1))
            last = kind
            begins = text == ":" and not depth and words[0][0] in _BLOCKS
            begins = begins and ("lambda", line + first - 1) not in words
            ends = kind == tokenize.NEWLINE or (text == ";" and not depth)
            if words and (ends or begins):
                texts, lines = zip(*[word for word in words if word[0] != ";"])
                found.append(Statement(texts, level + inner, lines))
                words = []
            if begins or kind == tokenize.NEWLINE:
                inner = int(begins)  # as in `if a: b; c`
    return found


def _plain(text: str, kind: int) -> str:
    """Return a word without quotes, or a number as Python writes it."""
    if kind == tokenize.NUMBER:
        with suppress(ValueError):  # hexadecimal or imaginary
            return repr(float(text)) if {*".eE"} & {*text} else text.replace("_", "")
    return _QUOTES.sub("", text)


def change(before: str, after: str, line: int = 1) -> Change:
    """Return how two versions of a function differ, which begins in this line, in parentheses only
    if in nothing else. Raise TokenError, SyntaxError.
    """
    for ignored in (_SPELLING, ""):
        old, new = (statements_of(each, ignored, line) for each in (before, after))
        keys = [[_key(each) for each in version] for version in (old, new)]
        differ = [each[1:] for each in _differences(*keys)]
        if differ:
            break
    gone = [each for i, j, _, _ in differ for each in old[i:j]]
    come = [each for _, _, k, m in differ for each in new[k:m]]
    lines: set[int] = set()
    added: set[int] = set()
    for i, j, k, m in differ:
        for each in old[i:j]:
            lines |= _lines_of(each, _words_of(new[k:m]))
        if i == j and new[k].words not in {each.words for each in gone}:  # it is not only moved
            is_next = i < len(old) and old[i].level == new[k].level
            added.add(old[i].lines[0] if is_next else old[i - 1].lines[-1])
    texts = _text_of(gone, before, line), _text_of(come, after, line)
    first, both = min(lines or added, default=0), sorted(lines | added)
    return Change(first, both, *texts, added - lines, reason_of(before, after, line))


def _differences(old: Sequence[Key], new: Sequence[Key]) -> list[tuple[str, int, int, int, int]]:
    """Return the differences, like `SequenceMatcher`. Of two blocks that begin alike, the one that
    is gone, or new, is whole.
    """
    found: list[tuple[str, int, int, int, int]] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        both, begin, end = (new, k, m) if tag == "insert" else (old, i, j)
        is_cut = tag in {"delete", "insert"} and both[begin - 1 : begin] == both[end - 1 : end]
        back = int(is_cut and both[begin - 1][1] < both[begin][1])
        if tag != "equal":
            found.append((tag, i - back, j - back, k - back, m - back))
    return found


def _key(statement: Statement) -> Key:
    """Return the words to compare, without parentheses around a target."""
    words, level, _ = statement
    end = words.index("=") if "=" in words else 0
    target = tuple(word for word in words[:end] if word not in {"(", ")"})
    return target + words[end:], level


def reason_of(before: str, after: str, first: int) -> str:
    """Explain a change that only moves lines, lets a loop continue, keeps a loop's variable for a
    function, gives each call its own default, returns something at the end, or needs what a call
    does not return. Return an empty string for any other.

    `first` is the number of the first line.
    """
    old, new = (statements_of(each, _SPELLING, first) for each in (before, after))
    return next(filter(None, (reason(old, new) for reason in _REASONS)), "")


def _of_block(old: Sequence[Statement], new: Sequence[Statement]) -> str:
    """Say which lines are in a block and belong outside it, or the reverse."""
    words, levels = [one.words for one in old], {one.words: one.level for one in new}
    moved = [n for n, one in enumerate(old) if levels.get(one.words, one.level) != one.level]
    if sorted(words) != sorted(one.words for one in new) or not moved:
        return ""
    first, last = moved[0], moved[-1]
    if last - first >= len(moved) or any(words.count(words[n]) > 1 for n in moved):
        return ""
    is_inside = levels[words[first]] < old[first].level
    version = old if is_inside else new
    place = next(n for n, one in enumerate(version) if one.words == words[first])
    level = min(levels[words[first]], old[first].level)
    around = next(one for one in version[:place][::-1] if one.level <= level).words
    block = _BLOCK_NAMES.get(around[0], f"`{around[0]}`")
    begin, end = old[first].lines[0], old[last].lines[0]
    lines = f"line {begin} is" if first == last else f"lines {begin} to {end} are"
    is_in, be = ("inside", "outside") if is_inside else ("outside", "inside")
    where = f"the {block} of line {old[words.index(around)].lines[0]}"
    return f"{lines} {is_in} {where}, but should be {be}"


def _of_order(old: Sequence[Statement], new: Sequence[Statement]) -> str:
    """Say that a line should come before another one or after it."""
    before, after = ([each[:2] for each in version] for version in (old, new))
    codes = _differences(before, after)
    gone = [code for code in codes if code[0] == "delete"]
    come = [code for code in codes if code[0] == "insert"]
    if not len(gone) == len(come) == 1 or any(code[0] == "replace" for code in codes):
        return ""
    (_, i, j, _, _), (_, place, _, k, m) = gone[0], come[0]
    if before[i:j] != after[k:m]:
        return ""
    where, other = ("before", place) if place < i else ("after", place - 1)
    return f"line {old[i].lines[0]} should come {where} line {old[other].lines[0]}"


def _of_end(old: Sequence[Statement], new: Sequence[Statement]) -> str:
    """Say that a line ends a loop too early."""
    before, after = ([each[:2] for each in version] for version in (old, new))
    place = next((n for n, one in enumerate(before) if after[n : n + 1] != [one]), 0)
    one, rest = old[place], after[place:]
    goes_on = rest[:1] == [(("continue",), one.level)]
    if one.words[0] not in {"return", "break"} or before[place + 1 :] != rest[goes_on:]:
        return ""
    level, line = one.level, one.lines[0]
    for around in old[:place][::-1]:
        if around.level < level and around.words[0] in {"for", "while"}:
            return f"line {line} ends the loop of line {around.lines[0]} too early"
        level = min(level, around.level)
    return ""


def _of_binding(old: Sequence[Statement], new: Sequence[Statement]) -> str:
    """Say that a function looks up a loop's variable too late."""
    pairs = [(one, other) for one, other in zip(old, new) if one.words != other.words]
    if len(old) != len(new) or len(pairs) != 1:
        return ""
    one, other = pairs[0]
    codes = SequenceMatcher(None, one.words, other.words, autojunk=False).get_opcodes()
    come = [word for tag, _, _, k, m in codes if tag != "equal" for word in other.words[k:m]]
    names = come[::3]
    if not names or come != [word for name in names for word in (name, "=", name)]:
        return ""
    told = " and ".join(f"`{name}`" for name in dict.fromkeys(names))
    last = "has its last value" if len({*names}) == 1 else "have their last values"
    return (
        f"line {one.lines[0]} makes a function that looks up {told} only when it is called;"
        f" by then {told} {last}"
    )


def _of_default(old: Sequence[Statement], new: Sequence[Statement]) -> str:
    """Say that all calls share a default."""
    for one, other in zip(old, new):
        if one.words[0] == "def":
            found = _SHARED.findall(" ".join(one.words))
            after = " ".join(other.words)
            names = [name for name in found if re.search(rf" {name}(?: : [^,=]+)? = None ", after)]
            if names:
                line = one.lines[one.words.index(names[0])]
                what = "the default" if len(names) == 1 else "the defaults"
                told, them = (
                    " and ".join(f"`{name}`" for name in names),
                    "it" if len(names) == 1 else "them",
                )
                return f"line {line} makes {what} of {told} once; all calls share {them}"
    return ""


def _of_return(old: Sequence[Statement], new: Sequence[Statement]) -> str:
    """Say that a function returns nothing."""
    if new[:-1] and [one[:2] for one in new[:-1]] == [one[:2] for one in old]:
        last, level = new[-1], new[0].level + 1
        if last.words[0] == "return" and last.level == level and "return" not in _words_of(old):
            return f"`{old[0].words[old[0].words.index('def') + 1]}` has no `return`"
    return ""


def _of_lazy(old: Sequence[Statement], new: Sequence[Statement]) -> str:
    """Say that nothing loops over what `map` returns."""
    for one, other in zip(old, new):
        if one.words[0] == "map" and other.words == ("list", *one.words):
            return "`map` calls nothing until something loops over it, as `list(...)` does"
    return ""


def _of_none(old: Sequence[Statement], new: Sequence[Statement]) -> str:
    """Say that a list's method returns nothing to assign."""
    before, after = (" ".join(_words_of(version)) for version in (old, new))
    found = next((one for one in _IN_PLACE.finditer(before) if one[0] not in after), None)
    return f"`{found[1]}.{found[2]}()` changes the list itself and returns None" if found else ""


_REASONS = (_of_block, _of_order, _of_end, _of_binding, _of_default, _of_return, _of_lazy, _of_none)


def _words_of(statements: Sequence[Statement]) -> list[str]:
    return [word for one in statements for word in one.words]


def _lines_of(statement: Statement, words: Sequence[str]) -> set[int]:
    """Return the lines of a statement that differ from these words, or else its first line."""
    lines: set[int] = set()
    matched = SequenceMatcher(None, statement.words, words, autojunk=False).get_opcodes()
    for tag, i, j, _, m in matched if words else ():
        begin = i
        if i == j:  # new words belong to the one before, like `* x`, or to the next, like `-`
            follows = i < len(statement.lines) and not words[m - 1][-1:].isalnum()
            begin = i if follows else max(i - 1, 0)
        if tag != "equal":
            lines |= {*statement.lines[begin : max(j, begin + 1)]}
    return lines or {statement.lines[0]}


def _text_of(statements: Sequence[Statement], source: str, first: int) -> str:
    rows = source.split("\n")
    return "\n".join(
        rows[line - first] for line in sorted({n for one in statements for n in one.lines})
    )


def function_at(rows: Sequence[str], line: int) -> str:
    """Return the function or method around a line, as `Value.tanh`."""
    around: list[tuple[str, str]] = []
    width = len(rows[line - 1]) - len(rows[line - 1].lstrip()) + 1
    for row in reversed(rows[:line]):
        if row.strip() and row.lstrip()[0] not in "#)]}":  # a signature may end on its own line
            indent = len(row) - len(row.lstrip())
            if indent < width and (found := _DEFINES.match(row)):
                around.insert(0, (found[2], found[3]))
            width = min(width, indent)
    names = [name for _, name in around]
    outer = next((n for n, (kind, _) in enumerate(around) if kind == "def"), None)
    return "<module>" if outer is None else ".".join(names[: outer + 1])
