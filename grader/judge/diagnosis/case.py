"""A failing checkpoint, and what it takes to examine it."""

from __future__ import annotations

from typing import NamedTuple

from grader.curriculum.model import Graph, Stage
from grader.judge.diagnosis.circuit import Circuit
from grader.judge.diagnosis.evidence import Evidence, Run
from grader.judge.diagnosis.place import Places
from grader.judge.diagnosis.sites import Sites
from grader.judge.diagnosis.written import Written


class Case(NamedTuple):
    """A failing checkpoint with its evidence, and ways to run the submission again.

    `circuit` is None if the failing script builds no graph.
    """

    checkpoint: str
    methods: tuple[str, ...]
    stage: Stage
    words: Graph
    evidence: Evidence
    circuit: Circuit | None
    run: Run
    written: Written
    places: Places
    sites: Sites

    @property
    def is_about_a_list(self) -> bool:
        """Whether a list of nodes is wrong, and not the operands of an operation."""
        made_elsewhere = self.circuit is None or self.circuit.implied
        return self.evidence.form == "refs" and made_elsewhere
