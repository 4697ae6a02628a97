"""The collection of misbehaving submissions: its cases, and how to make each of them."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

from grader.curriculum.load import load_course
from support import GOLDEN, ROOT
from support.golden import Case, read_cases

HERE = GOLDEN / "misbehaving"
SUITE = load_course().stage("phase2").suite
SOLUTION = ROOT / "solutions" / "engine.py"
ENGINES = {
    "correct": SOLUTION,
    "faulty": HERE / "faulty.py",
    "differences": HERE / "differences.py",
}
CHANNEL = """import os, struct, sys

frame = sys._getframe()
while "replies" not in frame.f_locals:
    frame = frame.f_back
wire = frame.f_globals["protocol"]
requests, replies = frame.f_locals["requests"], frame.f_locals["replies"]


def send(value):
    data = wire.encode(value)
    os.write(replies, struct.pack(">I", len(data)) + data)


"""
WORDS = {
    "title",
    "theme",
    "engine",
    "source",
    "channel",
    "trick",
    "make",
    "phases",
    "allowed",
    "some_fail",
    "holds",
    "sometimes",
    "lowest",
    "seconds",
    "grader",
}
PHASE = "phase2"
DEFAULTS: Case = {
    "engine": "faulty",
    "allowed": ["failed", "blocked", "passed", "not_started"],
    "holds": 0,
    "lowest": 0,
    "seconds": 4,
    "phases": [PHASE],
}


CASES: dict[str, Case] = {name: DEFAULTS | case for name, case in read_cases("misbehaving").items()}
assert {word for case in CASES.values() for word in case} <= WORDS, "a word that means nothing here"


def make(name: str, folder: Path) -> Path:
    """Make a submission in the form in which it is handed in. Return its path."""
    case, file = CASES[name], folder / "engine.py"
    engine = (
        ENGINES[case["engine"]].read_text(encoding="utf-8")
        if case["engine"] in ENGINES
        else case.get("source", "")
    )
    known = (
        f"SUITE, SOLUTION, SPARE = {str(SUITE)!r}, {str(SOLUTION)!r}, {str(folder / 'spare')!r}\n"
    )
    if "channel" in case:
        known += CHANNEL
    text = engine + (f"\n\n{known}{case['trick']}" if "trick" in case else "")
    how = case.get("make", "utf-8")
    made: dict[str, Callable[[], bytes]] = {
        "null": (text + "\0\n").encode,
        "crlf": lambda: text.replace("\n", "\r\n").encode(),
        "cr": lambda: text.replace("\n", "\r").encode(),
        "latin-1": lambda: f"# coding: latin-1\nname = 'é'\n{text}".encode("latin-1", "replace"),
        "bytes": lambda: text.encode("latin-1"),
        "utf-7": lambda: f"# coding: utf-7\n{text}".encode("utf-7"),
        "parentheses": f"x = {'(' * 100_000}{')' * 100_000}".encode,
        "sum": f"x = 1{' + 1' * 60_000}".encode,
        "blocks": "".join(f"{' ' * depth}if True:\n" for depth in range(200)).encode,
        "line": f"{text}\nx = '{'x' * 200_000}'\n".encode,
        "full": lambda: text.encode().ljust(256 << 10, b"#"),
        "large": lambda: text.encode() + b"#" * (256 << 10),
    }
    special: dict[str, Callable[[], object]] = {
        "link": lambda: file.symlink_to(SOLUTION),
        "device": lambda: file.symlink_to("/dev/zero"),
        "pipe": lambda: os.mkfifo(file),
        "folder": file.mkdir,
        "circle": lambda: file.symlink_to(file),
        "sparse": lambda: _sparse(file, text.encode()),
        "imports": lambda: _among_neighbours(file, f'{text}\n"""{"import " * 25_000}"""\n'),
        "socket": lambda: _listen(file),
        "capitals": lambda: (folder / "Engine.py").write_bytes(text.encode()),
    }
    if how in special:
        special[how]()
    elif how == "name":
        folder = folder / "\x1b[2J\n::error::passed\udcff"
        folder.mkdir()
        (folder / file.name).write_bytes(text.encode())
    else:
        file.write_bytes(made[how]() if how in made else text.encode(how))
    return folder


def _sparse(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    os.truncate(file, 3 << 30)


def _among_neighbours(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    for number in range(500):
        file.with_name(f"h{number}.py").touch()


def _listen(file: Path) -> None:
    with socket.socket(socket.AF_UNIX) as service:
        os.chdir(file.parent)  # the path of a socket must be short
        service.bind(file.name)
    os.chdir(ROOT)
