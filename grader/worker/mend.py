"""Search for small changes of the learner's code with which failing scripts give the right answers.

It runs in a worker of its own that is thrown away afterwards. The judge believes nothing of what it
finds, and tries each change again with the real checks. Its limits count candidates and the ticks
of loops, never seconds, so the same code gets the same answer.
"""

from __future__ import annotations

import ast
import difflib
import gc
import re
import sys
from collections.abc import Iterator, Sequence
from types import CodeType, FrameType, FunctionType
from typing import Any

from .differences import TICK, Merge, Parts, Unit, add_ticks, translated, units_of, written
from .edits import Edit, edits_of
from .protocol import FIRST_FOUND, Candidate, Mend, Trial
from .steps import Script

MAX_TRIES = 1_500
MAX_TICKS = 400_000  # in all candidates together
MAX_EVENTS = 200_000  # lines to look at when finding out which functions run
CANDIDATE_TICKS = 100  # what compiling one is worth
MAX_POINTS = 25  # differences from the reference's function
MAX_TAKEN = 2  # that a small change may take over
MAX_SIZE = 70  # characters of one of them
NEARLY = 1e-7  # how near two numbers that count as equal are
NEAR = 0.8  # a candidate that costs so much more than the first good one is not tried


class OutOfTicks(BaseException):
    """Raised in code that loops for too long."""


class Spent(Exception):
    """Raised when the search has used up its limits."""


