"""The page that checks any engine, with the real kit in a real browser."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.axe import barriers
from support.browser import browser, needs_browser, requests_of
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
ROWS = "return [...document.querySelectorAll('.summary tr')].map((row) => row.lastChild.className)"


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[Any]:
    with browser() as driver, served(folder) as address:
        driver.get(f"{address}/check.html")
        wait(driver, "document.querySelector('#state').textContent === 'Ready.'", 120)
        yield driver
        asked = [url for url in requests_of(driver) if url.startswith("http")]
        assert [url for url in asked if not url.startswith(address)] == []


def answer(driver: Any, engine: str) -> str:
    """Paste an engine and check it. Return what the page says."""
    driver.execute_script(
        """const code = document.querySelector("#code");
        code.value = arguments[0];
        code.dispatchEvent(new Event("input"));
        code.form.requestSubmit();""",
        engine,
    )
    return answered(driver)


def answered(driver: Any) -> str:
    wait(driver, "!document.querySelector('#check').disabled", 120)
    return str(driver.find_element("css selector", "main").text)


def selected(driver: Any) -> str:
    """Return the selected part of the pasted code."""
    found = driver.execute_script(
        "const { value, selectionStart, selectionEnd } = document.querySelector('#code');"
        "return value.slice(selectionStart, selectionEnd)"
    )
    return str(found)


def test_an_engine_with_names_of_its_own_is_checked_and_its_mistake_is_explained(page: Any) -> None:
    said = answer(page, ENGINE)
    assert "Your autograd passes every check that applies to it" in said
    assert ".x holds its number, .g its gradient, x.backprop() runs the backward pass" in said
    assert "Nothing leaves your browser." in said
    assert {*page.execute_script(ROWS)} == {"passes", "open"}
    said = answer(page, ENGINE.replace("o.g += self.x", "o.g = self.x"))
    assert "your autograd fails in 1 of" in said
    assert "The backward pass must add to the gradient that is already there" in said
    assert page.execute_script(ROWS)[2] == "fails"
    assert "✗ 1 of 4 fails, 1 waiting, 13 do not apply" in said
    assert page.execute_script(
        "return [...document.querySelectorAll('.phase > details:not(.checkpoint) summary')]"
        ".map((one) => one.textContent)"
    ) == ["▫ 1 waiting", "✓ 3 passed"]
    page.find_element("css selector", ".where a").click()
    assert selected(page).strip() == "o.g = self.x * r.g"
    page.find_element("xpath", "//button[text()='Copy the summary']").click()
    copied = page.find_element("css selector", ".copied textarea").get_property("value")
    assert "phase3, Multiplication, power and friends: ✗ 1 of" in copied
    assert barriers(page) == []


def test_code_without_an_engine_gets_a_sentence(page: Any) -> None:
    assert "No answer yet: engine.py defines no class. Name the file that defines" in answer(
        page, "x = 1\n"
    )
    assert "NameError" in answer(page, "y = x\n")
    assert page.find_element("css selector", "#found").text == ""
    missing_colon = ENGINE.replace("(self, o):", "(self, o)", 1)
    assert "a colon is missing at its end (engine.py, line 6: def" in answer(page, missing_colon)
    assert selected(page).strip() == "def __add__(self, o)"


def test_a_zip_with_an_engine_is_chosen_or_dropped(page: Any, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("mine-main/setup.py", "import setuptools\n")
        archive.writestr("mine-main/mine/engine.py", ENGINE)
        archive.writestr("mine-main/mine/photo.png", b"\x89PNG\xff")
    page.find_element("id", "files").send_keys(str(tmp_path / "mine.zip"))
    wait(page, "document.querySelector('#code').value.includes('mine-main/mine/engine.py')")
    assert "Your autograd passes every check that applies to it" in answered(page)
    page.execute_script(
        """const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["PK, but not a zip"], "broken.zip"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));"""
    )
    wait(page, "document.querySelector('#state').textContent.includes('a zip of them')")
