"""The page about a class in a real browser: with three learners and with a thousand, by pointer and
by keyboard, alone in the world.
"""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.journal import Comment, in_effect
from grader.classroom.marks import standings
from grader.classroom.page import class_page
from grader.classroom.policy import Policy
from grader.classroom.roster import Person
from grader.classroom.rubric import Item
from grader.classroom.similar import Comparison
from grader.views.json import to_json
from support import changed, hand_in
from support.browser import assert_quiet, needs_browser, open_page, press, text
from support.classes import BEGIN, DAY, make_class
from support.classroom import entry
from support.golden import text_of
from support.grading import COURSE, grade
from support.page import Story, gives, play, press_on, run, says, tab_through
from support.site import wait

MANY = 1000
ZOE = "Zoe <b>Nobody\u202e</b>"  # with a character that turns the text after it around
pytestmark = [needs_browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]


def in_section(name: str) -> Person:
    return Person("", "", {"section": name})


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of an engine that fails phase1.grad."""
    source = changed(("self.grad = 0.0", "self.grad = 1.0"))
    return to_json(grade(hand_in(tmp_path_factory.mktemp("in"), source), ["phase1"]))


@pytest.fixture(scope="module")
def few(report: str) -> str:
    entries, names = make_class(COURSE, 3, [report])
    return class_page(
        COURSE, entries, standings(entries, {**names, "zoe": ZOE}, {}, Policy()), "best"
    )


@pytest.fixture(scope="module")
def marked(report: str) -> str:
    """Three learners: two sections, two days, a part graded by hand, and a copy."""
    names = {"ada": "Ada", "bob": "Bob", "cem": "Cem"}
    entries = [
        replace(entry(learner, learner, received=BEGIN + day * DAY), report=report)
        for learner, day in (("ada", 0), ("bob", 0), ("cem", 30))
    ]
    code = text_of("engines", "correct/heap_by_depth.py")
    sources = {"ada": {"engine.py": code}, "bob": {"engine.py": f"# mine\n{code}"}}
    journal = [
        Comment("ada", "clear", 3, "style", "maria", written=BEGIN, number=1),
        Comment("ada", "very clear", 4, "style", "tom", 1, BEGIN, 2),
        Comment("bob", "", 1, "style", "tom", written=BEGIN, number=3),
    ]
    policy = Policy(rubric=(Item("style", "Style", 5),))
    marks = standings(entries, names, in_effect(journal), policy)
    marks = [replace(one, person=in_section("B" if one.learner == "cem" else "A")) for one in marks]
    alike = Comparison(COURSE, entries, sources)
    return class_page(COURSE, entries, marks, "best", journal=journal, alike=alike)


@pytest.fixture(scope="module")
def many(report: str) -> str:
    entries, names = make_class(COURSE, MANY, [report])
    marks = standings(entries, names, {}, Policy())
    marks = [replace(one, person=in_section("ABC"[place % 3])) for place, one in enumerate(marks)]
    return class_page(COURSE, entries, marks, "best")


@pytest.fixture
def shown(driver: Any, few: str, tmp_path: Path) -> Any:
    open_page(driver, few, tmp_path)
    return driver


NAMES = "[...document.querySelectorAll('#map tbody tr')].map((row) => row.cells[0].title)"
FOUND = "document.querySelector('#found').textContent"


def names(driver: Any) -> list[str]:
    return [*driver.execute_script(f"return {NAMES}")]


def fill(driver: Any, values: dict[str, str]) -> None:
    """Enter these values into the fields with these ids."""
    script = (
        "for (const [id, value] of Object.entries(arguments[0])) {"
        " const input = document.getElementById(id); input.value = value;"
        " input.dispatchEvent(new Event('input')) }"
    )
    driver.execute_script(script, values)


def rows(driver: Any) -> list[list[str]]:
    """Return the rows of the page's CSV file."""
    return list(csv.reader(io.StringIO(driver.execute_script("return csv()"))))


