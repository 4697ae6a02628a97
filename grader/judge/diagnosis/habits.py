"""Find out what a wrong backward pass does, by running it on small graphs of sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from grader.curriculum.model import Graph as Words
from grader.judge.diagnosis.evidence import Questions, Run
from grader.judge.diagnosis.replay import Alone
from grader.judge.diagnosis.sites import Sites
from grader.judge.diagnosis.walks import (
    BY_LISTING,
    BY_NUMBER,
    GRAPHS,
    TWO_PATHS,
    Graph,
    Walked,
    habit,
)
from grader.judge.oracle import close
from grader.judge.script.steps import Apply, Call, Make, Put, Step, Watch
from grader.model import Frame
from grader.worker.protocol import UNUSED, Patch, Ref

_EACH = 20  # numbers for the nodes of a graph, its pass and its list
_LIST, _PASS = 18, 19
_HELD = 0.25
_TRIED = "on every graph tried, "


class Seen(NamedTuple):
    """One pass over a graph: the calls, the result's gradient then, and all gradients after it."""

    graph: Graph
    calls: list[int]
    seed: Any
    gradients: list[Any]


class Told(NamedTuple):
    """What the pass does, and the line that does it.

    If it `lists`, a line of the same function that adds a node to its list tells more.
    """

    why: str = ""
    where: Frame | None = None
    lists: bool = False
    asked: Callable[[Habits], Told] = lambda _: Told()


