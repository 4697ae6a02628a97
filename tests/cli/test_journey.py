"""The whole way of a learner in a terminal: begin, fail, take a hint, mend, pass, quiz, watch."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support.terminal import Terminal

CONSTRUCTOR = """self.data = data
        self.grad = None
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None"""
STUBS = {
    "Value.__init__": CONSTRUCTOR,
    "Value.__repr__": 'return f"Value(data={self.data}, grad={self.grad})"',
}


@pytest.mark.slow
def test_a_learner_goes_from_an_empty_folder_to_the_second_phase(
    tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    def grade(*words: str, folder: str = "mine") -> str:
        return terminal(*words, folder=folder).end()

    assert "next: cd mine, then grade" in grade("init", "mine", folder="")
    engine = tmp_path / "mine" / "engine.py"
    assert "write Value.__init__ in engine.py" in grade()
    assert "▫▫▫▫▫▫   0/6" in grade("phase1")
    source = engine.read_text(encoding="utf-8")
    for name, code in STUBS.items():
        source = source.replace(f'raise NotImplementedError("phase 1: {name}")', code)
    engine.write_text(source, encoding="utf-8")
    failed = grade("phase1")
    for told in ("self.grad = None", "it must be a number", "stuck? grade hint"):
        assert told in failed
    assert re.search(r"open now: grad starts at 0\.0.*1 of 4", grade("hint", "phase1"), re.DOTALL)
    source = source.replace("grad = None", "grad = 0.0")
    engine.write_text(source, encoding="utf-8")
    passed = grade("phase1")
    for told in ("✓✓✓✓✓✓   6/6", "grade quiz phase1", "write Value.__add__ in engine"):
        assert told in passed
    quiz = terminal("quiz", "phase1", "--seed", "7", folder="mine")
    quiz.talk(("answer:$", "a"))
    quiz.quit("2 of 4.*answer:$")
    quiz.talk(("3 not answered.*again: grade quiz", ""))
    watch = terminal("watch", "phase1", folder="mine")
    watch.talk(("6/6.*q quit", ""))
    engine.write_text(source.replace("grad = 0.0", "grad = 1.0"), encoding="utf-8")
    watch.quit(r"self\.grad = 1\.0")
