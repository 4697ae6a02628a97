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
from support import ROOT, put, zipped
from support.browser import EDITOR, enter, needs_browser, press, replace_code, resize
from support.page import (
    Story,
    choose,
    click,
    gives,
    grade_now,
    hides,
    idle,
    play,
    press_on,
    ready,
    run,
    save,
    says,
    shows,
    submit,
    type_in_console,
    undo,
)
from support.site import wait
from support.story import each
from support.tracing import PRODUCT_ASSIGNS, traced
from support.workers import within

WEB = ROOT / "grader" / "web"
REPORT = "document.querySelector('article.report')"
KEPT = "document.querySelector('#saved').textContent === 'Saved in this browser'"
CARD = "#cards article"  # the newest
ROOT_OF_EDITOR = "document.querySelector('#editor').shadowRoot"
MARKS = f"{ROOT_OF_EDITOR}.querySelectorAll('.cm-lintRange-error')"
PASSED = f"{REPORT}?.querySelector('.passed-all')"
COUNTS = "[fake.interrupted, fake.ran.length]"  # of gradings
STOPPED = "!document.querySelector('#stop')"
LOG = "document.querySelector('#console .log').textContent"
OFFERED = f"{ROOT_OF_EDITOR}.querySelector('{{}}')?.innerText"
INFO, CHOSEN = map(OFFERED.format, (".cm-completionInfo", "[aria-selected] .cm-completionLabel"))
ESCAPE, TAB, UP, DOWN, BACKSPACE = "\N{ESCAPE}", "\ue004", "\ue013", "\ue015", "\ue003"
FOCUS = "document.getElementById('words').focus()"
CHOICES = "[...document.querySelectorAll('.choices button')].map((one) => one.textContent)"
CARDS, NEWEST, LEVEL = (
    f"document.querySelector('{css}')" for css in ("#cards", CARD, "[data-id=hint] .level")
)
BOTTOM = "getBoundingClientRect().bottom"
PRINTED = "fake.pushed.some((line) => line.includes('print('))"
LESSONS = "[...document.querySelectorAll('.steps button')].map((one) => one.textContent)"
PLACE = "[...document.querySelectorAll('#console a.jump')].at(-1)"

HEIGHTS = f"""['# --- Phase 1', 'class Value'].map((text) =>
    [...{EDITOR}.querySelectorAll('.cm-line')].find((line) =>
    line.innerText.includes(text)).offsetHeight)"""
SCROLLER = f"{ROOT_OF_EDITOR}.querySelector('.cm-scroller')"
BOX = "document.querySelector('{}').getBoundingClientRect()"
LINK, NEXT, EXTRAS, PHASE8, MORE = map(
    BOX.format, ("#next a", "#next", ".extras summary", "[data-stage=phase8]", ".more div")
)

pytestmark = [needs_browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]


@contextmanager
def before_loading(driver: Any, script: str) -> Iterator[None]:
    """Run a script in every page before its own."""
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


# --- beginning


def test_lesson_and_stubs_can_be_read_and_edited_before_python_has_started(
    page: Any, address: str
) -> None:
    with before_loading(page, "window.held = new Promise((done) => { window.letGo = done; });"):
        page.get(address)
        play(
            page,
            [
                (says, "#lesson", "The Value class"),
                (says, "#progress-text", "of 8.0 MB"),
                (gives, "document.querySelector('#progress').value", 1 / 16),
                (wait, EDITOR),
                (replace_code, "early = 1"),
                (run, "letGo()"),
                (wait, "fake.files['engine.py'] === 'early = 1'"),
                (shows, "early = 1"),
            ],
        )


def test_opened_as_a_file_the_page_says_what_to_do(driver: Any, page_folder: Path) -> None:
    driver.get((page_folder / "index.html").as_uri())
    wait(driver, "getComputedStyle(document.querySelector('#not-served')).visibility === 'visible'")
    says(driver, "#not-served", "python -m http.server", "http://localhost:8000")
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
        says(page, "#progress-text", "could not start", "no wasm")
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
            says(page, "#notices .bad", "does not keep your work")
            gives(page, "document.querySelector('#saved').innerText", "")
        grade_now(page)
        page.get_log("browser")


