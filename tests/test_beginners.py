"""The mistakes of beginners in `benchmarks/beginners`, and what they are answered."""

import sys
from pathlib import Path

import pytest

from grader.boundary.pool import ProcessHost

sys.path.append(str(Path(__file__).parents[1] / "benchmarks" / "beginners"))

from beginners import SETS, answer, mistakes

MISTAKES = {name: [*mistakes(name).values()] for name in SETS}
CASES = sorted({(name, each.phase) for name, found in MISTAKES.items() for each in found})


@pytest.mark.slow
@pytest.mark.parametrize(("name", "phase"), CASES)
def test_a_beginner_reads_what_is_wrong(name: str, phase: str) -> None:
    if phase in {"ext4", "ext6"}:
        pytest.importorskip("numpy")
    wrong = {}
    host = ProcessHost(most=0)
    for mistake in (each for each in MISTAKES[name] if each.phase == phase):
        read = " ".join(answer(mistake, host).split())
        lacks = [text for text in mistake.says if text.lower() not in read.lower()]
        if not read or lacks or any(text in read for text in mistake.never):
            wrong[mistake.name] = f"{lacks or mistake.never} {read}"
    assert wrong == {}
