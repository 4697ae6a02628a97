"""The page in Firefox, with the real kit: what is typed there is graded, also without a network."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import kit_folder
from support.firefox import Firefox, firefox, needs_firefox
from support.page import ready
from support.site import Site, served, texts, wait

EDITOR = "document.querySelector('#editor')?.shadowRoot?.querySelector('.cm-content')"
RESULTS = "[...document.querySelectorAll('.report .signs span')]"
KEPT = """(async () => {
    const wanted = new Set(["index.html", "judge.tar.gz", "learner.snapshot"]);
    for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys())
            wanted.delete(url.split("/").pop());
    window.kept = wanted.size === 0;
})()"""


SAME = [  # as elsewhere
    (texts(kit_folder("solutions")), "phase2", "'exit': 0"),
    (texts(kit_folder("exercises")), "phase1", "'exit': 1"),
    ({"engine.py": "x = 1\nwhile True: pass\n"}, "phase1.data", "too long and was stopped"),
    (
        {"engine.py": "class Value:\n    def __init__(self, data): Value(data)\n"},
        "phase1.data",
        "RecursionError",
    ),
]


def graded(driver: Firefox) -> list[str]:
    """Grade the phase with Ctrl-S. Return the verdict of every checkpoint in the report."""
    driver.execute_script(f"{EDITOR}.focus()")
    driver.press("s", control=True)
    wait(driver, f"{RESULTS}.length && !document.body.classList.contains('busy')", 60)
    verdicts: list[str] = driver.execute_script(f"return {RESULTS}.map((one) => one.className)")
    return verdicts


@needs_firefox
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_firefox_gets_the_same_verdicts_and_grades_what_is_typed_without_a_network(
    folder: Path, tmp_path: Path
) -> None:
    line = "class Value: __init__ = lambda self, data: setattr(self, 'data', data)"
    with firefox(tmp_path / "profile") as driver:
        with served(folder) as address:
            visit = Site(driver, address)
            assert visit.begin()
            for files, words, told in SAME:
                assert told in str(visit.grade(files, words))
            wait(driver, f"({KEPT}, window.kept)", 120)
        ready(driver, f"{address}/index.html", 120)
        assert driver.execute_script("return self.crossOriginIsolated")
        driver.execute_script(f"{EDITOR}.focus()")
        driver.press("a", control=True)
        driver.press(*line)
        wait(driver, "document.querySelector('#saved').textContent.startsWith('Saved')")
        assert {"failed", "passed"} <= {*graded(driver)}
        driver.get(f"{address}/index.html")
        wait(driver, f"{EDITOR}?.innerText === {json.dumps(line)}", 60)