# --- saving


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
    story: Story = [
        (replace_code, "later = 2"),
        (choose, next(tmp_path.glob("*.zip"))),
        (shows, "exported = 1"),
        (wait, "fake.files['engine.py'] === 'exported = 1'"),
        (undo,),
        (shows, "later = 2"),
        (choose, put(tmp_path, {"not.zip": b"PK, but not a zip"}) / "not.zip"),
        (wait, "document.querySelector('[data-id=said] .bad')"),
        (shows, "later = 2"),
    ]
    play(page, story)


def test_import_takes_zips_of_other_programs_and_python_files_chosen_or_dropped(
    page: Any, tmp_path: Path
) -> None:
    members: dict[str, bytes | str] = {
        "hw/__pycache__/engine.pyc": b"\xa7\r\r\n",
        "__MACOSX/hw/._engine.py": b"\x00\x05",
        "hw/photo.jpg": b"\xff\xd8",
        "hw/.git/config": b"x",
        "hw/engine.py": "mine = 3",
        "hw/notes.txt": "two ø lines",
    }
    put(tmp_path, {"hw.zip": zipped(*members.items()), "engine.py": "chosen = 1"})
    drop = (
        "const dataTransfer = new DataTransfer();"
        "dataTransfer.items.add(new File(['dropped = 1'], 'engine.py'));"
        "document.querySelector('#editor').dispatchEvent("
        "  new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));"
    )
    story: Story = [
        (choose, tmp_path / "hw.zip"),
        (shows, "mine = 3"),
        (says, "[data-id=said]", "Imported engine.py, notes.txt.", "Skipped 3 other files"),
        (wait, "fake.files['notes.txt'] === 'two ø lines'"),
        (gives, "'photo.jpg' in fake.files", False),
        (choose, tmp_path / "engine.py"),
        (shows, "chosen = 1"),
        (run, drop),
        (shows, "dropped = 1"),
    ]
    play(page, story)


def test_two_tabs_never_write_at_the_same_time(page: Any, address: str) -> None:
    first = page.current_window_handle
    replace_code(page, "first")
    page.switch_to.new_window("tab")
    try:
        page.get(address)
        play(
            page,
            [
                (says, "#notices", "Continue here"),
                (click, "Continue here", "#notices"),
                (wait, "document.querySelector('#next a')"),
                (shows, "first"),
                (replace_code, "second"),
                (wait, KEPT),
            ],
        )
        page.close()
    finally:
        page.switch_to.window(first)
    play(
        page,
        [
            (says, "#notices", "Continue here"),
            (press, "lost?"),
            (shows, "first"),  # read-only
            (click, "Continue here", "#notices"),
            (shows, "second"),
        ],
    )


BLACK = "getComputedStyle(document.querySelector('.soft')).color === 'rgb(0, 0, 0)'"
INSIDE: Story = [
    (wait, "document.querySelector('[data-do=next]')?.offsetWidth"),
    (press_on, "[data-do=next]"),
    (says, "#count", "step 2 of 7"),
    (gives, BLACK, False),  # its style is allowed as well
]


def test_a_trace_steps_in_its_sandbox(page: Any, page_folder: Path) -> None:
    put(page_folder, {"trace.html": to_page(traced(PRODUCT_ASSIGNS, "a*b + a", a=2, b=-3), 0)})
    play(
        page,
        [
            (type_in_console, "grade phase1 --open"),
            (wait, "document.querySelector('iframe')"),
            (gives, f"{NEWEST}.innerText.startsWith('grade phase1 --open')", True),
            (hides, "#cards", ".grade"),
            (gives, f"{NEWEST}.querySelector('a').download", "trace.html"),
        ],
    )
    page.find_element("xpath", "//button[text()='Full screen']").click()  # as a person does
    wait(page, "document.fullscreenElement?.tagName === 'IFRAME'")
    run(page, "document.exitFullscreen()")
    wait(page, "!document.fullscreenElement")
    page.switch_to.frame(page.find_element("css selector", "iframe"))
    try:
        play(page, INSIDE)
    finally:
        page.switch_to.default_content()


# --- grading, hints, questions, lesson and console

