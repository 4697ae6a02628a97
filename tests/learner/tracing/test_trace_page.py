"""The page of a trace in a real browser: what it shows at each step, keys and buttons, and that it
stays by itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.learner.tracing.page import to_page
from support.browser import assert_quiet, browser, needs_browser, open_page, press, text
from support.tracing import PRODUCT_ASSIGNS, RIGHT, traced

RIGHT_KEY, LEFT_KEY, HOME_KEY, END_KEY = "\ue014", "\ue012", "\ue011", "\ue010"
TAB_KEY = "\ue004"  # as WebDriver calls them
pytestmark = [needs_browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]


@pytest.fixture
def wrong(driver: Any, tmp_path: Path) -> Any:
    open_page(driver, to_page(traced(PRODUCT_ASSIGNS, "a*b + a", a=2, b=-3), 0), tmp_path)
    return driver


def state(driver: Any) -> dict[str, str]:
    """What each node says of its gradient."""
    script = (
        "return [...document.querySelectorAll('.node')].map(n =>"
        " [n.querySelector('.label').textContent, n.querySelector('.gradient').textContent])"
    )
    return {label: " ".join(told.split()) for label, told in driver.execute_script(script)}


def test_the_page_loads_without_an_error_and_asks_for_nothing(driver: Any, tmp_path: Path) -> None:
    driver.get_log("performance")
    driver.get_log("browser")
    open_page(driver, to_page(traced(RIGHT, "(a*b + c) * (a + d)")), tmp_path)
    press(driver, RIGHT_KEY, RIGHT_KEY, " ", END_KEY)
    assert_quiet(driver, "file:///")


FIFTH = {"a": "grad 1 (+1)", "b": "grad 0", "a*b": "grad 1 (+1)", "a*b + a": "grad 1"}
SIXTH = {"a": "grad -3 (-4) ✗ right -2", "b": "grad 2 (+2)", "a*b": "grad 1", "a*b + a": "grad 1"}
STEPS: list[tuple[str, str, dict[str, str]]] = [
    ("", "step 1 of 7", {}),
    (RIGHT_KEY * 4, "step 5 of 7", FIFTH),
    (RIGHT_KEY, "step 6 of 7", SIXTH),
    (LEFT_KEY, "step 5 of 7", FIFTH),
    (END_KEY, "step 7 of 7", {"a": "grad -3 ✗ right -2"}),
    (HOME_KEY, "step 1 of 7", {"a": "grad 0"}),
]


def test_steps_forward_and_back_show_the_right_numbers(wrong: Any) -> None:
    for keys, count, shown in STEPS:
        press(wrong, *keys)
        assert (text(wrong, "#count"), state(wrong) | shown) == (count, state(wrong))
    wrong.find_elements("css selector", "#steps button")[3].click()
    assert text(wrong, "#count") == "step 4 of 7"


def test_the_page_opens_at_the_first_wrong_step_with_its_nodes_marked(
    driver: Any, tmp_path: Path
) -> None:
    open_page(driver, to_page(traced(PRODUCT_ASSIGNS, "a*b + a", a=2, b=-3)), tmp_path)
    marked = (
        "return [...document.querySelectorAll('.node.' + arguments[0])].map(n =>"
        " n.querySelector('.label').textContent)"
    )
    assert text(driver, "#count") == "step 6 of 7"
    assert "The 1 that was there is lost" in text(driver, "#now")
    found = {role: driver.execute_script(marked, role) for role in ("active", "receiving", "wrong")}
    assert found == {"active": ["a*b"], "receiving": ["a", "b"], "wrong": ["a"]}
    press(driver, HOME_KEY)
    assert driver.execute_script(marked, "later") == ["a*b", "a*b + a"]


def test_everything_can_be_done_by_the_keyboard_alone_and_is_heard(wrong: Any) -> None:
    press(wrong, "w")
    assert text(wrong, "#count") == "step 6 of 7"
    press(wrong, HOME_KEY)
    reached: list[str] = []
    for _ in range(12):
        press(wrong, TAB_KEY)
        at = wrong.switch_to.active_element
        reached.append(at.get_attribute("data-do") or at.get_attribute("id"))
    buttons = {"first", "back", "play", "next", "last", "wrong", "smaller", "larger", "fit"}
    assert {*buttons, "frame"} <= set(reached)
    press(wrong, *["+"] * 2, RIGHT_KEY)
    assert text(wrong, "[aria-live=polite]#now").startswith("2. a*b is computed: -6.")
    assert text(wrong, "[aria-current=step]").startswith("2. a*b is computed")


def test_playing_continues_until_a_key_stops_it(wrong: Any) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    press(wrong, " ")
    assert text(wrong, "[data-do=play][aria-pressed=true]")
    WebDriverWait(wrong, 20).until(lambda shown: text(shown, "#count") == "step 3 of 7")
    press(wrong, LEFT_KEY)
    assert text(wrong, "[data-do=play][aria-pressed=false]")


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
