"""Everything that the grader says besides its reports, in one file: read `messages.txt` in one go.

After a change, `python tests/golden/test_messages.py` writes it again; read the difference.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

KIT = Path(__file__).parents[2]
GOLDEN = Path(__file__).with_name("messages.txt")
SCREENS = {"course", "template", "quiz", "trace", "tracing", "watch"}  # more than messages
SAID = {"echo", "print", "Finding"}  # calls that show their arguments
KEPT = {"advice", "hint", "message", "note", "problem", "reason", "told", "why"}  # names of texts
HELP = {"help", "short_help"}
BANNED = {
    "beside": r"\bbeside\b",
    "an adverb that nobody uses": (
        r"\b(anew|once more|by a little|inside of|the very same|in which way|in between)\b"
    ),
    "is no, for is not a": r"(?<![Tt]here )\b(is|are|was|were) no (?!longer\b|more\b|less\b)[a-z]",
    "of its own": r"\b(of|by) (its|their|your|my|our) own\b",
    "tell, with nobody who is told": r"(?<!not )\b(tells?|told)\b(?! (you|them|us|it)\b)",
    "a clause in place of a noun": r"^(Whatever|Whoever|Whether) ",
    "has not, for lacks": r"\b(has|have) not\b(?! (been|yet|[a-z]+(ed|en|un|wn|ne))\b)",
    "mend, for fix": r"\bmend\b",
    "there already, for exists": r"\bthere already\b",
    "say, for for example": r"\b[Ss]ay, |, say\b",
}


@cache
def collected() -> str:
    """Return every text that a person reads, by file, in the order of the source."""
    errors = _error_classes()
    parts = [
        "\n".join([f"# {file.relative_to(KIT).as_posix()}", *dict.fromkeys(found)])
        for file in _sources()
        if (found := _Texts(file, errors).found())
    ]
    return "\n\n".join(parts) + "\n"


def _sources() -> Iterator[Path]:
    for file in sorted((KIT / "grader").rglob("*.py")):
        if not SCREENS & {*file.relative_to(KIT).with_suffix("").parts}:
            yield file


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _error_classes() -> set[str]:
    """The names of our exceptions, and of what derives from them."""
    bases = {
        node.name: {_name(base) for base in node.bases}
        for file in _sources()
        for node in ast.walk(_parsed(file))
        if isinstance(node, ast.ClassDef)
    }
    errors = {"GraderError", "Refused", "LookupError", "SyntaxError"}
    while more := {name for name, above in bases.items() if above & errors} - errors:
        errors |= more
    return errors


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


class _Texts:
    """The texts of one file."""

    def __init__(self, file: Path, errors: set[str]) -> None:
        self.tree, self.errors = _parsed(file), errors
        self.constants = {
            target.id: node.value
            for node in self.tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }

    def found(self) -> list[str]:
        lines = [
            (node.lineno, order, line)
            for node in ast.walk(self.tree)
            if isinstance(node, (ast.Call, ast.Assign, ast.Yield, ast.FunctionDef))
            for order, line in enumerate(self._in(node))
        ]
        return [line for _, _, line in sorted(lines)]

    def _in(self, node: ast.AST) -> Iterator[str]:
        match node:
            case ast.Call(func, arguments, keywords):
                yield from self._in_call(_name(func), arguments, keywords)
            case ast.Assign([ast.Name(name)], value) if name in KEPT:
                yield from self._lines(name, value)
            case ast.Yield(ast.expr() as value):
                yield from self._lines("note", value)
            case ast.FunctionDef(decorator_list=decorators) if any(
                _name(getattr(each, "func", each)) in {"command", "group"} for each in decorators
            ):
                yield f"help: {_one_line(ast.get_docstring(node) or '')}"

    def _in_call(
        self, name: str, arguments: list[ast.expr], keywords: list[ast.keyword]
    ) -> Iterator[str]:
        if name in self.errors:
            for label, argument in zip(("error", "hint"), arguments):
                yield from self._lines(label, argument)
        elif name in SAID:
            for argument in arguments:
                yield from self._lines("says", argument)
        for keyword in keywords:
            if keyword.arg in HELP:
                yield from self._lines("help", keyword.value)
            elif keyword.arg in KEPT:
                yield from self._lines(str(keyword.arg), keyword.value)

    def _lines(self, label: str, node: ast.expr) -> Iterator[str]:
        for text in self._texts(node):
            if re.search(r"[a-z]{2}.* ", text):
                yield f"{label}: {_one_line(text)}"

    def _texts(self, node: ast.expr) -> Iterator[str]:
        match node:
            case ast.Constant(str() as text):
                yield text
            case ast.JoinedStr(parts):
                yield "".join(map(_part, parts))
            case ast.IfExp(_, one, other):
                yield from [*self._texts(one), *self._texts(other)]
            case ast.BinOp(left, ast.Add(), right):
                yield from [*self._texts(left), *self._texts(right)]
            case ast.Name(name) if name in self.constants:
                yield from self._texts(self.constants[name])


def _part(part: ast.expr) -> str:
    match part:
        case ast.Constant(text):
            return str(text)
        case ast.FormattedValue(value):
            return f"{{{ast.unparse(value)}}}"
    raise TypeError(part)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def test_the_messages_are_those_that_somebody_read() -> None:
    assert collected() == GOLDEN.read_text(encoding="utf-8"), (
        "read what changed, then run: python tests/golden/test_messages.py"
    )


def test_the_collection_finds_an_error_with_its_hint_and_a_help_text() -> None:
    text = GOLDEN.read_text(encoding="utf-8")
    assert "error: there is no command or phase {words[0]!r}".replace("!r", "") in text
    assert "hint: add --reveal all to show them" in text
    assert "help: Undo the last `grade reset`." in text


@pytest.mark.parametrize("fault", BANNED)
def test_no_message_is_phrased_as(fault: str) -> None:
    pattern = re.compile(BANNED[fault])
    lines = collected().splitlines()
    assert [line for line in lines if pattern.search(_without_code(line))] == []


def _without_code(line: str) -> str:
    """The text of a line, without its label and without the expressions in it."""
    text, count = line.partition(": ")[2], 1
    while count:
        text, count = re.subn(r"\{[^{}]*\}", "x", text)
    return text


def test_no_error_and_no_hint_ends_with_a_full_stop() -> None:
    lines = [line for line in collected().splitlines() if line.startswith(("error: ", "hint: "))]
    assert len(lines) > 200
    assert [line for line in lines if re.search(r"(?<!\.)\.$", line)] == []


if __name__ == "__main__":
    GOLDEN.write_text(collected(), encoding="utf-8")