class Search:
    """Tries changes of one submission."""

    def __init__(self, script: Script, sources: dict[str, bytes], asked: Mend) -> None:
        self.script = script
        self.needed, self.others = list(asked.trials[:1]), list(asked.trials[1:])
        self.tries = self.ticks = 0
        self.left = self.most = MAX_TICKS
        self.trees = {file: ast.parse(text) for file, text in sources.items() if _is_python(text)}
        self.live = _live_functions(self.trees)
        self.kept = _kept_state(self.live)
        vars(script.module.__builtins__)[TICK] = self.tick
        right = [unit for source in asked.right for unit in units_of("", ast.parse(source))]
        self.references = {unit.name: unit.node for unit in right}
        for unit in right:
            add_ticks(unit.node)
        self.ran = self._lines_that_run()
        found = [unit for file, tree in self.trees.items() for unit in units_of(file, tree)]
        self.units = [unit for unit in found if self._runs(unit)]
        self.own: dict[str, list[CodeType]] = {}
        for unit in found:
            add_ticks(unit.node)
            self.own[unit.name] = _functions(_compiled(unit, unit.node))
            self._swap(unit, self.own[unit.name])
        self.about = [name for unit in self.units for name in asked.about if unit.name == name]
        self.units.sort(key=lambda unit: unit.name not in self.about)
        self.ticks = 0
        self._run(self.needed[0])
        self.most, self.ticks = 3 * self.ticks + 20_000, 0
        self._candidates = self._found()

    def _runs(self, unit: Unit) -> bool:
        """Return whether the first script runs a function."""
        lines = range(unit.node.body[0].lineno, unit.node.end_lineno + 1)
        return any((unit.file, line) in self.ran for line in lines)

    def tick(self) -> bool:
        """Count one round of a loop or one call. Return True, as a comprehension asks for."""
        self.left -= 1
        if self.left < 0:
            raise OutOfTicks
        return True

    def _lines_that_run(self) -> set[tuple[str, int]]:
        """Return the lines of the submission that the first script runs."""
        ran: set[tuple[str, int]] = set()
        events = 0

        def note(frame: FrameType, event: str, _argument: object) -> Any:
            nonlocal events
            if frame.f_code.co_filename not in self.trees:
                return None
            events += 1
            if event == "line":
                ran.add((frame.f_code.co_filename, frame.f_lineno))
            if events > MAX_EVENTS:
                raise OutOfTicks
            return note

        sys.settrace(note)
        try:
            self._run(self.needed[0])
        finally:
            sys.settrace(None)
        return ran

    def _run(self, trial: Trial) -> list[Any] | None:
        """Run a script. Return its answers, or None if it raised."""
        for thing, copy in self.kept:
            if thing != copy:
                thing.clear()
                (thing.extend if type(thing) is list else thing.update)(copy)
        self.script.forget()
        for name in ("random", "numpy.random"):
            seed: Any = getattr(sys.modules.get(name), "seed", None)
            if hasattr(seed, "__self__"):
                seed(1)
        self.left = self.most
        try:
            return list(self.script.run(trial.steps))  # type: ignore[arg-type] # as they cross
        except BaseException:  # noqa: BLE001 - whatever it is, this is not the change
            return None
        finally:
            self.ticks += self.most - max(self.left, 0)

    def _attempt(self, unit: Unit, node: Any) -> int | None:
        """Try a version of a function. Return how many of the scripts that may be right are, or
        None if one that must be right is wrong.
        """
        if self.tries >= MAX_TRIES or self.ticks >= MAX_TICKS:
            raise Spent
        self.tries += 1
        self.ticks += CANDIDATE_TICKS
        try:
            code = _compiled(unit, node)
        except (SyntaxError, ValueError, TypeError, RecursionError):
            return None
        undo = self._swap(unit, _functions(code))
        try:
            return (
                sum(map(self._passes, self.others)) if all(map(self._passes, self.needed)) else None
            )
        finally:
            for function, old in undo:
                function.__code__ = old

    def _passes(self, trial: Trial) -> bool:
        answers = self._run(trial)
        return answers is not None and _agree(answers, trial)

    def _swap(self, unit: Unit, codes: list[CodeType]) -> list[tuple[FunctionType, CodeType]]:
        """Put code in place of the loaded functions of a unit. Return how to undo it."""
        undo = []
        for old, new in _paired(self.own[unit.name], codes):
            for function in self.live.get(_identity(old), ()):
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
        try:
            return [next(self._candidates)]
        except (StopIteration, Spent):
            return []

    def _found(self) -> Iterator[Candidate]:
        """Yield changes that mend the scripts, the likeliest first."""
        mended = []
        for unit in self.units:
            other, proposed = self._reference(unit), set()
            while other is not None and (made := self._by_reference(unit, other)) is not None:
                mended.append(unit.name)
                candidate, small = made
                if not small or candidate.text in proposed:
                    break
                proposed.add(candidate.text)
                yield candidate
        yield from self._singles(mended)

    def _reference(self, unit: Unit) -> Any:
        other = self.references.get(unit.name)
        if other is None or len(other.args.args) != len(unit.node.args.args):
            return None
        return translated(other, unit.node)

    def _by_reference(self, unit: Unit, other: Any) -> tuple[Candidate, bool] | None:
        """Return what is left when all differences from the reference that do no harm stay, and
        whether that is a small change; None if the reference's function does not mend the scripts.
        """
        merge = Merge(unit.node, other)
        count = len(merge.points)

        def works(use: set[int]) -> bool:
            return self._attempt(unit, merge.build(use)) is not None

        use = set(range(count))
        if not 0 < count <= MAX_POINTS or not works(use):
            return None
        size = max(1, count // 2)
        while True:  # delta debugging, from many differences at once to single ones
            for start in range(0, count, size):
                less = use - set(range(start, start + size))
                if less and less != use and works(less):
                    use = less
            if size == 1:
                break
            size = max(1, size // 2)
        made = merge.build(use)
        points = [merge.points[index] for index in sorted(use)]
        small = len(points) <= MAX_TAKEN and all(length <= MAX_SIZE for _, length in points)
        only = len(merge.points) == 1
        return self._candidate(unit, made, points[0][0], "reference", only=only), small

    def _singles(self, mended: list[str]) -> Iterator[Candidate]:
        """Yield single edits. Those that cost nearly the same are ranked by what else they mend."""
        window: list[tuple[int, float, int, Edit, Unit]] = []
        last = 0.0
        for place, (cost, edit, unit) in enumerate(self._edits(mended)):
            if window and cost > last:
                yield from self._ranked(window)
                window = []
            edit.apply()
            try:
                others = self._attempt(unit, unit.node)
                if others is not None:
                    text = written(unit.node)
                    rank = cost - 2 * self._likeness(unit, text)
                    last = last if window else cost + NEAR
                    window.append((-others, rank, place, edit, unit))
            finally:
                edit.undo()
        yield from self._ranked(window)

    def _ranked(self, window: list[tuple[int, float, int, Edit, Unit]]) -> Iterator[Candidate]:
        for _, _, _, edit, unit in sorted(window, key=lambda each: each[:3]):
            edit.apply()
            try:
                again = self._attempt(unit, unit.node)  # more may be needed by now
                candidate = self._candidate(unit, unit.node, edit.line, edit.kind)
            finally:
                edit.undo()
            if again is not None:
                yield candidate

    def _edits(self, mended: list[str]) -> list[tuple[float, Edit, Unit]]:
        """Return all edits, the cheapest first."""
        found: list[tuple[float, Edit, Unit]] = []
        for unit in self.units:
            extra = 0.0 if unit.name in self.about else 0.6
            if mended:
                extra = 0.0 if unit.name in mended else 0.8
            has = Parts(unit, self.trees[unit.file], self._reference(unit))
            for edit in edits_of(unit.node, has):
                away = 0.0 if (unit.file, edit.line) in self.ran else 0.3
                found.append((edit.cost + extra + away, edit, unit))
        return sorted(found, key=lambda each: each[0])

    def _likeness(self, unit: Unit, text: str) -> float:
        """Return how much more like the reference's function a text is than the learner's."""
        other = self._reference(unit)
        if other is None:
            return 0.0
        right, own = _words(written(other)), _words(unit.before)
        return _ratio(_words(text), right) - _ratio(own, right)

    def _candidate(
        self, unit: Unit, node: Any, line: int, kind: str, *, only: bool = False
    ) -> Candidate:
        first = min([unit.node.lineno, *(each.lineno for each in unit.node.decorator_list)])
        after = written(node).splitlines()
        gone, come = _difference(unit.before.splitlines(), after)
        indent = " " * unit.node.col_offset
        text = "".join(f"{indent}{each}\n" if each else "\n" for each in after)
        last = unit.node.end_lineno
        return Candidate(unit.file, first, last, text, unit.name, line, kind, only, gone, come)


def _is_python(source: bytes) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


def _agree(answers: list[Any], trial: Trial) -> bool:
    return len(answers) == len(trial.wants) and all(map(_is_right, answers, trial.wants))


def _is_right(got: Any, want: Any) -> bool:
    """Return whether an answer is the wanted one. None wants nothing, and a list of references
    only wants the same ones, in any order.
    """
    if type(want) in {int, float} and type(got) in {int, float}:
        return bool(abs(got - want) <= NEARLY * (1 + abs(want))) or repr(got) == repr(want)
    if type(want) is list and type(got) is list:
        if want and all(type(each) is dict for each in want):
            made = sorted(each for each in got if each < FIRST_FOUND)
            return made == sorted(each["ref"] for each in want)
        return len(want) == len(got) and all(map(_is_right, got, want))
    return want is None or bool(got == want)


def _compiled(unit: Unit, node: Any) -> CodeType:
    return compile(unit.module(node), unit.file, "exec", dont_inherit=True)


def _functions(code: CodeType) -> list[CodeType]:
    """Return the code of all functions in a module's code, outer ones first."""
    inner = [const for const in code.co_consts if type(const) is CodeType]
    return [each for one in inner for each in (one, *_functions(one))]


def _paired(old: list[CodeType], new: list[CodeType]) -> list[tuple[CodeType, CodeType]]:
    if [code.co_name for code in old] == [code.co_name for code in new]:
        return list(zip(old, new))
    pairs, rest = [], list(new)
    for one in old:
        match = next((each for each in rest if each.co_name == one.co_name), None)
        if match is not None:
            pairs.append((one, match))
            rest.remove(match)
    return pairs


def _identity(code: CodeType) -> tuple[str, int, str]:
    return code.co_filename, code.co_firstlineno, code.co_name


def _live_functions(trees: dict[str, Any]) -> dict[tuple[str, int, str], list[FunctionType]]:
    """Return the functions of the submission that exist."""
    found: dict[tuple[str, int, str], list[FunctionType]] = {}
    for thing in gc.get_objects():
        if type(thing) is FunctionType and thing.__code__.co_filename in trees:
            found.setdefault(_identity(thing.__code__), []).append(thing)
    return found


def _kept_state(live: dict[Any, list[FunctionType]]) -> list[tuple[Any, Any]]:
    """Return the collections at the top of modules and classes, each with a copy."""
    spaces: list[Any] = [f.__globals__ for functions in live.values() for f in functions]
    spaces = list({id(space): space for space in spaces}.values())
    spaces += [vars(one) for space in spaces for one in space.values() if type(one) is type]
    things = [
        thing
        for space in spaces
        for name, thing in space.items()
        if type(thing) in {list, dict, set} and not name.startswith("__")
    ]
    return [(thing, type(thing)(thing)) for thing in things]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]|\n +", text)


def _ratio(one: list[str], other: list[str]) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def _difference(before: list[str], after: list[str]) -> tuple[str, str]:
    """Return the lines that go and those that come."""
    gone, come = [], []
    for tag, i, j, k, m in difflib.SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            gone += before[i:j]
            come += after[k:m]
    return "\n".join(gone), "\n".join(come)
