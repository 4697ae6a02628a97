"""What a submission has written, looked up in its bytes: they are never parsed here."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from grader.intake.submission import File, words_behind
from grader.judge.replies import NameStatus

_ASSIGNED = re.compile(rb"(?m)^\w+")


def digests(files: Sequence[File], names: Mapping[str, NameStatus]) -> dict[str, str]:
    """A short hash of the lines of every function that is written: it differs once the learner has
    edited them.
    """
    lines = {file.shown: file.source.splitlines() for file in files}
    return {
        name: (
            hashlib.sha256(
                b"\n".join(lines[status.file][max(status.line - 1, 0) : status.last])
            ).hexdigest()[:12]
        )
        for name, status in names.items()
        if status.state in {"present", "empty"} and status.file in lines
    }


def may_define(files: Sequence[File], shown: str, name: str) -> bool:
    """Whether a line in the file looks like one that defines or imports the name."""
    sources = (file.source for file in files if file.shown == shown)
    return any(name.encode() in _defined(source) for source in sources)


@lru_cache(maxsize=8)
def _defined(source: bytes) -> frozenset[bytes]:
    words = words_behind(source, b"class", b"def", b"import")
    return frozenset((*words, *_ASSIGNED.findall(source)))
