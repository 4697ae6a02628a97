"""Read the tables of a course's TOML files key by key. Every error names the file and the key."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from grader.errors import CourseError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_MISSING: Any = object()
_MAX_BYTES = 4 << 20
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Table:
    """One table. Each method reads a key of one type; an optional key gets a default."""

    def __init__(self, entries: object, where: str) -> None:
        if not isinstance(entries, dict):
            raise CourseError(
                f"{where} is {brief(entries)}; it must be a table",
                "write lines of the form key = value below its name in brackets",
            )
        self.where = where
        self._entries: dict[str, Any] = entries

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def present(self) -> list[str]:
        """Return the keys in the table."""
        return list(self._entries)

    def only(self, known: Collection[str]) -> None:
        """Raise CourseError if the table has any other key."""
        if unknown := sorted(set(self._entries) - set(known)):
            raise CourseError(
                f"{self.where}: there is no key {unknown[0]!r}", f"the keys are {', '.join(known)}"
            )

    def text(self, key: str, default: str = _MISSING) -> str:
        """Return a string, which must not be empty unless there is a default."""
        value = self._of_type(key, str, "a string in quotes", default)
        if not value.strip() and default is _MISSING:
            raise CourseError(f"{self.where}: {key!r} is empty", f'write {key} = "..."')
        return str(value)

    def texts(self, key: str, default: tuple[str, ...] = _MISSING) -> tuple[str, ...]:
        """Return a list of strings, none of them empty."""
        found = self._of_type(key, (list, tuple), 'a list of strings, ["...", "..."]', default)
        if wrong := [item for item in found if not isinstance(item, str) or not item]:
            raise CourseError(
                f"{self.where}: {key!r} contains {brief(wrong[0])}; it must be a list of strings",
                f'write {key} = ["..."]',
            )
        return tuple(found)

    def whole(self, key: str) -> int:
        """Return a whole number, 0 or more."""
        value = self._of_type(key, int, "a whole number", _MISSING)
        if isinstance(value, bool) or value < 0:
            raise CourseError(
                f"{self.where}: {key!r} is {brief(value)}; it must be a whole number, 0 or more",
                f"write {key} = 1",
            )
        return int(value)

    def number(self, key: str) -> float:
        """Return a number with a decimal point."""
        return float(self._of_type(key, float, "a number such as 0.5", _MISSING))

    def numbers(self, key: str) -> tuple[float, ...]:
        """Return a list of numbers, whole or not."""
        found = self._of_type(key, list, "a list of numbers, [1, 2.5]", _MISSING)
        if wrong := [item for item in found if type(item) not in {int, float}]:
            raise CourseError(
                f"{self.where}: {key!r} contains {brief(wrong[0])}; it must be a list of numbers",
                f"write {key} = [1, 2.5]",
            )
        return tuple(found)

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return true or false."""
        return bool(self._of_type(key, bool, "true or false", default))

    def table(self, key: str, *, optional: bool = False) -> Table:
        """Return a table inside this one; an empty one if it is optional and missing."""
        where = f"{self.where}: [{key}]"
        if key not in self._entries and not optional:
            raise CourseError(f"{self.where}: [{key}] is missing", f"add a table [{key}]")
        return Table(self._entries.get(key, {}), where)

    def tables(self, key: str) -> list[Table]:
        """Return the tables of a list, `[[key]]`, which must have at least one."""
        found = self._entries.get(key)
        if not isinstance(found, list) or not found:
            raise CourseError(
                f"{self.where}: there is no [[{key}]]", f"add a table that starts with [[{key}]]"
            )
        return [
            Table(entry, f"{self.where}: [[{key}]] {_name(entry, number)}")
            for number, entry in enumerate(found, 1)
        ]

    def all_texts(self, *, empty: bool = False) -> dict[str, str]:
        """Return the string of every key, which may be `empty`."""
        return {key: self.text(key, "" if empty else _MISSING) for key in self._entries}

    def _of_type(self, key: str, kind: type | tuple[type, ...], words: str, default: Any) -> Any:
        value = self._entries.get(key, default)
        if value is _MISSING:
            raise CourseError(f"{self.where}: the key {key!r} is missing", f"add {key} = {words}")
        if not isinstance(value, kind):
            raise CourseError(
                f"{self.where}: {key!r} is {brief(value)}; it must be {words}",
                f"write {key} = {words}",
            )
        return value


def _name(entry: object, number: int) -> str:
    """Return what identifies an entry of a list: its id, or its number."""
    id = entry.get("id") if isinstance(entry, dict) else None
    return repr(id) if isinstance(id, str) else f"number {number}"


def brief(value: object) -> str:
    """Return a value as messages show it, shortened to 40 characters."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def quoted(text: str) -> str:
    """Return a text as a TOML string, which is written as in JSON."""
    return json.dumps(text, ensure_ascii=False)


def read_toml(file: Path) -> dict[str, Any]:
    """Return the content of a TOML file. Raise CourseError if it cannot be read or is not valid."""
    try:
        entries: dict[str, Any] = tomllib.loads(_text(file))
    except FileNotFoundError as error:
        raise CourseError(
            f"there is no {file}",
            f"write it, or remove {file.parent.name} from the list that names it",
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise CourseError(
            f"{file} is not valid TOML: {error}", "fix that line; strings need quotes"
        ) from error
    except RecursionError as error:
        raise CourseError(f"{file} is nested too deeply", "use fewer nested brackets") from error
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(
            f"{file} cannot be read: {error}", "make it a readable UTF-8 file"
        ) from error
    return entries


def _text(file: Path) -> str:
    """Return the text of a regular file of limited size. Raise OSError; a pipe would never end."""
    with os.fdopen(os.open(file, _READ), "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError("it is not a regular file")
        content = stream.read(_MAX_BYTES + 1)
    if len(content) > _MAX_BYTES:
        raise OSError(f"it is larger than {_MAX_BYTES >> 20} MiB")
    return content.decode()


def parse_toml(text: str) -> dict[str, Any]:
    """Return the content of a TOML text; nothing if it is not valid."""
    try:
        entries: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}
    return entries


def read_table(file: Path) -> Table:
    """Return the content of a TOML file. Raise CourseError if it cannot be read or is not valid."""
    return Table(read_toml(file), str(file))
