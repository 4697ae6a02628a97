"""Steps on the page of the course, as a learner takes them."""

from __future__ import annotations

import json
from typing import Any

from support.browser import EDITOR, press
from support.site import wait


def ready(driver: Any, address: str = "") -> None:
    """Open the page, or reload it, and wait until it can grade."""
    if address:
        driver.get(address)
    else:
        saved(driver)
        driver.refresh()
    wait(driver, "!document.querySelector('#loading') && document.querySelector('#next a')")
    idle(driver)


def idle(driver: Any) -> None:
    """Wait until nothing runs."""
    wait(driver, "!document.body.classList.contains('busy')")


def saved(driver: Any) -> None:
    """Wait until the page can be left: while it saves, the browser would ask first."""
    wait(driver, "document.querySelector('#saved')?.textContent !== 'Saving …'")


def undo(driver: Any) -> None:
    """Undo the last change in the editor."""
    driver.execute_script(f"{EDITOR}.focus()")
    press(driver, "z", control=True)


def shows(driver: Any, code: str) -> None:
    """Wait until the editor has this code."""
    wait(driver, f"{EDITOR}.innerText === {json.dumps(code)}")


def click(driver: Any, label: str, inside: str = "body") -> None:
    """Click the button with this label."""
    found = driver.execute_script(
        "return [...document.querySelector(arguments[0]).querySelectorAll('button')]"
        ".find((one) => one.textContent.replace(/\\s+/g, ' ').trim() === arguments[1])",
        inside,
        label,
    )
    assert found is not None, f"no button {label!r} in {inside}"
    driver.execute_script("arguments[0].click()", found)
