"""Read the tables of a course's TOML files into its classes, whose fields are the keys. Every error
names the file and the key.
"""

from __future__ import annotations

import json
import re
import stat
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import EnumMeta
from functools import lru_cache, partial
from inspect import signature
from pathlib import Path
from types import UnionType
from typing import Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from grader.curriculum.select import did_you_mean
from grader.errors import CourseError, GraderError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

T = TypeVar("T")
REQUIRED: Any = object()
parse_toml: Callable[[str], dict[str, Any]] = tomllib.loads
TEXTS = tuple[str, ...]


class Rule(NamedTuple):
    """How to `read` a value, and what it must be, in `words`. `read` raises ValueError, TypeError
    or LookupError for any other value. `Annotated` gives a field its own rule.
    """

    read: Callable[[Any], Any]
    words: str


def _one(kinds: set[type], value: object) -> Any:
    if type(value) not in kinds:
        raise TypeError
    return value


def number(
    value: object, least: float = 0, most: float = sys.float_info.max, *, whole: bool = False
) -> Any:
    """Return a number within these bounds. Raise ValueError or TypeError for anything else."""
    if not least <= _one({int} if whole else {int, float}, value) <= most:
        raise ValueError
    return value


def _several(kinds: set[type], values: object) -> tuple[Any, ...]:
    return tuple(_one(kinds, value) for value in _one({list, tuple}, values))


_RULES = {
    str: Rule(partial(_one, {str}), "a string in quotes"),
    int: Rule(partial(number, whole=True), "a whole number, 0 or more"),
    float: Rule(number, "a number, 0 or more, such as 0.5"),
    bool: Rule(partial(_one, {bool}), "true or false"),
    TEXTS: Rule(partial(_several, {str}), 'a list of strings, ["...", "..."]'),
    tuple[float, ...]: Rule(partial(_several, {int, float}), "a list of numbers, [1, 2.5]"),
}


A_TEXT = Rule(str.strip, "a string in quotes")
A_PARAGRAPH = Rule(lambda text: " ".join(str.split(text)), "a string in quotes")


def matching(pattern: str, words: str) -> Rule:
    """Return the rule for a text that fits a pattern as a whole."""
    return Rule(lambda text: re.fullmatch(pattern, text)[0], words)  # type: ignore[index] # or TypeError


class Table:
    """One table. `known` lists the keys read so far, and `refused` is the error to raise if it is
    wrong.
    """

    def __init__(
        self, entries: object, where: str, refused: type[GraderError] = CourseError
    ) -> None:
        self.refused = refused
        if not isinstance(entries, dict):
            raise refused(
                f"{where} is {_brief(entries)}; it must be a table",
                "write lines of the form key = value below its name in brackets",
            )
        self.where = where
        self.entries: dict[str, Any] = entries
        self.known: dict[str, None] = {}

    def make(self, kind: Callable[..., T], **given: Any) -> T:
        """Return an object whose fields are `given`, or read from the key of the same name. Raise
        an error for a key that was neither read before nor is a field.
        """
        fields = [field for field in _fields(kind) if field[0] not in given]
        self.only(name for name, *_ in fields)
        found = {
            name: self.get(name, hint, default)
            for name, hint, default in fields
            if name in self.entries or default is REQUIRED
        }
        return kind(**given, **found)

    def only(self, more: Iterable[str] = ()) -> None:
        """Raise an error for a key that was not read before and is not among `more`."""
        self.known |= dict.fromkeys(more)
        if unknown := sorted({*self.entries} - {*self.known}):
            raise self.refused(
                f"{self.where}: there is no key {unknown[0]!r}",
                f"{did_you_mean(unknown[0], [*self.known])}the keys are {', '.join(self.known)}",
            )

    def get(self, key: str, kind: Any, default: Any = REQUIRED) -> Any:
        """Return the value of a key, which has a rule, or is a class, a `dict` of these, or a
        `tuple` of a class, `[[key]]`. An empty string or list is an error in a required key.
        """
        self.known[key] = None
        if key not in self.entries and default is not REQUIRED:
            return default
        kind = get_args(kind)[0] if isinstance(kind, UnionType) else kind
        rule = _rule(kind)
        if rule is None and get_origin(kind) is tuple:
            return tuple(table.make(get_args(kind)[0]) for table in self.tables(key))
        if key not in self.entries:
            raise self.refused(
                f"{self.where}: the key {key!r} is missing",
                f"add {key}, which must be {rule.words if rule else 'a table'}",
            )
        if get_origin(kind) is dict:
            inside = self.table(key)
            return {name: inside.get(name, get_args(kind)[1]) for name in inside.entries}
        if rule is None:
            return self.table(key).make(kind)
        with suppress(ValueError, TypeError, LookupError):
            found = rule.read(self.entries[key])
            if default is not REQUIRED or (found != () and str(found).strip()):
                return found
        raise self.refused(
            f"{self.where}: {key!r} is {_brief(self.entries[key])}; it must be {rule.words}",
            f"write {key} = {rule.words.rpartition('such as ')[2]}",
        )

    def table(self, key: str) -> Table:
        """Return the table of a key, which is empty if it is missing."""
        self.known[key] = None
        return Table(self.entries.get(key, {}), f"{self.where}: [{key}]", self.refused)

    def tables(self, key: str) -> list[Table]:
        """Return the tables of a list, `[[key]]`. There is at least one, and no id occurs twice."""
        self.known[key] = None
        found = self.entries.get(key)
        if not isinstance(found, list) or not found:
            raise self.refused(
                f"{self.where}: there is no [[{key}]]", f"add a table that starts with [[{key}]]"
            )
        wheres = [
            f"{self.where}: [[{key}]] {_name(entry, number)}"
            for number, entry in enumerate(found, 1)
        ]
        if twice := [where for where in wheres if wheres.count(where) > 1]:
            raise self.refused(f"{twice[0]} is there twice", "give it a different id")
        return [Table(entry, where, self.refused) for entry, where in zip(found, wheres)]


