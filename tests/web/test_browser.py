"""The kit in real browsers: what a learner does there, and what may go wrong."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from support import EXAMPLE, command, kit_folder, tells
from support.browser import EDITOR, assert_quiet, browser, needs_browser, replace_code, requests_of
from support.page import click, hides, play, ready, run, says, submit, type_in_console
from support.site import Site, build, served, texts, wait

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

RIGHT, STUBS = texts(kit_folder("solutions")), texts(kit_folder("exercises"))
ESCAPE = """
import gc, sys
tried = []
for name in ("js", "pyodide_js"):
    try:
        __import__(name)
        tried.append(name)
    except ImportError:
        pass
for thing in gc.get_objects():
    try:
        if "JsProxy" in type(thing).__name__:
            tried.append(thing.constructor("return typeof fetch")())
    except Exception:
        pass
try:
    from pyodide.code import run_js
    tried.append(run_js("typeof fetch"))
except Exception:
    pass
try:
    import socket
    socket.create_connection(("127.0.0.1", 80), 1)
    tried.append("connected")
except OSError:
    pass
raise ValueError(tried)
"""


@needs_browser
def test_a_session_in_the_page(site: Site, tmp_path: Path) -> None:
    site.put(STUBS)
    status = site.js("return await kit.status();")
    assert status["next"]["stub"] == "Value.__init__"
    assert STUBS["engine.py"].splitlines()[status["next"]["line"] - 1].strip().startswith("def")
    assert site.run("grade", "phase1")["exit"] == 1
    done = site.grade(RIGHT, "phase1", columns=60)
    assert done["exit"] == 0
    assert {result["verdict"] for result in done["report"]["phases"][0]["results"]} == {"passed"}
    assert done["text"] == ""
    assert ".grade/progress.json" in done["files"]
    assert "\x1b[" in site.run("grade", "list")["text"]
    assert site.js("return (await kit.status()).stages[0].state;") == "done"
    asked = (
        "window.answers = ['n', 'q']; return [await kit.run('grade quiz phase4 --seed 1'), asked]"
    )
    quiz, questions = site.js(asked)
    assert quiz["exit"] == 0
    assert [prompt for prompt, _ in questions] == ["answer: ", "answer: "]
    assert "q" in questions[0][1]
    for words in ("trace a*b --set a=2 --set b=3 --svg x.svg", "show --steps 2 --save x.svg"):
        assert site.run("grade", *words.split())["files"] == ["x.svg"]
        assert site.js("return (await kit.read())['x.svg'];").startswith("<svg")
    refused = site.run("grade", "watch")
    assert refused["exit"] == 2
    assert "does not work in a browser" in refused["text"]


@needs_browser
def test_the_exported_zip_is_graded_natively_and_read_back(site: Site, tmp_path: Path) -> None:
    site.put({**RIGHT, "notes.txt": "two ø lines\n"})
    packed = """const { packed } = await import("./files.js");
    return btoa(String.fromCharCode(...packed(await kit.read())));"""
    zipped = tmp_path / "mine.zip"
    zipped.write_bytes(base64.b64decode(site.js(packed)))
    done = command.run("phase1", "phase4", "--at", str(zipped))
    assert done.returncode == 0, done.stdout
    back = """const { unpacked } = await import("./files.js");
    const data = Uint8Array.from(atob(given0), (each) => each.charCodeAt(0));
    return unpacked([new File([data], "mine.zip")], ["engine.py"]);"""
    found = site.js(back, base64.b64encode(zipped.read_bytes()).decode())
    assert found == {"files": {**RIGHT, "notes.txt": "two ø lines\n"}, "skipped": []}


@needs_browser
def test_ctrl_c_ends_an_endless_loop_and_files_stay(site: Site) -> None:
    site.put({"engine.py": "while True: pass\n"})
    stop = "setTimeout(() => kit.interrupt(), 300); return await kit.run('grade phase1');"
    assert site.js(stop)["exit"] == 130
    assert site.js("return await kit.read();") == {"engine.py": "while True: pass\n"}
    assert site.grade(RIGHT, "phase1")["exit"] == 0


@needs_browser
def test_a_judge_that_dies_is_replaced_with_the_files(site: Site) -> None:
    site.put(RIGHT)
    again = """const run = kit.run("grade all");
    await new Promise((done) => setTimeout(done, 500));
    kit.restart();
    return [await run, await kit.run("grade phase1")];"""
    assert [done["exit"] for done in site.js(again)] == [130, 0]


@needs_browser
def test_a_hang_is_reported_with_its_line(site: Site) -> None:
    endless = {**STUBS, "engine.py": "x = 1\nx = 10 ** 10 ** 10\n"}
    [note, *_] = site.grade(endless, "phase1.data")["report"]["notes"]
    assert "line 2 (`x = 10 ** 10 ** 10`) takes too long and was stopped" in note
    # input has ended, as it has natively
    assert "EOFError" in str(site.grade({"engine.py": "input()\n"}, "phase1.data")["report"])
    site.put(STUBS)
    assert site.js("return await kit.status();")["next"]["stub"] == "Value.__init__"


@needs_browser
def test_hints_questions_ticks_and_solutions_come_as_data(site: Site) -> None:
    site.put(STUBS)
    ask = "return await kit.practice(...given0);"
    first, second = (site.js(ask, ["hint", None, 1]) for _ in range(2))
    assert first["function"] == "Value.__init__"
    assert [len(found["levels"]) for found in (first, second)] == [1, 2]
    assert ".grade/progress.json" in first["files"]
    [*_, question] = site.js(ask, ["quiz", "phase3", True])["questions"]
    assert question["code"]
    assert "not a number" in site.js(ask, ["answer", 0, "much"])["error"]
    answer = site.js(ask, ["answer", 0, "1e9"])
    assert not answer["correct"]
    assert answer["steps"]
    assert not answer["computed"]  # by stubs
    assert site.js(ask, ["solution", "phase1", False])["locked"]
    shown = site.js(ask, ["solution", "phase1", True])["functions"]
    assert [one["name"] for one in shown] == ["Value.__init__", "Value.__repr__"]
    [item, *_] = [one for one in site.js(ask, ["checklist"])["items"] if one["by"] == "word"]
    assert {**item, "state": "done"} in site.js(ask, ["checklist", item["id"], True])["items"]


@needs_browser
def test_the_prompt_has_the_learners_names_and_can_be_interrupted(site: Site) -> None:
    begin = """window.shown = "";
    window.prompt = await kit.prompt({ files: given0, run: "engine.py",
        onPrint(text) { window.shown += text; } });
    const answers = [];
    for (const line of given1) answers.push(await prompt.push(line));
    return [answers, shown];"""
    lines = ["a = Value(2.0)", "a", "def f():", "  return 1 / 0", "", "f()", "import js"]
    answers, shown = site.js(begin, RIGHT, lines)
    assert [answer["more"] for answer in answers] == [False, False, True, True, False, False, False]
    tells(shown, "Value(data=2.0, grad=0.0)", "ZeroDivisionError", "ModuleNotFoundError")
    loop = """setTimeout(() => prompt.interrupt(), 500);
    const stopped = await prompt.push("while True: pass\\n");
    return [stopped, shown.split("KeyboardInterrupt").length, await prompt.push("exit()")];"""
    assert site.js(loop) == [{"more": False, "failed": True}, 2, {"ended": True}]


@needs_browser
def test_the_learners_code_reaches_neither_the_network_nor_the_page(site: Site) -> None:
    found = site.grade({"engine.py": ESCAPE}, "phase1.data", "--at", ".", "--format", "json")
    report = json.loads(found["text"])
    assert any("raises ValueError: []" in note for note in report["notes"])
    isolation = report["grader"]["isolation"]
    assert isolation["missing"] == ["a machine that is not the learner's"]
    assert isolation["mechanisms"][0] == "own Web Worker"


@needs_browser
def test_after_a_first_visit_to_any_host_the_page_is_isolated_and_needs_no_network(
    folder: Path,
) -> None:
    kept = """const names = await caches.keys(), found = [];
    for (const name of names) found.push(...await (await caches.open(name)).keys());
    return found.map(({ url }) => url.split("/").pop());"""
    with browser() as driver:
        with served(folder, isolated=False) as address:
            first = Site(driver, address)
            driver.execute_script("begin();")
            first.wait_for("return (self.crossOriginIsolated && window.begin) ? 1 : null;")
            visit = Site(driver, address)
            assert visit.begin()
            assert visit.grade(RIGHT, "phase1")["exit"] == 0
            while not {"judge.snapshot", "sw.js", "learner.snapshot"} <= {*visit.js(kept), "sw.js"}:
                visit.js("await new Promise((done) => setTimeout(done, 200));")
            driver.execute_cdp_cmd("Page.reload", {"ignoreCache": True})  # past the service worker
            visit.wait_for("return window.begin ? 1 : null;")
            driver.execute_script("begin();")
            visit.wait_for("return (self.crossOriginIsolated && window.begin) ? 1 : null;")
            hosts = {url.split("/")[2] for url in requests_of(driver) if url.startswith("http")}
            assert hosts == {address.removeprefix("http://")}
        again = Site(driver, address)
        assert again.begin()
        assert again.grade(RIGHT, "phase1")["exit"] == 0


@needs_browser
def test_any_course_becomes_a_site_that_needs_neither_shared_memory_nor_snapshots(
    tmp_path: Path,
) -> None:
    spoil = """history.replaceState("begun with a service worker", "");
    const cache = await caches.open(`python-${given0}`);
    for (const name of ["judge", "learner"])
        await cache.put(`/${name}.snapshot`, new Response("?"));"""
    kept = """const kept = await caches.match("/learner.snapshot");
    return kept ? (await kept.blob()).size : 0;"""
    folder = build(tmp_path, EXAMPLE)
    about = json.loads((folder / "build.json").read_text(encoding="utf-8"))
    with browser() as driver, served(folder, isolated=False) as address:
        visit = Site(driver, address)
        visit.js(spoil, about["build"])
        assert not visit.begin()
        done = visit.grade(texts(EXAMPLE / "solutions"), "all")
        assert done["exit"] == 0, done["text"]
        assert visit.js(kept) == 0
        found = visit.grade(
            {"dual.py": "while True: pass\n"}, "phase1.parts", "--at", ".", "--format", "json"
        )
        [check] = json.loads(found["text"])["phases"][0]["checkpoints"]
        assert (check["verdict"], check["kind"]) == ("failed", "timeout")


WATCH = """window.seen = [];
new MutationObserver(() => {
  const [bar, said] = ["progress", "progress-text"].map((id) => document.getElementById(id));
  const [, words, percent] = /^([\\w ]+).* \\((\\d+) %\\)/.exec(said?.textContent) ?? [];
  if (words) seen.push([words.trim(), bar.value, Number(percent)]);
}).observe(document, { subtree: true, childList: true, attributes: true });"""


LOG = "document.querySelector('#console .log').textContent"


@needs_browser
def test_the_first_visit_shows_one_bar_to_the_end_and_then_grades_and_traces(folder: Path) -> None:
    with browser() as driver, served(folder) as address:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        ready(driver, f"{address}/index.html", 120)
        seen = driver.execute_script("return seen")
        play(
            driver,
            [
                (submit, "class Value:\n    def __init__(self, data):\n        self.data = data\n"),
                (wait, "document.querySelector('.report')", 60),
                (says, ".where a", "engine.py:"),
                (click, "Trace an expression", "#actions"),
                (run, "document.querySelector('.ask input').value = 'a'"),
                (click, "Trace it", ".ask"),
                (wait, "document.querySelector('article iframe')", 60),
                (type_in_console, "Value(3).data"),
                (wait, f"/^3$/m.test({LOG})", 60),
            ],
        )
        driver.get("about:blank")
        assert_quiet(driver, address)
    parts, percent = [part for _, part, _ in seen], {number for *_, number in seen}
    assert parts == sorted(parts)
    assert {words for words, *_ in seen} == {"Loading Python", "Starting Python"}
    assert len([number for number in percent if number < 50]) > 3
    assert {57, 64, 71, 79, 86, 93} <= percent


@needs_browser
def test_a_new_build_comes_when_the_learner_wants_it_and_keeps_the_work(folder: Path) -> None:
    service = folder / "sw.js"
    before = service.read_text(encoding="utf-8")
    with browser() as driver, served(folder, isolated=False) as address:
        try:
            ready(driver, f"{address}/index.html", 120)
            replace_code(driver, "mine = 1")
            says(driver, "#saved", "Saved")
            wait(driver, "!document.body.classList.contains('busy')", 60)
            service.write_text(before.replace("const BUILD = '", "const BUILD = 'new-"), "utf-8")
            ready(driver, f"{address}/index.html", 120)
            says(driver, "#notices", "new version")
            run(driver, "window.old = true")
            click(driver, "Use it", "#notices")
            wait(driver, "!window.old", 60)
            wait(driver, f"{EDITOR}?.innerText === 'mine = 1'", 60)
            hides(driver, "#notices", "new version")
        finally:
            service.write_text(before, encoding="utf-8")
