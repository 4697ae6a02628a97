"""An engine gets the same report in a browser as from the command.

All fields of the JSON are compared, but those that cannot be equal: durations, isolation, and the
folder's name. `MAY_DIFFER` lists the engines whose other fields may differ, and why; their verdicts
and kinds of fault are still the same. `PARITY=1` takes a faulty engine of each phase, `PARITY=5`
five of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from math import isclose
from pathlib import Path
from typing import Any

import pytest

from grader.curriculum.faulty import Faulty
from grader.views.json import to_json
from support import kit_folder, misbehaving, put
from support.browser import needs_browser
from support.grading import COURSE, grade
from support.site import Site, texts

pytestmark = [pytest.mark.slow, needs_browser, pytest.mark.timeout(900)]

NATIVE_ONLY = {"ext4", "ext6"}  # need numpy, micrograd or torch
OF_EACH_PHASE = int(os.environ.get("PARITY", "0"))  # faulty engines; 5 take some five minutes
FAULTY = {  # otherwise these: an exception, steps of backward, numbers of the C library, what is
    # drawn at random, training
    "phase1.backward-is-none",
    "phase4.backward-clears-in-between",
    "phase6.exp-assigns",
    "phase7.layer-copies-one-neuron",
    "phase8.batches-are-lists-of-pairs",
}
LAST_DIGIT = 1e-14  # exp and tanh come from another C library
LEFT_OUT = {"duration_s", "isolation", "origin"}
HOSTILE = {  # and the checkpoints that show it
    "loop_that_catches": ["phase2.forward"],
    "recursion_in_an_operator": ["phase2.forward"],
    "recursion_into_the_stack": ["phase2"],
    "memory_bit_by_bit": ["phase2.forward"],
    "exit_zero_in_a_call": ["phase2.forward"],
    "exits_at_import": ["phase2"],
    "prints_50_megabytes": ["phase2.forward"],
}
SETS = "iterates over a set of objects, whose order depends on their addresses"
MAY_DIFFER = {
    "phase1.children-in-a-tuple-in-a-set": "an exception whose text is different in another Python",
    "phase4.along-every-path": SETS,
    "phase4.breadth-first": SETS,
    "phase4.no-visited-set": SETS,
    "phase4.set-as-the-order": SETS,
    "loop_that_catches": "a busy loop is stopped in one of its two lines",
    "recursion_into_the_stack": "a browser has no signals, and prints the stack",
}


def engines(folder: Path) -> Iterator[tuple[str, dict[str, str], list[str]]]:
    """Yield the reference, the stubs, faulty engines, and hostile ones: a name, what is handed in,
    and what is graded.
    """
    right, stubs = texts(kit_folder("solutions")), texts(kit_folder("exercises"))
    extras = [s.id for s in COURSE.stages if s.optional and s.id not in NATIVE_ONLY]
    yield ("reference", right, ["all", *extras])
    yield ("stubs", stubs, ["all"])
    for stage in COURSE.stages:
        for found in () if stage.optional else chosen(stage.faulty):
            text = found.engine(right[stage.file].encode()).decode()
            yield (found.id, {**right, stage.file: text}, [stage.id])
    for name, words in HOSTILE.items():
        place = folder / name
        place.mkdir()
        misbehaving.make(name, place)
        yield (name, {**right, **texts(place)}, words)


def chosen(faulty: Sequence[Faulty]) -> Sequence[Faulty]:
    """Return those of a phase that are compared."""
    if not OF_EACH_PHASE:
        return [each for each in faulty if each.id in FAULTY]
    return faulty[:: max(1, len(faulty) // OF_EACH_PHASE)][:OF_EACH_PHASE]


def natively(place: Path, words: list[str]) -> Any:
    """Return the report of this process."""
    report = to_json(grade(place, words, prove=1))
    return json.loads(report.replace(f"{place}/", ""))  # the browser grades its own folder


def differences(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """Yield what is different in two documents."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            if key not in LEFT_OUT:
                yield from differences(one.get(key), other.get(key), f"{path}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (first, second) in enumerate(zip(one, other)):
            yield from differences(first, second, f"{path}/{number}")
    elif one != other and not (is_number(one, other) and isclose(one, other, rel_tol=LAST_DIGIT)):
        yield f"{path}: natively {one!r}, in the browser {other!r}"


def is_number(*values: Any) -> bool:
    """Return whether all are numbers."""
    return all(isinstance(value, float) for value in values)


def outline(document: Any) -> Any:
    """Return the verdict and the kind of every checkpoint."""
    assert "phases" in document, document
    return [
        [(check["id"], check["verdict"], check["kind"]) for check in phase["checkpoints"]]
        for phase in document["phases"]
    ]


def test_every_engine_gets_the_same_report_as_natively(site: Site, tmp_path: Path) -> None:
    every = list(engines(tmp_path))
    assert len(every) == 2 + (8 * OF_EACH_PHASE or len(FAULTY)) + len(HOSTILE)
    wrong = []
    for name, files, words in every:
        want = natively(put(tmp_path / f"{name}-native", files), words)
        found = json.loads(site.grade(files, *words, "--at", ".", "--format", "json")["text"])
        if name in MAY_DIFFER:
            want, found = outline(want), outline(found)
        different = [f"{name}{line}" for line in differences(want, found)]
        print(name, *different, sep="\n  ")  # shown if the test fails or is stopped
        wrong += different
    assert not wrong, "\n".join(wrong)
