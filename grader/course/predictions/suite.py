"""Predictions: six gradients that a learner worked out, each compared with the right one."""

from __future__ import annotations

from answers import check_answers
from vocabulary import Learner

from grader.suite import close

_SET_AGAIN = "did the second pass begin with `f.grad` = 2? `backward()` sets it to 1 each time"
# for each prediction the correct number, how to find it, and the mistakes behind wrong ones
PREDICTIONS: dict[str, tuple[float, str, dict[float, str]]] = {
    "a after f": (
        1,
        "in `f = s + a` the local derivative for `a` is 1, and `f.grad` is 1",
        {0: "`f = s + a` uses `a` directly too, so it gets a share as soon as `f` runs"},
    ),
    "a after s": (
        7,
        "add the two shares from `s = a * a` to the one already there",
        {
            3: "this is the share of one factor alone; add all three shares",
            4: "`a * a` uses `a` twice, so it sends two shares",
            6: "these are the two shares from `s`; the one from `f` is still there",
            9: "this is the number in `s`; the share of each factor is the other factor",
        },
    ),
    "a with =": (
        3,
        "each `=` replaces what is there, so only the last share remains. Which one is that?",
        {
            7: "this is what `+=` gives; `=` replaces what is there",
            6: "the two shares from `s` replace each other too",
            4: "the first share from `s` already replaces the one from `f`",
            1: "`s` runs after `f`, so its shares replace the one from `f`",
        },
    ),
    "s again": (
        2,
        "`f` sends its share to `s` again, and it is added to the one from the first pass",
        {1: "this is what the first pass left; the second one adds to it", 3: _SET_AGAIN},
    ),
    "a again": (
        20,
        "begin with what the first pass left; add the share from `f` and the two from `s`",
        {
            7: "this is what the first pass left; the second one adds to it",
            13: "this is what the second pass adds; add it to what the first one left",
            14: "it does not simply double, because `s` passes on all it holds, old and new",
            27: _SET_AGAIN,
        },
    ),
    "a from both": (
        11,
        "all gradients begin at 0 again; add the one from `g` to the one from `f`",
        {
            4: "this is the share from `g` alone; it does not replace the one from `f`",
            7: "this is the gradient from `f` alone; `g.backward()` adds to it",
        },
    ),
}


def test_shares(learner: Learner) -> None:
    """`predictions`: the three shares of `a`"""
    _check(learner, "a after f", "a after s", "a with =")


def test_again(learner: Learner) -> None:
    """`predictions`: a second pass, and a second graph"""
    _check(learner, "s again", "a again", "a from both")


def _check(learner: Learner, *keys: str) -> None:
    right = {key: PREDICTIONS[key][0] for key in keys}
    check_answers(learner, "predictions", right, _explain)


def _explain(key: str, got: float) -> str:
    _, rule, mistakes = PREDICTIONS[key]
    return next((reason for number, reason in mistakes.items() if close(got, number)), rule)
