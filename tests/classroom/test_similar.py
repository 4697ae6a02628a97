"""Submissions with code in common: who is named, who is not, and what is shown."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from grader.classroom.gradebook import Gradebook
from grader.classroom.similar import Comparison
from support import changed, kit_folder, touch
from support.classroom import entry, store
from support.golden import read_cases, text_of
from support.grading import COURSE
from support.story import Holds, Ran, Story, each, play

DESIGNS = {
    name: text_of("engines", name)
    for name, case in read_cases("engines").items()
    if "source" in case
}
MINE = DESIGNS["correct/heap_by_depth.py"]
STUBS = (kit_folder("exercises") / "engine.py").read_text("utf-8")
GUARD = "other = other if isinstance(other, Value) else Value(other)"
OWN_GUARD = "if not isinstance(other, Value):\n            other = Value(other)"


def disguised(code: str) -> str:
    """Return the code with other names, comments and line breaks, and its methods reversed."""
    for old in ("other", "out", "visited", "node", "order", "exponent"):
        code = re.sub(rf"(?<![.\w]){old}\b", f"{old[::-1]}_x", code)
    head, *methods = re.split(r"(?=^    def )", code, flags=re.MULTILINE)
    return "# my own work\n" + "".join([head, *reversed(methods)]).replace("(self, ", "(self,\n  ")


def groups(**codes: str) -> list[tuple[set[str], str]]:
    """Return the learners of each group and what they have in common."""
    entries = [replace(entry(one, sha256=str(hash(codes[one])))) for one in codes]
    sources = {str(hash(code)): {"engine.py": code} for code in codes.values()}
    comparison = Comparison(COURSE, entries, sources)
    return [
        ({id for one in group.members for id in comparison.learners[one]}, group.how)
        for group in comparison.groups()
    ]


def test_independent_designs_are_not_alike() -> None:
    assert len(DESIGNS) > 12
    assert groups(**DESIGNS) == []


def test_the_names_of_classes_do_not_count() -> None:
    code = DESIGNS["correct/nodes_of_subclasses.py"]
    copy = code.replace("Sum", "Addition").replace("Product", "Times")
    assert groups(ada=code, bob=copy)[0][0] == {"ada", "bob"}


@pytest.mark.parametrize("others", [0, 1, len(DESIGNS)])
def test_a_copy_in_disguise_is_found_in_a_class_of_any_size(others: int) -> None:
    rest = {name: code for name, code in [*DESIGNS.items()][:others] if code != MINE}
    copy = disguised(MINE)
    assert compile(copy, "copy", "exec")
    ((who, how),) = groups(ada=MINE, bob=copy, **rest)
    assert who == {"ada", "bob"}
    assert int(how.partition("%")[0]) > 80
    same = [({"ada", "bob", "cem"}, "the same files")]
    assert groups(ada=MINE, bob=MINE, cem=MINE, **rest) == same


def test_code_from_the_course_and_short_methods_make_no_group() -> None:
    short = changed(
        (GUARD, OWN_GUARD), ("self.grad += out.grad", "self.grad = self.grad + out.grad")
    )
    alike = {"ada": short, "bob": disguised(short), "cem": changed(), "dee": changed()}
    assert groups(**alike, eve=STUBS, fay=STUBS, gus="class Value(:\n", hal="") == []


def test_unchanged_solutions_in_several_files_make_no_group() -> None:
    files = [
        (path.name, path.read_text("utf-8"))
        for path in sorted(kit_folder("solutions").glob("*.py"))
    ]
    assert len(files) > 3
    # in another order, so that other functions and files are neighbours
    turned = enumerate(("ada", "bob", "cem"))
    sources = {one: dict(files[turn:] + files[:turn]) for turn, one in turned}
    entries = [entry(one, sha256=one) for one in sources]
    assert Comparison(COURSE, entries, sources).groups() == []


def hand_in(**codes: str) -> None:
    """Save gradings with these files."""
    for learner, code in codes.items():
        store(entry(learner, sha256=str(len(code))))
        with Gradebook(Path("gradebook.sqlite")) as book:
            book.keep_source(str(len(code)), {f"{learner}/engine.py": code})


STORIES: dict[str, Story] = {
    "groups are named as a hint, and two learners side by side": [
        partial(hand_in, ada=MINE, bob=disguised(MINE), cem=DESIGNS["correct/functional.py"]),
        partial(store, entry("dee", sha256="d"), entry("eve", outcome="refused")),
        Ran(
            "class similar",
            [
                "A match is a reason to look, not a verdict",
                "1 Ada (ada); Bob (bob): ",
                "- Dee (dee): not compared",
            ],
            ["Cem", "Eve"],
            0,
        ),
        Ran(
            "class similar ada bob",
            ["ada/engine.py, line 113:", "bob/engine.py, line 6:", "node.grad", "edon_x.grad"],
            ["…"],
            0,
        ),
        Ran("class similar ada cem", ["nothing in common"], code=0),
        Ran("class report"),
        Holds("class.html", ["<h2>Code in common</h2>", ">Ada, Bob</button>"]),
        Ran("class report --anonymous"),
        Holds("class.html", hides=["Code in common</h2>", "Ada"]),
        *(Ran(f"class similar {words}", code=2) for words in ("ada", "ada dee", "ada nobody")),
    ],
    "a class without copies is told so": [
        partial(hand_in, ada=MINE, cem=DESIGNS["correct/functional.py"]),
        Ran("class similar", ["no submissions are alike"], ["hint"], 0),
    ],
    "grading stores the files that are compared": [
        *(
            partial(touch, Path(f"in/{name}/engine.py"), text=MINE.replace("out", word))
            for name, word in (("ada", "out"), ("bob", "result"))
        ),
        Ran("class in --phases phase1"),
        Ran("class similar", ["ada; bob: 100% of their own code in common"], code=0),
    ],
}


@pytest.mark.slow
@pytest.mark.usefixtures("here")
@each(STORIES, "grading stores the files that are compared")
def test_an_instructor_sees_what_submissions_have_in_common(story: Story) -> None:
    play(story)
