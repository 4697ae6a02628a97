"""Search for small changes to the learner's code that make failing scripts give the correct
answers.

It runs in a separate worker, thrown away afterwards. The judge does not believe its findings, and
tries each change again with the real checks. Its limits count candidates and the ticks of loops,
never seconds, so the same code gets the same answer.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import islice
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from .answers import is_right
from .differences import (
    BOUNDED,
    TICK,
    Merge,
    Unit,
    changed_parts,
    idle_in,
    is_function,
    likeness,
    lines_of,
    translated,
    units_of,
    unread_in,
    written,
)
from .edits import Edit, edits_of
from .loaded import (
    OutOfTicks,
    bounded,
    compiled,
    functions_in,
    identity,
    is_python,
    iterators_in,
    kept_state,
    live_functions,
    paired,
    restore,
)
from .observed import Observed
from .parameters import for_a_new_import, in_their_order, without
from .parts import Parts
from .protocol import RAISES, Candidate, Mend, Trial
from .steps import Script, seed_random

MAX_TRIES = 4_000
MAX_TICKS = 600_000  # in all candidates together
MAX_RUN = 60_000  # in one script
LEAST_RUN = 1_500  # that a script may take, however short it was before
CANDIDATE_TICKS = 100  # ticks for compiling one
CROWDED = 0.001  # extra cost of each further edit of a function, so small functions get a turn
MAX_POINTS = 25  # differences from the reference's function
MAX_TAKEN = 2  # differences in one small change
UNREAD = 1.5  # extra cost of a variable that a change leaves unread
MAX_NEAR = 2  # edits of one line to propose instead of a change in several
MAX_SIZE = 20  # syntax nodes removed or added in a small change
MAX_EDIT = 28  # the same in an edit of a kind that is usual
ALIKE = 0.6  # likeness to the reference above which its differences come first
NEAR = 0.8  # candidates within this cost of the first good one are ranked together

Ranked: TypeAlias = tuple[int, float, int, Unit, Edit]


class Search:
    """Tries changes to one submission."""

    def __init__(self, script: Script, sources: dict[str, bytes], asked: Mend) -> None:
        self.script = script
        self.needed, self.others = list(asked.trials[:1]), list(asked.trials[1:])
        self.tries = self.ticks = 0
        self.left = self.most = MAX_TICKS
        warnings.simplefilter("ignore")  # about odd candidates; nobody would see them
        self.trees = {file: ast.parse(text) for file, text in sources.items() if is_python(text)}
        self.live = live_functions(self.trees)
        self.kept = kept_state(self.live)
        vars(script.module.__builtins__).update({TICK: self.tick, BOUNDED: bounded})
        sources_right = filter(is_python, asked.right)
        right = [unit for each in sources_right for unit in units_of("", ast.parse(each))]
        self.references = {unit.name: unit.node for unit in right}
        self.observed = Observed(self.trees)
        self.observed.run(lambda: self._run(self.needed[0]))
        found = [unit for file, tree in self.trees.items() for unit in units_of(file, tree)]
        self.units = [unit for unit in found if self._runs(unit)]
        self.endless = iterators_in(self.kept)
        self.uses = {(unit.file, unit.first): self._uses(unit.node) for unit in found}
        self.own = {
            (unit.file, unit.first): functions_in(compiled(unit, unit.node)) for unit in found
        }
        for unit in found:
            self._swap(unit, self.own[unit.file, unit.first])
        self.passing = self._used_by(asked.passing, found)
        self.about = [name for unit in self.units for name in asked.about if unit.name == name]
        self.missing = {*asked.about} - {unit.name for unit in found}
        special = (unit for unit in found if ".__" in unit.name)
        self.unknown = [unit for unit in special if unit.name not in self.references]
        self.units.sort(key=lambda unit: unit.name not in self.about)
        self.ticks, self.most = 0, MAX_RUN
        self._passes(self.needed[0])
        self.most, self.ticks = min(3 * self.ticks, MAX_RUN) + LEAST_RUN, 0
        names = [unit.name for unit in self.units if unit.name not in self.references]
        self.helpers = [name.rpartition(".")[2] for name in names]
        self.last: list[Candidate] = []
        self._candidates = self._found()

    def _runs(self, unit: Unit) -> bool:
        """Return whether the first script runs a function."""
        body = getattr(unit.node, "body", [unit.node])
        lines = range(body[0].lineno, unit.node.end_lineno + 1)
        return any((unit.file, line) in self.observed.lines for line in lines)

    @staticmethod
    def _used_by(names: Sequence[str], units: Sequence[Unit]) -> set[str]:
        """Return these functions and the ones that they use."""
        found, new = set(names), set(names)
        while new:
            texts = [unit.before for unit in units if unit.name in new]
            words = {word for text in texts for word in re.findall(r"\b(?!__)\w+", text)}
            used = {unit.name for unit in units if unit.name.rpartition(".")[2] in words}
            found, new = found | used, used - found
        return found

    def tick(self) -> bool:
        """Count one round of a loop or one call. Return True, as a comprehension asks for."""
        self.left -= 1
        if self.left < 0:
            raise OutOfTicks
        return True

    def _run(self, trial: Trial) -> list[Any] | None:
        """Run a script. Return its answers, or None if it raised."""
        for thing, before in self.kept:
            restore(thing, before)
        self.script.forget()
        seed_random(1)
        self.left = self.most
        try:
            return list(self.script.run(trial.steps))  # type: ignore[arg-type] # as they cross
        except BaseException:  # noqa: BLE001 - whatever it is, this is not the change
            return None
        finally:
            self.ticks += self.most - max(self.left, 0)

    def _attempt(self, unit: Unit, node: Any) -> int | None:
        """Try a version of a function. Return how many of the optional scripts are right, or None
        if a required one is wrong.
        """
        self.tries += 1
        self.ticks += CANDIDATE_TICKS
        if self.endless and not self._uses(node) <= self.uses[unit.file, unit.first]:
            return None
        try:
            code = compiled(unit, node)
        except (SyntaxError, ValueError, TypeError, RecursionError):
            return None
        undo = self._swap(unit, functions_in(code))
        try:
            return (
                sum(map(self._passes, self.others)) if all(map(self._passes, self.needed)) else None
            )
        finally:
            for function, old in undo:
                function.__code__ = old

    def _uses(self, node: Any) -> set[str]:
        """Return the expressions around each iterator shared with other places. It may have no end,
        so every use must stay as it was.
        """
        return {
            ast.dump(part)
            for part in ast.walk(node)
            if isinstance(part, ast.expr)
            for inner in ast.iter_child_nodes(part)
            if getattr(inner, "id", getattr(inner, "attr", "")) in self.endless
        }

    def _passes(self, trial: Trial) -> bool:
        answers = self._run(trial)
        if trial.wants == RAISES:
            return answers is None
        if answers is None or len(answers) != len(trial.wants):
            return False
        return all(map(is_right, answers, trial.wants))

    def _swap(self, unit: Unit, codes: list[CodeType]) -> list[tuple[FunctionType, CodeType]]:
        """Put code in place of the loaded functions of a unit. Return how to undo it."""
        undo = []
        for old, new in paired(self.own[unit.file, unit.first], codes):
            for function in self.live.get(identity(old), ()):
                if len(function.__code__.co_freevars) == len(new.co_freevars):
                    undo.append((function, function.__code__))
                    function.__code__ = new
        return undo

    # --- the search ---

    def next(self, trials: Sequence[Trial]) -> list[Candidate]:
        """Return the likeliest change that has not been proposed yet, or nothing.

        From now on these trials must be right, too.
        """
        self.needed += trials
        return list(islice(self._candidates, 1))

    @property
    def is_spent(self) -> bool:
        """Return whether the search has used up its limits."""
        return self.tries >= MAX_TRIES or self.ticks >= MAX_TICKS

    def _found(self) -> Iterator[Candidate]:
        """Yield changes that fix the scripts, the likeliest first. In code of a different style,
        the reference's function may not use a faulty helper, so its differences come last.
        """
        functions = [unit for unit in self.units if is_function(unit.node)]
        for unit in [*self.units, *self.unknown]:
            own = self.missing if unit in self.unknown else ()
            names = [name.rpartition(".")[2] for name in own if name.startswith(f"{unit.owner}.__")]
            for node in for_a_new_import(unit.node, names):
                yield self._candidate(unit, node)
        for unit in functions:
            other = self.references.get(unit.name)
            if other is None and self._attempt(unit, without(unit.node)) is not None:
                yield Candidate(unit.file, unit.first, unit.node.end_lineno, "")
            if is_function(other) and (node := in_their_order(unit.node, other)):
                yield self._candidate(unit, node)
        pairs = [(unit, other) for unit in functions if (other := self._reference(unit))]
        mended: list[str] = []
        for unit, other in pairs:
            found = self._by_reference(unit, other, mended)
            rivals = {*mended}.intersection(self.about)
            is_alike = likeness(unit.before, written(other)) > ALIKE
            if is_alike and (unit.name in self.about or not rivals):
                yield from found
            else:
                self.last += islice(found, 1)
        yield from self._edited(self._edits(mended))
        yield from self.last

    def _reference(self, unit: Unit) -> Any:
        other = self.references.get(unit.name)
        own = unit.node if is_function(unit.node) else getattr(unit.node, "value", None)
        mine, theirs = (getattr(each, "args", None) for each in (own, other))
        if not isinstance(mine, ast.arguments) or theirs is None:
            return None
        return translated(other, own) if len(mine.args) == len(theirs.args) else None

    def _by_reference(self, unit: Unit, other: Any, mended: list[str]) -> Iterator[Candidate]:
        """Yield the fewest of the reference's differences that fix the scripts, if they are small.
        Note the function in `mended` if the reference's version fixes the scripts.
        """
        merge = Merge(unit.node, other)
        proposed: set[int] | None = None
        while (use := self._least(unit, merge)) and use != proposed:
            mended.append(unit.name)
            made, proposed = merge.build(use), use
            points = [merge.points[index] for index in sorted(use)]
            size = sum(changed_parts(one, new) for _, one, new in points)
            is_small = len(points) <= MAX_TAKEN and size <= MAX_SIZE
            gone = {*re.findall(r"\w+", unit.before)}.difference(re.findall(r"\w+", written(made)))
            if gone.intersection(self.helpers):  # the helper itself may be wrong
                return
            if not is_small:
                self.last += [] if self.helpers else [self._candidate(unit, made)]
                return
            lines = {line for point in points for line in lines_of(*point[:2])}
            if len(lines) > 1:  # one line may be enough
                edits = [each for each in self._edits(mended) if each[2] is unit]
                near = [each for each in edits if each[1].line in lines and not each[1].adds]
                yield from islice(self._edited(near), MAX_NEAR)
            yield self._candidate(unit, made)

    def _least(self, unit: Unit, merge: Merge) -> set[int]:
        """Return the fewest differences that fix the scripts, by delta debugging."""

        def works(use: set[int]) -> bool:
            return not self.is_spent and self._attempt(unit, merge.build(use)) is not None

        count = len(merge.points)
        use = set(range(count))
        if not 0 < count <= MAX_POINTS or not works(use):
            return set()
        size = max(1, count // 2)
        while True:  # from many differences at once to single ones
            for start in range(0, count, size):
                less = use - set(range(start, start + size))
                if less and less != use and works(less):
                    use = less
            if size == 1:
                return use
            size = max(1, size // 2)

    def _edited(self, edits: list[tuple[float, Edit, Unit]]) -> Iterator[Candidate]:
        """Yield edits. Those that cost nearly the same are ranked by what else they fix."""
        window: list[Ranked] = []
        last = 0.0
        for place, (cost, edit, unit) in enumerate(edits):
            if window and cost > last:
                yield from self._ranked(window)
                window = []
            if self.is_spent:
                break
            others, more = self._try(unit, edit)
            if others is not None:
                last = last if window else cost + NEAR
                window.append((-others, cost + more, place, unit, edit))
        yield from self._ranked(window)

    def _try(self, unit: Unit, edit: Edit) -> tuple[int | None, float]:
        """Try an edit. Return the result of `_attempt`, and what the edit costs more: it should
        make the function like the reference's, and leave no variable unread.
        """
        with edit.made():
            others = self._attempt(unit, unit.node)
            if others is None or changed_parts(edit.old, edit.new) > MAX_EDIT:
                return None, 0
            before = ast.parse(unit.before)
            if idle_in(unit.node) > idle_in(before):
                return None, 0
            unread = unread_in(unit.node) - unread_in(before)
            return others, UNREAD * unread - 2 * self._likeness(unit, written(unit.node))

    def _ranked(self, window: list[Ranked]) -> Iterator[Candidate]:
        for _, _, _, unit, edit in sorted(window, key=lambda each: each[:3]):
            if self._try(unit, edit)[0] is None:  # more may be needed by now
                continue
            with edit.made():
                candidate = self._candidate(unit, unit.node)
            yield candidate

    def _edits(self, mended: list[str]) -> list[tuple[float, Edit, Unit]]:
        """Return all edits, the cheapest first."""
        found: list[tuple[float, Edit, Unit]] = []
        files = {unit.file for unit in self.units if unit.name in self.about}
        blamed = {*mended}.intersection(self.about) or mended or self.about
        for unit in self.units:
            known = 0.6 if unit.name in self.references else 0.3 * (unit.name in self.passing)
            extra = (0.0 if unit.name in blamed else known) + (unit.file not in files)
            has = Parts(unit, self.trees[unit.file], self._reference(unit), self.observed)
            has.kept = set() if unit.name in blamed else has.theirs
            ran = {line for file, line in self.observed.lines if file == unit.file}
            edits = sorted(edits_of(unit.node, has, ran), key=lambda edit: edit.cost)
            for place, edit in enumerate(edits):
                found.append((edit.cost + extra + CROWDED * place, edit, unit))
        return sorted(found, key=lambda each: each[0])

    def _likeness(self, unit: Unit, text: str) -> float:
        """Return how much more like the reference's function a text is than the learner's."""
        if (other := self._reference(unit)) is None:
            return 0.0
        right = written(other)
        return likeness(text, right) - likeness(unit.before, right)

    def _candidate(self, unit: Unit, node: Any) -> Candidate:
        indent = " " * unit.node.col_offset
        text = "".join(f"{indent}{each}\n" if each else "\n" for each in written(node).splitlines())
        return Candidate(unit.file, unit.first, unit.node.end_lineno, text)
