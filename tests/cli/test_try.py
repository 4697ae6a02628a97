"""Lines to paste and `grade try`: everything that is offered for pasting runs at a prompt, and does
what its comment says.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from support import changed
from support.command import run
from support.terminal import Terminal

pytestmark = pytest.mark.slow

HEADING = re.compile(r"To paste into Python.*?:\n\n(.*?)(?:\n\n  ▫|\s*\Z)", re.DOTALL)
RECURSIVE = """        def visit(node):
            for child in node._prev:
                visit(child)

        visit(self)
        topo = self.build_topo()"""
FAILING = {  # the checkpoint, the mistake, and what the last line prints or raises
    "phase6.tanh-backward": (("1 - out.data**2) * out.grad", "1 - out.data**2)"), r"0\.07065"),
    "phase4.very-deep": (("        topo = self.build_topo()", RECURSIVE), "RecursionError"),
    "phase3.number-times": (("__rmul__", "__rmull__"), "TypeError: unsupported operand"),
    "phase2.graph": (('(self, other), "+"', '(self,), "+"'), r"\{Value"),
}
PROMPTS = {
    "python": (("-i", "-q"), r">>>\Z"),
    "IPython": (("-m", "IPython", "--no-banner", "--no-confirm-exit"), r"In \[\d+\]:\Z"),
}


def story(home: Path, checkpoint: str) -> str:
    """Make the mistake, and return the lines that `grade why` offers for pasting."""
    (home / "engine.py").write_text(changed(FAILING[checkpoint][0]), encoding="utf-8")
    told = run("why", checkpoint).stdout
    found = HEADING.search(told)
    assert found, told
    return found[1]


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("checkpoint", FAILING)
def test_the_lines_of_why_can_be_pasted(
    checkpoint: str, prompt: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if prompt == "IPython":
        pytest.importorskip("IPython")
        monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    options, waits = PROMPTS[prompt]
    lines = story(home, checkpoint)
    with closing(Terminal(home, 80, *options, program=(sys.executable,))) as terminal:
        terminal.talk((waits, ""))
        terminal.paste(lines)
        shown = terminal.talk((rf"{FAILING[checkpoint][1]}.*{waits}", ""))
    assert not re.search("SyntaxError|IndentationError|NameError|ImportError", shown), shown


def test_try_opens_a_prompt_in_which_the_lines_have_run(home: Path) -> None:
    story(home, "phase6.tanh-backward")
    run("phase6")
    with closing(Terminal(home, 80, "try")) as terminal:
        shown = terminal.talk((r"0\.07065.*>>>\Z", "a.grad + 1\r"))
        assert "this runs your own code, outside the sandbox" in " ".join(shown.split())
        assert "print(a.grad)  # gives 0.07065082485, should give 0.7771590734" in shown
        terminal.talk((r"1\.07065.*>>>\Z", "exit()\r"))
        terminal.end()
    assert terminal.process.returncode == 0


def test_ctrl_c_ends_lines_that_never_end_but_not_the_prompt(home: Path) -> None:
    never = changed(("for node in reversed(topo):", "while True:\n            node = self"))
    (home / "engine.py").write_text(never, encoding="utf-8")
    run("phase4")
    with closing(Terminal(home, 80, "try")) as terminal:
        terminal.talk((r">>> \w+\.backward\(\)", ""))
        time.sleep(0.5)
        os.killpg(terminal.process.pid, signal.SIGINT)  # as a terminal does for Ctrl-C
        terminal.talk((r"KeyboardInterrupt.*>>>\Z", "exit()\r"))
        terminal.end()