class Habits:
    """A closer look at the backward pass of some code, and at its list of the nodes.

    Lines are found only if the code can be `patched`.
    """

    def __init__(
        self, words: Words, run: Run, patched: Callable[[Patch], Run] | None, lists: str = ""
    ) -> None:
        self._words, self._run, self._lists = words, run, lists
        self._sites = Sites(words, patched)

    def of_list(self) -> Told:
        """Return what is wrong with the list of the nodes."""
        if not self._listed:
            return Told()
        return self._walking(self._listed, self._steps_that(self._lists), "listed")

    def _walking(self, walks: Sequence[Walked], steps: Sequence[Step], done: str) -> Told:
        why = habit(walks)
        line = self._walk_line(steps, self._words.data if why in BY_NUMBER else "")
        return Told(why and _TRIED + why.format(done=done), line, why in BY_LISTING)

    def of_order(self) -> Told:
        """Return what is wrong with the order in which the steps run."""
        seen, lists = self._passes, self._lists
        if not seen:
            return Told()
        walks = [
            Walked(one.graph, [n for n in one.calls if n in one.graph.inner], one.graph.inner)
            for one in seen
        ]
        if not self._lists_right:
            return self._walking(walks, self._steps_that(self._words.backward), "run")
        line, listed = self._step_line(), self._listed
        calls = [one.calls for one in seen]
        if all(_is_turned(one, walk) for one, walk in zip(calls, listed)):
            if self._results_first:
                why = f"`{lists}()` lists the result first, and the task asks for it last"
                return Told(why, self._walk_line(self._steps_that(lists)), lists=True)
            return Told(
                f"`{lists}()` lists the result last, so go through its list from the end", line
            )
        right = f"`{lists}()` is right, but "
        why = _cut_short(calls, listed) or habit(walks).format(done="run")
        return Told(f"{right}{why}" if why else "", line)

    def of_seed(self) -> Told:
        """Return what the result's gradient is when the pass begins."""
        seen = [one for one in self._passes if one.graph.inner]
        if not seen:
            return Told()
        roots = [one.graph.root for one in seen]
        steps = self._steps_that(self._words.backward)
        line = self._set_line(TWO_PATHS.root, steps)
        if all(_is(one.seed, one.graph.numbers[root]) for one, root in zip(seen, roots)):
            return Told("it is set to the number of the result", line)
        if all(_is(one.seed, 0.0) for one in seen):
            if all(_is(one.gradients[root], 1.0) for one, root in zip(seen, roots)):
                return Told("it is set to 1 after the steps have run", line)
            return self._misplaced_seed(seen, steps)
        return Told("", line)

    def _misplaced_seed(self, seen: Sequence[Seen], steps: Sequence[Step]) -> Told:
        """Return which node gets the 1 in place of the result, if it is one in the list."""
        ends = {"first": 0, "last": -1}
        for name, end in ends.items():
            places = [walk.order[::-1][end] for walk in self._listed if walk.graph.inner]
            if self._results_first:
                places = [walk.order[end] for walk in self._listed if walk.graph.inner]
            if len(places) == len(seen) and all(
                _is(one.gradients[place], 1.0) and place != one.graph.root
                for one, place in zip(seen, places)
            ):
                first = next(place for one, place in zip(seen, places) if one.graph is TWO_PATHS)
                why = f"the 1 goes to the {name} node of `{self._lists}()`, which is a leaf"
                if self._results_first:
                    why += "; the list should end with the result"
                    return Told(why, self._walk_line(self._steps_that(self._lists)), lists=True)
                return Told(why, self._set_line(first, steps))
        return Told()

    def of_later(self) -> Told:
        """Return what a pass does to the gradients that are there, or a second pass leaves out."""
        before = [_HELD] * len(TWO_PATHS.nodes)
        after, _ = self._after(before, passes=1)
        nodes = TWO_PATHS.all - {TWO_PATHS.root}
        leaves = nodes - TWO_PATHS.inner
        steps = self._steps_that(self._words.backward)
        cleared = {
            "every gradient": nodes,
            "the gradients of the leaves": leaves,
            "the gradients of the intermediate results": nodes & TWO_PATHS.inner,
        }
        for name, some in cleared.items():
            if _alike(after, _summed(TWO_PATHS, before, cleared=some)):
                why = f"the pass sets {name} to 0 first, and must add to what is there"
                return Told(why, self._set_line(min(some), steps, outermost=True))
        if not _alike(after, _summed(TWO_PATHS, before)):
            return Told()
        twice, calls = self._after(before, passes=2)
        first = _summed(TWO_PATHS, before)
        if not _alike(twice, first) or _alike(twice, _summed(TWO_PATHS, first)):
            return self._of_second_result()
        if self._is_taken_apart():
            return Told("after the first pass, the result has no operands any more")
        if not set(calls) & TWO_PATHS.inner:
            return Told("the second pass runs no step at all", self._step_line())
        return Told("the second pass calls the steps, but they send nothing", self._inside_step())

    def _inside_step(self) -> Frame | None:
        """Return the first line of a step that reads something of its node in a second pass."""
        begun, outside = self._begun(TWO_PATHS), self._step_line()
        steps = [*self._built(TWO_PATHS, 0), begun, begun]
        for lines in self._sites.reading("", _NUMBER, self._marked(steps, TWO_PATHS.root)):
            if outside in lines[:-1]:
                return lines[-1]
        return outside

    def _is_taken_apart(self) -> bool:
        """Whether a pass removes the operands of the result."""
        asked = Questions([*self._built(TWO_PATHS, 0), self._begun(TWO_PATHS)])
        asked.ask("operands", Ref(TWO_PATHS.root), self._words.operands, "refs")
        return asked.answers(self._run)[0].get("operands") == []

    def _of_second_result(self) -> Told:
        """Return whether nodes that ran for one result do not run for another one."""
        both = Graph(2.0, -5.0, (0, 1), 7.0, (2, 3), 9.5, (2, 5))
        other = Ref(4)
        asked = Questions([*self._built(both, 0), Call(UNUSED, other, self._words.backward, [])])
        asked.do(self._watch(both, 0))
        asked.ask("calls", Ref(_PASS), "nodes", "refs")
        answers, reply = asked.answers(self._run)
        if reply.fault is None and Ref(2) not in answers["calls"] and Ref(6) in answers["calls"]:
            why = "a node that ran for one result does not run for the next one"
            return Told(why, self._walk_line(self._steps_that(self._words.backward)))
        return Told()

    def making(self, alone: Alone) -> Frame | None:
        """Return the line that makes the result of an operation."""
        return self._sites.making(alone.value, [*alone.steps, alone.operation])

    @property
    def repeats(self) -> bool:
        """Whether a node with operands runs, or is listed, more than once."""
        return any(walk.repeats() for walk in self._listed) or any(
            len(inner) > len(set(inner))
            for one in self._passes
            if (inner := [node for node in one.calls if node in one.graph.inner])
        )

    @cached_property
    def _passes(self) -> list[Seen]:
        words, asked = self._words, Questions()
        for at, graph in enumerate(GRAPHS):
            asked.do(*self._built(graph, at), self._watch(graph, at))
            asked.ask((at, "calls"), Ref(at * _EACH + _PASS), "nodes", "refs")
            asked.ask((at, "held"), Ref(at * _EACH + _PASS), "held", "value")
            for node in graph.all:
                asked.ask((at, node), Ref(at * _EACH + node), words.gradient)
        answers, reply = asked.answers(self._run)
        if reply.fault is not None:
            return []
        found: list[Seen] = []
        for at, graph in enumerate(GRAPHS):
            calls = [int(ref) - at * _EACH for ref in answers[at, "calls"]]
            gradients = [answers[at, node] for node in sorted(graph.all)]
            seeds = [held for node, held in zip(calls, answers[at, "held"]) if node == graph.root]
            found.append(Seen(graph, calls, (seeds or [gradients[-1]])[0], gradients))
        return found if any(one.calls for one in found) else []

    @cached_property
    def _lists_of_all(self) -> list[list[int]]:
        if not self._lists:
            return []
        asked = Questions()
        for at, graph in enumerate(GRAPHS):
            root, listed = Ref(at * _EACH + graph.root), Ref(at * _EACH + _LIST)
            asked.do(*self._built(graph, at), Call(listed, root, self._lists, []))
            asked.ask(at, listed, "", "refs")
        answers, reply = asked.answers(self._run)
        if reply.fault or not all(isinstance(answer, list) for answer in answers.values()):
            return []
        return [[ref - at * _EACH for ref in answers[at]] for at in range(len(GRAPHS))]

    @property
    def _results_first(self) -> bool:
        return bool(self._lists_of_all) and all(
            each[:1] == [graph.root] for each, graph in zip(self._lists_of_all, GRAPHS)
        )

    @cached_property
    def _listed(self) -> list[Walked]:
        """The lists as walks from the result on, unless they have other objects in them."""
        turn = 1 if self._results_first else -1
        known = all(set(each) <= graph.all for each, graph in zip(self._lists_of_all, GRAPHS))
        return [
            Walked(graph, each[::turn], graph.all)
            for each, graph in zip(self._lists_of_all, GRAPHS)
            if known
        ]

    @property
    def _lists_right(self) -> bool:
        return bool(self._listed) and all(walk.is_right() for walk in self._listed)

    def _built(self, graph: Graph, at: int) -> Iterator[Step]:
        for place, node in enumerate(graph.nodes):
            ref = Ref(at * _EACH + place)
            if isinstance(node, tuple):
                yield Apply(ref, "+", [Ref(at * _EACH + operand) for operand in node])
            else:
                yield Make(ref, self._words.make, [node])

    def _watch(self, graph: Graph, at: int) -> Watch:
        words, root = self._words, Ref(at * _EACH + graph.root)
        watched = Ref(at * _EACH + _PASS)
        return Watch(watched, root, words.operands, words.step, words.backward, words.gradient)

    def _after(self, before: Sequence[float], passes: int) -> tuple[list[Any], list[int]]:
        """Return the gradients after some passes over a graph, and the calls of the last."""
        words, asked = self._words, Questions(list(self._built(TWO_PATHS, 0)))
        asked.do(*[Put(Ref(node), words.gradient, held) for node, held in enumerate(before)])
        asked.do(*[self._begun(TWO_PATHS)] * (passes - 1), self._watch(TWO_PATHS, 0))
        asked.ask("calls", Ref(_PASS), "nodes", "refs")
        for node in TWO_PATHS.all:
            asked.ask(node, Ref(node), words.gradient)
        answers, reply = asked.answers(self._run)
        if reply.fault is not None:
            return [], []
        return [answers[node] for node in sorted(TWO_PATHS.all)], list(map(int, answers["calls"]))

    def _begun(self, graph: Graph) -> Step:
        return Call(UNUSED, Ref(graph.root), self._words.backward, [])

    def _steps_that(self, method: str) -> list[Step]:
        return [*self._built(TWO_PATHS, 0), Call(UNUSED, Ref(TWO_PATHS.root), method, [])]

    def _walk_line(self, steps: Sequence[Step], attribute: str = "") -> Frame | None:
        """Return the last line that asks the result for its operands, or another attribute."""
        words = self._words
        marked = self._marked(steps, TWO_PATHS.root)
        for asked in filter(None, (attribute, words.operands)):
            lines = [each[-1] for each in self._sites.reading(asked, _NUMBER, marked)]
            if outside := [line for line in lines if line.function != words.step]:
                return outside[-1]
        return None

    def _marked(self, steps: Sequence[Step], node: int) -> list[Step]:
        """Give a node the number by which it is known, before the last step."""
        return [*steps[:-1], Put(Ref(node), self._words.data, _NUMBER), steps[-1]]

    def _step_line(self) -> Frame | None:
        """Return the line that runs the steps."""
        steps = self._steps_that(self._words.backward)
        for node in (TWO_PATHS.root, 2):
            for lines in self._sites.reading(self._words.step, _NUMBER, self._marked(steps, node)):
                return lines[-1]
        return None

    def _set_line(
        self, node: int, steps: Sequence[Step], *, outermost: bool = False
    ) -> Frame | None:
        """Return the first line of the pass that sets a node's gradient, or leads there."""
        for lines in self._sites.setting(self._words.gradient, _NUMBER, self._marked(steps, node)):
            return lines[0] if outermost else lines[-1]
        return None


