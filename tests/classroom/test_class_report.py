"""One page about a class, as text: everybody, the means, and no name if it is anonymous."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom.entries import Mark
from grader.classroom.marks import Rules, standings
from grader.classroom.page import class_page
from grader.errors import UsageError
from grader.views.json import to_json
from support.classes import make_class
from support.classroom import COURSE, SOLUTION, command, data_of, entry, marks_of
from support.grading import grade


def test_the_page_has_everybody_and_fetches_nothing(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(
        SOLUTION.read_text(encoding="utf-8").replace(
            "self.grad = 0.0", "self.grad = 1.0; print('</script><b>')", 1
        ),
        encoding="utf-8",
    )
    report = to_json(grade(tmp_path, ["phase1"]))
    entries = [replace(entry(), report=report, name="</script><script>alert(1)</script>")]
    names = {"ada": "</script><script>alert(1)</script>", "zoe": "Zoe"}
    page = class_page(COURSE, entries, standings(entries, names, {}, Rules()), "best")
    assert not re.search(r"https?://|src=|href=", page)
    assert page.count("</script>") == 2
    data = data_of(page)
    learners = data["learners"]
    assert isinstance(learners, list)
    assert [one["id"] for one in learners] == ["ada", "zoe"]
    assert learners[0]["marks"] == "pf"
    shown = gzip.decompress(base64.b64decode(learners[0]["report"])).decode()
    assert "<script" not in shown
    assert "&lt;/script&gt;" in shown


@pytest.mark.slow
def test_a_page_without_names_has_none_in_any_byte(tmp_path: Path) -> None:
    folder = tmp_path / "lovelace_ada"
    folder.mkdir()
    told = "by ADA  Lovelace (lovelace_ada)"
    (folder / "engine.py").write_text(
        f"print({told!r})\nclass Value:\n    def __init__(self, data): raise"
        f" ValueError({told!r})\n",
        encoding="utf-8",
    )
    report = to_json(grade(folder, ["phase1"]))
    entries, names = make_class(COURSE, 40, [re.sub("(?i)lovelace|ada", "xx", report)])
    names = {**names, "s0007": "<unheard-of>", "lovelace_ada": "Ada Lovelace"}
    entries.append(replace(entry("lovelace_ada"), report=report, origin=str(folder)))
    marks = standings(entries, names, {}, Rules())
    page = class_page(COURSE, entries, marks, "best", anonymous=True)
    learners = data_of(page)["learners"]
    assert isinstance(learners, list)
    reports = [gzip.decompress(base64.b64decode(one["report"])).decode() for one in learners]
    whole = re.sub(r'"report":"[^"]*"', "", page) + "".join(reports)
    words = {
        word
        for learner, name in names.items()
        for word in (
            learner,
            *re.findall(r"\w+", name),
            *re.findall(r"\w+", json.dumps(name)[1:-1]),
        )
    }
    assert len(words) > 60
    assert not [
        word
        for word in words - {"of", "der", "van"}
        if len(word) > 2 and re.search(rf"\b{re.escape(word)}\b", whole, re.IGNORECASE)
    ]
    assert any("engine.py, line 3" in text and "by …" in text for text in reports)


def test_the_page_has_the_distribution_and_the_means() -> None:
    entries = [entry(str(number), score=number) for number in range(7)]
    page = class_page(COURSE, entries, marks_of(*entries), "best")
    assert "<b>3</b> points is the median; half the class has 1.5 to 4.5, everybody 0 to 6" in page
    bars = re.findall(r'aria-label="([\d.]+) to ([\d.]+) points: (\d+)"', page)
    assert [int(count) for _, _, count in bars] == [1, 1, 0, 1, 0, 1, 1, 0, 1, 1]
    assert re.search(r"<td>phase1</td><td class=\"count\">1.0 of 2</td>", page)


def test_files_that_cannot_be_used_do_not_drown_the_hardest_checkpoints(tmp_path: Path) -> None:
    bad_file = tmp_path / "engine.py"
    bad_file.write_text("class Value(:\n", encoding="utf-8")
    marks = [Mark(f"phase1.{id}", "failed", 0, 1, False, "", id) for id in "ab"]
    bad = replace(entry("bad"), marks=tuple(marks), report=to_json(grade(bad_file, ["phase1"])))
    half = replace(entry("half"), marks=(marks[0]._replace(verdict="passed"), marks[1]))
    refused = replace(entry("pdf", outcome="refused"), marks=(), message="it is a PDF")
    entries = [bad, half, refused]
    page = class_page(COURSE, entries, marks_of(*entries), "best")
    assert "Show only these: 2 of 3" in page
    assert "engine.py is not valid Python in line 1" in page
    assert "it is a PDF" in page
    assert re.findall(r'data-failed="(.*?)".*\n<td class="count">(.*?)<', page) == [
        ("phase1.b", "0 of 1")
    ]


def test_mistakes_that_equally_many_make_come_in_the_order_of_the_course() -> None:
    ids = [f"phase1.{number}" for number in range(9)]
    marks = tuple(Mark(id, "failed", 0, 1, False, id, id) for id in ids)
    found = replace(entry(), marks=marks)
    page = class_page(COURSE, [found], marks_of(found), "best")
    assert re.findall('data-mistake="(.*?)"', page) == ids


def test_a_slip_behind_many_failures_is_shown_for_its_learner(tmp_path: Path) -> None:
    source = SOLUTION.read_text(encoding="utf-8")
    (tmp_path / "engine.py").write_text(source.replace("self._prev", "self.children"))
    report = to_json(grade(tmp_path, ["1-4"]))
    for anonymous in (False, True):
        found = replace(entry(), report=report)
        page = class_page(COURSE, [found], marks_of(found), "best", anonymous=anonymous)
        shared = page.partition('<section id="shared">')[2].partition("</section>")[0]
        assert ("no attribute &#39;_prev&#39;" in shared) == (not anonymous)
        assert "Files that cannot be used" not in page


def test_the_order_of_an_anonymous_page_is_drawn_by_chance() -> None:
    entries = [entry(str(number), score=number) for number in range(40)]

    def order() -> list[int]:
        page = class_page(COURSE, entries, marks_of(*entries), "best", anonymous=True)
        learners = data_of(page)["learners"]
        assert isinstance(learners, list)
        return [learner["score"] for learner in learners]

    assert order() != order()
    assert sorted(order()) == list(range(40))


@pytest.mark.slow
def test_one_learner_can_be_looked_at(here: Path, handed_in: Path) -> None:
    command(str(handed_in), "--phases", "phase1")
    shown = command("show", "bob").output
    assert "submission 1" in shown
    assert "phase1" in shown
    assert command("show", "bob", "--html", "bob.html").return_value == 0
    assert "<details" in (here / "bob.html").read_text(encoding="utf-8")
    assert isinstance(command("show", "nobody").exception, UsageError)
    assert command("report", "--anonymous").return_value == 0
    assert (here / "class.html").exists()
