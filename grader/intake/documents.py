"""Recognise files that hold no Python: by their first bytes, or by their names."""

from __future__ import annotations

from pathlib import PurePosixPath

_BEGINNINGS = (
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"%PDF", "a PDF document"),
    (b"{\\rtf", "an RTF document"),
    (b"\xd0\xcf\x11\xe0", "an Office document"),
    (b"\x7fELF", "a program"),
)
_INSIDE_ZIP = (  # names and stored members are readable without unpacking anything
    (b"word/document.xml", "a Word document"),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "an OpenDocument text"),
    (b"Index/Document.iwa", "a Pages document"),
)
_ENDINGS = {
    ".pdf": "a PDF document",
    ".rtf": "an RTF document",
    ".doc": "a Word document",
    ".docx": "a Word document",
    ".odt": "an OpenDocument text",
    ".pages": "a Pages document",
    ".rar": "a RAR archive",
    ".7z": "a 7z archive",
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".heic", ".gif"), "a picture"),
    **dict.fromkeys((".mp4", ".mov", ".mkv", ".webm", ".avi"), "a video"),
    ".c": "C code",
    ".cc": "C++ code",
    ".cpp": "C++ code",
    ".cs": "C# code",
    ".go": "Go code",
    ".h": "C code",
    ".java": "Java code",
    ".jl": "Julia code",
    ".js": "JavaScript code",
    ".kt": "Kotlin code",
    ".r": "R code",
    ".rb": "Ruby code",
    ".rs": "Rust code",
    ".scala": "Scala code",
    ".swift": "Swift code",
    ".ts": "TypeScript code",
    ".html": "a web page",
}


def document_in(data: bytes) -> str:
    """Name the kind of these bytes, such as "a PDF document"; return an empty string if they may be
    code.
    """
    known = _INSIDE_ZIP if data.startswith(b"PK\3\4") else ()
    return next(
        (kind for beginning, kind in _BEGINNINGS if data.startswith(beginning)), ""
    ) or next((kind for mark, kind in known if mark in data), "")


def document_called(path: str) -> str:
    """Name the kind of a file by its name, such as "C code"; return an empty string if it may be
    Python.
    """
    return _ENDINGS.get(PurePosixPath(path).suffix.lower(), "")
