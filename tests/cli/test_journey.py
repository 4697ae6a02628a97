"""The whole way of a learner in a terminal: begin, fail, take a hint, mend, pass, quiz, watch."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.terminal import WAIT, Terminal

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
def test_a_learner_goes_from_an_empty_folder_to_the_second_phase(tmp_path: Path) -> None:
    engine = tmp_path / "mine" / "engine.py"

    def grade(*words: str) -> str:
        terminal = Terminal(engine.parent if engine.exists() else tmp_path, 80, *words)
        try:
            return terminal.end()
        finally:
            terminal.close()

    assert "next: cd mine, then grade" in grade("init", "mine")
    assert "write Value.__init__ in engine.py" in grade()
    assert "6 not started" in grade("phase1")
    source = engine.read_text(encoding="utf-8")
    for name, code in STUBS.items():
        source = source.replace(f'raise NotImplementedError("phase 1: {name}")', code)
    engine.write_text(source, encoding="utf-8")
    failed = grade("phase1")
    assert "self.grad = None" in failed
    assert "it must be a number" in failed
    assert "stuck? grade hint phase1" in failed
    hint = grade("hint", "phase1")
    assert "open now: grad starts at 0.0" in hint
    assert "1 of 4" in hint
    engine.write_text(source.replace("grad = None", "grad = 0.0"), encoding="utf-8")
    passed = grade("phase1")
    assert "6 of 6 checkpoints passed" in passed
    assert "questions: grade quiz phase1" in passed
    assert "write Value.__add__ in engine.py" in passed
    _answer_a_question(engine.parent)
    _watch_a_save(engine)


def _answer_a_question(home: Path) -> None:
    quiz = Terminal(home, 80, "quiz", "phase1", "--seed", "7")
    try:
        quiz.until(lambda text: text.endswith("answer:"))
        quiz.press("a")
        quiz.until(lambda text: "2 of 4" in text and text.endswith("answer:"))
        quiz.press("q")
        assert "3 not answered" in quiz.until(lambda text: "again: grade quiz" in text)
        assert quiz.process.wait(WAIT) == 0
    finally:
        quiz.close()


def _watch_a_save(engine: Path) -> None:
    watch = Terminal(engine.parent, 80, "watch", "phase1")
    try:
        watch.until(lambda text: "6/6" in text and "q quit" in text)
        source = engine.read_text(encoding="utf-8")
        engine.write_text(source.replace("grad = 0.0", "grad = 1.0"), encoding="utf-8")
        assert "self.grad = 1.0" in watch.until(lambda text: "self.grad =" in text)
        watch.press("q")
        assert watch.process.wait(WAIT) == 0
    finally:
        watch.close()
