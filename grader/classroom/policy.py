"""The policy of a class: how gradings become marks. It is `class.toml`, next to the gradebook."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from grader.classroom.entries import Entry
from grader.classroom.rubric import Item, read_rubric
from grader.classroom.times import IN_TIME, LATE, UNKNOWN, read_time
from grader.curriculum.model import Course
from grader.curriculum.packages import refuse_unfit
from grader.curriculum.tables import TEXTS, read_table
from grader.errors import UsageError

FILE = "class.toml"
MOST_POINTS = 1_000_000


@dataclass(frozen=True)
class Policy:
    """How gradings become marks. `due` is in seconds and `grace` in minutes; `late_per_day` is a
    share of the score, `late_cap` a share of all points, and `out_of` the best possible mark, if it
    is not the sum of the points. Without `phases`, a gradebook may have only one kind of grading,
    which is used.
    """

    roster: str = ""
    due: float = 0.0
    grace: float = 0.0
    late_per_day: float = 0.0
    late_cap: float = 1.0
    out_of: float | None = None
    keep: str = "best"
    phases: tuple[str, ...] | None = None
    together: bool = False
    packages: tuple[str, ...] = ()
    extensions: Mapping[str, float] = field(default_factory=dict)
    rubric: tuple[Item, ...] = ()

    def is_unknown(self, entry: Entry) -> bool:
        """Return whether it is unknown if this was late. Canvas's `LATE` is about Canvas's own due
        date, so it says nothing about an extension.
        """
        extended = entry.timing == LATE and entry.key.learner in self.extensions
        return bool(self.due) and (entry.timing == UNKNOWN or extended)

    def days_late(self, entry: Entry) -> int:
        """Return how many days have begun since the submission was due, by the clock on the wall.
        If only its lateness is known, one day counts.
        """
        if entry.timing == LATE:
            return 1 if self.due else 0
        last = max(self.due, self.extensions.get(entry.key.learner, 0.0))
        is_known = self.due and entry.timing not in {UNKNOWN, IN_TIME}
        if not is_known or entry.received <= last + 60 * self.grace:
            return 0
        received, due = map(datetime.fromtimestamp, (entry.received, last))
        return max(1, math.ceil((received - due) / timedelta(days=1)))

    def worth(self, entry: Entry) -> float:
        """Return the points that are left after lateness."""
        days = self.days_late(entry)
        left = entry.score * max(0.0, 1 - self.late_per_day * days)
        return min(left, self.late_cap * entry.max_score) if days else left


def _number(value: Any, least: float = 0, most: float = MOST_POINTS) -> float | None:
    is_allowed = not isinstance(value, bool) and least <= float(value) <= most  # also not nan
    return float(value) if is_allowed else None


def _share(value: Any) -> float | None:
    percent = _number(value.removesuffix("%") if isinstance(value, str) else value, most=100)
    return percent / 100 if percent == 0 or (percent and percent >= 1) else None  # 0.1 may be 10%


_PERCENTAGE = 'a percentage from "0%" to "100%", such as "10%"'
# how to read a value of the file or of an option, and the allowed values; for any other, reading
# returns None or raises ValueError or TypeError
_KEYS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "roster": (
        lambda name: name if str.strip(name) else None,
        'the name of a CSV file, such as "roster.csv"',
    ),
    "due": (lambda value: read_time(str(value)), 'a day with a time, such as "2026-11-30 23:59"'),
    "grace": (_number, "a number of minutes, such as 15"),
    "late_per_day": (_share, _PERCENTAGE),
    "late_cap": (_share, _PERCENTAGE),
    "out_of": (partial(_number, least=1), f"a number from 1 to {MOST_POINTS:,}, such as 100"),
    "keep": (lambda word: word if word in {"best", "last"} else None, '"best" or "last"'),
    "phases": (
        lambda value: tuple(str.split(value)) or None,
        'phases in quotes, such as "1-6" or "all"',
    ),
    "together": (lambda flag: flag if isinstance(flag, bool) else None, "true or false"),
    "packages": (tuple, 'a list of packages, such as ["numpy"]'),
}


def _option(name: str) -> str:
    return "--package" if name == "packages" else f"--{name.replace('_', '-')}"


def read_policy(
    file: Path, options: Mapping[str, object], course: Course
) -> tuple[Policy, list[str]]:
    """Return the policy in a file, with these options in place of its keys, and a line for each
    option that changes it. Without the file, only the options count.

    Raise UsageError for a value that is not allowed, for unknown phases and unfit packages, and for
    anything that lacks a due date.
    """
    table = read_table(file, UsageError, optional=True)
    packages, extensions = table.table("packages"), table.table("extensions")
    table.only([*_KEYS, "rubric"])
    stored = {**table.entries, "packages": packages.get("allow", TEXTS, ())}
    packages.only()
    stored = {name: stored[name] for name in _KEYS if name in stored}
    values = {
        name: _read(name, value, _option(name) if name in options else f"{table.where}: {name!r}")
        for name, value in {**stored, **options}.items()
    }
    policy = Policy(
        **values,
        extensions={
            id: _read("due", when, f"{extensions.where} {id!r}")
            for id, when in extensions.entries.items()
        },
        rubric=read_rubric(file),
    )
    if policy.roster and "roster" not in options:
        policy = replace(policy, roster=str(file.parent / policy.roster))
    course.select(policy.phases or ("all",))
    refuse_unfit(policy.packages, "packages of the class")
    if not policy.due and (policy.late_per_day or policy.late_cap < 1 or policy.extensions):
        raise UsageError(
            "lateness and extensions need a due date", 'for example: --due "2026-11-30 23:59"'
        )
    lines = [
        f"{_option(name)} {_toml(value)} for this run only; {file}"
        f" {f'says {_toml(stored[name])}' if name in stored else 'does not set it'}"
        for name, value in options.items()
        if file.exists() and value != stored.get(name, value if name == "roster" else None)
    ]
    return policy, lines


def _read(name: str, value: object, where: str) -> Any:
    read, allowed = _KEYS[name]
    with suppress(ValueError, TypeError):
        if (found := read(value)) is not None:
            return found
    raise UsageError(
        f"{where} is {_toml(value)}; it must be {allowed}",
        f"for example: {allowed.rpartition('such as ')[2]}",
    )


def _toml(value: object) -> str:
    """Return a value as it is written in the file."""
    return json.dumps(value, ensure_ascii=False, default=str)


def new_file(options: Mapping[str, object]) -> str:
    """Return the text of a new file with these values, and an explanation of every key."""
    text = Path(__file__).with_name(FILE).read_text(encoding="utf-8")
    for name, value in options.items():
        key = "allow" if name == "packages" else name
        head, tail = re.split(rf"^(?:# )?{key} = .*$", text, maxsplit=1, flags=re.MULTILINE)
        text = f"{head}{key} = {_toml(value)}{tail}"
    return text
