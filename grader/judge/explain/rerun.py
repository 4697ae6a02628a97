"""Run a failing script again in a new worker, to see whether it always gives the same result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from grader.judge.evidence import Evidence, attempt
from grader.judge.expectations import kind_of
from grader.judge.plain_values import is_same
from grader.judge.script.steps import Read, Step
from grader.judge.session import Session
from grader.text import shown
from grader.worker.protocol import USUAL, UnexpectedType

# of the objects in a set
_ORDERS = range(USUAL + 1, USUAL + 10)
UNSTEADY = "the numbers change from run to run, as the order of a set does"


class Rerun(Enum):
    """How a script behaved when it was run again."""

    SAME = "same"
    STATE = "state"  # on its own, it gives a different result than after other scripts
    ONCE = "once"  # it gives a different result than the first time, and nobody knows why
    UNSTEADY = "unsteady"  # its result differs from run to run
    RANDOM = "random"  # it draws random numbers


class Again(NamedTuple):
    """How a script behaved, and its result in a new worker."""

    outcome: Rerun = Rerun.SAME
    got: Any = None

    def comment(self, evidence: Evidence) -> str:
        """Return the comment for the listing's last line."""
        got, want, found = shown(evidence.got), evidence.expected, self.got
        if isinstance(found, list) and isinstance(want, int):
            found = len(found)
        if isinstance(found, list):
            return f"should be {shown(want)}"
        if self.outcome in {Rerun.UNSTEADY, Rerun.RANDOM}:
            return f"not the same each time; it gave {got}, should give {shown(want)}"
        if is_same(found, want):
            return f"gives {shown(found)}, as it should; after other scripts it gave {got}"
        return f"gives {shown(found)}, should give {shown(want)}; after other scripts it gave {got}"

    def why(self, evidence: Evidence) -> str:
        """Return the reason in a sentence."""
        if self.outcome is Rerun.UNSTEADY:
            return UNSTEADY
        if self.outcome is Rerun.ONCE:
            return f"the same lines give {shown(self.got)} when they run again"
        right = "the first call is right; " if is_same(self.got, evidence.expected) else ""
        return f"{right}something is kept between calls"


def again(evidence: Evidence, begin: Callable[[], Session], used: Session) -> Again:
    """Run the script again, in a new worker and in the `used` one.

    The used one runs it with several orders for the nodes in a set.
    """
    is_plain = evidence.got is not None and evidence.form in {"number", "text", "refs"}
    if evidence.failed is None or evidence.long or not is_plain:
        return Again()
    node, attribute = evidence.failed
    steps = [*evidence.steps, Read(node, attribute, evidence.form)]

    def afresh(order: int, *before: Sequence[Step], last: Sequence[Step] = steps) -> Any:
        with closing(begin()) as session:
            for each in before:
                attempt(partial(session.run_patched, (), each, order))
            return _last_answer(session, last, order)

    first = afresh(USUAL)
    if first is None:
        return Again()
    later = [_last_answer(used, steps, order) for order in (*_ORDERS, _ORDERS[0])]
    before = first if isinstance(first, list) else evidence.got
    if all(is_same(other, before) for other in (first, *later)):
        return Again(got=first)
    if all(is_same(other, first) for other in later):  # it went wrong only once
        *earlier, last = evidence.scripts
        kept = is_same(afresh(_ORDERS[0], *earlier, last=[*last, steps[-1]]), evidence.got)
        return Again(Rerun.STATE if kept else Rerun.ONCE, first)
    in_order = afresh(_ORDERS[0])
    if is_same(later[0], in_order) and is_same(later[-1], in_order):  # nothing is kept
        return Again(Rerun.UNSTEADY, first)
    if not is_same(in_order, afresh(_ORDERS[0])):
        return Again(Rerun.RANDOM, first)
    steady = is_same(in_order, first) and all(
        is_same(afresh(order), first) for order in _ORDERS[1:]
    )
    return Again(Rerun.STATE if steady else Rerun.UNSTEADY, first)


def _last_answer(session: Session, steps: Sequence[Step], order: int) -> Any:
    """Return a script's last reading, of a collection only which objects with a name are in it.
    Return None if something goes wrong.
    """
    reply = attempt(partial(session.run_patched, (), steps, order))
    answer = reply.answers[-1] if reply.fault is None and reply.answers else None
    if isinstance(answer, list):
        made = {step.target for step in steps}
        return sorted(item if item in made else -1 for item in answer)
    return kind_of(answer) if isinstance(answer, UnexpectedType) else answer
