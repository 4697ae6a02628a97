"""The page about a class in a real browser: with three learners and with a thousand, by pointer and
by keyboard, alone in the world.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.marks import Rules, standings
from grader.classroom.page import class_page
from grader.curriculum.load import load_course
from grader.views.json import to_json
from support import kit_folder
from support.browser import browser, needs_browser, open_page, requests_of
from support.classes import make_class
from support.grading import grade

COURSE = load_course()
MANY = 1000
ZOE = "Zoe <b>Nobody\u202e</b>"  # with a character that turns the text after it around
pytestmark = [needs_browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of an engine that fails phase1.grad."""
    folder = tmp_path_factory.mktemp("in")
    source = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
    (folder / "engine.py").write_text(
        source.replace("self.grad = 0.0", "self.grad = 1.0", 1), encoding="utf-8"
    )
    return to_json(grade(folder, ["phase1"]))


@pytest.fixture(scope="module")
def few(report: str) -> str:
    entries, names = make_class(COURSE, 3, [report])
    return class_page(
        COURSE, entries, standings(entries, {**names, "zoe": ZOE}, {}, Rules()), "best"
    )


@pytest.fixture(scope="module")
def many(report: str) -> str:
    entries, names = make_class(COURSE, MANY, [report])
    marks = standings(entries, names, {}, Rules())
    marks = [replace(one, section="ABC"[place % 3]) for place, one in enumerate(marks)]
    return class_page(COURSE, entries, marks, "best")


@pytest.fixture
def shown(driver: Any, few: str, tmp_path: Path) -> Any:
    open_page(driver, few, tmp_path)
    return driver


def names(driver: Any) -> list[str]:
    found: list[str] = driver.execute_script(
        "return [...document.querySelectorAll('#map tbody tr')].map(row => row.cells[0].title)"
    )
    return found


