"""Measure how long a learner waits in a browser: for the page, for a report, and after a hang.

    python benchmarks/browser.py [RUNS]

It builds the site, serves it on this machine, and drives a headless Chromium. "first" is a first
visit without the download, "later" one of the same browser after that. Between two gradings, the
page rests for a few seconds, as it does while somebody types. Machines are noisy, so the
medians of RUNS (default 5) are shown, each with the load average of the machine.
"""

from __future__ import annotations

import gzip
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.browser import browser  # noqa: E402 - after the path
from support.site import Site, build, served  # noqa: E402

RIGHT = {"engine.py": (ROOT / "solutions" / "engine.py").read_text(encoding="utf-8")}
WRONG = {
    "engine.py": RIGHT["engine.py"].replace("self.grad += other.data", "self.grad = other.data")
}
HANGING = {
    "engine.py": RIGHT["engine.py"].replace(
        "    def backward(self):", "    def backward(self):\n        while True: pass", 1
    )
}
KEPT = """for (;;) {
  const names = await caches.keys(), kept = [];
  for (const name of names) kept.push(...await (await caches.open(name)).keys());
  if (kept.some(({ url }) => url.endsWith("/judge.snapshot"))) return;
  await new Promise((done) => setTimeout(done, 100));
}"""
REST = 5.0  # seconds in which a learner reads the last report and edits
LIMITS = {
    "first visit": 5.0,
    "later visit": 1.5,
    "phase4 passes": 0.3,
    "phase4 fails": 0.6,
    "phase4 hangs": 4.0,
}


def seconds(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def measure(address: str) -> dict[str, float]:
    with browser() as driver:
        site = Site(driver, address)
        found = {"first visit": seconds(site.begin)}
        for name, files in (("passes", RIGHT), ("fails", WRONG), ("hangs", HANGING)):
            site.put(files)
            if name != "hangs":
                site.run("grade", "phase4")  # a save is rarely the first command
            time.sleep(REST)
            found[f"phase4 {name}"] = seconds(lambda: site.run("grade", "phase4"))
        site.js(KEPT)
        site = Site(driver, address)
        return {**found, "later visit": seconds(site.begin)}


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as name, served(build(Path(name))) as address:
        sizes = [len(gzip.compress(file.read_bytes())) for file in Path(name).rglob("*.*")]
        print(f"download: {sum(sizes) / 1e6:.1f} MB compressed (at most 10)")
        every = []
        for _ in range(runs):
            every.append(measure(address))
            print(
                {key: round(value, 2) for key, value in every[-1].items()},
                f"load {os.getloadavg()[0]:.0f}",
            )
    for name, limit in LIMITS.items():
        print(
            f"{name:14} {statistics.median(run[name] for run in every):5.2f} s (wanted: {limit:g})"
        )


if __name__ == "__main__":
    main()
