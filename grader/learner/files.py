"""Write files so that they are never half written."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from grader.errors import UsageError
from grader.text import safe


def refuse_existing(places: Iterable[Path], hint: str) -> None:
    """Raise UsageError if one of these exists, be it a link that leads nowhere."""
    for place in places:
        if os.path.lexists(place):
            raise UsageError(f"{safe(str(place))} already exists", hint)


def write_files(files: Mapping[Path, bytes]) -> None:
    """Write files like `write_whole`, in their order, and create missing folders."""
    for file, content in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, content)


def write_whole(file: Path, content: bytes) -> None:
    """Replace a file's content. The file always holds either the old or the new content.

    Links stay links and permissions stay as they are. Raise OSError.
    """
    file = file.resolve()
    temporary = file.with_name(f".{file.name}-{secrets.token_hex(4)}")
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if file.exists():
            shutil.copymode(file, temporary)
        temporary.replace(file)
    except OSError as error:
        error.filename = str(file)  # the wanted file, not the temporary one
        raise
    finally:
        temporary.unlink(missing_ok=True)
