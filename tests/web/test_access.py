"""The page for everybody: by keyboard, on a phone, magnified, in both themes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.axe import barriers
from support.browser import enter, needs_browser, press, resize
from support.page import click, gives, idle, play, press_on, run, save, says
from support.site import wait

pytestmark = [needs_browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]

SIZES = {"desktop": (1280, 800), "phone": (390, 844), "magnified": (640, 400)}
FOCUSED = "document.activeElement"
ENTER = "\ue007"


@pytest.fixture
def sized(page: Any, size: str) -> Iterator[Any]:
    """Yield the page with this size."""
    resize(page, *SIZES[size])
    yield page
    resize(page, *SIZES["desktop"])


def grade_by_key(page: Any) -> None:
    """Press Ctrl-S, and wait for the report."""
    save(page)
    wait(page, "document.querySelector('article.report')")
    idle(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing(sized: Any, size: str, theme: str) -> None:
    page = sized
    resize(page, *SIZES[size], theme)
    found = {"begun": barriers(page)}
    grade_by_key(page)
    run(page, "document.querySelectorAll('article details').forEach((one) => one.open = true)")
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
        press_on(page, f"button[data-view={name}]")
        found[name] = barriers(page)
    click(page, "Console", "#actions")
    enter(page, "1 + 1")
    wait(page, "fake.pushed.length")
    found["console"] = barriers(page)
    press_on(page, "#about")
    found["about"] = barriers(page)
    press_on(page, "dialog button")
    assert {name: rules for name, rules in found.items() if rules} == {}


VIEWS = ("lesson", "code", "results")
SHOWN = f"{[*VIEWS]}.filter((id) => document.getElementById(id).offsetWidth)"
WIDE = (  # scrolls sideways
    "[...document.querySelectorAll('body, main, #lesson, #cards, article, header')]"
    ".filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.id)"
)
SMALL = (
    "[...document.querySelectorAll('button, summary, select, input, .button')]"
    ".filter((one) => one.offsetWidth && Math.min(one.offsetWidth, one.offsetHeight) < 44)"
    ".map((one) => `${one.outerHTML.slice(0, 80)} ${one.offsetWidth} ${one.offsetHeight}`)"
)


@pytest.mark.parametrize("size", ["phone", "magnified"])
def test_small_screens_show_one_view_with_room_and_fingers_hit_its_buttons(
    sized: Any, size: str
) -> None:
    page = sized
    grade_by_key(page)
    for name in VIEWS:
        press_on(page, f"button[data-view={name}]")
        gives(page, SHOWN, [name])
        gives(page, WIDE, [])
        gives(page, SMALL if size == "phone" else "[]", [])
        gives(page, f"document.getElementById('{name}').offsetHeight > 180", True)


def enter_at(driver: Any, element: str) -> None:
    """Focus an element and press Enter."""
    run(driver, f"{element}.focus()")
    press(driver, ENTER)


def test_focus_stays_on_what_graded_chose_a_phase_and_answered(page: Any) -> None:
    play(
        page,
        [
            (enter_at, "document.getElementById('grade')"),
            (wait, "document.querySelector('article.report')"),
            (idle,),
            (gives, f"{FOCUSED}.id", "grade"),
            (enter_at, "document.querySelector('[data-stage=phase3]')"),
            (says, "#lesson h2", "Multiplication"),
            (gives, f"{FOCUSED}.dataset.stage", "phase3"),
            (click, "Quiz", "#actions"),
            (wait, "document.querySelectorAll('.options button').length === 4"),
            (enter_at, "document.querySelectorAll('.options button')[1]"),
            (wait, "document.querySelector('article .good')"),
            (gives, f"{FOCUSED}.closest('article')?.dataset.id", "Quiz"),
            (enter_at, "document.querySelector('[data-id=Quiz] .acts .main')"),
            (says, "[data-id=Quiz]", "2 of 2"),
            (gives, f"{FOCUSED}.closest('article')?.dataset.id", "Quiz"),
            (
                enter_at,
                "document.querySelector('article .checkpoint[open] .acts').children[1]",
            ),  # Try it
            (wait, "document.querySelector('#console').checkVisibility()"),
            (gives, f"{FOCUSED}.id", "words"),
            (press, f"grade phase1{ENTER}"),
            (wait, "document.querySelector('#cards').checkVisibility()"),
            (gives, f"{FOCUSED}.id", "cards"),
        ],
    )


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
    for key in (ENTER, " "):
        run(page, "window.chosen = false; document.getElementById('import').focus()")
        press(page, key)
        wait(page, "window.chosen")


def test_the_guide_has_no_barriers_either(page: Any, address: str) -> None:
    page.get(f"{address}guide.html")
    says(page, "body", "nothing needs to be installed")
    assert barriers(page) == []
    page.get(address)
