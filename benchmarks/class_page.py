"""Measure the page about a class: the time to make it, its size, and the time until it is usable.

    python benchmarks/class_page.py [LEARNERS]...

Usable means that every row is there and a search has been answered, in a newly started browser.
Machines are noisy, so each number is the best of three.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from grader import grade
from grader.classroom.marks import standings
from grader.classroom.page import class_page
from grader.classroom.policy import Policy
from grader.curriculum.load import load_course
from grader.views.json import to_json
from support.browser import browser
from support.classes import make_class

SEARCH = (
    "const s = document.getElementById('search'); s.value = arguments[0]; s.dispatchEvent(new"
    " Event('input')); return document.querySelectorAll('#map tbody tr').length"
)
SORT = "document.querySelector('[data-sort=score]').click(); return document.body.offsetHeight"


def milliseconds(action: Callable[[], Any]) -> float:
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        action()
        times.append(1000 * (time.perf_counter() - begun))
    return min(times)


def main() -> None:
    counts = [int(word) for word in sys.argv[1:]] or [3, 1000, 5000]
    course = load_course()
    reports = [
        to_json(grade(folder, ["all"]))
        for folder in (load_course().solutions, load_course().exercises)
    ]
    with tempfile.TemporaryDirectory() as name, browser(1400, 900) as driver:
        for count in counts:
            entries, names = make_class(course, count, reports)
            begun = time.perf_counter()
            page = class_page(course, entries, standings(entries, names, {}, Policy()), "best")
            made = time.perf_counter() - begun
            file = Path(name, "class.html")
            file.write_text(page, encoding="utf-8")

            def use(address: str = file.as_uri()) -> None:
                driver.get(address)
                assert driver.execute_script(SEARCH, "")

            usable, sort, search = (
                milliseconds(use),
                milliseconds(lambda: driver.execute_script(SORT)),
                milliseconds(lambda: driver.execute_script(SEARCH, "ada")),
            )
            print(
                f"{count:5} learners: made in {made:5.1f} s, {len(page) / 1e6:5.1f} MB; usable"
                f" after {usable:5.0f} ms, sorted in {sort:4.0f} ms, searched in {search:4.0f} ms"
            )


if __name__ == "__main__":
    main()
