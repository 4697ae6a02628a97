"""The mistakes of beginners in `benchmarks/beginners`, and what they are answered."""

import sys
from pathlib import Path

import pytest

from grader.boundary.pool import ProcessHost

sys.path.append(str(Path(__file__).parents[1] / "benchmarks" / "beginners"))

from beginners import RATED, RATINGS, Mistake, answer, mistakes, rates

SETS = {name: mistakes(name) for name in RATED}
NEWCOMER = mistakes("newcomer")


def unlike(found: list[Mistake]) -> dict[str, str]:
    """The answers that lack a text that they should have, or have one that they must not have."""
    wrong = {}
    with ProcessHost(most=0) as host:
        for mistake in found:
            read = " ".join(answer(mistake, host).split())
            lacks = [text for text in mistake.says if text not in read]
            if not read or lacks or any(text in read for text in mistake.never):
                wrong[mistake.name] = f"{lacks or mistake.never} {read}"
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("phase", dict.fromkeys(each.phase for each in NEWCOMER.values()))
def test_a_newcomer_reads_what_is_wrong(phase: str) -> None:
    if phase == "ext4":
        pytest.importorskip("numpy")
    found = [mistake for mistake in NEWCOMER.values() if mistake.phase == phase]
    assert all(mistake.at and mistake.says for mistake in found)
    assert unlike(found) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        ("mistakes",),
        ("strangers",),
        ("strangers_later", "strangers_later_sealed", "varied", "varied_later"),
        ("students",),
    ],
)
def test_a_beginner_reads_what_is_wrong(names: tuple[str, ...]) -> None:
    if names != ("mistakes",):
        pytest.importorskip("numpy")
    found = (each for name in names for each in SETS[name].values())
    clearest = [each for each in found if each.says or each.never]
    assert len(clearest) >= 15
    assert unlike(clearest) == {}


def test_a_mistake_must_be_possible_in_the_source() -> None:
    with pytest.raises(ValueError, match="must be there once"):
        Mistake("a", "phase1", old="x = 2", new="b").made_in("x = 1\n")


@pytest.mark.parametrize("name", RATED)
def test_every_answer_has_a_rating(name: str) -> None:
    assert [each.name for each in SETS[name].values() if each.rating not in RATINGS] == []


@pytest.mark.parametrize("name", RATED)
def test_the_page_has_the_rates_of_every_set(name: str) -> None:
    page = (Path(__file__).parents[1] / "docs" / "answers.md").read_text(encoding="utf-8")
    *_, sums = rates(SETS[name])
    assert sums.removeprefix("| all") in page