def press(driver: Any, *keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    for key in keys:
        ActionChains(driver).send_keys(key).perform()


def text(driver: Any, css: str) -> str:
    found: str = driver.execute_script(
        "return document.querySelector(arguments[0]).textContent", css
    )
    return " ".join(found.split())


def open_checkpoints(driver: Any) -> list[str]:
    """What is unfolded in the report that is open, once it is there."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(driver, 20).until(
        lambda page: (
            page.execute_script("return document.querySelectorAll('#content details').length") > 0
        )
    )
    found: list[str] = driver.execute_script(
        "return [...document.querySelectorAll('#content details[open]')].map(details =>"
        " details.dataset.id)"
    )
    return found


def test_a_name_that_turns_text_around_leaves_the_id_readable(shown: Any) -> None:
    first, last = shown.execute_script(
        "const id = [...document.querySelectorAll('#map .id')].at(-1).firstChild;"
        "return [1, id.length - 1].map(at => { const range = document.createRange();"
        " range.setStart(id, at); range.setEnd(id, at + 1);"
        " return range.getBoundingClientRect().left; })"
    )
    assert first < last


@pytest.mark.parametrize("size", ["few", "many"])
def test_it_loads_without_an_error_and_asks_for_nothing(
    driver: Any, tmp_path: Path, size: str, request: pytest.FixtureRequest
) -> None:
    page = request.getfixturevalue(size)
    driver.get_log("performance")
    driver.get_log("browser")
    open_page(driver, page, tmp_path)
    assert len(names(driver)) == (4 if size == "few" else MANY)
    driver.execute_script("document.querySelector('.strip').click()")
    assert open_checkpoints(driver)
    assert driver.get_log("browser") == []
    assert [
        address
        for address in requests_of(driver)
        if not address.startswith(("file:///", "blob:null"))
    ] == []


def test_sorting_searching_and_showing_some(driver: Any, many: str, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    open_page(driver, many, tmp_path)
    points = (
        "return [...document.querySelectorAll('#map tbody tr')].map(row =>"
        " parseInt(row.cells[1].textContent)).filter(Number.isFinite)"
    )
    driver.find_element(By.CSS_SELECTOR, "[data-sort=score]").click()
    found = driver.execute_script(points)
    assert found == sorted(found, reverse=True)
    assert len({*found}) > 50
    assert (
        driver.execute_script(
            "return"
            " document.querySelector('[data-sort=score]').closest('th').getAttribute('aria-sort')"
        )
        == "descending"
    )
    driver.find_element(By.CSS_SELECTOR, "[data-sort=score]").click()
    assert driver.execute_script(points) == found[::-1]
    driver.find_element(By.ID, "search").send_keys("LOVELACE")
    some = names(driver)
    assert 0 < len(some) < MANY
    assert all("Lovelace" in name for name in some)
    assert text(driver, "#found") == f"{len(some)} of {MANY}"
    driver.execute_script(
        "const filter = document.getElementById('filter'); filter.value = 'nothing';"
        " filter.dispatchEvent(new Event('input'))"
    )
    assert {
        *driver.execute_script(
            "return [...document.querySelectorAll('#map tbody tr')].map(row =>"
            " row.cells[1].textContent)"
        )
    } <= {"nothing", "unreadable"}
    assert 0 < len(names(driver)) < len(some)


def test_a_click_on_a_mistake_filters_its_learners(driver: Any, many: str, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    open_page(driver, many, tmp_path)
    for css in ("[data-mistake]", "[data-failed]"):
        button = driver.find_element(By.CSS_SELECTOR, css)
        cells = "return arguments[0].closest('tr').cells[1].textContent.split(' of ').map(Number)"
        count, of = driver.execute_script(cells, button)
        driver.execute_script("arguments[0].click()", button)
        assert button.get_attribute("aria-pressed") == "true"
        assert text(driver, "#found") == f"{count if 'mistake' in css else of - count} of {MANY}"
        driver.execute_script("document.getElementById('only').click()")
        assert text(driver, "#found") == f"{MANY} of {MANY}"


def test_sections_and_points_filter_the_learners(driver: Any, many: str, tmp_path: Path) -> None:
    open_page(driver, many, tmp_path)
    choose = (
        "for (const [id, value] of Object.entries(arguments[0])) {"
        " const input = document.getElementById(id); input.value = value;"
        " input.dispatchEvent(new Event('input')) }"
    )
    rows = "return csv().split('\\r\\n').slice(1, -1).map(row => row.split('\",\"').slice(2, 5))"
    driver.execute_script(choose, {"section": "B", "from": "100", "to": "150"})
    found = driver.execute_script(rows)
    assert len(found) > 20
    assert all(section == "B" and 100 <= int(points) <= 150 for section, points, _ in found)
    assert {handed_in[:2] for *_, handed_in in found} == {"20", ""}
    driver.execute_script(choose, {"section": "", "from": "", "to": ""})
    bars = driver.find_elements("css selector", "[data-bin]")
    counts = [int(bar.text or 0) for bar in bars]
    assert sum(counts) > MANY / 2
    for bar, count in zip(bars, counts):
        driver.execute_script("arguments[0].click()", bar)
        assert text(driver, "#found") == f"{count} of {MANY}"


def test_the_csv_has_the_visible_rows_and_no_formula(shown: Any) -> None:
    shown.execute_script("data.learners[0].name = '=1+1, \"x\"'; draw()")
    whole = list(csv.reader(io.StringIO(shown.execute_script("return csv()"))))
    assert whole[0][:7] == ["id", "name", "section", "points", "handed in", "late", "note"]
    assert len(whole) == 1 + len(names(shown))
    assert '\'=1+1, "x"' in [row[1] for row in whole]
    shown.execute_script(
        "const search = document.getElementById('search'); search.value = 'nobody';"
        " search.dispatchEvent(new Event('input'))"
    )
    some = list(csv.reader(io.StringIO(shown.execute_script("return csv()"))))
    assert [row[1] for row in some[1:]] == [ZOE]


def test_every_bar_has_a_track(driver: Any, many: str, tmp_path: Path) -> None:
    open_page(driver, many, tmp_path)
    widths = driver.execute_script(
        "return [...document.querySelectorAll('.summary > section > .bars .bar')].map(bar =>"
        " [bar.getBoundingClientRect().width, bar.parentElement.getBoundingClientRect().width])"
    )
    assert len(widths) > 10
    assert all(0 < bar < track for bar, track in widths)


def test_a_cell_leads_to_that_checkpoint_of_that_learner(shown: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By

    strip = shown.find_elements(By.CSS_SELECTOR, ".strip")[1]
    shown.execute_script("arguments[0].scrollIntoView({block: 'center'})", strip)
    cell = strip.size["width"] / len(COURSE.checkpoints)
    ActionChains(shown).move_to_element_with_offset(
        strip, int(-strip.size["width"] / 2 + 1.5 * cell), 0
    ).perform()
    second = (
        shown.find_elements(By.CSS_SELECTOR, "#map tbody tr")[1]
        .text.rpartition(" s0")[0]
        .splitlines()[0]
    )
    assert text(shown, "#hover").startswith(f"{second}: phase1.grad, ")
    ActionChains(shown).click().perform()
    assert "phase1.grad" in open_checkpoints(shown)
    assert text(shown, "#who") == second
    assert "got 1.0, expected 0.0" in text(shown, "#content details[data-id='phase1.grad']")


def test_everything_can_be_done_by_the_keyboard_alone(shown: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    reached = set()
    for _ in range(40):
        press(shown, Keys.TAB)
        focused = shown.switch_to.active_element
        reached.add(
            focused.get_attribute("data-sort")
            or focused.get_attribute("id")
            or focused.get_attribute("class")
        )
        if "strip" in reached:
            break
    assert {"search", "filter", "print", "name", "score", "history", "strip"} <= reached
    press(shown, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    who, _, where = text(shown, "#hover").partition(": ")
    assert where.startswith("phase1.grad, ")
    press(shown, Keys.ENTER)
    assert "phase1.grad" in open_checkpoints(shown)
    assert text(shown, "#who") == who == names(shown)[1].rpartition(" ")[0]
    press(shown, Keys.ESCAPE)
    assert not shown.execute_script("return document.getElementById('report').open")
    assert "strip" in shown.switch_to.active_element.get_attribute("class")


def test_names_are_escaped_and_missing_learners_are_listed(shown: Any) -> None:
    assert f"{ZOE} zoe" in names(shown)
    assert not shown.execute_script("return document.querySelectorAll('#map b').length")


def test_a_printed_page_has_strips_and_no_buttons(shown: Any) -> None:
    visible = "return getComputedStyle(document.querySelector(arguments[0])).display != 'none'"
    shown.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert [
            shown.execute_script(visible, css) for css in (".strip", "h1", ".tools", "#hover")
        ] == [True, True, False, False]
        assert (
            shown.execute_script(
                "return getComputedStyle(document.querySelector('.strip')).printColorAdjust"
            )
            == "exact"
        )
        # then this learner's report is what is printed
        shown.execute_script("document.querySelector('.strip').click()")
        assert [shown.execute_script(visible, css) for css in ("#report", "#map")] == [True, False]
    finally:
        shown.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_the_hardest_checkpoints_come_before_a_thousand_rows(
    driver: Any, many: str, tmp_path: Path
) -> None:
    open_page(driver, many, tmp_path)
    place = "return document.querySelector(arguments[0]).getBoundingClientRect().top"
    tops = [driver.execute_script(place, css) for css in (".bars", "#map")]
    height = driver.execute_script("return innerHeight")
    assert tops[0] < height  # the summary begins on the first screen, and the map on the second
    assert tops[0] < tops[1] < 2 * height
    driver.execute_script("window.scrollTo(0, 9000)")
    # phases stay in sight, and so does what the pointer is at
    assert driver.execute_script(place, "#map thead") == 0
    assert driver.execute_script(
        "return document.getElementById('hover').getBoundingClientRect().bottom <= innerHeight"
    )


def test_on_a_narrow_screen_nothing_is_wider_than_it(report: str, tmp_path: Path) -> None:
    entries, names = make_class(COURSE, 3, [report])
    path = f"no engine.py in {'a_name_without_spaces' * 9}"
    refused = replace(entries[0], outcome="refused", marks=(), report="", message=path)
    page = class_page(COURSE, [refused], standings([refused], names, {}, Rules()), "best")
    with browser(390, 800) as driver:
        open_page(driver, page, tmp_path)
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 390
        ends = driver.execute_script(
            "return [...document.querySelectorAll('.summary td, .summary button')]"
            ".map(cell => cell.getBoundingClientRect().right)"
        )
        assert ends
        assert max(ends) <= 390
