"""An engine gets the same report in a browser as from the command.

All fields of the JSON are compared, but those that cannot be equal: durations, isolation, and the
folder's name. `MAY_DIFFER` lists the engines whose other fields may differ, and why; their verdicts
and kinds of fault are still the same. `PARITY=5` takes more of the faulty engines.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from math import isclose
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grader.curriculum.faulty import read_faulty
from grader.curriculum.load import load_course
from grader.curriculum.source import splice
from support import kit_folder, misbehaving
from support.browser import browser, needs_browser
from support.site import Site, build, served, texts

pytestmark = [pytest.mark.slow, needs_browser, pytest.mark.timeout(900)]

COURSE = load_course()
NATIVE_ONLY = {"ext4", "ext6"}  # need numpy, micrograd or torch
OF_EACH_PHASE = int(os.environ.get("PARITY", "1"))  # faulty engines; 5 take some five minutes
LAST_DIGIT = 1e-14  # exp and tanh come from another C library
LEFT_OUT = {"duration_s", "isolation", "origin"}
HOSTILE = {  # and the checkpoints that show it
    "loop_that_catches": ["phase2.forward"],
    "recursion_in_an_operator": ["phase2"],
    "recursion_into_the_stack": ["phase2"],
    "memory_bit_by_bit": ["phase2.forward"],
    "exit_zero_in_a_call": ["phase2"],
    "exits_at_import": ["phase2"],
    "prints_50_megabytes": ["phase2.forward"],
}
SETS = "iterates over a set of objects, whose order depends on their addresses"
TEXTS = "an exception whose text is different in another Python"
LINES = "a busy loop is stopped in one of its two lines"
SIGNAL = "a browser has no signals, and prints the stack"
RANDOM = "shows a random number, which is different in every native run"
MAY_DIFFER = {
    "phase1.children-in-a-tuple-in-a-set": TEXTS,
    "phase4.along-every-path": SETS,
    "phase4.breadth-first": SETS,
    "phase4.no-visited-set": SETS,
    "phase4.set-as-the-order": SETS,
    "phase7.layer-copies-one-neuron": RANDOM,
    "phase8.train-draws-batches-in-every-step": RANDOM,
    "loop_that_catches": LINES,
    "recursion_into_the_stack": SIGNAL,
}


class Engine(NamedTuple):
    """What is handed in, and what is graded."""

    name: str
    files: dict[str, str]
    words: list[str]


def engines(folder: Path) -> Iterator[Engine]:
    """Yield the reference, the stubs, faulty engines of each phase, and hostile ones."""
    right, stubs = texts(kit_folder("solutions")), texts(kit_folder("exercises"))
    extras = [s.id for s in COURSE.stages if s.optional and s.id not in NATIVE_ONLY]
    yield Engine("reference", right, ["all", *extras])
    yield Engine("stubs", stubs, ["all"])
    for stage in COURSE.stages:
        faulty = sorted((COURSE.folder / stage.id / "faulty").glob("*.py"))
        for file in faulty[:: max(1, len(faulty) // OF_EACH_PHASE)][:OF_EACH_PHASE]:
            if not stage.optional:
                found = read_faulty(stage.id, file)
                text = splice(right[stage.file], found.source, found.deletes)
                yield Engine(found.id, {**right, stage.file: text}, [stage.id])
    for name, words in HOSTILE.items():
        place = folder / name
        place.mkdir()
        misbehaving.make(name, place)
        yield Engine(name, {**right, **texts(place)}, words)


def natively(engine: Engine, folder: Path) -> Any:
    """Return what the command says."""
    place = folder / f"{engine.name}-native"
    place.mkdir()
    for name, text in engine.files.items():
        (place / name).write_text(text, encoding="utf-8")
    words = [*engine.words, "--at", str(place), "--format", "json"]
    command = [sys.executable, "-m", "grader", *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return json.loads(done.stdout.replace(f"{place}/", ""))  # the browser grades its own folder


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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = build(tmp_path_factory.mktemp("site"))
    with browser() as driver, served(folder) as address:
        found = Site(driver, address)
        assert found.begin()
        yield found


def test_every_engine_gets_the_same_report_as_natively(site: Site, tmp_path: Path) -> None:
    every = list(engines(tmp_path))
    assert len(every) == 2 + 8 * OF_EACH_PHASE + len(HOSTILE)
    wrong = []
    with ThreadPoolExecutor(1) as ahead:
        wanted = [ahead.submit(natively, engine, tmp_path) for engine in every]
        for engine, native in zip(every, wanted):
            site.put(engine.files)
            found = json.loads(site.run(*engine.words, "--at", ".", "--format", "json")["text"])
            want = native.result()
            if engine.name in MAY_DIFFER:
                want, found = outline(want), outline(found)
            different = [f"{engine.name}{line}" for line in differences(want, found)]
            print(engine.name, *different, sep="\n  ")  # shown if the test fails or is stopped
            wrong += different
    assert not wrong, "\n".join(wrong)
