"""Text of the learner's, made safe to show: bounded, and without a character that a terminal would obey."""

from __future__ import annotations

import math
import unicodedata

from grader.model import Shown


def safe(text: str, limit: int = 2000) -> str:
    """The text with control and direction characters written out as escapes, cut after `limit` characters and told so."""
    shown = "".join(character if _harmless(character) else _escape(character) for character in text[:limit])
    return shown if len(text) <= limit else f"{shown}… ({len(text) - limit} characters more)"


def _harmless(character: str) -> bool:
    return character == "\n" or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _escape(character: str) -> str:
    return "    " if character == "\t" else character.encode("unicode_escape").decode("ascii")


def shown(value: Shown) -> str:
    """A value as a person reads it: a float with ten digits, of which the last are noise anyway."""
    if isinstance(value, str):
        return safe(value, 300) or "''"
    if isinstance(value, float) and math.isfinite(value):
        text = f"{value:.10g}"
        return text if any(mark in text for mark in ".e") else text + ".0"
    return repr(value)


def plain_number(value: Shown) -> Shown:
    """A value that every JSON parser reads: what is not finite becomes text."""
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value
