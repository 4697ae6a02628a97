"""Measure how long `grade watch` takes from a save until the new report is on the screen.

    python benchmarks/watch.py [SAVES] [PHASE]

It is compared with a whole `grade` process. It runs in a pseudo-terminal. Each save changes a
comment; a report has arrived when its last line has.
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
from pathlib import Path

from grader.curriculum.load import load_course

LAST_LINE = b"q quit"
WAIT = 30.0


def read_until(terminal: int, end: bytes) -> float:
    """Read until `end` appears, and return the time of that."""
    seen, until = b"", time.perf_counter() + WAIT
    while end not in seen:
        if time.perf_counter() > until:
            raise TimeoutError(seen[-400:].decode(errors="replace"))
        if select.select([terminal], [], [], 0.01)[0]:
            seen += os.read(terminal, 65536)
    return time.perf_counter()


def main() -> None:
    saves = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    phase = sys.argv[2] if len(sys.argv) > 2 else "phase4"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(load_course().solutions, folder, dirs_exist_ok=True)
        source = (folder / "engine.py").read_text(encoding="utf-8")
        main_end, own_end = pty.openpty()
        fcntl.ioctl(own_end, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        command = [sys.executable, "-m", "grader", "watch", phase]
        with subprocess.Popen(
            command,
            cwd=folder,
            stdin=own_end,
            stdout=own_end,
            stderr=own_end,
            start_new_session=True,
        ) as process:
            read_until(main_end, LAST_LINE)
            times, whole = [], []
            for number in range(saves):
                time.sleep(0.3)  # nobody saves faster
                begun = time.perf_counter()
                (folder / "engine.py").write_text(f"{source}# {number}\n", encoding="utf-8")
                times.append(read_until(main_end, LAST_LINE) - begun)
                if number % 5 == 0:
                    begun = time.perf_counter()
                    subprocess.run(
                        [sys.executable, "-m", "grader", phase],
                        cwd=folder,
                        capture_output=True,
                        check=True,
                    )
                    whole.append(time.perf_counter() - begun)
            os.write(main_end, b"q")
            process.wait(WAIT)
    row = "{:<44} {:>7.3f} {:>7.3f} {:>7.3f}"
    print(f"{phase}, {saves} saves; seconds:                      median     min     max")
    print(row.format("from save to report", statistics.median(times), min(times), max(times)))
    print(
        row.format(
            "a whole `grade` process, beside it", statistics.median(whole), min(whole), max(whole)
        )
    )
    print(f"ratio of the medians: {statistics.median(times) / statistics.median(whole):.2f}")


if __name__ == "__main__":
    main()
