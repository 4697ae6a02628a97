"""Downloads from Gradescope: folders named `submission_123`, and a file that lists their owners."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.classroom.canvas_moodle import undisputed
from grader.classroom.handed_in import Handed
from grader.classroom.times import read_time
from grader.errors import SubmissionError, UsageError
from grader.intake.choose import is_junk
from grader.intake.submission import printable, read_whole

METADATA = "submission_metadata.yml"


def is_download(folder: Path, submissions: Sequence[Path]) -> bool:
    """Return whether more than half of the submissions have the names that Gradescope gives, and
    its list is next to them.
    """
    named = [
        entry for entry in submissions if re.fullmatch(r"submission_\w+", entry.name, re.ASCII)
    ]
    return 2 * len(named) > len(submissions) and os.path.lexists(folder / METADATA)


def read_metadata(folder: Path) -> list[Handed]:
    """Return the files handed in. Raise UsageError if the list of owners cannot be read."""
    import yaml

    try:
        text = read_whole(folder / METADATA, 64 << 20).decode()
        # every value is text: a name may look like a date
        return undisputed([*_submissions(folder, yaml.load(text, yaml.BaseLoader))])  # noqa: S506
    except (yaml.YAMLError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise UsageError(
            f"{printable(folder / METADATA)} is damaged: {type(error).__name__}",
            "export the submissions again, or remove the file to use the folder names",
        ) from error
    except SubmissionError as error:
        raise UsageError(error.message, "export the submissions again") from error


def _submissions(folder: Path, table: Mapping[str, Any]) -> Iterator[Handed]:
    for key, details in table.items():
        where = folder / printable(key)
        if where.parent != folder or is_junk(where.name):
            continue
        who = [
            (printable(id), printable(one.get(":name") or id))
            for one in details.get(":submitters", ())
            if (id := one.get(":sid") or one.get(":email"))
        ]
        (learner, name), *partners = who or [(where.name, where.name)]
        missing = f"{METADATA} lists {where.name!r}, but that folder does not exist"
        trouble = "" if os.path.lexists(where) else missing
        one = Handed(learner, name, {where.name: where}, trouble=trouble, partners=tuple(partners))
        yield one.at(read_time(details.get(":created_at", "")))
