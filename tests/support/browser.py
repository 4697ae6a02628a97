"""Provide a real browser for tests of pages: Debian's Chromium, headless, driven by Selenium.

Without one, these tests are skipped and say so.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
DRIVER = shutil.which("chromedriver")

needs_browser = pytest.mark.skipif(
    BROWSER is None or DRIVER is None or not importlib.util.find_spec("selenium"),
    reason="no selenium, chromium and chromedriver here: apt-get install chromium chromium-driver",
)


@contextmanager
def browser(width: int = 1280, height: int = 800) -> Iterator[Any]:
    """Yield a browser with a window of this size. It logs its console and its requests."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = BROWSER or ""
    for argument in (
        "--headless=new",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        f"--window-size={width},{height}",
        "--no-sandbox",
    ):  # a container may have none, and the tests only open our own pages
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        yield driver
    finally:
        driver.quit()


def requests_of(driver: Any) -> list[str]:
    """Return the addresses that the browser requested."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]


def open_page(driver: Any, text: str, folder: Path) -> None:
    """Show a page that is not in a file yet."""
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    driver.get(file.as_uri())
