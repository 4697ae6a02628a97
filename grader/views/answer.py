"""Say why a checkpoint failed, in the one answer that every view shows in its own way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader.model import CheckResult, Diagnosis, Frame, Kind, Misconception, Shown, Verdict
from grader.text import both_shown, safe, shown

_PRINTED = re.compile(r"print\((.+)\)  # (?:gives|(not the same .+) gave) (.+), should give .+")
_IS_WRONG = re.compile(r"(`[^`]+`) is wrong(?:: (.+))?", re.DOTALL)
_FIRST_WORD = re.compile(r"[a-z]+(?=[ ,'])")


class Part(NamedTuple):
    """A part of a sentence. `mark` is `wrong` or `right` for the two compared values."""

    text: str
    mark: str = ""


@dataclass(frozen=True)
class Answer:
    """Why a checkpoint failed: the line, the numbers, one reason, and what fixes it.

    The reason is the surest one known, and `story` holds the rest. Texts have their code between
    backticks, and are safe to show.
    """

    place: Frame | None = None
    numbers: tuple[Part, ...] = ()
    reason: str = ""
    proof: str = ""
    story: tuple[str, ...] = ()

    @property
    def compared(self) -> str:
        """Return the sentence with the numbers."""
        return "".join(part.text for part in self.numbers)


def answer_to(result: CheckResult) -> Answer:
    """Return the answer to a failure, or whatever else there is to say about a checkpoint."""
    if result.verdict is not Verdict.FAILED:
        return Answer(numbers=(Part(safe(result.message, 400)),) if result.message else ())
    numbers, more = _numbers(result)
    proof = safe((result.diagnosis or Diagnosis()).proof)
    reasons = [sentence(text) for text in _reasons(result, more) if text]
    return Answer(
        result.where or (result.frames[-1] if result.frames else None),
        numbers,
        reasons[0] if reasons else "",
        f"{proof.rstrip('.')}." if proof else "",
        tuple(dict.fromkeys(reasons[1:])),
    )


def cause(result: CheckResult) -> str:
    """Return the cause found, unless a sure known mistake says the same."""
    is_said = result.expected is not None and _is_sure(result)
    return "" if is_said else safe((result.diagnosis or Diagnosis()).why)


def sentence(text: str) -> str:
    """Return a text with a capital letter at the start and a full stop at the end."""
    if _FIRST_WORD.match(text):
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?", "!", ":")) else f"{text}."


def both_numbers(got: Shown, right: Shown) -> tuple[str, str]:
    """Return a node's number and the right one."""
    return both_shown(got, right) if got is not None else ("nothing", shown(right, 4))


def _numbers(result: CheckResult) -> tuple[tuple[Part, ...], str]:
    """Return the fault as a sentence, and anything else that the check says."""
    message = safe(result.message, 400)
    if result.expected is None:
        return (Part(message if result.kind is Kind.RAISED else sentence(message)),), ""
    if match := _IS_WRONG.fullmatch(message):
        return _compared(match[1], result), match[2] or ""
    subject, more = _printed(result), message
    if not (subject and _is_sure(result)) or isinstance(result.expected, bool):
        return _required(subject, result, message), ""
    return _compared(subject, result), more


def _required(subject: str, result: CheckResult, message: str) -> tuple[Part, ...]:
    """Return the requirement of the check, and the values missing from the message."""
    said = Part(sentence(message))
    got, expected = both_shown(result.got, result.expected)
    has_got, has_expected = _says(message, got), _says(message, expected)
    if subject and not (has_got and has_expected):
        return Part(f"{said.text} "), *_compared(subject, result)
    parts = [] if has_got else [Part(" Got "), Part(got, "wrong")]
    if not has_expected:
        parts += [Part(", expected " if parts else " Expected "), Part(expected, "right")]
    return (said, *parts, *([Part(".")] if parts else []))


def _says(message: str, value: str) -> bool:
    """Return whether a message contains a value, not just as part of something longer."""
    alone = rf"(?<![^\s\"(]){re.escape(value)}(?![^\s\"),.;:])"
    return bool(re.search(alone, message.replace("`", "")))


def _printed(result: CheckResult) -> str:
    """Return the last value that the learner's lines print, if it is the wrong one."""
    printed = _PRINTED.fullmatch(result.reproduce.rpartition("\n")[2])
    if printed is None or printed[3] != shown(result.got):
        return ""
    return f"`{safe(printed[1])}`{' this time' if printed[2] else ''}"


def _compared(subject: str, result: CheckResult) -> tuple[Part, ...]:
    """Return the sentence that compares two values."""
    got, expected = both_shown(result.got, result.expected)
    if isinstance(result.got, str) and isinstance(result.expected, str):
        # an empty string already has quotation marks
        got, expected = ('""' if each == "''" else f'"{each}"' for each in (got, expected))
    wrong, right = Part(got, "wrong"), Part(expected, "right")
    return Part(f"{subject} is "), wrong, Part(", and should be "), right, Part(".")


def _is_sure(result: CheckResult) -> bool:
    """Return whether the learner's source shows a known mistake."""
    known = (result.diagnosis or Diagnosis()).misconceptions
    return bool(known) and all(mistake.sure for mistake in known)


def _reasons(result: CheckResult, more: str) -> Iterator[str]:
    """Yield what is known about the cause, the surest first."""
    known, is_sure = (result.diagnosis or Diagnosis()).misconceptions, _is_sure(result)
    why, mistake = cause(result), named(known) if known else ""
    yield from (why, mistake) if result.expected is None and not is_sure else (mistake, why)
    yield more


def named(known: Sequence[Misconception]) -> str:
    """Return known mistakes with the explanation. Only the learner's source makes them certain."""
    titles = " / ".join(mistake.title for mistake in known)
    text = f"{titles} {known[0].explanation}"
    if known[0].sure:
        return text if len(known) == 1 else f"One of two known mistakes: {text}"
    one = "a known mistake" if len(known) == 1 else "one of two known mistakes"
    return f"This behaves like {one}: {text}"
