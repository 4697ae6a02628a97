"""The page that checks any engine, with the real kit in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import put, zipped
from support.axe import barriers
from support.browser import browser, needs_browser, requests_of
from support.page import Story, click, gives, play, press_on, run, says
from support.site import served, wait

pytestmark = [
    needs_browser,
    pytest.mark.xdist_group("check"),
    pytest.mark.slow,
    pytest.mark.timeout(600),
]
ENGINE = """
class Node:
    def __init__(self, x, parents=()):
        self.x, self.g, self.parents, self.bw = x, 0.0, parents, lambda: None

    def __add__(self, o):
        r = Node(self.x + o.x, (self, o))
        def bw():
            self.g += r.g
            o.g += r.g
        r.bw = bw
        return r

    def __mul__(self, o):
        r = Node(self.x * o.x, (self, o))
        def bw():
            self.g += o.x * r.g
            o.g += self.x * r.g
        r.bw = bw
        return r

    def backprop(self):
        order, seen = [], set()
        def visit(n):
            if n not in seen:
                seen.add(n)
                for p in n.parents: visit(p)
                order.append(n)
        visit(self)
        self.g = 1.0
        for n in reversed(order): n.bw()
"""
ROWS = "[...document.querySelectorAll('.summary tr')].map((row) => row.lastChild.className)"


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[Any]:
    with browser() as driver, served(folder) as address:
        driver.get(f"{address}/check.html")
        wait(driver, "document.querySelector('#state').textContent === 'Ready.'", 120)
        yield driver
        asked = [url for url in requests_of(driver) if url.startswith("http")]
        assert [url for url in asked if not url.startswith(address)] == []


def answer(driver: Any, engine: str, *told: str) -> None:
    """Paste an engine and check it. Fail unless the page says this."""
    driver.execute_script(
        """const code = document.querySelector("#code");
        code.value = arguments[0];
        code.dispatchEvent(new Event("input"));
        code.form.requestSubmit();""",
        engine,
    )
    answered(driver, *told)


def answered(driver: Any, *told: str) -> None:
    wait(driver, "!document.querySelector('#check').disabled", 120)
    says(driver, "main", *told)


PASSES = "Your autograd passes every check that applies to it"
SELECTED = "code.value.slice(code.selectionStart, code.selectionEnd).trim()"
FOLDED = "[...document.querySelectorAll('.phase > details:not(.checkpoint) summary')]"
CHECKED: Story = [
    (answer, ENGINE, PASSES, ".x holds its number, .g its gradient", "x.backprop() runs the"),
    (says, "main", "Nothing leaves your browser."),
    (gives, f"[...new Set({ROWS})].sort()", ["open", "passes"]),
    (answer, ENGINE.replace("o.g += self.x", "o.g = self.x"), "your autograd fails in 1 of"),
    (says, "main", "The backward pass must add to the gradient that is already there"),
    (says, "main", "✗ 1 of 4 fails, 1 waiting, 13 do not apply"),
    (gives, f"{ROWS}[2]", "fails"),
    (gives, f"{FOLDED}.map((one) => one.textContent)", ["▫ 1 waiting", "✓ 3 passed"]),
    (press_on, ".where a"),
    (gives, SELECTED, "o.g = self.x * r.g"),
    (click, "Copy the summary"),
    (
        gives,
        "/power and friends: ✗ 1 of/.test(document.querySelector('.copied textarea').value)",
        True,
    ),
]
REFUSED: Story = [
    (answer, "x = 1\n", "No answer yet: engine.py defines no class. Name the file that defines"),
    (answer, "y = x\n", "NameError"),
    (gives, "document.querySelector('#found').innerText", ""),
    (
        answer,
        ENGINE.replace("(self, o):", "(self, o)", 1),
        "a colon is missing at its end (engine.py:6: def",
    ),
    (gives, SELECTED, "def __add__(self, o)"),
]


def test_an_engine_with_names_of_its_own_is_checked_and_its_mistake_is_explained(page: Any) -> None:
    play(page, CHECKED)
    assert barriers(page) == []


def test_code_without_an_engine_gets_a_sentence(page: Any) -> None:
    play(page, REFUSED)


def test_a_zip_with_an_engine_is_chosen_or_dropped(page: Any, tmp_path: Path) -> None:
    members: dict[str, bytes | str] = {
        "mine-main/setup.py": "import setuptools\n",
        "mine-main/mine/engine.py": ENGINE,
        "mine-main/mine/photo.png": b"\x89PNG\xff",
    }
    put(tmp_path, {"mine.zip": zipped(*members.items())})
    page.find_element("id", "files").send_keys(str(tmp_path / "mine.zip"))
    wait(page, "document.querySelector('#code').value.includes('mine-main/mine/engine.py')")
    answered(page, PASSES)
    run(
        page,
        """const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["PK, but not a zip"], "broken.zip"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));""",
    )
    says(page, "#state", "a zip of them")
