"""Which symptoms fit what a learner types or pastes. Words are compared, nothing is understood; the
same text finds the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from grader.learner.quiz.questions import Quiz, Symptom

LEAST = 0.1  # what a word weighs that three symptoms have
PASTED = 5  # what a pasted comparison weighs: more than any words

_LITTLE = (
    "a an and are as at be but by do does for from has have how i if in is it its me my of on or so"
    " than that the then there this to too was what when where which why will with you your"
)
_IGNORED = frozenset(_LITTLE.split())
_COMPARED = re.compile(  # as reports compare
    r"expected\s+(\S+)\s+got\s+(\S+)(?:\s+\(by [^)]*\))?|gives\s+(\S+),\s+should\s+give\s+(\S+)"
    r"|got\s+(\S+),\s+expected\s+(\S+)"
)
_WORD = re.compile(r"\b\w\s*(?:\*\*|[-+*/])\s*\w\b|\d+\.\d+|\w+")
_ENDING = re.compile(r"(?<=\w\w\w)(?:ing|ed|es|s|e)$")
_SAME = {"grad": "gradient", "doesn": "not", "don": "not", "isn": "not"}


def find_symptoms(quiz: Quiz, text: str) -> tuple[Symptom, ...]:
    """The symptoms that fit, the best first; those that fit less than half as well are left out.

    A rare word says more than a common one, a whole phrase more than its words, and `expected 2.0
    got 1.0` most of all.
    """
    typed = _words(_COMPARED.sub("", text))
    known = {
        symptom.id: set(_words(" ".join([symptom.says, *symptom.words])))
        for symptom in quiz.symptoms
    }
    frequency = Counter(word for words in known.values() for word in words)
    ratio = _ratio(text)
    scores = [
        sum(1 / frequency[word] ** 2 for word in known[symptom.id] & set(typed))
        + sum(
            len(phrase) - 1
            for phrase in map(_words, symptom.words)
            if phrase and _holds(typed, phrase)
        )
        + (ratio is not None and ratio == symptom.ratio) * PASTED
        for symptom in quiz.symptoms
    ]
    ranked = sorted(zip(scores, quiz.symptoms), key=lambda pair: -pair[0])
    return tuple(symptom for score, symptom in ranked if score >= max(LEAST, ranked[0][0] / 2))


def _ratio(text: str) -> float | None:
    """Got divided by expected, in a line of a report; rounded, for reports are."""
    found = _COMPARED.search(text)
    if found is None:
        return None
    try:
        expected = float(found[1] or found[4] or found[6])
        got = float(found[2] or found[3] or found[5])
        return round(got / expected, 6)
    except (ValueError, ZeroDivisionError):
        return None


def _holds(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Whether the phrase stands among the words as it is."""
    return any(
        list(words[start : start + len(phrase)]) == list(phrase) for start in range(len(words))
    )


def _words(text: str) -> list[str]:
    """The words that say something, in lower case, without their endings; `0.5` is one word, and so
    is `a * a`.
    """
    words = ["".join(word.split()) for word in _WORD.findall(text.lower())]
    return [
        _SAME.get(stem, stem)
        for word in words
        if word not in _IGNORED
        for stem in [_ENDING.sub("", word)]
    ]
