"""Classes with each kind of submission. The rules of docs/class.md say each mark beforehand."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from support import changed, put, zipped
from support.classroom import command
from support.golden import text_of
from support.importers import into_canvas, into_moodle

RIGHT, NETWORK = changed(), changed(file="nn.py")
OWN = text_of("engines", "correct/heap_by_depth.py")
RENAMED = re.sub(r"(?<![.\w])other\b", "second", re.sub(r"(?<![.\w])out\b", "result", OWN))
HANGS = changed(('out = Value(self.data + other.data, (self, other), "+")', "while True: pass"))


def ran(*lines: str) -> str:
    """Run `grade class` with each line. Return what the last one prints."""
    for line in lines:
        code, told = command(*shlex.split(line))
        assert code == 0, told
    return told


def grades() -> dict[str, tuple[str, str]]:
    """Return the mark of each learner in grades.csv, and whether it is late."""
    rows = csv.DictReader(io.StringIO(Path("grades.csv").read_text("utf-8-sig")))
    return {row["name"]: (row["score"], row["late"]) for row in rows}


VENV = zipped(("hw/engine.py", RIGHT), ("venv/engine.py", "1 / 0"), ("venv/lib/a.py", ""))
# phases 1 and 2 have 16 points; a day late costs 10%
CANVAS: dict[str, tuple[str | bytes, str]] = {
    "ada_11_1_engine.py": (RIGHT, "16"),
    "bob_LATE_12_2_engine.py": (RIGHT, "14.4"),  # one day, because more is not known
    "cem_13_3_hw.zip": (VENV, "16"),
    "dee_14_4_film.mp4": (b"\0\0\0\x18ftypmp42", ""),  # nothing to grade
    "eve_15_5_engine.py": (RIGHT.encode("utf-16"), "0"),  # not valid Python
    "fay_16_6_engine.py": (f"{RIGHT}\nassert Value(1).data == 2\n", "16"),
    "gus_17_7_engine.py": ("", "0"),
    "hal_18_8_engine.py": (f"{RIGHT}\nclass Value(:\n", "0"),  # as a whole
    "ida_19_9_engine.py": (f"{RIGHT}\nwhile True:\n    pass\n", "16"),  # what is above counts
    "jan_20_10_engine.py": (HANGS, "6"),  # only phase 1 does without sums
    "kim_21_11_engine.py": (OWN, "16"),
    "leo_22_12_engine.py": (OWN, "16"),
    "mia_23_13_engine.py": (RENAMED, "16"),
    "ned_24_14_engine.py": (RIGHT, "16"),
}
BEFORE = dict.fromkeys(range(11, 27), "") | {25: "9", 26: "EX"}  # these two handed in nothing


@pytest.mark.slow
def test_a_class_in_canvas_gets_the_marks_that_the_rules_say(here: Path) -> None:
    names = {int(name.split("_")[-3]): name.partition("_")[0] for name in CANVAS}
    rows = [(names.get(id, f"Z{id}"), id, f"s{id}", f"l{id}", "A", BEFORE[id]) for id in BEFORE]
    with (here / "r.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [
                ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Autograd (77)"),
                ("    Points Possible", "", "", "", "", 16),
                *rows,
            ]
        )
    put(here / "in", {name: content for name, (content, _) in CANVAS.items()})
    policy = "--due 2026-11-30T23:59 --late-per-day 10% --phases 1-2 --roster r.csv"
    assert "13 graded, 1 could not be read" in ran(f"init {policy}", "in")

    def imported(words: str = "") -> dict[int, str]:
        ran(f"export --to canvas {words}")
        return into_canvas((here / "canvas.csv").read_bytes(), 77, BEFORE)

    expected = BEFORE | dict(zip(names, [mark for _, mark in CANVAS.values()]))
    assert imported() == expected
    (here / "in" / "ned_24_14_engine.py").unlink()
    put(here / "in", {"ned_24_15_engine-1.py": changed(("def __radd__", "def _radd"))})
    assert "1 graded, 13 unchanged" in ran("in")
    assert imported() == expected
    assert imported("--keep last") == expected | {24: "14"}  # without 3 + v and sum()
    similar = re.findall(r"(?m)^(\d+)  (.*?):", ran("similar"))
    assert similar == [("1", "kim (21); leo (22); mia (23)")]


HEAD = (
    "ID,Vollständiger Name,Status,Bewertung,Bestwertung,Bewertung kann geändert werden,"
    "Zuletzt geändert (Abgabe),Zuletzt geändert (Bewertung),Feedback als Kommentar"
)
WORDS = (*HEAD.split(",")[:4:3], *HEAD.split(",")[-2:], "Teilnehmer/in")
BOTH: dict[str, str | bytes] = {"engine.py": RIGHT, "nn.py": NETWORK}
CELLS = [{"cell_type": "code", "source": text, "metadata": {}} for text in (RIGHT, NETWORK)]
NOTEBOOK = json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
# phases 1, 2 and 7 have 34 points, style has 6; due on the 19th at 20:00, with 15 minutes of grace;
# a day late costs 10%, and nobody late gets more than 80%, which is 32
MOODLE: dict[str, tuple[dict[str, str | bytes], str, str, str]] = {
    "Pia": (
        {
            "mg/__init__.py": "",
            "mg/engine.py": RIGHT,
            "mg/nn.py": NETWORK.replace("from engine import", "from .engine import"),
        },
        "19. November 2026, 18:00",
        "6",
        "40",
    ),
    "Noa": ({"hw.ipynb": NOTEBOOK}, "19. November 2026, 20:00", "3", "37"),
    "Ole": (BOTH, "19. November 2026, 20:10", "5", "39"),  # grace
    "Per": (BOTH, "20. November 2026, 10:00", "6", "32"),  # 36, were it not for the cap
    "Quin": ({"engine.py": RIGHT}, "20. November 2026, 10:00", "4", "18"),  # 16 + 4, less 10%
    "Rea": (BOTH, "21. November 2026, 10:00", "6", "40"),  # extension
    "Sam": (BOTH, "19. November 2026, 18:00", "", ""),  # style is not marked yet
    "Tia": ({}, "-", "", "7,00"),  # handed in nothing: what is there stays
}


@pytest.mark.slow
def test_a_class_in_moodle_gets_the_marks_that_the_rules_say(here: Path) -> None:
    ids = dict(enumerate(MOODLE, 501))
    rows = [
        f'Teilnehmer/in{id},{name},x,"{MOODLE[name][3] if name == "Tia" else ""}","40,00",Ja,'
        f'"{MOODLE[name][1]}",-,{"krank" if name == "Tia" else ""}'
        for id, name in ids.items()
    ]
    (here / "r.csv").write_text("\n".join([HEAD, *rows]), encoding="utf-8")
    for id, name in ids.items():
        put(here / "in" / f"{name}_{id}_assignsubmission_file", MOODLE[name][0])
    ran("init --due 2026-11-19T20:00 --late-per-day 10% --roster r.csv --phases '1-2 7'")
    text = (here / "class.toml").read_text(encoding="utf-8")
    text = text.replace("grace = 0", "grace = 15").replace('late_cap = "100%"', 'late_cap = "80%"')
    text = text.replace("[extensions]", '[extensions]\n506 = "2026-11-22 20:00"')
    rubric = '[[rubric]]\nid = "style"\ntitle = "Style"\npoints = 6\n'
    (here / "class.toml").write_text(text + rubric, encoding="utf-8")
    marks = [f"{id},style,{MOODLE[name][2]}" for id, name in ids.items()]
    (here / "marks.csv").write_text("\n".join(["learner,item,points", *marks]), encoding="utf-8")
    ran("in", "mark --import marks.csv", "export --to moodle")
    found = into_moodle((here / "moodle.csv").read_bytes(), WORDS, ids)
    assert {ids[id]: grade for id, (grade, _) in found.items()} == {
        name: mark for name, (*_, mark) in MOODLE.items()
    }
    assert found[508][1] == "krank"


LISTED = """
submission_1:
  :submitters: [{":name": Uma, ":sid": u}, {":name": Vic, ":sid": v}]
  :created_at: 2026-11-30 22:59:00 Z
