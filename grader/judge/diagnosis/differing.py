"""Find the part in which a long formula differs from the right one, and the line that made it.

Two parts are the same if they give the same numbers from several sets of leaves, however they are
written. Sums are compared addend by addend, products factor by factor.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from grader.judge.diagnosis.algebra import Formula, Leaf, values_of
from grader.worker.protocol import Term

_SUMS = {"+": 1, "-": -1}
_PRODUCTS = {"*": 1, "/": -1}
NAMED = {"leaf", "number", "data", "gradient"}  # which a line uses, and does not make


class Part(NamedTuple):
    """A formula that is part of a longer one (empty: it is missing there), and its line.

    If it is not `made` there, that line uses a number which may come from elsewhere.
    """

    formula: Formula
    line: int = 0
    made: bool = False


class _Member(NamedTuple):
    """An addend with its sign, or a factor with its exponent; and the line that uses it."""

    place: int
    sign: int
    line: int


class _Side:
    """A formula with the numbers of its terms for each set of leaves."""

    def __init__(self, formula: Formula, leaves: Sequence[Mapping[Leaf, float]]) -> None:
        self.formula = list(formula)
        self.values = [values_of(formula, each) for each in leaves]

    def numbers(self, member: _Member) -> list[float]:
        return [values[member.place] for values in self.values]

    def line(self, place: int, line: int) -> int:
        """Return the line that makes a term, or the one that uses it if it only has a name."""
        term = self.formula[place]
        return line if term.op in NAMED else term.line or line

    def members(self, whole: _Member, kinds: Mapping[str, int]) -> list[_Member]:
        """Return the addends or the factors of a term."""
        found, todo = [], [whole]
        while todo:
            place, sign, line = todo.pop()
            term, inner = self.formula[place], self.line(place, line)
            if term.op in kinds:
                one, other = term.places
                todo += [_Member(other, sign * kinds[term.op], inner), _Member(one, sign, inner)]
            elif term.op == "neg" and kinds is _SUMS:
                todo.append(_Member(term.places[0], -sign, inner))
            else:
                found.append(_Member(place, sign, line))
        return found

    def joined(self, members: Sequence[_Member], kinds: Mapping[str, int]) -> Formula:
        """Return the formula of some addends or factors alone."""
        if not members:
            return []
        made = list(self.formula)
        op, undo = kinds
        last = members[0].place
        if members[0].sign < 0:
            made += [Term("number", [], float(op == "*")), Term(undo, [len(made), last], 0.0)]
            last = len(made) - 1
        for place, sign, _ in members[1:]:
            made.append(Term(op if sign > 0 else undo, [last, place], 0.0))
            last = len(made) - 1
        return made[: last + 1]


def differences(
    mine: Formula, right: Formula, leaves: Sequence[Mapping[Leaf, float]]
) -> list[tuple[Part, Part]]:
    """Return parts of two formulas that differ, each inside the one before; none if that cannot be
    told.
    """
    usable = [each for each in leaves if values_of(mine, each) and values_of(right, each)]
    if len(usable) < 2:
        return []
    sides = _Side(mine, usable), _Side(right, usable)
    ends = [_Member(len(side.formula) - 1, 1, 0) for side in sides]
    return [] if _are_same(sides, *ends) else [*_within(sides, *ends)]


Sides = tuple[_Side, _Side]


def _within(sides: Sides, mine: _Member, right: _Member) -> Iterator[tuple[Part, Part]]:
    """Yield where two terms that are not the same differ."""
    one, other = (side.formula[each.place] for side, each in zip(sides, (mine, right)))
    line = sides[0].line(mine.place, mine.line)
    formulas = [side.formula[: each.place + 1] for side, each in zip(sides, (mine, right))]
    yield Part(formulas[0], line, one.op not in NAMED), Part(formulas[1])
    for kinds in (_SUMS, _PRODUCTS):
        if {one.op, other.op} & kinds.keys() or (kinds is _SUMS and "neg" in {one.op, other.op}):
            members = [s.members(m, kinds) for s, m in zip(sides, (mine, right))]
            left = _unmatched(sides, members)
            alike = len(left[0]) == len(left[1]) < len(members[0]) or kinds is _SUMS
            if alike and [m.sign for m in left[0]] == [m.sign for m in left[1]] != []:
                yield from _inside(sides, left[0][0], left[1][0])
                return
            if any(left) and len(left[0]) < len(members[0]):  # something is the same
                line = left[0][-1].line if left[0] else line
                if len(left[0]) == 1:
                    line = sides[0].line(left[0][0].place, line)
                parts = [s.joined(each, kinds) for s, each in zip(sides, left)]
                yield Part(parts[0], line, bool(left[0])), Part(parts[1])
            return
    if one.op == other.op and one.op not in NAMED and len(one.places) == 1:
        yield from _inside(sides, *(_Member(t.places[0], 1, one.line) for t in (one, other)))


def _inside(sides: Sides, mine: _Member, right: _Member) -> Iterator[tuple[Part, Part]]:
    """Yield where two members of the same sign differ."""
    line = sides[0].line(mine.place, mine.line)
    return _within(sides, _Member(mine.place, 1, line), _Member(right.place, 1, 0))


def _unmatched(sides: Sides, members: Sequence[Sequence[_Member]]) -> list[list[_Member]]:
    """Return the members of both sides that the other one does not have."""
    mine, right = list(members[0]), list(members[1])
    for each in members[0]:
        same = [m for m in right if m.sign == each.sign and _are_same(sides, each, m)]
        if same:
            right.remove(same[0])
            mine.remove(each)
    return [mine, right]


def _are_same(sides: Sides, mine: _Member, right: _Member) -> bool:
    pairs = zip(sides[0].numbers(mine), sides[1].numbers(right))
    return all(math.isclose(one, other, rel_tol=1e-8, abs_tol=1e-12) for one, other in pairs)
