"""Browsers for the tests of the course in a browser: one with the real kit, for all tests that look
at its answers, and one with a kit that answers at once, for those of the page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.site import page_files
from grader.boundary.pool import ProcessHost
from grader.views.html import as_plain
from grader.web.practice import Practice
from support import ROOT, kit_folder, put
from support.browser import assert_quiet, browser
from support.grading import COURSE, grade
from support.page import idle, ready, saved
from support.site import Site, build, served

STUB = """class Value:
    def __init__(self, data):
        raise NotImplementedError("phase 1: Value.__init__")
"""
WRONG = "class Value:\n    def __init__(self, data):\n        self.data, self.grad = data, 0.0\n"
WRONG += "    def __repr__(self):\n        return missing\n"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the course as a site."""
    return build(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def site(folder: Path) -> Iterator[Site]:
    """Yield the kit, started in a browser. The learner's files are those of the test before."""
    with browser() as driver, served(folder) as address:
        found = Site(driver, address)
        assert found.begin()
        yield found


@pytest.fixture(scope="session")
def page_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with the fake kit, which gives real reports."""
    files = {
        **page_files(COURSE),
        "kit.js": (ROOT / "tests" / "support" / "fake_kit.js").read_bytes(),
        "engine.py": WRONG.encode(),
    }
    folder = put(tmp_path_factory.mktemp("site") / "course", files)
    mine = Practice(COURSE, folder, ProcessHost(__file__))
    quiz = mine.quiz("phase1", False)
    assert mine.quiz("phase5", True)["predict"]
    canned = {
        "phase1": as_plain(grade(folder, ["phase1"]), pictures=True),
        "passed": as_plain(grade(kit_folder("solutions"), ["phase1"]), pictures=True),
        "hint": mine.hint("Value.__init__", 1),
        "quiz": {**quiz, "questions": [one for one in quiz["questions"] if one["options"]][:2]},
        "answer": {"right": 1, "steps": ["one"], "explanation": "Because.", "engine": ""},
        "nudge": {"lines": ["It is not a)."]},
        "checklist": mine.checklist(),
        "solution": mine.solution("phase1", True),
    }
    text = json.dumps(canned).replace(f"{folder}/", "")
    (folder / "canned.json").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def address(page_folder: Path) -> Iterator[str]:
    with served(page_folder.parent, isolated=False) as root:
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
    idle(driver)
    assert_quiet(driver, address)
