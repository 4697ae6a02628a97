"""Downloads from Gradescope: folders named `submission_123`, and a file that lists their owners."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.classroom.canvas_moodle import undisputed
from grader.classroom.handed_in import Handed, of_one, possible_time
from grader.errors import UsageError
from grader.intake.choose import is_junk
from grader.intake.submission import printable

METADATA = "submission_metadata.yml"


def read_metadata(folder: Path) -> list[Handed]:
    """Return what was handed in. Raise UsageError if the list of owners cannot be read."""
    import yaml

    try:
        table = yaml.load((folder / METADATA).read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506 - every value is text: a name may look like a date
        listed = [(printable(str(key)), entry) for key, entry in table.items()]
    except (yaml.YAMLError, UnicodeDecodeError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{printable(folder / METADATA)} is damaged: {type(error).__name__}",
            "export the submissions again, or remove the file to use the folder names",
        ) from error
    except OSError as error:
        raise UsageError(
            f"{printable(folder / METADATA)} cannot be read: {error.strerror}",
            "check its permissions",
        ) from error
    return undisputed(list(_submissions(folder, listed)))


def _submissions(folder: Path, listed: Iterable[tuple[str, Any]]) -> Iterator[Handed]:
    for key, entry in listed:
        where = folder / key
        if where.parent != folder or is_junk(key):
            continue
        (learner, name), *partners = _submitters(entry) or [(key, key)]
        found = replace(of_one(learner, name, where, _stamp(entry)), partners=tuple(partners))
        yield (
            found
            if os.path.lexists(where)
            else replace(
                found,
                trouble=f"{METADATA} lists {key!r}, but that folder does not exist",
                unreadable="",
            )
        )


def _submitters(entry: Any) -> list[tuple[str, str]]:
    """Return the id and the name of everybody who handed it in, if that is known."""
    found = []
    with suppress(AttributeError, TypeError, KeyError):
        for one in entry[":submitters"]:
            who = {key: printable(value) for key, value in one.items() if isinstance(value, str)}
            if learner := who.get(":sid") or who.get(":email"):
                found.append((learner, who.get(":name") or learner))
    return found


def _stamp(entry: Any) -> float:
    """Return when it was handed in, or 0.0 if that is not known."""
    import yaml

    with suppress(yaml.YAMLError, AttributeError, TypeError, KeyError, ValueError, OverflowError):
        return possible_time(yaml.safe_load(entry[":created_at"]).timestamp())
    return 0.0
