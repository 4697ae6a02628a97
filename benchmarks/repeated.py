"""Is the answer to a failure the same in every run, also on a machine that is busy?

    python benchmarks/repeated.py [RUNS] [NAME ...]

It grades twelve mistakes in engines of several styles so often (default: 20), each time in a
process of its own with other hashes, four at once, and compares what a learner reads.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "diagnosis"))
import engines

EVERY = 8  # of the mistakes in other styles
AT_ONCE = 4
PHASES = ("1", "2", "3", "4", "6")


def main() -> None:
    """Print the mistakes with more than one answer."""
    runs = int(sys.argv[1]) if sys.argv[1:] else 20
    found = engines.mistakes()
    names = sys.argv[2:] or list(found)[::EVERY][:12]
    begun, differ = time.perf_counter(), 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked = {
            name: [pool.submit(answer, found[name].source, n) for n in range(runs)]
            for name in names
        }
        for name, answers in asked.items():
            texts = {each.result() for each in answers}
            differ += len(texts) > 1
            proven = sum("Tried:" in text for text in texts)
            print(f"{name:36} {len(texts)} answers, {proven} with a change", flush=True)
    took = time.perf_counter() - begun
    print(f"{len(names)} mistakes, {runs} runs each: {differ} with different answers; {took:.0f} s")


def answer(source: str, seed: int) -> str:
    """Return what the command prints, in a process with its own hashes."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "engine.py").write_text(source, encoding="utf-8")
        done = subprocess.run(
            ["grade", *PHASES, "--at", folder],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed), "COLUMNS": "100"},
            check=False,
        )
        return done.stdout.replace(folder, "")


if __name__ == "__main__":
    main()
