"""Write a report as one JSON document, and read it back. Keys may be added but never renamed."""

from __future__ import annotations

import json
import math
from enum import EnumMeta
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from grader.errors import GraderError, UsageError
from grader.model import ORDER, CheckResult, Diagnosis, Frame, PhaseResult, Report
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


_RENAMED = {
    "first_wrong_node": "first_wrong",
    "expected_value": "right_value",
    "expected_gradient": "right_gradient",
}


def from_json(text: str) -> Report:
    """Return the report that `to_json` wrote. Raise UsageError for any other text."""
    try:
        document = json.loads(text)
        found: Report = _read(Report, {**document, **document["grader"], **document["submission"]})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(
            f"this is not a report: {type(error).__name__}: {error}",
            "grade ... --format json makes one",
        ) from error
    return found


def _read(kind: Any, value: Any) -> Any:
    """Return the value of a field of this kind. Keys without a field can be computed."""
    kind = get_args(kind)[0] if isinstance(kind, UnionType) else kind
    if value is None:
        return "" if kind is str else None
    if isinstance(kind, EnumMeta):
        return kind(value)
    if get_origin(kind) is tuple:
        return tuple(_read(get_args(kind)[0], each) for each in value)
    if not isinstance(value, dict):
        return value
    entries, kinds = {_RENAMED.get(key, key): each for key, each in value.items()}, _kinds(kind)
    return kind(**{key: _read(kinds[key], entries[key]) for key in kinds.keys() & entries})


_kinds = cache(get_type_hints)