@lru_cache
def _fields(kind: Callable[..., Any]) -> list[tuple[str, Any, Any]]:
    """Return the name, type and default of the fields of a class."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        (name, hints[name], REQUIRED if field.default is field.empty else field.default)
        for name, field in signature(kind).parameters.items()
    ]


def _rule(kind: Any) -> Rule | None:
    """Return the rule for values of a type; None if it is read from a table."""
    if isinstance(kind, EnumMeta):
        return Rule(kind, f"one of {', '.join(kind._value2member_map_)}")
    own: tuple[Any, ...] = getattr(kind, "__metadata__", ())
    return own[0] if own else _RULES.get(kind)


def _name(entry: object, number: int) -> str:
    """Return the name of a list's entry: its id, or its number."""
    id = entry.get("id") if isinstance(entry, dict) else None
    return repr(id) if isinstance(id, str) else f"number {number}"


def _brief(value: object) -> str:
    """Return a value as messages show it, shortened to 40 characters."""
    text = as_toml(value) if str(value).strip(" []") else "empty"
    return text if len(text) <= 40 else f"{text[:40]}…"


def as_toml(value: object) -> str:
    """Return a value, but no table, as it is written in a TOML file."""
    return json.dumps(value, ensure_ascii=False, default=str)


def read_table(
    file: Path, refused: type[GraderError] = CourseError, *, optional: bool = False
) -> Table:
    """Return the content of a TOML file, which is empty if the file is `optional` and missing.

    Raise an error if it cannot be read or is not valid.
    """
    try:
        entries = {} if optional and not file.exists() else parse_toml(_text(file))
    except FileNotFoundError as error:
        raise refused(
            f"there is no {file}",
            f"write it, or remove {file.parent.name} from the list that names it",
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise refused(
            f"{file} is not valid TOML: {error}", "fix that line; strings need quotes"
        ) from error
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise refused(f"{file} cannot be read: {error}", "make it a readable UTF-8 file") from error
    return Table(entries, str(file), refused)


def _text(file: Path) -> str:
    """Return the text of a regular file of limited size. Raise OSError; a pipe would never end."""
    status = file.stat()
    if not stat.S_ISREG(status.st_mode) or status.st_size > 4 << 20:
        raise OSError("it is too large, or not a regular file")
    return file.read_bytes().decode()
