"""What an instructor does with a class, and sees: marks, comments, times, private suites."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from getpass import getuser
from pathlib import Path

import pytest

from grader.classroom.gradebook import Gradebook
from grader.classroom.times import LATE, UNKNOWN
from grader.views.json import to_json
from support import changed, touch
from support.classroom import SOLUTION, entry, store
from support.grading import grade
from support.private import ENGINE, write_suites
from support.story import Holds, Ran, Story, each, edit, play

try:
    WHO = getuser()
except (OSError, KeyError, ImportError):  # an account without a name
    WHO = "unknown"

EXPORT = "class export --to canvas"
TOLD = "in person (+2 points)"
REFUSED = replace(entry("eve", outcome="refused"), message="it is a PDF")
BOB = entry("bob")
DUE = "--due '2001-01-01 10:00' --late-per-day 10%"
DAY = datetime(2001, 1, 1, 10).timestamp()  # noqa: DTZ001 - local
NEXT_DAY = entry(received=DAY + 20 * 3600, score=6)
MARK = "Mark: 54 of 60 points (1 day late: -6 points)"
SECRET = "2 --at in/ada --suites suites"
CLASS = "class in --phases 2 --jobs 1 --seed 7401"
RUBRIC = """
[[rubric]]
id = "style"
title = "Style"
points = 5

[[rubric]] #2
id = "oral"
title = "Talk?"
points = 2
"""
STYLE = "Style: 4 of 5 points (clear)"
HEAD = "learner,item,points,comment\n"
BAD_ROWS = "al,style,1\nada,stile,1\n\nbob,style,6\nbob,oral,nan\nbob,style,\nada,style,1,\n"
SIX = "class run in --phases phase6 --jobs 1"
SHOWN = "class show ada --phases phase6"


def graded(learner: str = "ada", origin: str = "in/ada") -> None:
    """Store a real report of one learner."""
    report = to_json(grade(SOLUTION, ["phase1"]))
    store(replace(entry(learner), origin=origin, report=report))


def add_zoe() -> None:
    """Add a learner who handed in nothing."""
    with Gradebook(Path("gradebook.sqlite")) as book:
        book.add_learners({"zoe": "Zoe"})


def hand_in_of(*names: str) -> None:
    """Let these learners hand in."""
    for name in names:
        touch(Path("in", name, "engine.py"), text=changed())


def hand_in(text: str) -> None:
    touch(Path("in/ada/engine.py"), text=text)


def policy(*pairs: tuple[str, str]) -> None:
    """Save the policy that `grade class init` writes, with these lines changed."""
    for old, new in pairs:
        edit(Path("class.toml"), old, new)


WRONG = {
    "grace = 0": ("grace = -1", "class.toml: 'grace' is -1; it must be a number, 0 or more"),
    'late_per_day = "10%"': (
        "late_per_day = 0.1",
        'class.toml: \'late_per_day\' is 0.1; it must be a percentage from "0%" to "100%"',
    ),
    'due = "2001-01-01 10:00"': ("due = 2001-01-01", "'due' is \"2001-01-01\"; it must be a day"),
    "# out_of = 100": ("out_of = true", "'out_of' is true; it must be a number from 1 to"),
    'keep = "best"': ('keep = "first"', '\'keep\' is "first"; it must be "best" or "last"'),
    'phases = "all"': ('phases = "9"', "there is no phase '9'"),
    "together = false": ("together = 0", "'together' is 0; it must be true or false"),
    "allow = []": ('allow = ["math"]', "packages of the class: 'math' is not a package"),
    "grace = 0\n": ("grase = 0\n", "class.toml: there is no key 'grase'"),
    '# ada = "2026-12-03 23:59"': (
        'ada = "soon"',
        "[extensions]: 'ada' is \"soon\"; it must be a day",
    ),
}

TIMES = "learner,time\n1,2026-12-02 10:00\n3,2026-12-02 10:00\n"
BOMB = "open('run', 'w'); raise SystemExit\n"
CANVAS_ROSTER = "Student,ID,Section\n    Points Possible,,\nA,1,x\nB,3,x\nC,5,x\nZoe,9,x\n"
MOODLE_ROSTER = """\
Identifier,Full name,Status,Grade,Maximum grade,Last modified (submission),Last modified (grade)
Participant 500,A,x,,6,"Thursday, 19 November 2026, 8:00 PM",-
Participant 501,B,x,,6,-,-
"""

LISTED = Path("in/submission_metadata.yml")
ALONE = "submission_1:\n  :submitters:\n"
SAM = "  - :name: Sam Soe\n    :sid: '44'\n"
TEAM = f"""{ALONE}  - :name: Jane Doe
    :sid: '42'
  - :name: Ric Roe
    :email: ric@x.org
