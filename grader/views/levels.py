"""Describe a proven change in two hints: its kind, and its lines.

A change proves which line matters, but a teacher might change something else. So there are hints
only for a change that lets its whole phase pass and is small. It must also be the only difference
from the reference's function, or a difference from it of one clear kind, or of a kind that rarely
helps by accident (`benchmarks/README.md`).
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from textwrap import dedent

from grader.model import Proof

_TOKEN = re.compile(r"\.?\w+|\*\*|[-+*/<>=!]=|\S")
_OPERATOR, _COMPARISON = r"(\*\*|[-+*/])=?", "[<>]=?|[!=]="
_SHAPES = (  # of the old parts and of the new ones
    ("indent", "", ""),
    ("accumulate", "=", r"[-+]="),
    ("assign", r"[-+*/=]=", "="),
    ("return", "", "return"),
    ("sign", "-?", "-?"),
    ("condition", "(not)?", "(not)?"),
    ("parentheses", r"[() ]*", r"[() ]*"),
    ("comparison", _COMPARISON, _COMPARISON),
    ("operator", _OPERATOR, _OPERATOR),
    ("number", r"[\d. ]+", r"[\d. ]+"),
    ("name", r"[^\W\d]\w*", r"[^\W\d]\w*"),
    ("attribute", r"\.\w+", r"\.\w+"),
    ("less", ".+", ""),
    ("more", "", ".+"),
)
_SENTENCES = {
    "accumulate": "In {} your code overwrites a value instead of updating it.",
    "assign": "In {} your code should set a value with a plain `=`.",
    "return": "At {} a `return` is missing.",
    "sign": "In {} a minus sign is missing, or should not be there.",
    "condition": "In {} the condition is wrong.",
    "parentheses": "In {} the parentheses are wrong.",
    "comparison": "In {} the comparison is wrong.",
    "operator": "In {} the operator is wrong.",
    "number": "In {} a number is wrong.",
    "name": "In {} a name is wrong.",
    "attribute": "In {} an attribute is wrong.",
    "less": "In {} something should not be there.",
    "more": "In {} something is missing.",
    "indent": "At {} the indentation is wrong.",
    "delete": "The code in {} should not be there.",
    "insert": "At {} something is missing.",
    "": "Part of the code in {} is wrong.",
}
ALIKE = 0.5  # the share of a line that a small change keeps
UNCLEAR = frozenset(("", "more"))  # of differences from the reference
RARELY_BY_ACCIDENT = frozenset(("accumulate", "assign", "return", "sign", "comparison"))


def levels_of(proof: Proof) -> tuple[str, str] | None:
    """Return a proof's sentence about the learner's line, and the change as removed and added
    lines.

    Return None if they could mislead.
    """
    said = kind_of_change(proof, proof.place.place)
    gone, come = proof.gone.splitlines(), proof.come.splitlines()
    plain = dedent("\n".join([*gone, *come])).splitlines()
    signed = [f"{'-+'[number >= len(gone)]} {line}" for number, line in enumerate(plain)]
    return (said, "\n".join(line for line in signed if line[2:].strip())) if said else None


def kind_of_change(proof: Proof, place: str) -> str:
    """Return the fault at a place, as a sentence; an empty string if it could mislead."""
    kind, is_small = _kind(proof)
    is_clear = proof.only or (proof.alike and kind not in UNCLEAR)
    if not proof.phase or not ((is_small and is_clear) or kind in RARELY_BY_ACCIDENT):
        return ""
    return _SENTENCES.get(kind, _SENTENCES[""]).format(place)


def _kind(proof: Proof) -> tuple[str, bool]:
    """Return the kind of change that its lines show, and whether most of the lines stay."""
    gone, come = (_TOKEN.findall(_plain(text)) for text in (proof.gone, proof.come))
    if not gone:
        return "return" if come[:1] == ["return"] else "insert", True
    if not come:
        return "delete", True
    matched = SequenceMatcher(None, gone, come, autojunk=False)
    differ = [each for each in matched.get_opcodes() if each[0] != "equal"]
    old = " ".join(dict.fromkeys(part for _, i, j, _, _ in differ for part in gone[i:j]))
    new = " ".join(dict.fromkeys(part for _, _, _, i, j in differ for part in come[i:j]))
    shapes = (k for k, was, will in _SHAPES if re.fullmatch(was, old) and re.fullmatch(will, new))
    return next(shapes, ""), matched.ratio() >= ALIKE


def _plain(text: str) -> str:
    """Return a text without comments, and with quotes of one kind."""
    return re.sub(r"#[^\"'\n]*$", "", text.replace("'", '"'), flags=re.MULTILINE)