submission_2:
  :submitters: [{":name": Wim, ":sid": w}]
  :created_at: 2026-11-30 23:00:00 Z
submission_3:
  :submitters: [{":name": Xia, ":sid": x}]
  :created_at: 2026-11-30 23:00:01 Z
"""


@pytest.mark.slow
@pytest.mark.needs("numpy")
def test_a_class_in_gradescope_gets_the_marks_that_the_rules_say(here: Path) -> None:
    """Phase 6 has 17 points: 10 need `tanh`."""
    numpy = "import numpy as np\n" + changed().replace("math.tanh(", "np.tanh(")
    engines = enumerate((RIGHT, numpy, RIGHT), 1)
    put(here / "in", {f"submission_{n}/engine.py": engine for n, engine in engines})
    put(here / "in", {"submission_metadata.yml": LISTED})
    ran("init --due '2026-11-30 23:00 UTC' --late-per-day 10% --phases 6")
    for words, of_wim in (("", "7"), ("--package numpy", "17")):
        ran(f"in {words}", f"export --to csv {words}")
        both = {"Uma": ("17", "0"), "Vic": ("17", "0")}
        assert grades() == {**both, "Wim": (of_wim, "0"), "Xia": ("15.3", "1")}


COLLECTOR = """
c = get_config()
c.FileNameCollectorPlugin.named_regexp = (
    r".*/(?P<student_id>[a-z]+)_(?P<timestamp>[-0-9: ]+)_(?P<file_id>engine)"
)
"""


@pytest.mark.slow
@pytest.mark.needs("nbgrader")
def test_a_class_that_nbgrader_collects_gets_the_marks_that_the_rules_say(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "XXX-3")  # its times without a zone are in UTC
    put(here, {"nbgrader_config.py": COLLECTOR, "source/ps1/engine.ipynb": NOTEBOOK})
    times = {"ada": "2026-11-30 22:00:00", "bob": "2026-11-30 23:00:01"}
    collected = here / "downloaded" / "ps1" / "archive"
    put(collected, {f"{who}_{times[who]}_engine.ipynb": NOTEBOOK for who in times})
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "zip_collect", "ps1"],
        cwd=here,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    ran("init --due '2026-11-30 23:00 UTC' --late-per-day 10% --phases 1")
    ran("submitted", "export --to csv")
    assert grades() == {"ada": ("6", "0"), "bob": ("5.4", "1")}
