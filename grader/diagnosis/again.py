"""A failing script once more, in a fresh worker: whether its listing may say what it gives, or only what it gave."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from grader import oracle
from grader.courses import Graph
from grader.diagnosis.evidence import Evidence, Reply, attempt, running
from grader.reports.text import shown
from grader.script import Read
from grader.session import Patch, Session


class Rerun(Enum):
    """How a script went when it was run again."""

    SAME = "same"
    STATE = "state"  # alone it gives something else than after other scripts
    UNSTEADY = "unsteady"  # it gives something else from run to run


class Again(NamedTuple):
    """How it went, and what it gives in a fresh worker."""

    outcome: Rerun = Rerun.SAME
    got: Any = None

    def comment(self, evidence: Evidence) -> str:
        """What the last line of the listing does."""
        got, want = shown(evidence.got), evidence.expected
        if self.outcome is Rerun.UNSTEADY:
            return f"not the same each time; it gave {got}, should give {shown(want)}"
        if _same(self.got, want):
            return f"gives {shown(self.got)}, as it should; after other scripts it gave {got}"
        return f"gives {shown(self.got)}, should give {shown(want)}; after other scripts it gave {got}"

    def why(self, evidence: Evidence) -> str:
        """The reason, in a sentence."""
        if self.outcome is Rerun.UNSTEADY:
            return "run again, the script gives other numbers: a set decides the order"
        right = "the first call is right; " if _same(self.got, evidence.expected) else ""
        return f"{right}state is kept between calls: in a default argument, on the class, or outside of the function"


def again(evidence: Evidence, begin: Callable[[], Session], used: Session, words: Graph) -> Again:
    """Run the script again: in a worker that ran nothing else, and in the `used` one with the nodes of every set in other orders."""
    if evidence.failed is None or evidence.long or evidence.got is None or evidence.form not in _FORMS:
        return Again()
    node, attribute = evidence.failed
    steps = [*evidence.steps, Read(node, attribute, evidence.form)]

    def alone(*patches: Patch) -> Any:
        session = begin()
        try:
            return _answer(attempt(lambda: session.run_patched(patches, steps)))
        finally:
            session.close()

    orders = [_shuffled(words, factor) for factor in _FACTORS]
    first = alone()
    if first is None:
        return Again()
    later = [_answer(running(used, words)(steps)), *(_answer(attempt(lambda order=order: used.run_patched([order], steps))) for order in orders)]  # type: ignore[misc]
    if all(_same(other, evidence.got) for other in (first, *later)):
        return Again(got=first)
    others = [alone(order) for order in orders]
    if not all(_same(other, first) for other in others):
        return Again(Rerun.UNSTEADY, first)
    return Again(Rerun.SAME if _same(first, evidence.got) else Rerun.STATE, first)


_FORMS = {"number", "text"}
_FACTORS = (1, -1, 40_503)  # of the objects' addresses: each is another order


def _shuffled(words: Graph, factor: int) -> Patch:
    module, _, node = words.make.rpartition(".")
    return Patch(module, _HASHED.format(node=node, factor=factor))


_HASHED = """
class {node}:
    if {node}.__hash__ is object.__hash__:
        def __hash__(self):
            return id(self) // 16 * {factor}
"""


def _answer(reply: Reply) -> Any:
    """What was read; None where something went wrong."""
    return reply.answers[-1] if reply.fault is None and reply.answers else None


def _same(one: Any, other: Any) -> bool:
    if type(one) in {int, float} and type(other) in {int, float}:
        return oracle.close(one, float(other)) or repr(float(one)) == repr(float(other))
    return bool(one == other)
