"""Share helpers between tests: stand-ins, hostile code, browser, terminal, classes, notebooks."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
EXAMPLE = ROOT / "examples" / "dual-numbers"
T = TypeVar("T")


def kit_folder(name: str) -> Path:
    """Return the path of `exercises` or `solutions`."""
    return ROOT / name


def changed(*pairs: tuple[str, str], file: str = "engine.py") -> str:
    """Return a file of the solutions with each text replaced once. Fail if one is missing."""
    source = (ROOT / "solutions" / file).read_text(encoding="utf-8")
    for before, after in pairs:
        assert before in source, before
        source = source.replace(before, after, 1)
    return source


def touch(*paths: Path, text: str = "x = 1\n") -> None:
    """Write files with their folders."""
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def put(folder: Path, files: Mapping[str, bytes | str]) -> Path:
    """Write files into a folder, which is returned, and into the folders that they name."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(data)
    return folder


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes | str]) -> bytes:
    """Return a zip with these files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def tells(text: str, *parts: str, hides: Sequence[str] = ()) -> None:
    """Fail unless a text has all of these parts, and none of the hidden ones. Show it then."""
    assert [part for part in parts if part not in text] == [], text
    assert [part for part in hides if part in text] == [], text


def hand_in(folder: Path, text: str, file: str = "engine.py") -> Path:
    """Write a file into a folder, which is returned: a submission."""
    touch(folder / file, text=text)
    return folder


def there(value: T | None) -> T:
    """Return a value that must not be None."""
    assert value is not None
    return value