def column(driver: Any, place: int, *cells: str) -> None:
    """Fail unless the CSV file has these cells in a column."""
    assert [row[place] for row in rows(driver)] == [*cells]


def open_checkpoints(driver: Any) -> list[str]:
    """What is unfolded in the report that is open, once it is there."""
    wait(driver, "document.querySelectorAll('#content details').length")
    found: list[str] = driver.execute_script(
        "return [...document.querySelectorAll('#content details[open]')].map(details =>"
        " details.dataset.id)"
    )
    return found


@pytest.mark.parametrize("size", ["few", "many"])
def test_it_loads_without_an_error_and_asks_for_nothing(
    driver: Any, tmp_path: Path, size: str, request: pytest.FixtureRequest
) -> None:
    for log in ("performance", "browser"):
        driver.get_log(log)
    open_page(driver, request.getfixturevalue(size), tmp_path)
    assert len(names(driver)) == (4 if size == "few" else MANY)
    press_on(driver, ".strip")
    assert open_checkpoints(driver)
    assert_quiet(driver, "file:///")


def points(driver: Any, low: int, high: int, order: str = "") -> None:
    """Fail unless the points of all who have some are within these bounds, and in this order."""
    found = [int(row[3]) for row in rows(driver)[1:] if row[3]]
    assert all(low <= each <= high for each in found)
    assert not order or found == sorted(found, reverse=order == "descending")


SORTED = "document.querySelector('[aria-sort={0}]').textContent.trim()"
SCORE = "document.querySelector('[data-sort=score]').textContent.trim()"
SECTION: dict[str, str] = {"section": "B", "from": "100", "to": "150"}


def test_sorting_searching_and_filtering(driver: Any, many: str, tmp_path: Path) -> None:
    open_page(driver, many, tmp_path)
    play(
        driver,
        [
            *(
                step
                for order in ("descending", "ascending")
                for step in (
                    (press_on, "[data-sort=score]"),
                    (gives, f"{SORTED.format(order)}.startsWith({SCORE})", True),
                    (points, 0, 1000, order),
                )
            ),
            (fill, {"search": "LOVELACE"}),
            (
                gives,
                f"{NAMES}.length > 50 && {NAMES}.every((name) => name.includes('Lovelace'))",
                True,
            ),
            (gives, f"{FOUND} === `${{{NAMES}.length}} of {MANY}`", True),
            (fill, {"filter": "nothing"}),
            (gives, f"{NAMES}.length > 0 && {NAMES}.length < 50", True),
            (points, 1, 0),  # nobody has any
            (fill, {"search": "", "filter": "", **SECTION}),
            (gives, f"{NAMES}.length > 20", True),
            (points, 100, 150),
        ],
    )
    assert {row[2] for row in rows(driver)[1:]} == {"B"}


def test_a_click_on_a_mistake_or_a_bar_filters_its_learners(
    driver: Any, many: str, tmp_path: Path
) -> None:
    open_page(driver, many, tmp_path)
    for css in ("[data-mistake]", "[data-failed]"):
        cells = f"return document.querySelector('{css}').closest('tr').cells[1].textContent"
        count, of = map(int, driver.execute_script(cells).split(" of "))
        press_on(driver, css)
        says(driver, "#found", f"{count if 'mistake' in css else of - count} of {MANY}")
        gives(driver, f"document.querySelector('{css}').ariaPressed", "true")
        press_on(driver, "#chips button")
        says(driver, "#found", f"{MANY} of {MANY}")
    bars = [int(bar.text or 0) for bar in driver.find_elements("css selector", "[data-bin]")]
    for place, count in enumerate(bars):
        press_on(driver, "[data-bin]", place)
        gives(driver, "document.querySelector('#found').textContent", f"{count} of {MANY}")


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (["[data-section=A]"], ["Ada ada", "Bob bob"]),
        (["[data-item=style]"], ["Cem cem"]),
        (["[data-phase=phase1]"], ["Ada ada", "Bob bob", "Cem cem"]),
        (["[data-group]"], ["Ada ada", "Bob bob"]),
        (["[data-period]", "[data-phase=phase1]"], ["Ada ada", "Bob bob"]),
        (["[data-item=style]", "[data-section=A]"], []),
    ],
)
def test_filters_add_up_and_are_taken_back(
    driver: Any, marked: str, tmp_path: Path, filters: list[str], found: list[str]
) -> None:
    open_page(driver, marked, tmp_path)
    for css in filters:
        press_on(driver, css)
    assert names(driver) == found
    for _ in filters:
        press_on(driver, "#chips button")
    assert len(names(driver)) == 3


