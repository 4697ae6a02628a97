"""The page of the course in a real browser, on a kit that answers at once: what is typed is saved,
graded and shown.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.site import page_files
from grader.learner.tracing.page import to_page
from grader.views.html import to_html
from support import ROOT
from support.browser import (
    EDITOR,
    REPORT,
    enter,
    look,
    needs_browser,
    press,
    replace_code,
    requests_of,
)
from support.grading import grade
from support.site import served, wait
from support.tracing import PRODUCT_ASSIGNS, traced
from support.workers import within

WEB = ROOT / "grader" / "web"
KIT = ROOT / "tests" / "support" / "fake_kit.js"
STUB = """class Value:
    def __init__(self, data):
        raise NotImplementedError("phase 1: Value.__init__")
"""
WRONG = "class Value:\n    def __init__(self, data):\n        self.data, self.grad = data, 0.0\n"
WRONG += "    def __repr__(self):\n        return missing\n"
NEXT = "next: grade hint"
STAGES = [
    ("phase1", "The Value class", False),
    ("phase3", "Products", False),
    ("ext1", "More", True),
]

pytestmark = [needs_browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with the fake kit, which gives real reports."""
    folder = tmp_path_factory.mktemp("site") / "course"
    folder.mkdir()
    files = {**page_files(), "kit.js": KIT.read_bytes(), "engine.py": WRONG.encode()}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    stages = [
        {"id": id, "title": title, "file": "more.py" if extra else "engine.py", "extra": extra}
        for id, title, extra in STAGES
    ]
    dim = "\x1b[2misolation 0: none\x1b[0m\n\x1b[2mand so on\x1b[0m\n"
    canned = {
        "course": {
            "title": "A course",
            "stages": stages,
            "files": {"engine.py": STUB, "more.py": "# more\n"},
            "commands": ["hint", "checklist", "quiz", "slow", "reset", *(id for id, *_ in STAGES)],
        },
        "phase1": {
            "exit": 1,
            "text": f"0/6 points\n{dim}\n{NEXT}\n",
            "html": to_html(grade(folder, ["phase1"]), "A course").replace(f"{folder}/", ""),
        },
        "hint": {
            "exit": 0,
            "text": "look at engine.py,\nline 3\nthen: \x1b[1mgrade phase1\x1b[0m\n",
        },
        "status": {"exit": 0, "text": "where you stand\n"},
    }
    (folder / "canned.json").write_text(json.dumps(canned), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(folder.parent, isolated=False) as root:
        yield f"{root}/course/"


@pytest.fixture
def page(driver: Any, address: str) -> Iterator[Any]:
    """The page, ready, on a browser that saved nothing before. It must log and request nothing."""
    driver.get("about:blank")
    driver.execute_cdp_cmd(
        "Storage.clearDataForOrigin",
        {"origin": address.removesuffix("/course/"), "storageTypes": "indexeddb,local_storage"},
    )
    ready(driver, address)
    yield driver
    saved(driver)
    assert [entry["message"] for entry in driver.get_log("browser")] == []
    inside = (address, "data:", "blob:", "about:", "chrome:")
    assert [url for url in requests_of(driver) if not url.startswith(inside)] == []


def ready(driver: Any, address: str = "") -> None:
    if address:
        driver.get(address)
    else:
        saved(driver)
        driver.refresh()
    wait(driver, "document.querySelector('#log h3')?.textContent === 'grade'")
    wait(driver, "!document.body.classList.contains('busy')")


def saved(driver: Any) -> None:
    """Wait until the page can be left: while it saves, the browser would ask first."""
    wait(driver, "document.querySelector('#saved')?.textContent !== 'Saving …'")


def undo(driver: Any) -> None:
    driver.execute_script(f"{EDITOR}.focus()")
    press(driver, "z", control=True)


def shows(driver: Any, code: str) -> None:
    wait(driver, f"{EDITOR}.innerText === {json.dumps(code)}")


def test_typed_code_is_graded_after_a_pause_and_survives_a_reload(page: Any) -> None:
    replace_code(page, "mine = 1")
    wait(page, "document.querySelector('#saved').textContent === 'Saved in this browser'")
    ready(page)
    shows(page, "mine = 1")
    press(page, " + 1")
    wait(page, "fake.ran.includes('grade phase1') && fake.files['engine.py'].includes('+ 1')")


def test_ctrl_s_grades_the_phase_at_hand_and_shows_what_failed_first(page: Any) -> None:
    press(page, "s", control=True)
    wait(page, "document.querySelector('.report')")
    verdicts = f"return [...{REPORT}.querySelectorAll('details')].map((one) => one.className)"
    found = page.execute_script(verdicts)
    assert {found[0], found[-1]} == {"failed", "passed"}
    assert found == sorted(found, key=["failed", "not_started", "blocked", "passed"].index)
    assert look(page, "document.querySelector('article:last-child pre')").strip() == NEXT
    page.find_element("id", "words").click()
    press(page, "s", control=True)
    wait(page, "fake.ran.length === 3 && document.querySelectorAll('.report').length === 1")


def test_a_click_on_a_line_of_an_answer_jumps_there(page: Any) -> None:
    replace_code(page, "# first\n# second\n# third")
    press(page, "s", control=True)
    wait(page, f"document.querySelector('.report') && {REPORT}.querySelector('.where a')")
    assert look(page, f"{REPORT}.querySelector('.where a')") == "engine.py:2"
    enter(page, "grade hint")
    wait(page, "document.querySelector('article:last-child pre a.jump')")
    page.execute_script("document.querySelector('article:last-child pre a.jump').click()")
    press(page, "x")
    press(page, "s", control=True)
    wait(page, "fake.files['engine.py'].includes('# second\\nx# third')")
    page.execute_script("document.querySelector('pre a.command').click()")
    wait(page, "fake.ran.filter((line) => line === 'grade phase1').length >= 2")


def test_tab_completes_words_and_the_arrows_bring_back_earlier_lines(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    line = page.find_element("id", "words")
    for keys, shown in (
        (["g", Keys.TAB, "ch", Keys.TAB], "grade checklist "),
        ([Keys.ENTER, "grade ph", Keys.TAB], "grade phase"),
        ([Keys.ARROW_UP], "grade checklist"),
        ([Keys.ARROW_DOWN], "grade phase"),
    ):
        line.send_keys(*keys)
        assert line.get_property("value") == shown
        choices = look(page, "document.querySelector('#choices')").split()
        assert choices == (["phase1", "phase3"] if "grade ph" in keys else [])
    ready(page)
    line = page.find_element("id", "words")
    line.send_keys(Keys.ARROW_UP)
    assert line.get_property("value") == "grade checklist"
    line.send_keys(Keys.CONTROL, "a", Keys.NULL, Keys.BACKSPACE, Keys.TAB)
    assert page.execute_script("return document.activeElement.id") != "words"


def test_a_question_takes_a_key_a_button_or_a_line(page: Any) -> None:
    enter(page, "grade quiz")
    wait(page, "document.activeElement.closest('.ask')")
    assert "a) this" in look(page, "document.querySelector('article:last-child')")
    press(page, "b")
    wait(page, "!document.querySelector('.ask')")
    wait(page, "document.querySelector('article:last-child').innerText.includes('right')")
    enter(page, "grade quiz")
    wait(page, "document.querySelector('.ask')")
    enter(page, "grade hint")  # gives up the question
    wait(page, "document.querySelector('article:last-child h3').textContent === 'grade hint'")
    assert "stopped with null" in look(page, "document.querySelector('#log')")


def test_a_command_that_changes_a_file_changes_the_editor_and_can_be_undone(page: Any) -> None:
    replace_code(page, "mine = 1")
    enter(page, "grade reset")
    shows(page, "# reset")
    undo(page)
    shows(page, "mine = 1")
    ready(page)
    shows(page, "mine = 1")


def test_code_typed_while_a_command_runs_is_kept_and_graded_afterwards(page: Any) -> None:
    replace_code(page, "before")
    enter(page, "grade slow")
    wait(page, "fake.ran.includes('grade slow')")
    replace_code(page, "during")
    wait(page, "!document.body.classList.contains('busy')")
    assert look(page, EDITOR) == "during"
    wait(page, "fake.files['engine.py'] === 'during' && fake.ran.includes('grade phase1')")


def test_export_and_import_carry_the_work_and_import_can_be_undone(
    page: Any, tmp_path: Path
) -> None:
    page.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    replace_code(page, "exported = 1")
    page.find_element("id", "export").click()
    assert within(30, (tmp_path / "a-course.zip").exists)
    replace_code(page, "later = 2")
    page.find_element("id", "import").send_keys(str(tmp_path / "a-course.zip"))
    shows(page, "exported = 1")
    undo(page)
    shows(page, "later = 2")
    (tmp_path / "not.zip").write_text("not a zip")
    page.find_element("id", "import").send_keys(str(tmp_path / "not.zip"))
    wait(page, "document.querySelector('article:last-child .bad')")
    shows(page, "later = 2")


BUTTONS = "[...document.querySelectorAll('#notices button')]"  # another may say: Got it
CONTINUE = f"{BUTTONS}.find((one) => one.textContent === 'Continue here')"


def test_two_tabs_never_write_at_the_same_time(page: Any, address: str) -> None:
    first = page.current_window_handle
    replace_code(page, "first")
    page.switch_to.new_window("tab")
    try:
        page.get(address)
        wait(page, CONTINUE)
        page.execute_script(f"{CONTINUE}.click()")
        wait(page, "document.querySelector('#log h3')")
        assert look(page, EDITOR) == "first"
        replace_code(page, "second")
        wait(page, "document.querySelector('#saved').textContent === 'Saved in this browser'")
        page.close()
    finally:
        page.switch_to.window(first)
    wait(page, CONTINUE)
    press(page, "lost?")
    shows(page, "first")  # read-only
    page.execute_script(f"{CONTINUE}.click()")
    shows(page, "second")


def test_a_trace_steps_in_its_sandbox(page: Any, folder: Path) -> None:
    text = to_page(traced(PRODUCT_ASSIGNS, "a*b + a", a=2, b=-3), 0)
    (folder / "trace.html").write_text(text, encoding="utf-8")
    page.find_element("css selector", "[title='grade phase1 --open']").click()
    wait(page, "document.querySelector('iframe')")
    page.switch_to.frame(page.find_element("css selector", "iframe"))
    try:
        wait(page, "document.querySelector('[data-do=next]')?.offsetWidth")
        page.find_element("css selector", "[data-do=next]").click()
        assert look(page, "document.querySelector('#count')") == "step 2 of 7"
    finally:
        page.switch_to.default_content()


def test_a_phone_shows_one_view_and_nothing_scrolls_sideways(page: Any) -> None:
    narrow = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", narrow)
    try:
        for view in ("results", "code"):
            page.find_element("css selector", f"button[data-view={view}]").click()
            shown = page.execute_script(
                "return ['results', 'code'].filter((id) => document.getElementById(id).offsetWidth)"
            )
            wide = page.execute_script(
                "return [...document.querySelectorAll('body, main, #log, .report, footer')]"
                ".filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.id)"
            )
            assert (shown, wide) == ([view], [])
    finally:
        page.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", narrow | {"width": 1280, "height": 800}
        )


def test_a_page_that_cannot_start_still_gives_the_saved_work_back(
    page: Any, folder: Path, address: str
) -> None:
    replace_code(page, "mine = 1")
    wait(page, "document.querySelector('#saved').textContent === 'Saved in this browser'")
    broken = "export const start = async () => { throw new Error('no wasm'); }"
    try:
        (folder / "kit.js").write_text(broken, encoding="utf-8")
        page.get(address)
        wait(page, "document.querySelector('#loading a')")
        assert "no wasm" in look(page, "document.querySelector('#loading')")
        assert look(page, EDITOR) == "mine = 1"
        assert look(page, "document.querySelector('#loading a')") == "A course/engine.py"
    finally:
        (folder / "kit.js").write_bytes(KIT.read_bytes())


def test_without_storage_the_page_says_so_and_works(page: Any, address: str) -> None:
    broken = (
        "Object.defineProperty(window, 'indexedDB', { get() { throw new Error('private'); } });"
    )
    script = page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": broken})
    try:
        ready(page, address)
        assert "does not keep your work" in look(page, "document.querySelector('#notices .bad')")
        enter(page, "grade hint")
        wait(page, "document.querySelector('article:last-child h3').textContent === 'grade hint'")
        assert look(page, "document.querySelector('#saved')") == ""
    finally:
        page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


@pytest.mark.timeout(300)
def test_the_editor_s_bundle_is_the_one_that_its_notes_describe() -> None:
    notes = (WEB / "editor" / "README.md").read_text(encoding="utf-8")
    bundle = (WEB / "static" / "cm.min.js").read_bytes()
    assert re.findall(r"sha256: `(\w+)`", notes) == [hashlib.sha256(bundle).hexdigest()]
