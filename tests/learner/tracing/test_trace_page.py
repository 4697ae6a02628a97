"""The page of a trace in a real browser: what it shows at each step, keys and buttons, and that it
stays by itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.learner.tracing.page import to_page
from support.browser import assert_quiet, browser, needs_browser, open_page, press
from support.page import Story, gives, play, press_on, says, tab_through
from support.site import wait
from support.story import each
from support.tracing import PRODUCT_ASSIGNS, RIGHT, traced

# as WebDriver calls them
RIGHT_KEY, LEFT_KEY, HOME_KEY, END_KEY = "\ue014", "\ue012", "\ue011", "\ue010"
pytestmark = [needs_browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]


@pytest.fixture
def wrong(driver: Any, tmp_path: Path) -> Any:
    open_page(driver, to_page(traced(PRODUCT_ASSIGNS, "a*b + a", a=2, b=-3), 0), tmp_path)
    return driver


def gradients(driver: Any, told: dict[str, str]) -> None:
    """Fail unless these nodes say this of their gradients."""
    script = (
        "return [...document.querySelectorAll('.node')].map(n =>"
        " [n.querySelector('.label').textContent, n.querySelector('.gradient').textContent])"
    )
    shown = {label: " ".join(text.split()) for label, text in driver.execute_script(script)}
    assert shown | told == shown


def marked(driver: Any, role: str, *nodes: str) -> None:
    """Fail unless these nodes are marked so, and no other ones."""
    labels = f"[...document.querySelectorAll('.node.{role} .label')].map((one) => one.textContent)"
    gives(driver, labels, [*nodes])


FIFTH = {"a": "grad 1 (+1)", "b": "grad 0", "a*b": "grad 1 (+1)", "a*b + a": "grad 1"}
SIXTH = {"a": "grad -3 (-4) ✗ right -2", "b": "grad 2 (+2)", "a*b": "grad 1", "a*b + a": "grad 1"}
STORIES: dict[str, Story] = {
    "steps forward and back show the right numbers": [
        (says, "#count", "step 1 of 7"),
        (press, *RIGHT_KEY * 4),
        (says, "#count", "step 5 of 7"),
        (gradients, FIFTH),
        (press, RIGHT_KEY),
        (says, "#count", "step 6 of 7"),
        (gradients, SIXTH),
        (press, LEFT_KEY),
        (says, "#count", "step 5 of 7"),
        (gradients, FIFTH),
        (press, END_KEY),
        (says, "#count", "step 7 of 7"),
        (gradients, {"a": "grad -3 ✗ right -2"}),
        (press, HOME_KEY),
        (says, "#count", "step 1 of 7"),
        (gradients, {"a": "grad 0"}),
        (press_on, "#steps button", 3),
        (says, "#count", "step 4 of 7"),
    ],
    "the first wrong step is one key away, with its nodes marked": [
        (press, "w"),
        (says, "#count", "step 6 of 7"),
        (says, "#now", "The 1 that was there is lost"),
        (marked, "active", "a*b"),
        (marked, "receiving", "a", "b"),
        (marked, "wrong", "a"),
        (press, HOME_KEY),
        (marked, "later", "a*b", "a*b + a"),
    ],
    "everything can be done by the keyboard alone and is heard": [
        (
            tab_through,
            *(
                "first",
                "back",
                "play",
                "next",
                "last",
                "wrong",
                "smaller",
                "larger",
                "fit",
                "frame",
            ),
        ),
        (press, "+", "+", RIGHT_KEY),
        (says, "[aria-live=polite]#now", "2. a*b is computed: -6."),
        (says, "[aria-current=step]", "2. a*b is computed"),
    ],
    "playing continues until a key stops it": [
        (press, " "),
        (wait, "document.querySelector('[data-do=play][aria-pressed=true]')"),
        (says, "#count", "step 3 of 7"),
        (press, LEFT_KEY),
        (wait, "document.querySelector('[data-do=play][aria-pressed=false]')"),
    ],
}


@each(STORIES)
def test_a_trace_is_read_step_by_step(wrong: Any, story: Story) -> None:
    play(wrong, story)


def test_the_page_opens_at_the_first_wrong_step(driver: Any, tmp_path: Path) -> None:
    open_page(driver, to_page(traced(PRODUCT_ASSIGNS, "a*b + a", a=2, b=-3)), tmp_path)
    says(driver, "#count", "step 6 of 7")


def test_the_page_loads_without_an_error_and_asks_for_nothing(driver: Any, tmp_path: Path) -> None:
    driver.get_log("performance")
    driver.get_log("browser")
    open_page(driver, to_page(traced(RIGHT, "(a*b + c) * (a + d)")), tmp_path)
    press(driver, RIGHT_KEY, RIGHT_KEY, " ", END_KEY)
    assert_quiet(driver, "file:///")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_a_small_graph_fills_its_frame_and_nothing_is_wider_than_the_screen(
    width: int, height: int, tmp_path: Path
) -> None:
    with browser(width, height) as driver:
        open_page(driver, to_page(traced(RIGHT, "a*b + c")), tmp_path)
        across, down, whole = driver.execute_script(
            "const [a, b] = ['picture', 'frame'].map(id =>"
            " document.getElementById(id).getBoundingClientRect());"
            " return [a.width / b.width, a.height / b.height,"
            " document.documentElement.scrollWidth]"
        )
    assert 0.8 < max(across, down) <= 1
    assert min(across, down) > 0.6
    assert whole <= width
