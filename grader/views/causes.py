"""Say once which exception several checkpoints share."""

from __future__ import annotations

from collections import defaultdict

from grader.model import CheckResult, Diagnosis, Kind, Report, Verdict
from grader.text import safe

HEADING = "look here first: "


def causes(report: Report) -> list[str]:
    """Return a sentence for each exception that several checkpoints share. If all checkpoints of a
    phase share one result, the phase itself says so.
    """
    ends = defaultdict[str, list[CheckResult]](list)
    for phase in report.phases:
        for result in phase.checkpoints if phase.shared is None else ():
            raises = result.kind in {Kind.RAISED, Kind.MISSING_NAME}
            if raises and result.verdict is Verdict.FAILED and result.got is not None:
                ends[str(result.got)].append(result)
    found = []
    for end, results in ends.items():
        if results[1:]:
            whys = {(result.diagnosis or Diagnosis()).why for result in results}
            why = safe(whys.pop()) if len(whys) == 1 else ""
            reason = f" {why[0].upper()}{why[1:].rstrip('.')}." if why else ""
            found.append(f"{len(results)} checkpoints end in {safe(end, 300)}.{reason}")
    return found
