"""Write a report as one JSON document, and read it back. Keys may be added but never renamed."""

from __future__ import annotations

import json
import math
from typing import Any

from grader.conditions import Isolation
from grader.errors import GraderError, UsageError
from grader.model import (
    ORDER,
    CheckResult,
    Diagnosis,
    Frame,
    Kind,
    Misconception,
    PhaseResult,
    Report,
    TreeNode,
    Verdict,
    Visibility,
    WrongNode,
)
from grader.text import safe
from grader.views.answer import cause
from grader.views.causes import causes
from grader.views.plain import dumped

FORMAT = 1


def to_json(report: Report, indent: int | None = 2) -> str:
    """Return the report, with its keys in a fixed order; on one line if `indent` is None."""
    return dumped(
        {
            "format": FORMAT,
            "grader": {
                "version": report.version,
                "seed": report.seed,
                "isolation": {
                    "level": report.isolation.level,
                    "name": report.isolation.name,
                    "mechanisms": list(report.isolation.mechanisms),
                    "missing": list(report.isolation.missing),
                    "warning": report.isolation.warning or None,
                },
            },
            "submission": {"origin": safe(report.origin), "sha256": report.sha256},
            "score": report.score,
            "max_score": report.max_score,
            "counts": report.counts,
            "swapped": list(report.swapped),
            "causes": causes(report),
            "notes": [safe(note) for note in report.notes],
            "phases": [_phase(phase) for phase in report.phases],
        },
        indent,
    )


def error_to_json(error: GraderError) -> str:
    """Return the document to print if there is no report."""
    return dumped(
        {"format": FORMAT, "error": {"message": safe(error.message), "hint": safe(error.hint)}}
    )


def _phase(phase: PhaseResult) -> dict[str, Any]:
    return {
        "id": phase.id,
        "title": phase.title,
        "score": phase.score,
        "max_score": phase.max_score,
        "regression": safe(phase.regression) or None,
        "checkpoints": [_checkpoint(result) for result in phase.checkpoints],
    }


def _checkpoint(result: CheckResult) -> dict[str, Any]:
    return {
        "id": result.id,
        "title": result.title,
        "verdict": result.verdict.value,
        "points": result.points,
        "bonus": result.bonus,
        "visibility": result.visibility.value,
        "kind": result.kind.value if result.kind else None,
        "message": safe(result.message),
        "expected": _value(result.expected),
        "got": _value(result.got),
        "reproduce": safe(result.reproduce, 8000),
        "how": result.how or None,
        "blocked_by": result.blocked_by or None,
        "where": _frame(result.where) if result.where is not None else None,
        "frames": [_frame(frame) for frame in result.frames],
        "output": safe(result.output, 10_000),
        "diagnosis": _diagnosis(result, result.diagnosis) if result.diagnosis else None,
        "duration_s": round(result.duration_s, 4),
    }


def _frame(frame: Frame) -> dict[str, Any]:
    written = {
        key: safe(value) if isinstance(value, str) else value for key, value in vars(frame).items()
    }
    return {**written, "excerpt": [[number, safe(line)] for number, line in frame.excerpt]}


def _diagnosis(result: CheckResult, found: Diagnosis) -> dict[str, Any]:
    first = found.first_wrong
    known = [{**vars(one), "checklist": one.checklist or None} for one in found.misconceptions]
    return {
        "why": cause(result),
        "blame": found.blame or None,
        "proof": safe(found.proof) or None,
        "first_wrong_node": {key: _value(got) for key, got in vars(first).items()}
        if first
        else None,
        "order": safe(found.why) if found.blame in ORDER else None,
        "misconception": known[0] if known else None,
        "misconceptions": known,
        "tree": [
            {
                "depth": node.depth,
                "expression": safe(node.expression),
                "value": _value(node.value),
                "gradient": _value(node.gradient),
                "expected_value": _value(node.right_value),
                "expected_gradient": _value(node.right_gradient),
                "first_wrong": node.first_wrong,
                "blamed": node.blamed,
                "operands": list(node.operands),
            }
            for node in found.tree
        ],
    }


def _value(value: object) -> object:
    """Return a value that every JSON parser accepts: floats that are not finite become text."""
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return safe(value) if isinstance(value, str) else value


# --- reading it back ---


def from_json(text: str) -> Report:
    """Return the report that `to_json` wrote. Raise UsageError for any other text."""
    try:
        return _read_report(json.loads(text))
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(
            f"this is not a report: {type(error).__name__}: {error}",
            "grade ... --format json makes one",
        ) from error


def _read_report(document: dict[str, Any]) -> Report:
    grader, isolation = document["grader"], document["grader"]["isolation"]
    return Report(
        version=grader["version"],
        seed=grader["seed"],
        isolation=Isolation(
            isolation["level"], tuple(isolation["mechanisms"]), tuple(isolation["missing"])
        ),
        origin=document["submission"]["origin"],
        sha256=document["submission"]["sha256"],
        phases=tuple(map(_read_phase, document["phases"])),
        notes=tuple(document["notes"]),
        swapped=tuple(document.get("swapped", ())),
    )


def _read_phase(entry: dict[str, Any]) -> PhaseResult:
    checkpoints = tuple(map(_read_checkpoint, entry["checkpoints"]))
    return PhaseResult(
        entry["id"], entry["title"], checkpoints, regression=entry["regression"] or ""
    )


_AS_WRITTEN = (
    "id", "title", "points", "bonus", "message", "expected", "got", "reproduce", "output",
    "duration_s"
)  # fmt: skip


def _read_checkpoint(entry: dict[str, Any]) -> CheckResult:
    return CheckResult(
        verdict=Verdict(entry["verdict"]),
        kind=Kind(entry["kind"]) if entry["kind"] else None,
        how=entry["how"] or "",
        blocked_by=entry["blocked_by"] or "",
        frames=tuple(map(_read_frame, entry["frames"])),
        diagnosis=_read_diagnosis(entry["diagnosis"]) if entry["diagnosis"] else None,
        visibility=Visibility(entry.get("visibility", Visibility.VISIBLE.value)),
        where=_read_frame(entry["where"]) if entry.get("where") else None,
        **{key: entry[key] for key in _AS_WRITTEN},
    )


def _read_frame(entry: dict[str, Any]) -> Frame:
    excerpt = tuple((number, line) for number, line in entry.get("excerpt", ()))
    return Frame(**{**entry, "excerpt": excerpt})


def _read_diagnosis(entry: dict[str, Any]) -> Diagnosis:
    first = entry["first_wrong_node"]
    misconceptions = [
        Misconception(**{**one, "checklist": one["checklist"] or ""})
        for one in entry["misconceptions"]
    ]
    return Diagnosis(
        why=entry["why"],
        blame=entry["blame"] or "",
        proof=entry.get("proof") or "",
        first_wrong=WrongNode(**first) if first else None,
        misconceptions=tuple(misconceptions),
        tree=tuple(map(_read_node, entry["tree"])),
    )


def _read_node(entry: dict[str, Any]) -> TreeNode:
    right = {f"right_{name}": entry[f"expected_{name}"] for name in ("value", "gradient")}
    same = ("depth", "expression", "value", "gradient", "first_wrong", "blamed")
    return TreeNode(
        **{key: entry[key] for key in same}, **right, operands=tuple(entry.get("operands", ()))
    )
