"""Write files so that they are never half written."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def write_whole(file: Path, content: bytes, *, durable: bool = True) -> None:
    """Replace a file's content. The file always holds either the old or the new content.

    Links stay links and permissions stay as they are. `durable` content survives a power failure,
    but takes a few milliseconds longer. Raise OSError.
    """
    file = file.resolve()
    if file.exists() and not file.is_file():  # such as /dev/stdout or a pipe
        with file.open("wb") as stream:
            stream.write(content)
        return
    try:
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
    except OSError as error:
        error.filename = str(file)  # the wanted file, not the temporary one
        raise
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        temporary.chmod(stat.S_IMODE(file.stat().st_mode) if file.exists() else 0o666 & ~_umask())
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