_NUMBER = 987.125  # a node with it is the one whose lines are looked for


def _summed(
    graph: Graph,
    before: Sequence[float],
    cleared: set[int] = frozenset(),  # type: ignore[assignment]
) -> list[float]:
    """Return the gradients after a pass that adds to those before, except to the cleared ones."""
    found = [0.0 if node in cleared else held for node, held in enumerate(before)]
    found[graph.root] = 1.0
    for node in reversed(range(len(found))):
        for operand in graph.operands[node]:
            found[operand] += found[node]
    return found


def _is_turned(calls: list[int], walk: Walked) -> bool:
    """Whether the steps ran in the order of the right walk, from its end."""
    inner = walk.graph.inner
    return [node for node in calls if node in inner] == [
        node for node in walk.order[::-1] if node in inner
    ]


def _cut_short(calls: Sequence[list[int]], listed: Sequence[Walked]) -> str:
    """Return how a pass leaves out the beginning or the end of the right list, if it does."""
    pairs = [(one, list(walk.order), walk.graph.inner) for one, walk in zip(calls, listed)]
    if all(one == order[1:] for one, order, _ in pairs):
        return "the pass leaves out the result, so nothing is sent back"
    if any(one != order[: len(one)] for one, order, _ in pairs):
        return ""
    ends = [(one, order[len(one) :], inner) for one, order, inner in pairs]
    if not any(inner & set(rest) for _, rest, inner in ends):
        return ""
    if all((one and one[-1] not in inner) or not rest for one, rest, inner in ends):
        return "the pass ends after the first leaf; more nodes come after that"
    if all(not rest or rest[0] not in inner for _, rest, inner in ends):
        return "the pass ends at the first leaf; more nodes come after that"
    if all(len(one) == 1 for one in calls):
        return "only the step of the result runs"
    return "the pass ends before every node has run"


def _alike(got: Sequence[Any], want: Sequence[float]) -> bool:
    return len(got) == len(want) and all(map(_is, got, want))


def _is(got: Any, want: float) -> bool:
    return type(got) in {int, float} and close(got, want)
