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
EDITOR = "document.querySelector('#editor').shadowRoot?.querySelector('.cm-content')"

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
        resize(driver, width, height)
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


def assert_quiet(driver: Any, *inside: str) -> None:
    """Assert that the page logged nothing, and requested nothing but addresses that begin so."""
    logged, asked = [entry["message"] for entry in driver.get_log("browser")], requests_of(driver)
    assert not logged, logged
    inside = (*inside, "data:", "blob:", "about:", "chrome:")
    elsewhere = [url for url in asked if not url.startswith(inside)]
    assert asked, "no request was seen, not even the one for the page"
    assert not elsewhere, elsewhere


def resize(driver: Any, width: int, height: int, theme: str = "light") -> None:
    """Give the page a size and a theme."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": theme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def open_page(driver: Any, text: str, folder: Path) -> None:
    """Show a page that is not in a file yet."""
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    driver.get(file.as_uri())


def look(driver: Any, element: str) -> str:
    return str(driver.execute_script(f"return {element}.innerText"))


def press(driver: Any, *keys: str, control: bool = False) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    actions = ActionChains(driver)
    if control:
        actions.key_down(Keys.CONTROL)
    for key in keys:
        actions.send_keys(key)
    actions.key_up(Keys.CONTROL).perform()


def enter(driver: Any, text: str) -> None:
    """Type into the command line and press Enter."""
    driver.find_element("id", "words").send_keys(text + "\n")


def replace_code(driver: Any, code: str) -> None:
    """Replace the file in the editor as a person would."""
    driver.execute_script(f"{EDITOR}.focus()")
    press(driver, "a", control=True)
    press(driver, code)


def text(driver: Any, css: str) -> str:
    """Return the text of an element, with one blank between two words."""
    found: str = driver.execute_script(
        "return document.querySelector(arguments[0]).textContent", css
    )
    return " ".join(found.split())
