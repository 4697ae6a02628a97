"""The page for everybody: by keyboard, on a phone, magnified, in both themes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.axe import barriers
from support.browser import enter, needs_browser, press, resize
from support.page import click, idle
from support.site import wait

pytestmark = [needs_browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]

SIZES = {"desktop": (1280, 800), "phone": (390, 844), "magnified": (640, 400)}
FOCUSED = "document.activeElement"


@pytest.fixture
def sized(page: Any, size: str) -> Iterator[Any]:
    """Yield the page with this size."""
    resize(page, *SIZES[size])
    yield page
    resize(page, *SIZES["desktop"])


def view(page: Any, name: str) -> None:
    page.execute_script(f"document.querySelector('button[data-view={name}]').click()")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing(sized: Any, size: str, theme: str) -> None:
    page = sized
    resize(page, *SIZES[size], theme)
    found = {"begun": barriers(page)}
    page.find_element("id", "grade").click() if size == "desktop" else press(
        page, "s", control=True
    )
    wait(page, "document.querySelector('article.report')")
    idle(page)
    page.execute_script(
        "document.querySelectorAll('article details').forEach((one) => one.open = true)"
    )
    click(page, "Hint", "article.report .checkpoint")
    wait(page, "document.querySelector('.level')")
    for card, shown in (
        ("Checklist", "article .ticks"),
        ("Solution of phase1", "article .diff"),
        ("Quiz", ".options"),
        ("Trace an expression", "article .ask"),
    ):
        click(page, card, "#actions")
        wait(page, f"document.querySelector('{shown}')")
        idle(page)
    for name in ("lesson", "code", "results"):
        view(page, name)
        found[name] = barriers(page)
    click(page, "Console", "#actions")
    enter(page, "1 + 1")
    wait(page, "fake.pushed.length")
    found["console"] = barriers(page)
    page.execute_script("document.querySelector('#about').click()")
    found["about"] = barriers(page)
    page.execute_script("document.querySelector('dialog button').click()")
    assert {name: rules for name, rules in found.items() if rules} == {}


@pytest.mark.parametrize("size", ["phone", "magnified"])
def test_small_screens_show_one_view_with_room_and_fingers_hit_its_buttons(
    sized: Any, size: str
) -> None:
    page = sized
    press(page, "s", control=True)
    wait(page, "document.querySelector('article.report')")
    idle(page)
    for name in ("lesson", "code", "results"):
        view(page, name)
        shown = page.execute_script(
            "return ['lesson', 'code', 'results']"
            ".filter((id) => document.getElementById(id).offsetWidth)"
        )
        wide = page.execute_script(  # scrolls sideways
            "return [...document.querySelectorAll('body, main, #lesson, #cards, article, header')]"
            ".filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.id)"
        )
        small = page.execute_script(
            "return [...document.querySelectorAll('button, summary, select, input, .button')]"
            ".filter((one) => one.offsetWidth && Math.min(one.offsetWidth, one.offsetHeight) < 44)"
            ".map((one) => `${one.outerHTML.slice(0, 80)} ${one.offsetWidth} ${one.offsetHeight}`)"
        )
        room = page.execute_script(f"return document.getElementById('{name}').offsetHeight")
        assert (shown, wide, small if size == "phone" else []) == ([name], [], [])
        assert room > 180


def test_focus_stays_on_what_graded_chose_a_phase_and_answered(page: Any) -> None:
    page.execute_script("document.getElementById('grade').focus()")
    press(page, "\ue007")
    wait(page, "document.querySelector('article.report')")
    idle(page)
    assert page.execute_script(f"return {FOCUSED}.id") == "grade"
    page.execute_script("document.querySelector('[data-stage=phase3]').focus()")
    press(page, "\ue007")
    wait(page, "document.querySelector('#lesson h2').textContent.includes('Multiplication')")
    assert page.execute_script(f"return {FOCUSED}.dataset.stage") == "phase3"
    click(page, "Quiz", "#actions")
    wait(page, "document.querySelectorAll('.options button').length === 4")
    page.execute_script("document.querySelectorAll('.options button')[1].focus()")
    press(page, "\ue007")
    wait(page, "document.querySelector('article .good')")
    inside = f"return {FOCUSED}.closest('article')?.dataset.id"
    assert page.execute_script(inside) == "Quiz"
    page.execute_script("document.querySelector('[data-id=Quiz] .acts .main').focus()")
    press(page, "\ue007")
    wait(page, "document.querySelector('[data-id=Quiz]').innerText.includes('2 of 2')")
    assert page.execute_script(inside) == "Quiz"
    page.execute_script(
        "document.querySelector('article .checkpoint[open] .acts').children[1].focus()"
    )
    press(page, "\ue007")  # Try it
    wait(page, "document.querySelector('#console').checkVisibility()")
    assert page.execute_script(f"return {FOCUSED}.id") == "words"
    press(page, "grade phase1\ue007")
    wait(page, "document.querySelector('#cards').checkVisibility()")
    assert page.execute_script(f"return {FOCUSED}.id") == "cards"


def test_every_pane_and_import_can_be_reached_and_left_by_keyboard(page: Any) -> None:
    reached = []
    page.execute_script("document.getElementById('smaller').focus()")
    for _ in range(60):
        press(page, "\ue00c", "\ue004")  # Escape lets Tab leave the editor
        reached.append(page.execute_script(f"return {FOCUSED}.closest('section, header')?.id"))
    assert {"standing", "lesson", "code", "results"} <= {*reached}
    page.execute_script(
        "document.getElementById('chosen').addEventListener('click',"
        " (event) => { event.preventDefault(); window.chosen = true; })"
    )
    for key in ("\ue007", " "):  # Enter, space
        page.execute_script("window.chosen = false; document.getElementById('import').focus()")
        press(page, key)
        wait(page, "window.chosen")


def test_the_guide_has_no_barriers_either(page: Any, address: str) -> None:
    page.get(f"{address}guide.html")
    assert "nothing needs to be installed" in page.execute_script("return document.body.innerText")
    assert barriers(page) == []
    page.get(address)
