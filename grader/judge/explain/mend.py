"""Prove where a mistake is: find a small change to the learner's own code that makes checks pass.

A throwaway worker proposes changes. Each is made in the submission's text and tried in a new
sandboxed worker by the real checks: the failing one, the phase, and later ones that use the same
functions. The change is read from the two texts, not from the worker's answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from textwrap import dedent
from tokenize import TokenError
from typing import Any

from grader.boundary.access_times import settle
from grader.curriculum import packages
from grader.curriculum.model import Graph, Stage
from grader.curriculum.source import functions_in
from grader.intake.submission import Submission
from grader.judge.budget import Budget, OutOfTime
from grader.judge.evidence import Evidence
from grader.judge.excerpt import MOST_SHOWN
from grader.judge.expectations import RAISED
from grader.judge.explain.catalogue import reference_files, reference_session
from grader.judge.explain.change import Change, change, function_at, likeness_of, telling_lines
from grader.judge.explain.circuit import circuit_of
from grader.judge.explain.similar import script_of, variations
from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.job import Job
from grader.judge.memory import Memory
from grader.judge.plugin import run_suites
from grader.judge.replies import Array, line_of
from grader.judge.script.steps import Read, Step, Walk
from grader.judge.session import Session
from grader.judge.verdicts import Outcome
from grader.model import Frame, Proof, Verdict
from grader.worker.bounds import MAX_CHANGED
from grader.worker.protocol import RAISES, Candidate, Mend, Propose, Ref, Trial

SECONDS = 10.0  # of processor time: a safety net, ten times the usual need
MOST_CONFIRMED = 10  # candidates to try with the real checks
COMPARED = frozenset(("number", "text", "value", "array", "callable"))  # forms shared by all styles


class Mender:
    """Searches one submission for changes that make its failing checks pass."""

    def __init__(self, job: Job) -> None:
        self._job = replace(job, met=None, tell=None)
        self._course = job.course

    def proof(self, id: str, evidence: Evidence, verdicts: Mapping[str, Verdict]) -> Proof | None:
        """Return a change that makes this checkpoint pass, and its phase if possible."""
        stage = self._course.stage_of(id)
        checkpoint = next(each for each in stage.checkpoints if each.id == id)
        self._loops = evidence.form != "document"  # a drawing is written in many places
        own = self._job.own(stage, [checkpoint])
        settle(packages.readable(packages.locate(stage.packages)))
        best = None
        with (
            closing(reference_session(self._course, stage.module, self._job.host.worker)) as right,
            closing(self._job.session(stage, self._job.host.worker, Memory(), own)) as session,
        ):
            scripts = self._scripts(evidence)
            raises = evidence.form == RAISED or evidence.fault is not None
            trials = [
                trial
                for index, steps in enumerate(scripts)
                if (trial := self._trial(right, steps, raises=raises or not index))
            ]
            if not trials or trials[0].steps != scripts[0]:
                return None
            passing = self._passing(stage, verdicts)
            session.mend(Mend(SECONDS, self._sources(stage), checkpoint.methods, passing, trials))
            more: list[Trial] = []
            for _ in range(MOST_CONFIRMED):
                found = session.mend(Propose(SECONDS, more))
                if not found:
                    break
                proof, against = self._confirmed(found[0], stage, id, verdicts)
                if proof is not None and proof.phase and proof.lines:
                    return proof
                if proof is not None and not (best and best.lines):
                    best = proof if best is None or proof.lines else best
                more = [
                    trial
                    for refuted in filter(None, [against])
                    for steps in self._scripts(refuted)[:1]
                    if (trial := self._trial(right, steps, raises=refuted.form == RAISED))
                ]
        return best

    def _passing(self, stage: Stage, verdicts: Mapping[str, Verdict]) -> list[str]:
        """Return the functions whose checks pass. Those of earlier phases passed, too."""
        stages = self._course.stages
        earlier = {name for each in stages[: stages.index(stage)] for name in each.asked}
        right, wrong = (
            {
                name
                for each in stage.checkpoints
                if (verdicts.get(each.id) is Verdict.PASSED) is passes
                for name in each.methods
            }
            for passes in (True, False)
        )
        return sorted((earlier | right) - wrong)

    # --- candidates ---

    def _scripts(self, evidence: Evidence) -> list[list[Step]]:
        """Return the failing script with everything read that may be compared, and some like it."""
        graph = self._course.graph
        circuit = circuit_of(evidence, graph) if graph else None
        script = script_of(evidence, circuit)
        if circuit is not None and not _goes_back(script, circuit.words, evidence):
            script = [
                step
                for step in script
                if not (isinstance(step, Read) and step.attribute == circuit.words.gradient)
            ]
        if not script:
            return []
        return [script, *(variations(script) if circuit is not None else ())]

    def _trial(self, right: Session, steps: Sequence[Step], *, raises: bool) -> Trial | None:
        try:
            answers = right.run_patched([], steps)
        except LearnerFault:
            return Trial(list(steps), RAISES) if raises else None
        except WorkerLost:
            return None
        asked = [step for step in steps if isinstance(step, (Read, Walk))]
        made = {step.target: step.references() for step in steps if step.target is not None}
        wants = [_wanted(step, answer, made) for step, answer in zip(asked, answers)]
        return Trial(list(steps), wants)

    def _sources(self, stage: Stage) -> list[str]:
        """Return the reference's files that this stage uses."""
        modules, files = self._course.modules_until(stage), reference_files(self._course)
        return [file.source.decode() for file in files if file.module in modules]

    # --- trying them with the real checks ---

    def _confirmed(
        self, candidate: Candidate, stage: Stage, id: str, verdicts: Mapping[str, Verdict]
    ) -> tuple[Proof | None, Evidence | None]:
        """Try a candidate with the real checks. Return the proof, and anything against it."""
        submission = changed(self._job.submission, candidate)
        if submission is None or (shown := self._place(candidate)) is None:
            return None, None
        place, difference = shown
        needed = {each for each, verdict in verdicts.items() if verdict is Verdict.PASSED} | {id}
        budget = Budget(self._job.host.clock)
        job = replace(self._job, submission=submission, budget=budget, needed=frozenset(needed))
        asked = [each.id for each in stage.checkpoints if not each.bonus or each.id == id]
        outcomes = self._outcomes(job, [stage], asked)
        unwritten = {each for each in asked if verdicts.get(each) is Verdict.NOT_STARTED}
        failed = [
            each
            for each, outcome in outcomes.items()
            if outcome.verdict is not Verdict.PASSED
            and (outcome.verdict is not Verdict.NOT_STARTED or each not in unwritten)
        ]
        against = next((evidence for each in failed if (evidence := outcomes[each].evidence)), None)
        if needed.intersection(failed):
            return None, against
        only, alike = self._likeness(stage, place.function, difference.come, candidate.text)
        if not only:  # the reference's own function is right everywhere
            for each, outcome in self._later(job, stage, place.function).items():
                if outcome.verdict is Verdict.FAILED and (
                    verdicts.get(each) is Verdict.PASSED
                    or not self._is_apart(each, id, place.function)
                ):
                    return None, outcome.evidence
            if self._spoils_others(job, stage, place.function):
                return None, None
        whole = "" if failed else stage.id
        gone, come, lines = difference.gone, difference.come, tuple(difference.lines)
        why = difference.why if whole else ""
        return Proof(place, whole, only, alike, gone, come, lines, not unwritten, why), against

    def _place(self, candidate: Candidate) -> tuple[Frame, Change] | None:
        """Return the first line that a candidate changes, and the change, read from the texts."""
        submission, first = self._job.submission, candidate.first
        (source,) = (each.source for each in submission.files if each.shown == candidate.file)
        rows = source.decode("utf-8", "replace").split("\n")
        before = "\n".join(rows[first - 1 : candidate.last]) + "\n"
        try:
            found = change(before, candidate.text, first)
        except (TokenError, SyntaxError):
            return None
        if not found.lines:
            return None
        size = max(len(found.lines), len(found.come.splitlines()))
        lines = found.lines if size <= MAX_CHANGED or found.why else []
        function = function_at(rows, found.first)
        telling = [first + each for each in telling_lines(before, loops=self._loops)]
        runs = _runs(lines, rows)[::-1] or [telling if found.gone else [found.first]]
        shown = max(runs, key=lambda run: len({*run} - found.added))
        last = shown[-1] if shown[-1] - shown[0] < MOST_SHOWN else 0
        place = line_of(submission, candidate.file, shown[0], function, last=last)
        return (place, found._replace(lines=lines)) if place is not None else None

    def _is_apart(self, later: str, id: str, function: str) -> bool:
        """Return whether a later checkpoint may fail for another reason. Then the engine has an
        adapter, and only the passing checkpoint is about this function.
        """
        methods = {each.id: each.methods for each in self._course.checkpoints}
        asked, passing = (
            {name.rpartition(".")[2] for name in methods[each]} for each in (later, id)
        )
        return self._job.adapter is not None and function.rpartition(".")[2] in passing - asked

    def _likeness(self, stage: Stage, function: str, come: str, after: str) -> tuple[bool, bool]:
        """Return in what way a change resembles the reference. See `likeness_of`."""
        for source in self._sources(stage):
            if (right := functions_in(source.encode()).get(function)) is not None:
                return likeness_of(dedent(come), after, right.decode())
        return False, False

    def _later(self, job: Job, stage: Stage, function: str) -> dict[str, Outcome]:
        """Return the outcomes of later phases that use the same file, with the reference's
        functions for everything that they add, unless the engine has an adapter. A change must work
        there, too.
        """
        stages = self._course.stages
        later = [
            each
            for each in stages[stages.index(stage) + 1 :]
            if each.module == stage.module and not each.optional
        ]
        ids = [each.id for one in later for each in one.checkpoints if not each.bonus]
        needed = frozenset(() if job.adapter else ids)
        job = replace(
            job, swap=tuple(later), isolate=False, kept=frozenset([function]), needed=needed
        )
        return self._outcomes(job, later, ids)

    def _spoils_others(self, job: Job, stage: Stage, function: str) -> bool:
        """Return whether a check of another phase that is about this function fails now, and passed
        before. Every check may be about a helper.
        """
        is_helper = function not in self._course.names(stage.file)
        others = [
            each
            for each in self._course.stages
            if each.module == stage.module and each != stage and not each.optional
        ]
        about = [
            each.id
            for one in others
            for each in one.checkpoints
            if is_helper or function in each.methods
        ]
        failed = [
            each
            for each, outcome in self._outcomes(job, others, about).items()
            if outcome.verdict is Verdict.FAILED
        ]
        before = self._outcomes(self._job, others, failed).values()
        return any(outcome.verdict is Verdict.PASSED for outcome in before)

    @staticmethod
    def _outcomes(job: Job, stages: Sequence[Stage], ids: Collection[str]) -> dict[str, Outcome]:
        if not ids:
            return {}
        try:
            return run_suites(job, stages, only=ids).outcomes
        except OutOfTime:
            return {id: Outcome(Verdict.ERROR) for id in ids}