"""
JANE, RIC = "42,Jane Doe", "43,Ric Roe"
GROUPS = f"id,name,email,group\n{JANE},,\n{RIC},ric@x.org,\n44,Sam Soe,,A\n45,Tia,,A\n"
PHASE_1 = "class in --phases phase1"
EXPLAIN = "class explain in --phases phase1 --jobs 1"
EVERYBODY = "class export --to csv --phases phase1"

STORIES: dict[str, Story] = {
    "a download from Canvas is checked before anything is graded": [
        *(
            partial(touch, Path("in", name), text=BOMB)
            for name in ("a_1_2_engine.py", "b_LATE_3_4_engine.py", "x_7_8_engine.py")
        ),
        partial(touch, Path("in/c_5_6_engine.pdf"), text="%PDF-1.4"),
        partial(touch, Path("in/notes.txt")),
        partial(touch, Path("r.csv"), text=CANVAS_ROSTER),
        Ran("class check in", ["submissions: 4 (Canvas)", "there is no class.toml"], code=0),
        Ran("class init --due '2026-11-30 23:59'"),
        partial(policy, ('# ada = "2026-12-03', '3 = "2026-12-03')),
        Ran(
            "class check in --roster r.csv",
            [
                *("1 handed in nothing: Zoe", "not on the roster: x (7)", "not graded: 1"),
                "times: 3 in time by Canvas's own due date; 1 late by Canvas's own due date",
                "late (due 2026-11-30 23:59): nobody no mark without a time: B (3)",
                *("C (5): 'c_5_6_engine.pdf'", "does not look like a submission: notes.txt"),
            ],
            ["class.toml"],
            0,
        ),
        partial(
            touch, Path("t.csv"), text="learner,time\n1,2026-12-02 10:00\n3,2026-12-02 10:00\n"
        ),
        Ran(
            "class check in --roster r.csv --times t.csv",
            ["2 from --times; 2 in time by Canvas's", "late (due 2026-11-30 23:59): A (1): 2 days"],
            ["no mark"],
        ),
        partial(Path("gradebook.sqlite").touch, exist_ok=False),  # nothing was stored
        partial(Path("run").touch, exist_ok=False),
    ],
    "a download from Moodle is checked with its worksheet": [
        *(
            partial(touch, Path(f"in/{name}_50{n}_assignsubmission_file/engine.py"), text=BOMB)
            for n, name in enumerate("AB")
        ),
        partial(touch, Path("r.csv"), text=MOODLE_ROSTER),
        Ran("class init --due 2026-11-18T20:00 --roster r.csv --gradebook a/b.sqlite", code=2),
        Ran("class init --due 2026-11-18T20:00 --roster r.csv", code=0),
        Ran(
            "class check in",
            [
                *(
                    "submissions: 2 (Moodle)",
                    "times: 1 from the roster; 1 not known, because the time",
                ),
                "late (due 2026-11-18 20:00): A (500): 1 day no mark without a time: B",
            ],
            ["not graded", "on the roster"],
        ),
        partial(policy, ('# ada = "2026', '500 = "2026')),
        Ran("class check in", ["(due 2026-11-18 20:00): nobody"]),
        Ran("class check in --roster s.csv", ['says "r.csv"', "s.csv' cannot be read"], code=2),
    ],
    "a policy is kept once and used by every command": [
        Ran(f"class init {DUE} --out-of 60 --phases 1 --together", ["wrote class.toml"], code=0),
        Ran("class init", ["class.toml already exists"], code=2),
        partial(store, NEXT_DAY),
        Ran("class export --to csv", [], ["this run only"], 0),
        Holds("grades.csv", [",54,60,1,1 day late: -6 points"]),
        Ran("class show ada", [MARK]),
        Ran("class report"),
        Holds("class.html", ["1 day late: -6 points"]),
        Ran("class feedback out"),
        Holds("out/ada.html", [MARK]),
        Ran(
            "class export --to csv --due '2001-01-02 12:00'",
            ['--due "2001-01-02 12:00" for this run only; class.toml says "2001-01-01 10:00"'],
        ),
        Holds("grades.csv", [",60,60,0,,"]),
        Ran("class show ada", [MARK]),
    ],
    "grace, extensions and a cap change what lateness costs": [
        Ran(f"class init {DUE} --phases 1 --together"),
        *(partial(store, one) for one in (NEXT_DAY, entry("bob", received=DAY + 10 * 60, score=6))),
        partial(policy, ('late_cap = "100%"', 'late_cap = "50%"')),
        Ran("class export --to csv"),
        Holds("grades.csv", ["Ada,,,graded,,3,6,1,", "Bob,,,graded,,3,6,1,"]),
        partial(
            policy,
            ("grace = 0", "grace = 15"),
            ('# ada = "2026-12-03 23:59"', 'ada = "2001-01-03 10:00"'),
        ),
        Ran("class export --to csv", hides=["warning"]),
        Holds("grades.csv", ["Ada,,,graded,,6,6,0,", "Bob,,,graded,,6,6,0,"]),
        partial(policy, ("ada =", "adda =")),
        Ran("class report", ["warning: extensions for unknown learners: adda"]),
    ],
    **{
        f"a wrong policy names the key and what is allowed: {new}": [
            Ran(f"class init {DUE}"),
            partial(policy, (old, new)),
            partial(store, entry()),
            *(Ran(f"class {words}", [message], code=2) for words in ("report", "show ada")),
        ]
        for old, (new, message) in WRONG.items()
    },
    "one learner's folder is not graded as a class": [
        partial(hand_in, changed()),
        Ran("class in/ada", ["is one submission, because engine.py is in it"], code=2),
    ],
    "rules without a meaning are refused": [
        partial(store, entry()),
        *(
            Ran(f"class {words} {points}", code=2)
            for words in ("export --to csv --out-of", "report --out-of")
            for points in ("nan", "inf", "1e308", "0", "-1")
        ),
        *(Ran(f"class comment ada x --points {points}", code=2) for points in ("nan", "inf")),
        *(
            Ran(f"class export --to csv {words}", code=2)
            for words in (
                *("--due soon", "--due 2026-11-30", "--late-per-day 10%"),
                "--due 2026-11-30T23:59 --late-per-day x",
                "--due 2026-11-30T23:59 --late-per-day 200%",
            )
        ),
        partial(Path("grades.csv").touch, exist_ok=False),
    ],
    **{
        f"feedback has the name that the course system knows: {name}": [
            partial(graded, "../ada", origin),
            partial(store, replace(REFUSED, report="")),
            Ran("class feedback out", ["wrote 2 reports"]),
            Ran("class feedback out --format md", ["wrote 2 reports"]),
            *(Holds(f"out/{name}.{ending}", ["6"]) for ending in ("html", "md")),
            *(Holds(f"out/eve.{ending}", ["it is a PDF"], ["0 of 0"]) for ending in ("html", "md")),
            Ran("class feedback all.zip", code=0),
        ]
        for origin, name in (
            ("in/doejane_12345_678910_engine.py", "doejane_12345_678910_feedback"),
            ("a_LATE_1_2_engine.py, a_LATE_1_3_nn.py", "a_LATE_1_2_feedback"),
            (
                "in/Jane Doe_4711_assignsubmission_file",
                "Jane Doe_4711_assignsubmission_file_feedback",
            ),
            ("in/ada", "-ada"),
        )
    },
    "an export names blank marks and says so in its exit code": [
        partial(store, entry(), REFUSED),
        Ran(
            EXPORT,
            ["1 of 2 learners have a mark", "warning: no mark for Eve (eve): it is a PDF"],
            code=0,
        ),
        partial(store, replace(entry("dee", outcome="error"), message="no sandbox")),
        Ran(EXPORT, ["warning: no mark for Dee (dee): no sandbox"], code=3),
        Ran("class comment dee 'graded on paper' --points 4"),
        Ran(EXPORT, [], ["Dee"], 0),
        Holds("canvas.csv", ["Dee,dee,,,,4\n"]),
    ],
    "a roster at the export names everybody and who is missing": [
        partial(store, entry()),
        partial(touch, Path("r.csv"), text="id,name\nada,Ada\nzoe,Zoe Zhu\n"),
        Ran(
            "class export --to csv --roster r.csv",
            ["1 of 2 learners have a mark", "1 handed in nothing: Zoe Zhu"],
        ),
        Holds("grades.csv", ["ada,Ada,,,graded,,3,", "zoe,Zoe Zhu,,,not handed in,,,"]),
    ],
    "everybody in a group gets the mark": [
        partial(touch, Path("in/submission_1/engine.py"), text=changed()),
        partial(touch, Path("r.csv"), text=GROUPS),
        partial(touch, LISTED, text=TEAM + SAM),
        Ran("class check in --roster r.csv", ["1 handed in nothing: Tia"]),
        Ran(f"{PHASE_1} --roster r.csv", ["1 handed in nothing: Tia"]),
        Ran("class report"),
        Holds("class.html", ["<b>1</b> submissions"]),
        Ran(EVERYBODY),
        Holds(
            "grades.csv",
            [f"{one},,,graded,,6,6," for one in (JANE, RIC, "44,Sam Soe")],
            ["Tia,,,graded"],
        ),
        partial(touch, LISTED, text=f"{ALONE}{SAM}"),
        Ran(f"{PHASE_1} --roster r.csv", ["1 graded"]),
        Ran(EVERYBODY),
        Holds("grades.csv", [f"{one},,,graded,,6,6," for one in (JANE, RIC, "45,Tia")]),
    ],
    "different phases never share an export": [
        partial(
            store, entry(), replace(BOB, key=BOB.key._replace(phases="phase1 phase2 --isolate"))
        ),
        *(
            Ran(f"class {words}", code=2)
            for words in ("export --to canvas", "report", "feedback out")
        ),
        partial(Path("canvas.csv").touch, exist_ok=False),
        Ran("class export --to canvas --phases 1-2", code=0),
        Holds("canvas.csv", ["Ada,ada,,,,\n", "Bob,bob,,,,3\n"]),
        Ran("class export --to canvas --phases 1 --together", code=0),
        Holds("canvas.csv", ["Ada,ada,,,,3\n", "Bob,bob,,,,\n"]),
    ],
    "a comment changes the mark and is shown everywhere": [
        graded,
        Ran("class comment ada 'in person' --points +2", code=0),
        Ran("class show ada", [TOLD]),
        Ran("class feedback out --format html"),
        Holds("out/ada.html", [f"Mark: 5 of 6 points ({TOLD})"]),
        Ran("class feedback out --format md"),
        Holds("out/ada.md", [f"Mark: 5 of 6 points ({TOLD})"]),
        Ran("class report"),
        Holds("class.html", [TOLD]),
        Ran("class export --to csv"),
        Holds("grades.csv", [TOLD]),
        Ran("class export --to moodle"),
        Holds("moodle.csv", [TOLD]),
        Ran(EXPORT),
        Holds("canvas.csv", ["Ada,ada,,,,5\n"]),
    ],
    "a part is marked by hand and shown everywhere": [
        graded,
        partial(touch, Path("class.toml"), text=RUBRIC),
        Ran("class mark ada style 3,5 --comment clear", ["undo: grade class undo 1"], code=0),
        Ran("class mark ada style 4 --comment clear", code=0),
        Ran("class mark ada oral 0", code=0),
        Ran("class show ada", [STYLE, "Talk? 0 of 2 points", "Mark: 7 of 13 points"]),
        Ran("class feedback out"),
        Holds("out/ada.html", [STYLE, "Talk? 0 of 2 points"]),
        Ran("class report"),
        Holds("class.html", [STYLE]),
        Ran("class export --to csv"),
        Holds("grades.csv", [",style,oral\n", f"graded,,7,13,0,{STYLE}; Talk? 0", ",4,0\n"]),
        Ran("class export --to moodle"),
        Holds("moodle.csv", [",7,13,", STYLE]),
        Ran(f"{EXPORT} --by-phase"),
        Holds("canvas.csv", [" style,", ",13,2,5,2\n", ",7,1,4,0\n"]),
    ],
    "a part that is not marked is missing and never zero": [
        partial(store, entry(), entry("bob")),
        partial(touch, Path("class.toml"), text=RUBRIC),
        Ran("class mark ada style 4"),
        Ran("class show ada", ["Talk? not marked yet", "Mark: 7 of 13 points so far"]),
        add_zoe,
        Ran("class mark zoe style 4"),
        Ran("class show zoe", ["not handed in Style: 4 of 5", "Mark: 4 of 13 points so far"]),
        *(
            Ran(
                f"class export --to {name}",
                ["0 of 3", "no mark for 2, not all marked by hand: Ada: oral; Bob: style, oral"],
                code=0,
            )
            for name in ("csv", "canvas", "moodle")
        ),
        Holds("grades.csv", ["Ada,,,graded,not marked yet: oral,,13,", ",4,\n", ",,\n"]),
        Holds("canvas.csv", ["Ada,ada,,,,\n"]),
        Holds("moodle.csv", ["Ada,,,13,"]),
    ],
    "a table of marks is imported completely or not at all": [
        partial(store, entry(), entry("bob")),
        partial(touch, Path("class.toml"), text=RUBRIC),
        partial(touch, Path("marks.csv"), text=f"{HEAD}ada,style,5,=1+1\n{BAD_ROWS}"),
        Ran(
            "class mark --import marks.csv",
            [
                "nothing was imported from 'marks.csv'",
                "line 3: no learner has the id 'al'",
                "line 4: the rubric has no item 'stile'",
                "line 6: '6' is not between 0 and 5",
                "line 7: 'nan' is not between 0 and 2",
                "line 9: 'style' of 'ada' is there twice",
            ],
            ["line 8"],
            code=2,
        ),
        Ran("class journal", hides=["ada"], code=0),
        partial(touch, Path("marks.csv"), text=f"{HEAD}ada,style,5,=1+1\nbob,oral,,\n"),
        Ran("class mark --import marks.csv", ["1 new or changed marks, 0 as before"], code=0),
        Ran("class mark --table marks.csv", ["--import marks.csv"], code=0),
        Holds("marks.csv", ["ada,style,5,'=1+1,Ada\n", "bob,oral,,,Bob\n"]),
        Ran("class journal", ["Ada: style 5: =1+1"]),
        *(
            Ran(f"class mark {words}", code=2)
            for words in (
                "ada style",
                "ada style -1",
                "bob stile 1",
                "--import no.csv",
                "x style 1",
            )
        ),
    ],
    "what was changed by hand is listed, corrected and undone": [
        graded,
        partial(touch, Path("class.toml"), text=RUBRIC.partition("[[rubric]] #2")[0]),
        Ran("class mark ada style 1"),
        Ran("class mark ada style 5"),
        Ran("class comment ada 'in persn' --points +2"),
        Ran("class comment ada 'in person' --points +1 --edit 3", code=0),
        Ran("class show ada", ["Mark: 9 of 11 points (in person (+1 points))"], ["persn"]),
        Ran("class undo 2", ["Ada (ada): undoes 2; to undo: grade class undo 5"], code=0),
        Ran("class undo 4"),
        Ran("class show ada", ["Style: 1 of 5", "Mark: 6 of 11 points (in persn (+2 points))"]),
        Ran("class undo 6"),
        Ran("class comment ada 'in my room' --points +1 --edit 4"),
        Ran("class show ada", ["Mark: 5 of 11 points (in my room (+1 points))"]),
        Ran(
            "class journal ada",
            [
                f"{WHO}: Ada: style 1",
                "style 5 (instead of 1) [does not count: see 5]",
                "+2 points: in persn [does not count: see 4]",
                "+1 points: in person (instead of 3)",
            ],
            code=0,
        ),
        *(
            Ran(f"class {words}", code=2)
            for words in ("undo 2", "undo 99", "comment ada x --edit 1", "journal nobody")
        ),
    ],
    "a rubric that cannot be used is refused": [
        partial(store, entry()),
        *(
            step
            for text, told in (
                (RUBRIC + RUBRIC, "'style' is there twice"),
                (RUBRIC.replace("5", "0"), "'points' is 0; it must be a number of points"),
                (RUBRIC.replace("points = 5", ""), "'points' is missing"),
                (RUBRIC.replace("points", "point"), "there is no key 'point'"),
                ("[[rubric", "not valid TOML"),
            )
            for step in (
                partial(touch, Path("class.toml"), text=text),
                Ran("class export --to csv", ["class.toml", told], code=2),
            )
        ),
    ],
    "a due date without times is refused and says what to give": [
        partial(hand_in_of, "ada", "bob"),
        Ran("class init --phases 1 --due 2026-11-15T23:59 --late-per-day 10"),
        Ran("class in", ["and none is known", "--times FILE", "column `submitted`"], code=2),
        partial(touch, Path("t.csv"), text="learner,time\nada,2026-11-17 10:00\n"),
        Ran("class in --jobs 1 --times t.csv", code=0),
        Ran(
            "class export --to csv",
            [
                "no mark for bob (bob): it is not known when this was handed in",
                "hint: grade the folder with --times FILE",
            ],
        ),
        Holds("grades.csv", ["ada,ada,,,graded,,4.8,6,1,2 days late: -1.2 points"]),
    ],
    **{
        f"times are asked for, or the late are named: {words}": [
            partial(store, replace(entry("ada"), timing=UNKNOWN, report="")),
            Ran(f"class {words} {DUE}", code=2),
            partial(store, replace(entry("ada", sha256="b", score=9), timing=LATE, report="")),
            Ran(
                f"class {words} {DUE}",
                ["one day counts unless --times FILE says more: Ada"],
                code=0,
            ),
        ]
        for words in ("export --to csv", "report", "feedback out", "feedback out.zip")
    },
    "a class is explained after it was graded": [
        partial(hand_in, changed(("self.grad = 0.0", "self.grad = 1.0"))),
        partial(touch, Path("in/bob/engine.py"), text=changed()),
        Ran(PHASE_1),
        Ran("class report", ["1 of 2 fail without an explanation"]),
        Ran(EXPLAIN, ["explained 1 of 1 failing submissions, 1 with nothing to search"], code=0),
        Ran(EXPLAIN, ["explained 1 of 1 failing submissions, 1 with nothing to search"]),
        Ran(f"{EXPLAIN} --seed 5", ["2 not graded with these options"]),
        Ran("class show ada", ["3/6", "all of phase1 passes", "self.grad = 1.0"]),
        Ran("class report", hides=["without an explanation"]),
        Holds("class.html", ["A new Value starts with a gradient of 1.0."]),
    ],
    "learners never see the instructor's folders": [
        *(
            partial(touch, Path("secret/canvas", name), text=text)
            for name, text in (
                ("ada/engine.py", changed(("self.grad = 0.0", "self.grad = 1 / 0"))),
                ("dee/main/own/secret/canvas/Engine.py", changed()),
                ("bob.zip", "no zip"),
            )
        ),
        Ran("class secret/canvas --phases phase1"),
        *(Ran(f"class feedback {ending} --format {ending}") for ending in ("html", "md")),
        *(
            Holds(
                f"{ending}/{who}.{ending}",
                ["ada/engine.py"] if who == "ada" else [],
                ["secret/canvas", "canvas/", "/ada/engine.py", ".."],
            )
            for ending in ("html", "md")
            for who in ("ada", "bob", "dee")
        ),
        Ran("class export --to moodle"),
        Holds("moodle.csv", hides=["secret"]),
    ],
    "one learner can be looked at": [
        partial(hand_in, changed(("self.grad = 0.0", "self.grad = 1.0"))),
        Ran("class in --phases phase1"),
        Ran("class show ada", ["submission 1", "phase1"], code=0),
        Ran("class show ada --html ada.html", code=0),
        Holds("ada.html", ["phase1"]),
        Ran("class report --anonymous", code=0),
        Holds("class.html", ["phase1"]),
        Ran("class show nobody", code=2),
    ],
    "an instructor sees all of a private suite, and who does not": [
        partial(write_suites, Path("suites")),
        partial(hand_in, changed(ENGINE)),
        Ran(f"{SECRET} --reveal all", ["[hidden]", "[after the due date]"], code=1),
        Ran(f"{SECRET} --reveal after-due-date", ["654321"], ["123456"]),
        Ran(f"phase2.large {SECRET[2:]}", ["--reveal all"], code=2),
        partial(Path("in/ada/.grade").mkdir),
    ],
    "a class has a private suite in all that stays with the instructor": [
        partial(write_suites, Path("suites")),
        partial(hand_in, changed(ENGINE)),
        Ran(CLASS, ["1 graded"]),
        Ran(
            f"{CLASS} --suites suites",
            ["1 graded", "1 mark would change with the current suites: ada 10/10 → 10/14"],
        ),
        Ran("class show ada", hides=["[hidden]"]),
        Ran(f"{CLASS} --suites suites --regrade", ["unchanged"], ["would change"]),
        Ran(CLASS, ["unchanged", "ada 10/14 → 10/10", "add --regrade"]),
        Ran("class export --to csv"),
        Holds("grades.csv", ["phase2.large (hidden),phase2.zero (after the due date)\n", ",0,0\n"]),
        Ran("class show ada", ["[hidden]"], ["submission 2"]),  # the same content, graded anew
        Ran("class show ada --html ada.html --reveal visible"),
        Holds("ada.html", ["phase2"], ["123456", "654321", "phase2.large", "phase2.zero", "7401"]),
        Ran("class report"),
        Holds("class.html", ["[hidden]"], ["7401"]),
    ],
    "an instructor may allow a package": [
        partial(hand_in, "import numpy as np\n" + changed().replace("math.tanh(", "np.tanh(")),
        Ran("phase6 --at in/ada", ["standard library only: use math.tanh"], code=1),
        Ran("phase6 --at in/ada --package numpy", ["allowed to import numpy"], code=0),
        Ran(SIX),
        Ran(SHOWN, ["7/17"]),
        Ran(f"{SIX} --package numpy"),
        Ran(f"{SHOWN} --package numpy", ["17/17"]),
        Ran(
            "phase6 --at in/ada --package surely_not_here",
            ["surely_not_here is not installed here"],
            code=2,
        ),
    ],
    "isolation is required, or what it does not protect is said": [
        partial(hand_in, changed()),
        Ran(
            "phase1 --at in/ada --isolation 0 --require-isolation 1 --format json",
            ['"message": "isolation 1 is required, but this machine offers only 0"'],
            code=3,
        ),
        Ran(
            "phase1 -v --isolation 0 --at in/ada",
            ["isolation 0: own process;", "hostile code could"],
            code=0,
        ),
    ],
}


@pytest.mark.needs("numpy")
@pytest.mark.usefixtures("here")
@each(
    STORIES,
    "a due date without times is refused and says what to give",
    "everybody in a group gets the mark",
    "a class is explained after it was graded",
    "learners never see the instructor's folders",
    "one learner can be looked at",
    "an instructor sees all of a private suite, and who does not",
    "a class has a private suite in all that stays with the instructor",
    "an instructor may allow a package",
)
def test_an_instructor_sees_what_a_command_does(story: Story) -> None:
    play(story)
