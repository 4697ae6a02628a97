"""The mistakes of beginners in `benchmarks/beginners`: what the clearest of them are answered."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "benchmarks" / "beginners"))

from beginners import RATINGS, Mistake, answer, mistakes, rates

FOUND = mistakes()
CLEAREST = [name for name, mistake in FOUND.items() if mistake.says or mistake.never]


@pytest.mark.slow
@pytest.mark.parametrize("name", CLEAREST)
def test_a_beginner_reads_what_is_wrong(name: str) -> None:
    mistake = FOUND[name]
    read = " ".join(answer(mistake).split())
    assert read
    assert [text for text in mistake.says if text not in read] == []
    assert [text for text in mistake.never if text in read] == []


def test_a_mistake_must_be_possible_in_the_source() -> None:
    with pytest.raises(ValueError, match="must be there once"):
        Mistake("a", "phase1", "b", "", old="x = 2").made_in("x = 1\n")


def test_every_answer_has_a_rating() -> None:
    assert {mistake.rating for mistake in FOUND.values()} <= set(RATINGS)
    assert len(CLEAREST) >= 20


def test_the_page_has_the_rates_of_the_table() -> None:
    page = (Path(__file__).parents[1] / "docs" / "answers.md").read_text(encoding="utf-8")
    assert [row for row in rates(FOUND) if row not in page] == []
