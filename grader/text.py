"""Text of the learner's, made safe to show: bounded, and without anything that a terminal, or a
service that keeps the log, would obey.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection

from grader.model import Shown


def safe(text: str, limit: int = 2000) -> str:
    """Return the text with control and direction characters escaped, and cut visibly after `limit`
    characters.

    Commands to a service that reads its own logs are broken by a blank: `: :error` for `::error`,
    `# #[group]` for `##[group]`.
    """
    shown = "".join(
        character if _harmless(character) else _escape(character) for character in text[:limit]
    )
    shown = _COMMAND.sub(r"\g<0> ", shown)
    return shown if len(text) <= limit else f"{shown}… ({len(text) - limit} more characters)"


# GitHub obeys `::name ...::` at the beginning of a line, blanks aside, which a line broken in the
# middle makes of any place; and
# `##[name]` anywhere, as Azure does `##vso[` and TeamCity `##teamcity[`. Backticks are taken away
# where code stands out in bold.
# A letter must follow: `topo[::-1]` stays as the learner wrote it.
_COMMAND = re.compile(r":(?=`*:`*[^\W\d_])|#(?=`*#[`\w]*\[)")


def _harmless(character: str) -> bool:
    return character == "\n" or unicodedata.category(character) not in {
        "Cc",
        "Cf",
        "Cs",
        "Co",
        "Cn",
        "Zl",
        "Zp",
    }


def _escape(character: str) -> str:
    return "    " if character == "\t" else character.encode("unicode_escape").decode("ascii")


def joined(names: Collection[str]) -> str:
    """Return a readable list of names, whether or not they contain commas."""
    return ("; " if any("," in name for name in names) else ", ").join(names)


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
