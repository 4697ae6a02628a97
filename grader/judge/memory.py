"""Remember what not to run again for a submission, and why, in all its sessions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.intake.run_notes import RunNote
from grader.intake.submission import Submission
from grader.judge.budget import Budget
from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.script.steps import Apply, Repeat, Step, method_of
from grader.model import Fault, Kind
from grader.worker.bounds import MAX_LEFT_OUT

MODULE = "<module>"  # the function of a frame at the top level
TOO_MUCH = frozenset({Kind.TIMEOUT, Kind.MEMORY})


@dataclass
class Memory:
    """Faults of a submission, known to all its sessions.

    Anything that hangs is not tried again, so a submission that hangs costs seconds rather than
    minutes. `disabled` maps functions that used too much to the kind of fault. `left_out` holds the
    statements at the top level that ended an import, with a note on each; if it is not
    `forgiving`, only a notebook's slow statements are left out. `repeats` becomes False once a
    repeated script has brought its worker down. `failures` are of modules that cannot be imported,
    `absent` the packages replaced by placeholders, and `notes` are on code that did not run.
    """

    budget: Budget = field(default_factory=Budget)
    disabled: dict[str, Kind] = field(default_factory=dict)
    forgiving: bool = True
    left_out: dict[tuple[str, int], RunNote] = field(default_factory=dict)
    repeats: bool = True
    failures: dict[str, LearnerFault | WorkerLost] = field(default_factory=dict)
    absent: dict[str, None] = field(default_factory=dict)
    notes: dict[RunNote, None] = field(default_factory=dict)

    def without_refusals(self) -> Memory:
        """Return a memory for code that may hang in a large graph and end in a small one."""
        return replace(self, disabled={})

    def leave_out(
        self, fault: Fault, submission: Submission, without: Collection[tuple[str, int]]
    ) -> bool:
        """Note the statement that ended an import `without` certain statements. Return whether to
        import again without it; another worker may have noted it before.
        """
        top = next((f for f in reversed(fault.frames) if f.function == MODULE), None)
        if top is None or len(self.left_out) >= MAX_LEFT_OUT:
            return False
        place, last = (top.file, top.line), fault.frames[-1]
        if place in without or not (submission.is_notebook or self.forgiving):
            return False
        note = RunNote(top.file, fault.kind.value, top.line, fault.type_name, fault.told)
        if not any(file.shown == top.file and file.role == "cell" for file in submission.files):
            file = f"{Path(last.file).name}, " if last.file != top.file else ""
            inside = f", in {file}line {last.line}" if last is not top else ""
            note = replace(note, source=top.source, inside=inside, ends_file=True)
        self.left_out[place] = note
        return True

    def used_too_much(self, fault: Fault, script: Sequence[Step]) -> None:
        """Record a timeout or lack of memory in a script's last step.

        The function to blame is disabled, unless the script has a loop: code that is slow on a
        large graph may be right on a small one.
        """
        self.budget.overran |= fault.kind is Kind.TIMEOUT
        if fault.stub and not any(isinstance(step, Repeat) for step in script):
            self.disabled[fault.stub] = fault.kind

    def with_function(self, fault: Fault, step: Step, names: Sequence[str]) -> Fault:
        """Return a timeout or lack of memory with the one function that the step calls, if it names
        none. A function that is not run again keeps its earlier kind of fault.
        """
        if fault.kind is Kind.TIMEOUT and fault.stub in self.disabled:
            return replace(fault, kind=self.disabled[fault.stub])
        if fault.stub or fault.kind not in TOO_MUCH:
            return fault
        last = step.calls.rpartition(".")[2]
        if isinstance(step, (Apply, Repeat)):
            last = method_of(*step.operators())
        meant = [name for name in names if name.rpartition(".")[2] == last]
        return replace(fault, stub=meant[0]) if len(meant) == 1 else fault
