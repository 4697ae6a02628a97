"""The end of the course, with the real kit in a real browser: the learner's engine is at work."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from support import kit_folder
from support.axe import barriers
from support.browser import browser, needs_browser
from support.page import Story, gives, play, press_on, type_into
from support.site import served, texts, wait
from support.workers import within

pytestmark = [needs_browser, pytest.mark.slow, pytest.mark.timeout(600)]
SAVE = """const [files, done] = arguments;
import("./ui_store.js").then(async ({ Store }) => {
    await (await Store.open("A course")).save(files);
    done();
});"""
TOLD = "document.querySelector('#told').textContent"


def at_work(driver: Any, files: Mapping[str, str]) -> None:
    """Open the page in a browser that has saved these files."""
    site = driver.current_url.rpartition("/")[0]
    driver.get(f"{site}/try.html")
    driver.set_script_timeout(30)
    driver.execute_async_script(SAVE, dict(files))
    driver.get(f"{site}/finish.html")
    wait(driver, "!document.querySelector('#rest').hidden", 120)


UNFINISHED: Story = [
    (at_work, texts(kit_folder("exercises"))),
    (press_on, "#train"),
    (wait, f"{TOLD}.includes('does not train yet') && {TOLD}.includes('NotImplementedError')", 60),
    (press_on, "#make"),
    (wait, "document.querySelector('#doing').textContent.startsWith('not finished yet')", 200),
]
FINISHED: Story = [
    (at_work, texts(kit_folder("solutions"))),
    (press_on, "#train"),
    (wait, f"/^step 300 of 300/.test({TOLD})", 200),
    (gives, f"Number({TOLD}.split(', ')[1].split(' ')[0]) >= 115", True),  # on the right side
    (type_into, "input", "Ada <b>"),
    (press_on, "#make"),
    (wait, "document.querySelector('#made img')?.naturalWidth === 1200", 300),
    (gives, "document.querySelector('#doing').textContent", "Everything passes."),
]


def test_an_engine_is_unfinished_then_learns_live_and_becomes_a_certificate_and_a_library(
    folder: Path, tmp_path: Path
) -> None:
    with browser() as page, served(folder) as address:
        page.get(f"{address}/try.html")
        play(page, UNFINISHED + FINISHED)
        assert barriers(page) == []
        page.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
        )
        for file in ("certificate.svg", "certificate.png", "my_engine.zip"):
            press_on(page, f"[download='{file}']")
            assert within(30, (tmp_path / file).exists)
        assert "Ada &lt;b&gt;" in (tmp_path / "certificate.svg").read_text(encoding="utf-8")
        assert (tmp_path / "certificate.png").read_bytes().startswith(b"\x89PNG")
        with zipfile.ZipFile(tmp_path / "my_engine.zip") as archive:
            library = {"my_engine/pyproject.toml", "my_engine/my_engine/engine.py"}
            assert library <= {*archive.namelist()}
