"""One page about a class, as text: everybody, the means, and no name if it is anonymous."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom.entries import Mark
from grader.classroom.marks import standings
from grader.classroom.page import class_page
from grader.classroom.policy import Policy
from grader.views.json import to_json
from support import changed, hand_in
from support.classes import make_class
from support.classroom import entry, learners_of, marks_of
from support.grading import COURSE, grade

EVIL = "</script><script>alert(1)</script>"


@pytest.mark.slow
def test_the_page_has_everybody_and_fetches_nothing(tmp_path: Path) -> None:
    prints = ("self.grad = 0.0", "self.grad = 1.0; print('</script><b>')")
    report = to_json(grade(hand_in(tmp_path, changed(prints)), ["phase1"]))
    entries = [replace(entry(), report=report, name=EVIL)]
    marks = standings(entries, {"ada": EVIL, "zoe": "Zoe"}, {}, Policy())
    page = class_page(COURSE, entries, marks, "best")
    assert not re.search(r"https?://|src=|href=", page)
    assert page.count("</script>") == 2
    ada, zoe = learners_of(page)
    assert (ada["id"], ada["marks"], zoe["id"]) == ("ada", "pf", "zoe")
    assert ("<script" in ada["report"], "&lt;/script&gt;" in ada["report"]) == (False, True)


@pytest.mark.slow
def test_a_page_without_names_has_none_in_any_byte(tmp_path: Path) -> None:
    folder = tmp_path / "lovelace_ada"
    told = "by ADA  Lovelace (lovelace_ada)"
    raises = f"class Value:\n    def __init__(self, data): raise ValueError({told!r})\n"
    report = to_json(grade(hand_in(folder, f"print({told!r})\n{raises}"), ["phase1"]))
    entries, names = make_class(COURSE, 40, [re.sub("(?i)lovelace|ada", "xx", report)])
    names = {**names, "s0007": "<unheard-of>", "lovelace_ada": "Ada Lovelace"}
    entries.append(replace(entry("lovelace_ada"), report=report, origin=str(folder)))
    marks = standings(entries, names, {}, Policy())
    page = class_page(COURSE, entries, marks, "best", anonymous=True)
    reports = [one["report"] for one in learners_of(page)]
    whole = re.sub(r'"report":"[^"]*"', "", page) + "".join(reports)
    shown = {*re.findall(r"\w+", whole.lower())}
    texts = [*names, *names.values(), *(json.dumps(name) for name in names.values())]
    words = {word for text in texts for word in re.findall(r"\w{3,}", text.lower())} - {
        "der",
        "van",
    }
    assert len(words) > 60
    assert words & shown == set()
    assert any("engine.py:3" in text and "by …" in text for text in reports)
    again = class_page(COURSE, entries, marks, "best", anonymous=True)
    first, second = ([one["score"] for one in learners_of(each)] for each in (page, again))
    assert (first != second, sorted(map(str, first))) == (True, sorted(map(str, second)))


def test_the_page_has_the_distribution_and_the_means() -> None:
    entries = [entry(str(number), score=number) for number in range(7)]
    page = class_page(COURSE, entries, marks_of(*entries), "best")
    assert "<b>3</b> points is the median; everybody has 0 to 6" in page
    bars = re.findall(r'aria-label="([\d.]+) to ([\d.]+) points: (\d+)"', page)
    assert [int(count) for _, _, count in bars] == [1, 1, 0, 1, 0, 1, 1, 0, 1, 1]
    assert re.search(r"phase1</button></td>\n<td class=\"count\">1.0 of 2</td>", page)


def test_files_that_cannot_be_used_do_not_drown_the_hardest_checkpoints(tmp_path: Path) -> None:
    report = to_json(grade(hand_in(tmp_path, "class Value(:\n"), ["phase1"]))
    first, second = (Mark(f"phase1.{id}", "failed", 0, 1, False, "", id) for id in "ab")
    bad = replace(entry("bad"), marks=(first, second), report=report)
    half = replace(entry("half"), marks=(first._replace(verdict="passed"), second))
    refused = replace(entry("pdf", outcome="refused"), marks=(), message="it is a PDF")
    entries = [bad, half, refused]
    page = class_page(COURSE, entries, marks_of(*entries), "best")
    for told in (
        "Show only these: 2 of 3",
        "engine.py is not valid Python in line 1",
        "it is a PDF",
    ):
        assert told in page
    assert re.findall(r'data-failed="(.*?)".*\n<td class="count">(.*?)<', page) == [
        ("phase1.b", "0 of 1")
    ]


@pytest.mark.slow
def test_a_slip_behind_many_failures_is_shown_for_its_learner(tmp_path: Path) -> None:
    renamed = changed().replace("self._prev", "self.children")
    found = replace(entry(), report=to_json(grade(hand_in(tmp_path, renamed), ["1-4"])))
    for anonymous in (False, True):
        page = class_page(COURSE, [found], marks_of(found), "best", anonymous=anonymous)
        shared = page.partition('<section id="shared">')[2].partition("</section>")[0]
        assert ("no attribute &#39;_prev&#39;" in shared) == (not anonymous)
        assert "Files that cannot be used" not in page
