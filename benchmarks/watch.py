"""Measure how long `grade watch` takes from a save to the first line of the report and to its end.

    python benchmarks/watch.py [SAVES] [PHASE ...]

It runs in a pseudo-terminal, for every required phase unless some are named: first with the
reference solution, of which each save changes a comment, and then with a faulty engine of that
phase. The first line, which counts the points so far, has arrived when it is drawn over the old
one, and the report when its last line has.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from pathlib import Path

from grader.authoring.faulty_engine import faulty_files
from grader.curriculum.load import load_course
from grader.curriculum.model import Course, Stage

FIRST, LAST = b"\x1b[H", b"q quit"
WAIT = 60.0


class Watching:
    """`grade watch` in a terminal."""

    def __init__(self, folder: Path, phase: str) -> None:
        self._end, own = pty.openpty()
        fcntl.ioctl(own, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        command = [sys.executable, "-m", "grader", "watch", phase]
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=own, stdout=own, stderr=own, start_new_session=True
        )
        os.close(own)
        self.report()

    def report(self) -> tuple[float, float]:
        """Return the seconds until the first line and until the end of the next report."""
        seen, begun, first = b"", time.perf_counter(), 0.0
        while LAST not in seen:
            if time.perf_counter() > begun + WAIT:
                raise TimeoutError(seen[-400:].decode(errors="replace"))
            if select.select([self._end], [], [], 0.01)[0]:
                seen += os.read(self._end, 65536)
                first = first or (time.perf_counter() - begun) * (FIRST in seen)
        return first, time.perf_counter() - begun

    def close(self) -> None:
        """Press q, and wait until the command has ended."""
        os.write(self._end, b"q")
        self._process.wait(WAIT)
        os.close(self._end)


def measure(name: str, folder: Path, stage: Stage, source: str, saves: int) -> None:
    """Print the medians for one file, saved again and again with another comment."""
    watching = Watching(folder, stage.id)
    times = []
    for number in range(saves + 1):
        time.sleep(0.3)  # nobody saves faster
        (folder / stage.file).write_text(f"{source}# {number}\n", encoding="utf-8")
        times.append(watching.report())
    watching.close()
    first, whole = (statistics.median(column) for column in zip(*times[1:]))
    print(f"{name:52} {first:7.3f} {whole:7.3f}")


def compare(course: Course, stage: Stage, saves: int) -> None:
    faulty = stage.faulty[len(stage.faulty) // 2]
    source = (course.solutions / stage.file).read_text(encoding="utf-8")
    wrong = {file.module: file.source for file in faulty_files(course, stage, faulty)}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(course.solutions, folder, dirs_exist_ok=True)
        subprocess.run(
            [sys.executable, "-m", "grader", "all"], cwd=folder, capture_output=True, check=True
        )
        measure(f"{stage.id}, passing", folder, stage, source, saves)
        measure(faulty.id, folder, stage, wrong[stage.module].decode(), saves)


def main(words: Sequence[str]) -> None:
    course = load_course()
    saves = int(words[0]) if words else 20
    stages = course.select(words[1:]) if words[1:] else course.stages
    print(f"{'medians of ' + str(saves) + ' saves, in s':52} {'first':>7} {'whole':>7}")
    for stage in stages:
        if not stage.optional:
            compare(course, stage, saves)


if __name__ == "__main__":
    main(sys.argv[1:])
