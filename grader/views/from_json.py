"""A report again, from the JSON document that was made of it: for views of what was graded before."""  # noqa: E501

from __future__ import annotations

import json
from typing import Any

from grader.errors import UsageError
from grader.model import (
    CheckResult,
    Diagnosis,
    Frame,
    Isolation,
    Kind,
    Misconception,
    PhaseResult,
    Report,
    TreeNode,
    Verdict,
    Visibility,
    WrongNode,
)


def from_json(text: str) -> Report:
    """The report. Raises UsageError for what is none."""
    try:
        return _report(json.loads(text))
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(
            f"this is no report: {type(error).__name__}: {error}",
            "grade ... --format json makes one",
        ) from error


def _report(document: dict[str, Any]) -> Report:
    grader, isolation = document["grader"], document["grader"]["isolation"]
    return Report(
        version=grader["version"],
        seed=grader["seed"],
        isolation=Isolation(
            isolation["level"], tuple(isolation["mechanisms"]), tuple(isolation["missing"])
        ),
        origin=document["submission"]["origin"],
        sha256=document["submission"]["sha256"],
        phases=tuple(map(_phase, document["phases"])),
        notes=tuple(document["notes"]),
        swapped=tuple(document.get("swapped", ())),
    )


def _phase(entry: dict[str, Any]) -> PhaseResult:
    checkpoints = tuple(map(_checkpoint, entry["checkpoints"]))
    return PhaseResult(
        entry["id"], entry["title"], checkpoints, regression=entry["regression"] or ""
    )


def _checkpoint(entry: dict[str, Any]) -> CheckResult:
    return CheckResult(
        entry["id"],
        entry["title"],
        Verdict(entry["verdict"]),
        entry["points"],
        entry["bonus"],
        kind=Kind(entry["kind"]) if entry["kind"] else None,
        message=entry["message"],
        expected=entry["expected"],
        got=entry["got"],
        reproduce=entry["reproduce"],
        how=entry["how"] or "",
        blocked_by=entry["blocked_by"] or "",
        frames=tuple(Frame(**frame) for frame in entry["frames"]),
        output=entry["output"],
        duration_s=entry["duration_s"],
        diagnosis=_diagnosis(entry["diagnosis"]) if entry["diagnosis"] else None,
        visibility=Visibility(entry.get("visibility", Visibility.VISIBLE.value)),
    )


def _diagnosis(entry: dict[str, Any]) -> Diagnosis:
    first = entry["first_wrong_node"]
    return Diagnosis(
        why=entry["why"],
        blame=entry["blame"] or "",
        first_wrong=(
            WrongNode(
                first["expression"], first["op"], first["got"], first["expected"], first["what"]
            )
            if first
            else None
        ),
        misconceptions=tuple(
            Misconception(**{**one, "checklist": one["checklist"] or ""})
            for one in entry["misconceptions"]
        ),
        tree=tuple(
            TreeNode(
                node["depth"],
                node["expression"],
                node["value"],
                node["gradient"],
                node["expected_value"],
                node["expected_gradient"],
                first_wrong=node["first_wrong"],
                blamed=node["blamed"],
                operands=tuple(node.get("operands", ())),
            )
            for node in entry["tree"]
        ),
    )
