"""Make learners' text safe to show: limited in length, and without commands for a terminal or a
log.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection

from grader.model import Shown


def safe(text: str, limit: int = 2000) -> str:
    """Return the text with control and direction characters escaped. Cut it after `limit`
    characters and say how many are missing.

    Log services obey commands in their logs, so a space breaks these up: `: :error` for `::error`,
    `# #[group]` for `##[group]`.
    """
    shown = "".join(
        character if _harmless(character) else _escape(character) for character in text[:limit]
    )
    shown = _COMMAND.sub(r"\g<0> ", shown)
    return shown if len(text) <= limit else f"{shown}… ({len(text) - limit} more characters)"


# GitHub obeys `::name ...::` at the start of a line, after any spaces, and any place becomes the
# start of a line if the line is wrapped. It obeys `##[name]` anywhere, as do Azure (`##vso[`) and
# TeamCity (`##teamcity[`). Backticks may come between these characters, because they are removed
# where code is shown in bold. A letter must follow: `topo[::-1]` stays as the learner wrote it.
_COMMAND = re.compile(r":(?=`*:`*[^\W\d_])|#(?=`*#[`\w]*\[)")


def _harmless(character: str) -> bool:
    category = unicodedata.category(character)
    return character == "\n" or (category[0] != "C" and category not in {"Zl", "Zp"})


def _escape(character: str) -> str:
    return "    " if character == "\t" else character.encode("unicode_escape").decode("ascii")


def joined(names: Collection[str]) -> str:
    """Return a readable list of names, whether or not they contain commas."""
    return ("; " if any("," in name for name in names) else ", ").join(names)


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: `1 day`, `2 days`."""
    return f"{count} {noun}{'s' * (count != 1)}"


def article(type_name: str) -> str:
    """Return a type's name with its article: 'a str', 'an int', 'None'."""
    if type_name in {"None", "NoneType"}:
        return "None"
    vowels = "AEFHILMNORSX" if type_name.isupper() else "AEIOU"  # letters spelled out: an MLP
    return f"{'an' if type_name[:1].upper() in vowels else 'a'} {type_name}"


def factor(number: str) -> str:
    """Return a written number as a factor of a product: in parentheses if it is negative."""
    return f"({number})" if number.startswith("-") else number


def shown(value: Shown, digits: int = 10) -> str:
    """Format a value for people: floats with ten digits, because further ones are noise, or with
    fewer, but never without a digit before the point.
    """
    if isinstance(value, str):
        return safe(value, 300) or "''"
    if isinstance(value, float) and math.isfinite(value):
        whole = len(str(int(abs(value)))) if abs(value) < 1e10 else 1
        text = f"{value:.{max(digits, whole + 1)}g}"
        return text if any(mark in text for mark in ".e") else text + ".0"
    return repr(value)


def both_shown(got: Shown, want: Shown) -> tuple[str, str]:
    """Format two values with four digits, or with as many as it takes to tell them apart."""
    for digits in (4, 10):
        texts = shown(got, digits), shown(want, digits)
        if texts[0] != texts[1] or got == want:
            return texts
    return safe(repr(got), 300), safe(repr(want), 300)
