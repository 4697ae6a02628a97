"""Downloads from Gradescope: folders named `submission_123`, and a file that lists their owners."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.classroom.canvas_moodle import undisputed
from grader.classroom.handed_in import Handed, of_one
from grader.classroom.times import read_time
from grader.errors import SubmissionError, UsageError
from grader.intake.choose import is_junk
from grader.intake.submission import printable, read_whole

METADATA = "submission_metadata.yml"
_MAX_METADATA = 64 << 20
_FOLDER = re.compile(r"submission_\w+", re.ASCII)


def is_download(folder: Path, submissions: Sequence[Path]) -> bool:
    """Return whether more than half of the submissions have the names that Gradescope gives, and
    its list is next to them.
    """
    named = [entry for entry in submissions if _FOLDER.fullmatch(entry.name)]
    return 2 * len(named) > len(submissions) and os.path.lexists(folder / METADATA)


def read_metadata(folder: Path) -> list[Handed]:
    """Return the files handed in. Raise UsageError if the list of owners cannot be read."""
    import yaml

    try:
        text = read_whole(folder / METADATA, _MAX_METADATA).decode()
        table = yaml.load(text, yaml.BaseLoader)  # noqa: S506 - every value is text: a name may look like a date
        listed = [(printable(str(key)), entry) for key, entry in table.items()]
    except (yaml.YAMLError, UnicodeDecodeError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{printable(folder / METADATA)} is damaged: {type(error).__name__}",
            "export the submissions again, or remove the file to use the folder names",
        ) from error
    except SubmissionError as error:
        raise UsageError(error.message, "export the submissions again") from error
    return undisputed(list(_submissions(folder, listed)))


def _submissions(folder: Path, listed: Iterable[tuple[str, Any]]) -> Iterator[Handed]:
    for key, entry in listed:
        where, details = folder / key, entry if isinstance(entry, dict) else {}
        if where.parent != folder or is_junk(key):
            continue
        (learner, name), *partners = _submitters(details.get(":submitters")) or [(key, key)]
        created = details.get(":created_at")
        received = read_time(created) if isinstance(created, str) else None
        found = replace(of_one(learner, name, where, received), partners=tuple(partners))
        if not os.path.lexists(where):
            trouble = f"{METADATA} lists {key!r}, but that folder does not exist"
            found = replace(found, trouble=trouble, unreadable="")
        yield found


def _submitters(listed: Any) -> list[tuple[str, str]]:
    """Return the id and the name of everybody who handed it in, if known."""
    found = []
    for one in listed if isinstance(listed, list) else ():
        texts = one.items() if isinstance(one, dict) else ()
        who = {key: printable(value) for key, value in texts if isinstance(value, str)}
        if learner := who.get(":sid") or who.get(":email"):
            found.append((learner, who.get(":name") or learner))
    return found
