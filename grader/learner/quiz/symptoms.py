"""Find the symptoms that match what a learner types or pastes, by comparing words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from grader.learner.quiz.questions import Quiz, Symptom

LEAST = 0.1  # the weight of a word that three symptoms have
PASTED = 5  # the weight of a pasted comparison: more than any words

_LITTLE = (
    "a an and are as at be but by do does for from has have how i if in is it its me my of on or so"
    " than that the then there this to too was what when where which why will with you your"
)
_IGNORED = frozenset(_LITTLE.split())
_COMPARED = re.compile(  # as reports compare
    r"expected\s+(\S+)\s+got\s+(\S+)(?:\s+\(by [^)]*\))?|gives\s+(\S+),\s+should\s+give\s+(\S+)"
)
_WORD = re.compile(r"\b\w\s*(?:\*\*|[-+*/])\s*\w\b|\d+\.\d+|\w+")
_ENDING = re.compile(r"(?<=\w\w\w)(?:ing|ed|es|s|e)$")
_SAME = {"grad": "gradient", "doesn": "not", "don": "not", "isn": "not"}


def find_symptoms(quiz: Quiz, text: str) -> tuple[Symptom, ...]:
    """Return the symptoms that match, the best first, without those that match half as well.

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
    """Return got divided by expected in a line of a report, rounded as reports are."""
    found = _COMPARED.search(text)
    if found is None:
        return None
    try:
        expected, got = (float(number) for number in (found[1] or found[4], found[2] or found[3]))
        return round(got / expected, 6)
    except (ValueError, ZeroDivisionError):
        return None


def _holds(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether the words contain the phrase."""
    return any(
        list(words[start : start + len(phrase)]) == list(phrase) for start in range(len(words))
    )


def _words(text: str) -> list[str]:
    """Return the significant words in lower case, without endings; `0.5` and `a * a` are one word
    each.
    """
    words = ["".join(word.split()) for word in _WORD.findall(text.lower())]
    return [
        _SAME.get(stem, stem)
        for word in words
        if word not in _IGNORED
        for stem in [_ENDING.sub("", word)]
    ]