def test_a_link_leads_to_a_learner_s_page_with_marks_and_history(
    driver: Any, marked: str, tmp_path: Path
) -> None:
    open_page(driver, marked, tmp_path)
    play(
        driver,
        [
            (run, "location.hash = '#ada'"),
            (open_checkpoints,),
            (gives, "document.querySelector('#who').textContent", "Ada"),
            (says, "#notes", "Style: 4 of 5 points (very clear)"),
            (says, "#history", "in: 3 of 6 points", "1: style 3: clear", "see 2]", "maria"),
            (says, "#history", "2: style 4: very clear", "tom"),
            (run, "document.getElementById('report').close()"),
            (wait, "location.hash === ''"),
            (column, 7, "style", "4", "1", ""),
            (press_on, "[data-pair]"),
            (says, ".pair tr", "Ada", "Bob"),
            (says, ".pair", "engine.py, line 2"),
        ],
    )


def test_the_csv_has_the_visible_rows_and_no_formula(shown: Any) -> None:
    shown.execute_script("data.learners[0].name = '=1+1, \"x\"'; draw()")
    head, *people = rows(shown)
    assert head[:7] == ["id", "name", "section", "points", "handed in", "late", "notes"]
    assert '\'=1+1, "x"' in [row[1] for row in people]
    fill(shown, {"search": "nobody"})
    assert [row[1] for row in rows(shown)[1:]] == [ZOE]


def test_a_cell_leads_to_that_checkpoint_of_that_learner(shown: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    strip = shown.find_elements("css selector", ".strip")[1]
    shown.execute_script("arguments[0].scrollIntoView({block: 'center'})", strip)
    width = strip.size["width"]
    second = int(1.5 * width / len(COURSE.checkpoints) - width / 2)
    ActionChains(shown).move_to_element_with_offset(strip, second, 0).perform()
    name = names(shown)[1].rpartition(" ")[0]
    assert text(shown, "#hover").startswith(f"{name}: phase1.grad, ")
    ActionChains(shown).click().perform()
    assert "phase1.grad" in open_checkpoints(shown)
    assert text(shown, "#who") == name
    assert "is 1.0, and should be 0.0" in text(shown, "#content details[data-id='phase1.grad']")


def test_everything_can_be_done_by_the_keyboard_alone(shown: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    tab_through(shown, "search", "filter", "print", "name", "score", "history", "strip")
    press(shown, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    who = names(shown)[1].rpartition(" ")[0]
    says(shown, "#hover", f"{who}: phase1.grad, ")
    press(shown, Keys.ENTER)
    assert ("phase1.grad" in open_checkpoints(shown), text(shown, "#who")) == (True, who)
    press(shown, Keys.ESCAPE)
    gives(shown, "document.getElementById('report').open", False)
    gives(shown, "document.activeElement.className.includes('strip')", True)


VISIBLE = "{}.map((css) => document.querySelector(css).checkVisibility())"
PRINTED: Story = [
    (gives, VISIBLE.format(["h1", ".strip", ".tools", "#hover"]), [True, True, False, False]),
    (press_on, ".strip"),  # then this learner's report is what is printed
    (gives, VISIBLE.format(["#report", "#map"]), [True, False]),
    (open_checkpoints,),
    # a long report begins on the first sheet
    (gives, "document.getElementById('who').getBoundingClientRect().top >= 0", True),
]


def test_a_printed_page_has_strips_and_no_buttons(shown: Any) -> None:
    shown.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        play(shown, PRINTED)
    finally:
        shown.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
