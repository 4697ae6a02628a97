"""The end of the course, with the real kit in a real browser: the learner's engine is at work."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from support import kit_folder
from support.axe import barriers
from support.browser import browser, needs_browser
from support.site import served, texts, wait
from support.workers import within

pytestmark = [needs_browser, pytest.mark.slow, pytest.mark.timeout(600)]
SAVE = """const [files, done] = arguments;
import("./ui_store.js").then(async ({ Store }) => {
    await (await Store.open("A course")).save(files);
    done();
});"""
TOLD = "document.querySelector('#told').textContent"


def at_work(driver: Any, address: str, files: Mapping[str, str]) -> None:
    """Open the page in a browser that has saved these files."""
    driver.get(f"{address}/try.html")
    driver.set_script_timeout(30)
    driver.execute_async_script(SAVE, dict(files))
    driver.get(f"{address}/finish.html")
    wait(driver, "!document.querySelector('#rest').hidden", 120)


def test_an_engine_is_unfinished_then_learns_live_and_becomes_a_certificate_and_a_library(
    folder: Path, tmp_path: Path
) -> None:
    with browser() as page, served(folder) as address:
        at_work(page, address, texts(kit_folder("exercises")))
        page.find_element("id", "train").click()
        wait(page, f"{TOLD}.includes('does not train yet')", 60)
        assert "NotImplementedError" in page.execute_script(f"return {TOLD}")
        page.find_element("id", "make").click()
        wait(
            page, "document.querySelector('#doing').textContent.startsWith('not finished yet')", 200
        )
        at_work(page, address, texts(kit_folder("solutions")))
        page.find_element("id", "train").click()
        wait(page, f"{TOLD}.startsWith('step 300 of 300')", 200)
        right = int(page.execute_script(f"return {TOLD}").split(", ")[1].split()[0])
        assert right >= 115
        page.find_element("css selector", "input").send_keys("Ada <b>")
        page.find_element("id", "make").click()
        wait(page, "document.querySelector('#made img')?.naturalWidth === 1200", 300)
        assert page.find_element("id", "doing").text == "Everything passes."
        assert barriers(page) == []
        page.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
        )
        for file in ("certificate.svg", "certificate.png", "my_engine.zip"):
            page.find_element("css selector", f"[download='{file}']").click()
            assert within(30, (tmp_path / file).exists)
        assert "Ada &lt;b&gt;" in (tmp_path / "certificate.svg").read_text(encoding="utf-8")
        assert (tmp_path / "certificate.png").read_bytes().startswith(b"\x89PNG")
        with zipfile.ZipFile(io.BytesIO((tmp_path / "my_engine.zip").read_bytes())) as archive:
            assert {"my_engine/pyproject.toml", "my_engine/my_engine/engine.py"} <= {
                *archive.namelist()
            }