def _runs(lines: Sequence[int], rows: Sequence[str]) -> list[list[int]]:
    """Return groups of lines that only empty ones separate."""
    found: list[list[int]] = []
    for line in lines:
        if found and not any(row.strip() for row in rows[found[-1][-1] : line - 1]):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _goes_back(script: Sequence[Step], words: Graph, evidence: Evidence) -> bool:
    """Return whether a script has gradients to compare."""
    passes = any(isinstance(step, Walk) or step.calls == words.backward for step in script)
    return passes or bool(evidence.failed and words.gradient in evidence.failed[1])


def _wanted(step: Step, answer: Any, made: Mapping[Ref, Collection[Ref]]) -> Any:
    """Return the questions that fit code in any style; None for anything else.

    If one object in a list was made from another one, it must come later in the list, or earlier.
    If the script made none of them, they are wanted as they are, in any order.
    """
    form = getattr(step, "form", "")
    if form == "graph" and answer:
        form, answer = "refs", [node for node, _ in answer]
    if form == "refs":
        refs = [ref for ref in answer if ref in made]
        listed = [
            [ref, [each for each in refs[:place] if each in made[ref] or ref in made[each]]]
            for place, ref in enumerate(refs)
        ]
        return listed or list(answer)
    if form == "ref" and answer in made:
        return int(answer)
    return _plain(answer) if form in COMPARED else None


def _plain(answer: Any) -> Any:
    """Return the answer if it holds only numbers and texts, else None."""
    if isinstance(answer, Array):
        answer = [[*answer.shape], [*answer.numbers]]
    if isinstance(answer, list):
        items = [_plain(item) for item in answer]
        return None if None in items else items
    return answer if isinstance(answer, (int, float, str, bool)) else None


def changed(submission: Submission, candidate: Candidate) -> Submission | None:
    """Return the submission with a candidate's lines; None if it has no place for them."""
    file = next((each for each in submission.files if each.shown == candidate.file), None)
    lines = file.source.splitlines(keepends=True) if file is not None else []
    if not 0 < candidate.first <= candidate.last <= len(lines):
        return None
    text = candidate.text.encode("utf-8", "replace")
    source = b"".join([*lines[: candidate.first - 1], text, *lines[candidate.last :]])
    files = [replace(each, source=source) if each is file else each for each in submission.files]
    return replace(submission, files=tuple(files))
