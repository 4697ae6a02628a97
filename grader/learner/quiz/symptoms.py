"""Find the symptoms that fit what a learner types or pastes, by comparing words."""

from __future__ import annotations

import re
from collections import Counter

from grader.learner.quiz.questions import Quiz, Symptom

LEAST = 0.1  # the weight of a word shared by three symptoms

_LITTLE = (
    "after also always am an and are as at be because been but by can could did do does each even"
    " few for from get gets getting give gives got has have help hi how if in is it its just like"
    " line me my of on or please should so still than that the then there they this to too try"
    " trying was were what when where which why will with would wrote you your"
)
_IGNORED = frozenset(_LITTLE.split())
_WORD = re.compile(r"\b\w\s*(?:\*\*|[-+*/])\s*\w\b|\d+\.\d+|\w+(?:'t\b)?")
_ENDING = re.compile(r"(?<=\w\w\w)(?:ing|ed|es|s|e)$")
_NOT = "can't cant didn't didnt doesn't doesnt don't dont isn't isnt never won't wont"
_SAME = {
    "grad": "gradient",
    "goes": "go",
    "going": "go",
    "big": "larg",
    "bigger": "larger",
    "0": "zero",
    "0.0": "zero",
} | dict.fromkeys(_NOT.split(), "not")


def find_symptoms(quiz: Quiz, text: str) -> tuple[Symptom, ...]:
    """Return the matching symptoms that are at least half as good as the best, best first.

    A rare word counts for more than a common one, and a whole phrase for more than its words.
    """
    typed = _words(text)
    known = {
        symptom.id: set(_words(" ".join([symptom.says, *symptom.words])))
        for symptom in quiz.symptoms
    }
    frequency = Counter(word for words in known.values() for word in words)
    scores = [
        sum(1 / frequency[word] ** 2 for word in known[symptom.id] & set(typed))
        + sum(
            len(phrase) - 1
            for phrase in map(_words, symptom.words)
            if f" {' '.join(phrase)} " in f" {' '.join(typed)} "
        )
        for symptom in quiz.symptoms
    ]
    ranked = sorted(zip(scores, quiz.symptoms), key=lambda pair: -pair[0])
    return tuple(symptom for score, symptom in ranked if score >= max(LEAST, ranked[0][0] / 2))


def _words(text: str) -> list[str]:
    """Return the words that matter, in lower case and without endings.

    `0.5` is one word, and so is `a * a`.
    """
    words = ("".join(word.split()) for word in _WORD.findall(text.lower()))
    stems = (_SAME.get(word) or _ENDING.sub("", word) for word in words if word not in _IGNORED)
    return [stem for stem in stems if len(stem) > 1 or stem.isdigit()]
