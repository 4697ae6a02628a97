"""The page of the course in a real browser, on a kit that answers at once: what is typed is saved,
graded and shown.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from grader.learner.tracing.page import to_page
from support import ROOT
from support.browser import EDITOR, enter, look, needs_browser, press, replace_code, resize
from support.page import click, idle, ready, shows, undo
from support.site import wait
from support.tracing import PRODUCT_ASSIGNS, traced
from support.workers import within

WEB = ROOT / "grader" / "web"
REPORT = "document.querySelector('article.report')"
KEPT = "document.querySelector('#saved').textContent === 'Saved in this browser'"
CARD = "document.querySelector('#cards article')"  # the newest

pytestmark = [needs_browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]


@contextmanager
def before_loading(driver: Any, script: str) -> Iterator[None]:
    """Run a script in every page before its own."""
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def submit(page: Any, code: str) -> None:
    """Replace the file and grade it."""
    replace_code(page, code)
    press(page, "s", control=True)


def grade_now(driver: Any) -> None:
    driver.find_element("id", "grade").click()
    wait(driver, REPORT)
    idle(driver)


# --- beginning


def test_lesson_and_stubs_can_be_read_and_edited_before_python_has_started(
    page: Any, address: str
) -> None:
    with before_loading(page, "window.held = new Promise((done) => { window.letGo = done; });"):
        page.get(address)
        wait(page, f"document.querySelector('#lesson h2') && {EDITOR}")
        assert "The Value class" in look(page, "document.querySelector('#lesson')")
        assert "of 8.0 MB" in look(page, "document.querySelector('#progress-text')")
        assert page.find_element("id", "progress").get_property("value") == 1 / 16
        replace_code(page, "early = 1")
        page.execute_script("letGo()")
        wait(page, "fake.files['engine.py'] === 'early = 1'")
        shows(page, "early = 1")


def test_opened_as_a_file_the_page_says_what_to_do(driver: Any, page_folder: Path) -> None:
    driver.get((page_folder / "index.html").as_uri())
    wait(driver, "getComputedStyle(document.querySelector('#not-served')).visibility === 'visible'")
    said = look(driver, "document.querySelector('#not-served')")
    assert "python -m http.server" in said
    assert "http://localhost:8000" in said
    driver.get("about:blank")
    for log in ("browser", "performance"):  # modules cannot be loaded from a file
        driver.get_log(log)


def test_a_page_that_cannot_start_still_lets_its_work_be_edited_and_exported(
    page: Any, page_folder: Path, address: str, tmp_path: Path
) -> None:
    replace_code(page, "mine = 1")
    wait(page, KEPT)
    broken = "export const start = async () => { throw new Error('no wasm'); }"
    kept = (page_folder / "kit.js").read_bytes()
    try:
        (page_folder / "kit.js").write_text(broken, encoding="utf-8")
        page.get(address)
        wait(
            page, "document.querySelector('#progress-text').textContent.includes('could not start')"
        )
        assert "no wasm" in look(page, "document.querySelector('#progress-text')")
        shows(page, "mine = 1")
        assert b"mine = 1" in exported(page, tmp_path)["engine.py"]
    finally:
        (page_folder / "kit.js").write_bytes(kept)
        page.get_log("browser")  # what went wrong is there, too


@pytest.mark.parametrize(
    "getter", ["indexedDB", "sessionStorage", "localStorage", "caches", "navigator.locks"]
)
def test_without_storage_the_page_says_so_and_works(page: Any, address: str, getter: str) -> None:
    of, _, name = getter.rpartition(".")
    broken = f"Object.defineProperty({of or 'window'}, '{name}', {{ get() {{ throw 'denied'; }} }})"
    with before_loading(page, broken):
        ready(page, address)
        if getter == "indexedDB":
            said = look(page, "document.querySelector('#notices .bad')")
            assert "does not keep your work" in said
            assert look(page, "document.querySelector('#saved')") == ""
        grade_now(page)
        page.get_log("browser")


# --- saving


def test_typed_code_is_graded_after_a_pause_and_survives_a_reload(page: Any) -> None:
    replace_code(page, "mine = 1")
    wait(page, KEPT)
    ready(page)
    shows(page, "mine = 1")
    press(page, " + 1")
    wait(page, "fake.ran.includes('grade phase1') && fake.files['engine.py'].includes('+ 1')")


def exported(page: Any, folder: Path) -> dict[str, bytes]:
    """Return the files of the zip that Export gives."""
    page.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)}
    )
    page.find_element("id", "export").click()
    assert within(30, lambda: any(folder.glob("*.zip")))
    [file] = folder.glob("*.zip")
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_export_and_import_carry_the_work_and_import_can_be_undone(
    page: Any, tmp_path: Path
) -> None:
    replace_code(page, "exported = 1")
    assert exported(page, tmp_path)["engine.py"] == b"exported = 1"
    replace_code(page, "later = 2")
    page.find_element("id", "chosen").send_keys(str(next(tmp_path.glob("*.zip"))))
    shows(page, "exported = 1")
    wait(page, "fake.files['engine.py'] === 'exported = 1'")
    undo(page)
    shows(page, "later = 2")
    (tmp_path / "not.zip").write_bytes(b"PK, but not a zip")
    page.find_element("id", "chosen").send_keys(str(tmp_path / "not.zip"))
    wait(page, "document.querySelector('[data-id=said] .bad')")
    shows(page, "later = 2")


def test_import_takes_zips_of_other_programs_and_python_files_chosen_or_dropped(
    page: Any, tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "hw.zip", "w") as archive:
        archive.writestr("hw/__pycache__/engine.pyc", b"\xa7\r\r\n")
        archive.writestr("__MACOSX/hw/._engine.py", b"\x00\x05")
        archive.writestr("hw/photo.jpg", b"\xff\xd8")
        archive.writestr("hw/.git/config", b"x")
        archive.writestr("hw/engine.py", "mine = 3")
        archive.writestr("hw/notes.txt", "two ø lines")
    page.find_element("id", "chosen").send_keys(str(tmp_path / "hw.zip"))
    shows(page, "mine = 3")
    said = look(page, "document.querySelector('[data-id=said]')")
    assert "Imported engine.py, notes.txt." in said
    assert "Skipped 3 other files" in said
    wait(page, "fake.files['notes.txt'] === 'two ø lines'")
    assert "photo.jpg" not in page.execute_script("return Object.keys(fake.files)")
    (tmp_path / "engine.py").write_text("chosen = 1", encoding="utf-8")
    page.find_element("id", "chosen").send_keys(str(tmp_path / "engine.py"))
    shows(page, "chosen = 1")
    page.execute_script(
        "const dataTransfer = new DataTransfer();"
        "dataTransfer.items.add(new File(['dropped = 1'], 'engine.py'));"
        "document.querySelector('#editor').dispatchEvent("
        "  new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));"
    )
    shows(page, "dropped = 1")


def test_two_tabs_never_write_at_the_same_time(page: Any, address: str) -> None:
    first = page.current_window_handle
    replace_code(page, "first")
    buttons = "[...document.querySelectorAll('#notices button')]"
    button = f"{buttons}.find((one) => one.textContent === 'Continue here')"
    page.switch_to.new_window("tab")
    try:
        page.get(address)
        wait(page, button)
        page.execute_script(f"{button}.click()")
        wait(page, "document.querySelector('#next a')")
        assert look(page, EDITOR) == "first"
        replace_code(page, "second")
        wait(page, KEPT)
        page.close()
    finally:
        page.switch_to.window(first)
    wait(page, button)
    press(page, "lost?")
    shows(page, "first")  # read-only
    page.execute_script(f"{button}.click()")
    shows(page, "second")


# --- grading


def test_a_report_leads_to_the_failing_line_and_a_phase_that_passes_to_the_next(page: Any) -> None:
    submit(page, "# first\n# second\n# third\n# fourth\n# fifth")
    wait(page, REPORT)
    opened = page.execute_script(
        f"return [...{REPORT}.querySelectorAll('.checkpoint[open]')].map((one) => one.className)"
    )
    assert opened == ["checkpoint failed"]
    said = look(page, f"{REPORT}.querySelector('.checkpoint[open]')")
    for part in ("engine.py:", "self.data, self.grad", "never sets", "Hint", "Try it"):
        assert part in said, part
    marks = "document.querySelector('#editor').shadowRoot.querySelectorAll('.cm-lintRange-error')"
    wait(page, f"{marks}.length")
    idle(page)
    assert "Value.__init__" in look(page, "document.querySelector('#next')")
    page.execute_script(f"{REPORT}.querySelector('a.jump').click()")
    press(page, "x")
    press(page, "s", control=True)
    wait(page, "/x# |x$/.test(fake.files['engine.py'])")
    submit(page, "# passes")
    wait(page, f"{REPORT}.querySelector('.passed-all') && !{marks}.length")
    idle(page)
    said = look(page, REPORT)
    assert "phase1 passes." in said
    assert "passes now" in said  # those that failed before
    assert "Value.__add__" in look(page, "document.querySelector('#next')")
    assert "Addition" in look(page, "document.querySelector('#lesson')")
    assert look(page, "document.querySelector('#standing .done')") == "✓1"
    click(page, "Questions about it", "article.report")
    wait(page, "document.querySelector('.options')")
    assert page.execute_script("return fake.asked.at(-1)") == ["quiz", "phase1", False]


def test_the_editor_completes_attributes_of_the_file(page: Any) -> None:
    replace_code(page, "def gradient(self):\nself.gr")
    offered = (
        "document.querySelector('#editor').shadowRoot.querySelector('.cm-tooltip-autocomplete')"
    )
    wait(page, offered)
    assert "gradient" in look(page, offered)
    press(page, "\N{ESCAPE}")


def test_the_editor_explains_the_course_s_names(page: Any) -> None:
    root = "document.querySelector('#editor').shadowRoot"
    for typed, label, info in (
        ("self._pr", "_prev", "the Values that this one was made from"),
        ("Val", "Value", "A number that remembers how it was made."),
    ):
        replace_code(page, typed)
        wait(page, f"{root}.querySelector('.cm-completionInfo')?.innerText.includes('{info}')")
        chosen = f"{root}.querySelector('[aria-selected] .cm-completionLabel')"
        assert look(page, chosen) == label
        press(page, "\N{ESCAPE}")


def test_who_has_passed_everything_is_led_to_the_finish_page(page: Any) -> None:
    submit(page, "# passes # everything")
    wait(page, f"{REPORT}?.querySelector('a.main')")
    assert page.execute_script(f"return {REPORT}.querySelector('a.main').href").endswith(
        "finish.html"
    )


def test_the_button_to_the_next_phase_leads_to_its_first_stub(page: Any) -> None:
    submit(page, "# passes\nclass Value:\n    def __add__(self): pass\n\n# the end")
    wait(page, f"{REPORT}?.querySelector('.passed-all')")
    idle(page)
    click(page, "Next: phase2, Addition and the graph", "article.report")
    line = "document.querySelector('#editor').shadowRoot.querySelector('.cm-activeLine')"
    wait(page, f"{line}.innerText.includes('__add__')")


def test_grading_shows_a_count_and_can_be_stopped_by_a_fix_or_a_button(page: Any) -> None:
    counts = "return [fake.interrupted, fake.ran.length]"
    grade_now(page)
    submit(page, "# hangs")
    wait(page, "document.querySelector('#running').innerText.includes('checking 2 of 6')")
    assert "phase1: the second check" in look(page, "document.querySelector('#running')")
    wait(page, f"getComputedStyle({REPORT}).opacity < 0.9")  # the old one
    press(page, "s", control=True)
    assert page.execute_script(counts) == [0, 2]  # it is the same code
    replace_code(page, "# passes")
    wait(page, f"{REPORT}.querySelector('.passed-all')", 10)
    assert page.execute_script(counts) == [1, 3]
    assert "stopped" not in look(page, "document.querySelector('#cards')")
    submit(page, "# hangs")
    page.find_element("id", "stop").click()
    idle(page)
    assert page.execute_script(counts) == [2, 4]


def test_code_typed_while_a_command_runs_is_kept_and_graded_afterwards(page: Any) -> None:
    replace_code(page, "before")
    type_in_console(page, "grade slow")
    wait(page, "fake.ran.includes('grade slow')")
    replace_code(page, "during")
    idle(page)
    assert look(page, EDITOR) == "during"
    wait(page, "fake.files['engine.py'] === 'during' && fake.ran.includes('grade phase1')")
    assert page.execute_script("return fake.interrupted") == 0


# --- hints, questions and the rest


def test_a_failing_checkpoint_unfolds_hints_and_runs_its_lines_in_the_console(page: Any) -> None:
    grade_now(page)
    click(page, "Hint", "article.report .checkpoint")
    wait(page, f"{REPORT}.querySelector('.level')")
    assert "1 of 4: idea" in look(page, f"{REPORT}.querySelector('.unfolded')")
    name, checkpoint, *_ = page.execute_script("return fake.asked.at(-1)")
    assert (name, checkpoint.split(".")[0]) == ("hint", "phase1")
    click(page, "Next hint", "article.report .checkpoint")
    wait(page, "fake.asked.length === 2")
    click(page, "▶ Try it", "article.report .checkpoint[open]")
    printed = "fake.pushed.some((line) => line.includes('print('))"
    wait(page, printed)
    page.execute_script("fake.pushed.length = 0")
    enter(page, "grade try")
    wait(page, printed)


def test_a_hint_comes_into_view_and_makes_room_for_a_report_on_newer_code(page: Any) -> None:
    grade_now(page)
    cards = "document.querySelector('#cards')"
    page.execute_script(f"{cards}.style.cssText = 'flex: none; height: 110px'")
    click(page, "Hint", "#actions")
    wait(page, f"{CARD}.dataset.id === 'hint'")
    idle(page)
    level = "document.querySelector('[data-id=hint] .level')"
    bottom = "getBoundingClientRect().bottom"
    assert page.execute_script(f"return {level}.{bottom} - {cards}.{bottom}") <= 1
    replace_code(page, "# passes")
    wait(page, f"{REPORT}.querySelector('.passed-all')")
    assert page.execute_script(f"return {CARD}.dataset.id") == "report"
    assert page.execute_script(f"return {level} !== null")


def test_questions_are_answered_with_buttons_and_explained(page: Any) -> None:
    click(page, "Quiz", "#actions")
    wait(page, "document.querySelectorAll('.options button').length === 4")
    page.execute_script("document.querySelectorAll('.options button')[1].click()")
    wait(page, f"{CARD}.querySelector('.good')")
    assert "Right." in look(page, CARD)
    assert "Because." in look(page, CARD)
    click(page, "Next", "#cards")
    wait(page, f"{CARD}.innerText.includes('2 of 2')")
    click(page, "Hint", "#cards")
    wait(page, f"{CARD}.innerText.includes('It is not a)')")
    page.execute_script("document.querySelectorAll('.options button')[0].click()")
    wait(page, f"{CARD}.querySelector('.bad')")
    click(page, "Next", "#cards")
    wait(page, f"{CARD}.innerText.includes('1 of 2 right')")


def test_buttons_open_the_checklist_the_solution_and_what_went_wrong(page: Any) -> None:
    click(page, "Checklist", "#actions")
    wait(page, f"{CARD}.querySelector('input[type=checkbox]')")
    page.find_element("css selector", "article input[type=checkbox]:not(:disabled)").click()
    wait(page, "fake.asked.length === 2")
    name, item, is_done = page.execute_script("return fake.asked[1]")
    assert (name, is_done) == ("checklist", True)
    assert isinstance(item, str)
    click(page, "Solution of phase1", "#actions")
    wait(page, f"{CARD}.querySelector('.diff .come')")
    assert look(page, f"{CARD}.querySelector('.diff .come')").startswith("+")
    page.find_element("css selector", ".more summary").click()
    page.find_element("xpath", "//button[text()='Reset phase1 to its stubs']").click()
    shows(page, "# reset")
    assert not page.execute_script("return document.querySelector('.more').open")
    click(page, "Trace an expression", "#actions")
    click(page, "Trace it", ".ask")
    said = "document.querySelector('[data-id=said]')"
    wait(page, f"{said}?.querySelector('.bad')")
    assert "error: no answer to grade trace" in look(page, said)


def test_a_trace_steps_in_its_sandbox(page: Any, page_folder: Path) -> None:
    text = to_page(traced(PRODUCT_ASSIGNS, "a*b + a", a=2, b=-3), 0)
    (page_folder / "trace.html").write_text(text, encoding="utf-8")
    type_in_console(page, "grade phase1 --open")
    wait(page, "document.querySelector('iframe')")
    shown = look(page, CARD)
    assert shown.startswith("grade phase1 --open")
    page.find_element("xpath", "//button[text()='Full screen']").click()
    wait(page, "document.fullscreenElement?.tagName === 'IFRAME'")
    page.execute_script("document.exitFullscreen()")
    wait(page, "!document.fullscreenElement")
    assert ".grade" not in look(page, "document.querySelector('#cards')")
    assert page.execute_script(f"return {CARD}.querySelector('a').download") == "trace.html"
    page.switch_to.frame(page.find_element("css selector", "iframe"))
    try:
        wait(page, "document.querySelector('[data-do=next]')?.offsetWidth")
        page.find_element("css selector", "[data-do=next]").click()
        assert look(page, "document.querySelector('#count')") == "step 2 of 7"
        colour = "return getComputedStyle(document.querySelector('.soft')).color"
        assert page.execute_script(colour) != "rgb(0, 0, 0)"  # its style is allowed as well
    finally:
        page.switch_to.default_content()


# --- lesson and console


def type_in_console(page: Any, line: str) -> None:
    click(page, "Console", "#actions")
    enter(page, line)


def test_the_lesson_shows_the_docstring_and_runs_its_examples_in_the_console(page: Any) -> None:
    shown = look(page, EDITOR)
    assert "raise NotImplementedError" in shown
    assert "Set five attributes." in shown
    assert "the number as given" not in shown  # folded, because the lesson shows it
    click(page, "__init__", "#lesson")
    wait(page, "document.querySelector('#lesson').innerText.includes('the number as given')")
    click(page, "Go to __init__", "#lesson")
    assert page.execute_script("return document.activeElement.id") == "editor"
    page.execute_script("document.querySelector('#lesson .play').click()")
    wait(page, "fake.pushed.length >= 3 && !document.querySelector('#stop')")
    pushed = page.execute_script("return fake.pushed.splice(0)")
    assert [line for line in pushed if line][:2] == ["a = Value(5.0)", "a.data, a.grad"]
    assert page.execute_script("return fake.prompt.run") == "engine.py"
    shown = page.execute_script("return document.querySelector('#console .log').textContent")
    assert ">>> a = Value(5.0)\nran a = Value(5.0)" in shown
    page.execute_script("fake.raises = true; document.querySelector('#lesson .play').click()")
    wait(page, "fake.pushed.length && !document.querySelector('#stop')")
    assert page.execute_script("return fake.pushed") == ["a = Value(5.0)"]


def test_the_start_of_a_lesson_says_what_to_press_instead_of_what_to_type(page: Any) -> None:
    click(page, "Start", "#lesson")
    wait(page, "document.querySelector('#lesson').innerText.includes('Grade phase1')")
    said = look(page, "document.querySelector('#lesson')")
    assert "do it at once" in said
    assert "python -i" not in said
    assert "This one file grows" in said
    submit(page, "# a network is next")
    wait(page, "document.querySelector('#lesson').innerText.includes('Your neural network')")
    lessons = "[...document.querySelectorAll('.steps button')].map((one) => one.textContent)"
    assert {"Start", "Neuron.__init__", "Layer.__init__", "zero_grad"} <= {
        *page.execute_script(f"return {lessons}")
    }
    page.execute_script("document.querySelector('[aria-label=\"Run this command\"]').click()")
    wait(page, "fake.ran.includes('grade phase7')")
    idle(page)
    page.execute_script("document.querySelector('[data-stage=ext5]').click()")
    wait(page, "document.querySelector('#lesson').innerText.includes('python two_moons.py')")
    page.execute_script("document.querySelectorAll('[aria-label=\"Run this command\"]')[1].click()")
    wait(page, "fake.prompt?.run === 'two_moons.py'")


def test_an_example_right_below_its_sentence_can_be_run(page: Any) -> None:
    click(page, "__repr__", "#lesson")
    wait(page, "document.querySelectorAll('#lesson .play').length === 2")
    page.execute_script("document.querySelectorAll('#lesson .play')[1].click()")
    wait(page, "fake.pushed.includes('Value(5.0)')")


def test_the_console_reads_a_changed_file_again_and_leads_to_a_line_of_it(page: Any) -> None:
    type_in_console(page, "x = 1")
    wait(page, "fake.pushed.includes('x = 1')")
    replace_code(page, "# first\n# second\n# third")
    enter(page, "x")
    wait(page, "fake.pushed.includes('x')")
    read = page.execute_script("return fake.prompt.files['engine.py']")
    assert read == "# first\n# second\n# third"
    assert "has changed" in look(page, "document.querySelector('#console .log')")
    enter(page, "for i in a:")
    wait(page, "document.querySelector('#line label').textContent === '...'")
    enter(page, "")
    enter(page, "grade where")
    place = "[...document.querySelectorAll('#console a.jump')].at(-1)"
    wait(page, f"{place}?.textContent.includes('3')")
    page.execute_script(f"{place}.click()")
    press(page, "x")
    shows(page, "# first\n# second\nx# third")


def test_lines_wait_for_those_before_them_and_can_be_stopped(page: Any) -> None:
    type_in_console(page, "slow()")
    enter(page, "after")
    wait(page, "document.querySelector('#stop')")
    assert "Python is running" in look(page, "document.querySelector('#running')")
    page.find_element("id", "stop").click()
    wait(page, "fake.pushed.length === 2 && !document.querySelector('#stop')")
    assert page.execute_script("return fake.interrupted") == 1
    shown = page.execute_script("return document.querySelector('#console .log').textContent")
    assert shown.index("ran slow()") < shown.index("ran after")


def test_tab_completes_commands_and_the_arrows_bring_back_earlier_lines(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    click(page, "Console", "#actions")
    line = page.find_element("id", "words")
    for keys, shown in (
        (["g", Keys.TAB, "ch", Keys.TAB], "grade checklist "),
        ([Keys.ENTER, "grade ph", Keys.TAB], "grade phase"),
        ([Keys.ARROW_UP], "grade checklist "),
        ([Keys.ARROW_DOWN], "grade phase"),
    ):
        line.send_keys(*keys)
        assert line.get_property("value") == shown
        choices = page.execute_script(
            "return [...document.querySelectorAll('.choices button')].map((one) => one.textContent)"
        )
        assert choices == (["phase1", "phase3"] if "grade ph" in keys else [])
    ready(page)
    click(page, "Console", "#actions")
    line = page.find_element("id", "words")
    line.send_keys(Keys.ARROW_UP)
    assert line.get_property("value") == "grade checklist "
    line.send_keys(Keys.CONTROL, "a", Keys.NULL, Keys.BACKSPACE, Keys.TAB)
    assert page.execute_script("return document.activeElement.id") != "words"


def test_a_typed_command_can_ask_and_can_change_the_file_until_it_is_undone(page: Any) -> None:
    replace_code(page, "mine = 1")
    type_in_console(page, "grade quiz")
    wait(page, "document.querySelector('#line label').textContent === 'answer: '")
    assert "a) this" in look(page, "document.querySelector('#console .log')")
    enter(page, "b")
    wait(page, "document.querySelector('#console .log').innerText.includes('right')")
    idle(page)
    enter(page, "grade reset")
    shows(page, "# reset")
    undo(page)
    shows(page, "mine = 1")
    ready(page)
    shows(page, "mine = 1")


# --- layout


def test_rulers_stay_on_their_line_and_all_phases_on_the_screen(page: Any) -> None:
    for width, height in ((1280, 800), (390, 844)):
        resize(page, width, height)
        view = "code" if width == 390 else "lesson"
        page.execute_script(f"document.querySelector('button[data-view={view}]').click()")
        heights = """const lines = [...arguments[0].querySelectorAll('.cm-line')];
            return ['# --- Phase 1', 'class Value'].map((text) =>
              lines.find((line) => line.innerText.includes(text)).offsetHeight)"""
        one, other = page.execute_script(heights.replace("arguments[0]", f"{EDITOR}"))
        assert abs(one - other) <= 1
        scroller = "document.querySelector('#editor').shadowRoot.querySelector('.cm-scroller')"
        assert page.execute_script(f"return {scroller}.scrollWidth <= {scroller}.clientWidth")
        last = "document.querySelector('[data-stage=phase8]').getBoundingClientRect().right"
        assert page.execute_script(f"return {last}") <= width
    submit(page, "# wrong\n" * 40)
    wait(page, "document.querySelector('#next').innerText.includes('look at engine.py:')")
    idle(page)
    next_step, extras = page.execute_script(
        "const find = (css) => document.querySelector(css).getBoundingClientRect();"
        "const [link, text, extras] = ['#next a', '#next', '.extras summary'].map(find);"
        "return [link.width && link.bottom <= text.bottom && link.right <= 390, extras.right]"
    )
    assert next_step
    assert 0 < extras <= 390
    page.execute_script("document.querySelector('button[data-view=results]').click()")
    page.find_element("css selector", ".more summary").click()
    left, right = page.execute_script(
        "const { left, right } = document.querySelector('.more div').getBoundingClientRect();"
        "return [left, right]"
    )
    assert (left >= 0, right <= 390) == (True, True)
    press(page, "\N{ESCAPE}")
    assert not page.execute_script("return document.querySelector('.more').open")
    resize(page, 1280, 800)


def test_panes_can_be_wider_and_code_larger_and_stay_so(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    sizes = f"""return [document.querySelector('#lesson').offsetWidth,
        getComputedStyle({EDITOR}).fontSize]"""
    before, size = page.execute_script(sizes)
    bar = page.find_element("css selector", "[role=separator][aria-orientation=vertical]")
    bar.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.find_element("id", "larger").click()
    wait(page, f"getComputedStyle({EDITOR}).fontSize === '14px'")
    after = page.execute_script(sizes)
    assert size == "13px"
    assert after[0] > before + 50
    ready(page)
    assert page.execute_script(sizes) == after


def test_the_bundles_are_those_that_their_notes_describe() -> None:
    notes = (WEB / "bundle" / "README.md").read_text(encoding="utf-8")
    found = dict(re.findall(r"(\S+\.min\.js): `(\w+)`", notes))
    assert found == {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in (WEB / "static").glob("*.min.js")
    }
