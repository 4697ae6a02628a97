"""Measure `grade trace` at 300 nodes: the time of each part, and of a step in a real browser.

    python benchmarks/trace.py [NODES]

It needs Chromium and its driver (Debian: chromium chromium-driver).
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from grader.learner.tracing.page import to_page
from support.browser import browser, open_page
from support.tracing import RIGHT, traced

STEPS = """
  const times = [];
  for (let count = 0; count < arguments[0]; count += 1) {
    const begun = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: count < arguments[0] / 2 ? "ArrowRight" : "ArrowLeft" }));
    document.body.getBoundingClientRect();
    times.push(performance.now() - begun);
  }
  return times"""  # noqa: E501


def main() -> None:
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    expression = " + ".join(f"tanh(x{n}*w{n} + b{n})*v{n % 7}" for n in range(-(-nodes // 8)))
    begun = time.perf_counter()
    trace = traced(RIGHT, expression)
    seen = time.perf_counter()
    text = to_page(trace)
    made = time.perf_counter()
    print(
        f"{len(trace.nodes)} nodes, {len(trace.steps)} steps: traced in {seen - begun:.2f} s, page"
        f" of {len(text) // 1024} kB in {made - seen:.2f} s"
    )
    with tempfile.TemporaryDirectory() as folder, browser() as driver:
        begun = time.perf_counter()
        open_page(driver, text, Path(folder))
        print(f"opened in {time.perf_counter() - begun:.2f} s")
        times = driver.execute_script(STEPS, 2 * len(trace.steps))
    print(
        f"a step: median {statistics.median(times):.1f} ms, longest of {len(times)}"
        f" {max(times):.1f} ms"
    )


if __name__ == "__main__":
    main()
