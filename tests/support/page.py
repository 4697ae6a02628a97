"""Steps on the page of the course, as a learner takes them, and stories that are made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support.browser import EDITOR, enter, press, replace_code
from support.site import wait

Story = list[tuple[Any, ...]]
"""Steps, each an action with what it is given after the page."""


def play(driver: Any, story: Story) -> None:
    """Take the steps. Fail at the first that is not possible, or after which nothing is seen."""
    for action, *given in story:
        action(driver, *given)


def ready(driver: Any, address: str = "", seconds: float = 30.0) -> None:
    """Open the page, or reload it, and wait until it can grade."""
    if address:
        driver.get(address)
    else:
        saved(driver)
        driver.refresh()
    begun = "!document.querySelector('#loading') && document.querySelector('#next strong')"
    wait(driver, begun, seconds)
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


def save(driver: Any) -> None:
    """Press Ctrl-S, which grades."""
    press(driver, "s", control=True)


def submit(driver: Any, code: str) -> None:
    """Replace the file and grade it."""
    replace_code(driver, code)
    save(driver)


def grade_now(driver: Any) -> None:
    """Press the button that grades, and wait for the report."""
    driver.find_element("id", "grade").click()
    wait(driver, "document.querySelector('article.report')")
    idle(driver)


def type_in_console(driver: Any, line: str) -> None:
    """Open the console and enter a line."""
    click(driver, "Console", "#actions")
    enter(driver, line)


def run(driver: Any, script: str) -> None:
    """Run a script in the page."""
    driver.execute_script(script)


def shows(driver: Any, code: str) -> None:
    """Wait until the editor has this code."""
    wait(driver, f"{EDITOR}.innerText === {json.dumps(code)}")


def says(driver: Any, css: str, *texts: str) -> None:
    """Wait until an element has all of these texts. Between two words there is one blank."""
    read = f"document.querySelector({json.dumps(css)})?.innerText.replace(/\\s+/g, ' ')"
    wait(driver, f"{json.dumps(texts)}.every((text) => {read}?.includes(text))")


def hides(driver: Any, css: str, *texts: str) -> None:
    """Fail if an element has one of these texts."""
    shown = driver.execute_script("return document.querySelector(arguments[0]).innerText", css)
    assert [text for text in texts if text in shown] == [], shown


def gives(driver: Any, code: str, value: object) -> None:
    """Fail unless code gives this value."""
    assert driver.execute_script(f"return {code}") == value, code


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


def press_on(driver: Any, css: str, number: int = 0) -> None:
    """Click the first of these elements, or another one."""
    driver.execute_script(
        "document.querySelectorAll(arguments[0])[arguments[1]].click()", css, number
    )


def tab_through(driver: Any, *names: str) -> None:
    """Press Tab until all of these have been reached, and the last one is. Fail if they are not."""
    reached: set[str | None] = set()
    for _ in range(40):
        press(driver, "\ue004")
        at = driver.switch_to.active_element
        reached |= {at.get_attribute(name) for name in ("data-do", "data-sort", "id", "class")}
        if {*names} <= reached:
            break
    assert {*names} <= reached


def choose(driver: Any, file: Path) -> None:
    """Choose a file to import."""
    driver.find_element("id", "chosen").send_keys(str(file))


def type_into(driver: Any, css: str, text: str) -> None:
    """Replace what is in a field."""
    field = driver.find_element("css selector", css)
    field.clear()
    field.send_keys(text)