STORIES: dict[str, Story] = {
    "Tab completes commands and the arrows bring back earlier lines": [
        (click, "Console", "#actions"),
        (run, FOCUS),
        *(
            step
            for keys, shown, choices in (
                (["g", TAB, "ch", TAB], "grade checklist ", []),
                (["\ue007", "grade ph", TAB], "grade phase", ["phase1", "phase3"]),
                ([UP], "grade checklist ", []),
                ([DOWN], "grade phase", []),
            )
            for step in (
                (press, *keys),
                (gives, "document.activeElement.value", shown),
                (gives, CHOICES, choices),
            )
        ),
        (ready,),
        (click, "Console", "#actions"),
        (run, FOCUS),
        (press, UP),
        (gives, "document.activeElement.value", "grade checklist "),
        (run, "document.activeElement.select()"),
        (press, BACKSPACE, TAB),
        (gives, "document.activeElement.id === 'words'", False),
    ],
    "typed code is graded after a pause and survives a reload": [
        (replace_code, "mine = 1"),
        (wait, KEPT),
        (ready,),
        (shows, "mine = 1"),
        (press, " + 1"),
        (wait, "fake.ran.includes('grade phase1') && fake.files['engine.py'].includes('+ 1')"),
    ],
    "a report leads to the failing line, and a phase that passes to the next and to the end": [
        (submit, "# first\n# second\n# third\n# fourth\n# fifth"),
        (says, ".report .checkpoint[open]", "engine.py:", "self.data, self.grad", "does not set"),
        (says, ".report .checkpoint.failed[open]", "Hint", "Try it"),
        (gives, f"{REPORT}.querySelectorAll('.checkpoint[open]').length", 1),
        (wait, f"{MARKS}.length"),
        (idle,),
        (says, "#next", "Value.__init__"),
        (press_on, ".report a.jump"),
        (press, "x"),
        (save,),
        (wait, "/x# |x$/.test(fake.files['engine.py'])"),
        (submit, "# passes\nclass Value:\n    def __add__(self): pass\n\n# the end"),
        (wait, f"{PASSED} && !{MARKS}.length"),
        (idle,),
        (says, ".report", "phase1 passes.", "passes now"),  # those that failed before
        (says, "#next", "Value.__add__"),
        (says, "#lesson", "Addition"),
        (gives, "document.querySelector('#standing .done').innerText", "✓1"),
        (click, "Questions about it", "article.report"),
        (wait, "document.querySelector('.options')"),
        (gives, "fake.asked.at(-1)", ["quiz", "phase1", False]),
        (click, "Next: phase2, Addition and the graph", "article.report"),
        (wait, f"{ROOT_OF_EDITOR}.querySelector('.cm-activeLine').innerText.includes('__add__')"),
        (submit, "# passes # everything"),
        (wait, f"{REPORT}?.querySelector('a.main')?.href.endsWith('finish.html')"),
    ],
    "the editor completes attributes of the file and explains the course's names": [
        (replace_code, "def gradient(self):\nself.gr"),
        (wait, f"{OFFERED.format('.cm-tooltip-autocomplete')}.includes('gradient')"),
        (press, ESCAPE),
        (replace_code, "self._pr"),
        (wait, f"{INFO}.includes('the Values that this one was made from')"),
        (gives, CHOSEN, "_prev"),
        (press, ESCAPE),
        (replace_code, "Val"),
        (wait, f"{INFO}.includes('A number that remembers how it was made.')"),
        (gives, CHOSEN, "Value"),
        (press, ESCAPE),
    ],
    "grading shows a count and can be stopped by a fix or a button": [
        (grade_now,),
        (submit, "# hangs"),
        (says, "#running", "checking 2 of 6", "phase1: the second check"),
        (wait, f"getComputedStyle({REPORT}).opacity < 0.9"),  # the old one
        (save,),
        (gives, COUNTS, [0, 2]),  # it is the same code
        (replace_code, "# passes"),
        (wait, PASSED, 10),
        (gives, COUNTS, [1, 3]),
        (hides, "#cards", "stopped"),
        (submit, "# hangs"),
        (wait, f"!({STOPPED})"),
        (press_on, "#stop"),
        (idle,),
        (gives, COUNTS, [2, 4]),
    ],
    "code typed while a command runs is kept and graded afterwards": [
        (replace_code, "before"),
        (type_in_console, "grade slow"),
        (wait, "fake.ran.includes('grade slow')"),
        (replace_code, "during"),
        (idle,),
        (shows, "during"),
        (wait, "fake.files['engine.py'] === 'during' && fake.ran.includes('grade phase1')"),
        (gives, "fake.interrupted", 0),
    ],
    "a failing checkpoint unfolds hints and runs its lines in the console": [
        (grade_now,),
        (click, "Hint", "article.report .checkpoint"),
        (says, ".report .unfolded", "1 of 4: idea"),
        (gives, "[fake.asked.at(-1)[0], fake.asked.at(-1)[1].split('.')[0]]", ["hint", "phase1"]),
        (click, "Next hint", "article.report .checkpoint"),
        (wait, "fake.asked.length === 2"),
        (click, "▶ Try it", "article.report .checkpoint[open]"),
        (wait, PRINTED),
        (run, "fake.pushed.length = 0"),
        (enter, "grade try"),
        (wait, PRINTED),
    ],
    "a hint comes into view and makes room for a report on newer code": [
        (grade_now,),
        (run, f"{CARDS}.style.cssText = 'flex: none; height: 110px'"),
        (click, "Hint", "#actions"),
        (wait, f"{NEWEST}.dataset.id === 'hint'"),
        (idle,),
        (gives, f"{LEVEL}.{BOTTOM} - {CARDS}.{BOTTOM} <= 1", True),
        (replace_code, "# passes"),
        (wait, PASSED),
        (gives, f"[{NEWEST}.dataset.id, {LEVEL} !== null]", ["report", True]),
    ],
    "questions are answered with buttons and explained": [
        (click, "Quiz", "#actions"),
        (wait, "document.querySelectorAll('.options button').length === 4"),
        (press_on, ".options button", 1),
        (says, f"{CARD}:has(.good)", "Right.", "Because."),
        (click, "Next", "#cards"),
        (says, CARD, "2 of 2"),
        (click, "Hint", "#cards"),
        (says, CARD, "It is not a)"),
        (press_on, ".options button"),
        (wait, f"{NEWEST}.querySelector('.bad')"),
        (click, "Next", "#cards"),
        (says, CARD, "1 of 2 right"),
    ],
    "buttons open the checklist, the solution and what went wrong": [
        (click, "Checklist", "#actions"),
        (wait, f"{NEWEST}.querySelector('input[type=checkbox]')"),
        (press_on, "article input[type=checkbox]:not(:disabled)"),
        (wait, "fake.asked.length === 2"),
        (
            gives,
            "[fake.asked[1][0], typeof fake.asked[1][1], fake.asked[1][2]]",
            ["checklist", "string", True],
        ),
        (click, "Solution of phase1", "#actions"),
        (wait, f"{NEWEST}.querySelector('.diff .come')?.innerText.startsWith('+')"),
        (press_on, ".more summary"),
        (click, "Reset phase1 to its stubs"),
        (shows, "# reset"),
        (gives, "document.querySelector('.more').open", False),
        (click, "Trace an expression", "#actions"),
        (click, "Trace it", ".ask"),
        (says, "[data-id=said]:has(.bad)", "error: no answer to grade trace"),
    ],
    "the lesson shows the docstring and runs its examples in the console": [
        (wait, f"{EDITOR}.innerText.includes('raise NotImplementedError')"),
        (wait, f"{EDITOR}.innerText.includes('Set five attributes.')"),
        (gives, f"{EDITOR}.innerText.includes('It is only a label')", False),  # folded
        (click, "__init__", "#lesson"),
        (says, "#lesson", "It is only a label"),
        (click, "Go to __init__", "#lesson"),
        (gives, "document.activeElement.id", "editor"),
        (press_on, "#lesson .play"),
        (wait, f"fake.pushed.length >= 3 && {STOPPED}"),
        (gives, "fake.pushed.filter((one) => one)[0]", "a = Value(5.0)"),
        (gives, "fake.pushed.splice(0).filter((one) => one)[1]", "a.data, a.grad"),
        (gives, "fake.prompt.run", "engine.py"),
        (gives, f"{LOG}.includes('>>> a = Value(5.0)\\nran a = Value(5.0)')", True),
        (run, "fake.raises = true"),
        (press_on, "#lesson .play"),
        (wait, f"fake.pushed.length && {STOPPED}"),
        (gives, "fake.pushed", ["a = Value(5.0)"]),
        (run, "fake.raises = false"),
        (click, "__repr__", "#lesson"),
        (wait, "document.querySelectorAll('#lesson .play').length === 2"),
        (press_on, "#lesson .play", 1),  # right below its sentence
        (wait, "fake.pushed.includes('Value(5.0)')"),
    ],
    "the start of a lesson says what to press instead of what to type": [
        (click, "Start", "#lesson"),
        (says, "#lesson", "Grade phase1", "do it at once", "This one file grows"),
        (hides, "#lesson", "python -i"),
        (submit, "# a network is next"),
        (says, "#lesson", "Your neural network"),
        *(
            (wait, f"{LESSONS}.includes('{name}')")
            for name in ("Start", "Neuron.__init__", "Layer.__init__", "zero_grad")
        ),
        (press_on, '[aria-label="Run this command"]'),
        (wait, "fake.ran.includes('grade phase7')"),
        (idle,),
        (press_on, "[data-stage=ext5]"),
        (says, "#lesson", "python two_moons.py"),
        (press_on, '[aria-label="Run this command"]', 1),
        (wait, "fake.prompt?.run === 'two_moons.py'"),
    ],
    "the console reads a changed file again and leads to a line of it": [
        (type_in_console, "x = 1"),
        (wait, "fake.pushed.includes('x = 1')"),
        (replace_code, "# first\n# second\n# third"),
        (enter, "x"),
        (wait, "fake.pushed.includes('x')"),
        (gives, "fake.prompt.files['engine.py']", "# first\n# second\n# third"),
        (says, "#console .log", "has changed"),
        (enter, "for i in a:"),
        (wait, "document.querySelector('#line label').textContent === '...'"),
        (enter, ""),
        (enter, "grade where"),
        (wait, f"{PLACE}?.textContent.includes('3')"),
        (run, f"{PLACE}.click()"),
        (press, "x"),
        (shows, "# first\n# second\nx# third"),
    ],
    "lines wait for those before them and can be stopped": [
        (type_in_console, "slow()"),
        (enter, "after"),
        (says, "#running", "Python is running"),
        (press_on, "#stop"),
        (wait, f"fake.pushed.length === 2 && {STOPPED}"),
        (gives, "fake.interrupted", 1),
        (gives, f"/ran slow\\(\\)[^]*ran after/.test({LOG})", True),
    ],
    "a typed command can ask and can change the file until it is undone": [
        (replace_code, "mine = 1"),
        (type_in_console, "grade quiz"),
        (wait, "document.querySelector('#line label').textContent === 'answer: '"),
        (says, "#console .log", "a) this"),
        (enter, "b"),
        (says, "#console .log", "right"),
        (idle,),
        (enter, "grade reset"),
        (shows, "# reset"),
        (undo,),
        (shows, "mine = 1"),
        (ready,),
        (shows, "mine = 1"),
    ],
    "rulers stay on their line and all phases on the screen": [
        *(
            step
            for width, height, view in ((1280, 800, "lesson"), (390, 844, "code"))
            for step in (
                (resize, width, height),
                (press_on, f"button[data-view={view}]"),
                (gives, f"Math.abs({HEIGHTS}.reduce((one, other) => one - other)) <= 1", True),
                (gives, f"{SCROLLER}.scrollWidth <= {SCROLLER}.clientWidth", True),
                (gives, f"{PHASE8}.right <= {width}", True),
            )
        ),
        (submit, "# wrong\n" * 40),
        (says, "#next", "look at engine.py:"),
        (idle,),
        (gives, f"{LINK}.width > 0 && {LINK}.bottom <= {NEXT}.bottom && {LINK}.right <= 390", True),
        (gives, f"0 < {EXTRAS}.right && {EXTRAS}.right <= 390", True),
        (press_on, "button[data-view=results]"),
        (press_on, ".more summary"),
        (gives, f"{MORE}.left >= 0 && {MORE}.right <= 390", True),
        (press, ESCAPE),
        (gives, "document.querySelector('.more').open", False),
        (resize, 1280, 800),
    ],
}


@each(STORIES)
def test_the_page_answers_what_a_learner_does(page: Any, story: Story) -> None:
    play(page, story)


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
