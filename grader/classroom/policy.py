"""The policy of a class: how gradings become marks. It is `class.toml`, next to the gradebook."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from grader.classroom.entries import Entry
from grader.classroom.rubric import Item
from grader.classroom.times import IN_TIME, LATE, UNKNOWN, read_time
from grader.curriculum.model import Course
from grader.curriculum.packages import refuse_unfit
from grader.curriculum.tables import TEXTS, Rule, Table, as_toml, matching, number, read_table
from grader.errors import UsageError

FILE = "class.toml"
MOST_POINTS = 1_000_000


def _share(value: Any) -> float:
    percent: float = number(float(value.removesuffix("%")) if isinstance(value, str) else value)
    if percent != 0 and not 1 <= percent <= 100:  # 0.1 may be 10%
        raise ValueError
    return percent / 100


A_TIME = Rule(
    lambda value: float(read_time(str(value))),  # type: ignore[arg-type] # or TypeError
    'a day with a time, such as "2026-11-30 23:59"',
)
A_SHARE = Rule(_share, 'a percentage from "0%" to "100%", such as "10%"')
A_MARK = Rule(
    partial(number, least=1, most=MOST_POINTS), f"a number from 1 to {MOST_POINTS:,}, such as 100"
)
PHASES = Rule(lambda words: tuple(str.split(words)), 'phases in quotes, such as "1-6"')


@dataclass(frozen=True)
class Policy:
    """How gradings become marks. `due` is in seconds and `grace` in minutes; `late_per_day` is a
    share of the score, `late_cap` a share of all points, and `out_of` the best possible mark, if it
    is not the sum of the points. Without `phases`, a gradebook may have only one kind of grading,
    which is used.
    """

    roster: str = ""
    due: Annotated[float, A_TIME] = 0.0
    grace: float = 0.0
    late_per_day: Annotated[float, A_SHARE] = 0.0
    late_cap: Annotated[float, A_SHARE] = 1.0
    out_of: Annotated[float | None, A_MARK] = None
    keep: Annotated[str, matching("best|last", '"best" or "last"')] = "best"
    phases: Annotated[tuple[str, ...], PHASES] = ()
    together: bool = False
    packages: tuple[str, ...] = ()
    extensions: dict[str, Annotated[float, A_TIME]] = field(default_factory=dict)
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
    packages = table.table("packages")
    policy = table.make(Policy, packages=packages.get("allow", TEXTS, ()))
    packages.only()
    stored = {**table.entries, "packages": policy.packages}
    named = Table(options, "the options", UsageError).make(Policy)
    if policy.roster:
        policy = replace(policy, roster=str(file.parent / policy.roster))
    policy = replace(policy, **{name: getattr(named, name) for name in options})
    course.select(policy.phases or ("all",))
    refuse_unfit(policy.packages, "packages of the class")
    if not policy.due and (policy.late_per_day or policy.late_cap < 1 or policy.extensions):
        raise UsageError(
            "lateness and extensions need a due date", 'for example: --due "2026-11-30 23:59"'
        )
    lines = [
        f"{_option(name)} {as_toml(value)} for this run only; {file}"
        f" {f'says {as_toml(stored[name])}' if name in stored else 'does not set it'}"
        for name, value in options.items()
        if file.exists() and value != stored.get(name, value if name == "roster" else None)
    ]
    return policy, lines


def new_file(options: Mapping[str, object]) -> str:
    """Return the text of a new file with these values, and an explanation of every key."""
    text = Path(__file__).with_name(FILE).read_text(encoding="utf-8")
    for name, value in options.items():
        key = "allow" if name == "packages" else name
        head, tail = re.split(rf"^(?:# )?{key} = .*$", text, maxsplit=1, flags=re.MULTILINE)
        text = f"{head}{key} = {as_toml(value)}{tail}"
    return text
