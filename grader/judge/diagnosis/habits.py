"""Find out what a wrong backward pass does, by running it on small graphs of sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from grader.judge.diagnosis.bench import EACH, LIST, PASS, Bench, Observation, alike, is_
from grader.judge.diagnosis.evidence import Questions
from grader.judge.diagnosis.walks import (
    BY_LISTING,
    BY_NUMBER,
    EQUAL,
    GRAPHS,
    TWO_PATHS,
    Graph,
    Walked,
    habit,
)
from grader.judge.script.steps import Call, Step
from grader.worker.protocol import Ref

_TRIED = "on every graph tried, "


class Seen(NamedTuple):
    """One pass over a graph: the calls, the result's gradient then, and all gradients after it."""

    graph: Graph
    calls: list[int]
    seed: Any
    gradients: list[Any]


class Habits:
    """A closer look at the backward pass of some code, and at its list of the nodes."""

    def __init__(self, bench: Bench, lists: str = "") -> None:
        self.bench, self._words, self._lists = bench, bench.words, lists

    def of_list(self) -> Observation:
        """Return what is wrong with the list of the nodes."""
        if not self._listed:
            return Observation()
        return self._walking(self._listed, self.bench.calling(self._lists), "listed")

    def _walking(self, walks: Sequence[Walked], steps: Sequence[Step], done: str) -> Observation:
        why = habit(walks)
        line = self.bench.walk_line(steps, self._words.data if why in BY_NUMBER else "")
        return Observation(why and _TRIED + why.format(done=done), line, why in BY_LISTING)

    def of_order(self) -> Observation:
        """Return what is wrong with the order in which the steps run."""
        seen, lists = self._passes, self._lists
        if not any(one.calls for one in seen):
            return Observation()
        walks = [
            Walked(one.graph, [n for n in one.calls if n in one.graph.inner], one.graph.inner)
            for one in seen
        ]
        if not self._lists_right:
            return self._walking(walks, self.bench.calling(self._words.backward), "run")
        line, listed = self.bench.step_line(), self._listed
        calls = [one.calls for one in seen]
        if all(_is_turned(one, walk) for one, walk in zip(calls, listed)):
            if self._results_first:
                why = f"`{lists}()` lists the result first, and the task asks for it last"
                return Observation(why, self.bench.walk_line(self.bench.calling(lists)), lists=True)
            return Observation(
                f"`{lists}()` lists the result last, so go through its list from the end", line
            )
        right = f"`{lists}()` is right, but "
        why = _cut_short(calls, listed) or habit(walks).format(done="run")
        return Observation(f"{right}{why}" if why else "", line)

    def of_seed(self) -> Observation:
        """Return what the result's gradient is when the pass begins."""
        seen = [one for one in self._passes if one.graph.inner]
        if not seen:
            return Observation()
        roots = [one.graph.root for one in seen]
        steps = self.bench.calling(self._words.backward)
        line = self.bench.set_line(TWO_PATHS.root, steps)
        if all(is_(one.seed, one.graph.numbers[root]) for one, root in zip(seen, roots)):
            return Observation("it is set to the number of the result", line)
        if all(is_(one.seed, 0.0) for one in seen):
            if all(is_(one.gradients[root], 1.0) for one, root in zip(seen, roots)):
                return Observation("it is set to 1 after the steps have run", line)
            return self._misplaced_seed(seen, steps)
        return Observation("", line)

    def _misplaced_seed(self, seen: Sequence[Seen], steps: Sequence[Step]) -> Observation:
        """Return which node gets the 1 in place of the result, if it is one in the list."""
        ends = {"first": 0, "last": -1}
        for name, end in ends.items():
            places = [walk.order[::-1][end] for walk in self._listed if walk.graph.inner]
            if self._results_first:
                places = [walk.order[end] for walk in self._listed if walk.graph.inner]
            if len(places) == len(seen) and all(
                is_(one.gradients[place], 1.0) and place not in one.graph.inner
                for one, place in zip(seen, places)
            ):
                first = next(place for one, place in zip(seen, places) if one.graph is TWO_PATHS)
                why = f"the 1 goes to the {name} node of `{self._lists}()`, which is a leaf"
                if self._results_first:
                    why += "; the list should end with the result"
                    return Observation(
                        why, self.bench.walk_line(self.bench.calling(self._lists)), lists=True
                    )
                return Observation(why, self.bench.set_line(first, steps))
        return Observation()

    def of_gradients(self) -> Observation:
        """Return which graphs have wrong gradients after a pass, if those have something in common
        that the others do not.
        """
        wrong = {
            one.graph
            for one in self._passes
            if not alike(one.gradients, one.graph.paths(distinct=False))
        }
        fits = [
            why
            for why, some in _GRAPHS_WITH.items()
            if wrong and wrong == set(filter(some, GRAPHS))
        ]
        return Observation(
            f"in small sums, the gradients are wrong only if {fits[0]}" if fits else ""
        )

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
            asked.do(*self.bench.built(graph, at), self.bench.watch(graph, at))
            asked.ask((at, "calls"), Ref(at * EACH + PASS), "nodes", "refs")
            asked.ask((at, "held"), Ref(at * EACH + PASS), "held", "value")
            for node in graph.all:
                asked.ask((at, node), Ref(at * EACH + node), words.gradient)
        answers, reply = asked.answers(self.bench.run)
        if reply.fault is not None:
            return []
        found: list[Seen] = []
        for at, graph in enumerate(GRAPHS):
            calls = [int(ref) - at * EACH for ref in answers[at, "calls"]]
            gradients = [answers[at, node] for node in sorted(graph.all)]
            seeds = [held for node, held in zip(calls, answers[at, "held"]) if node == graph.root]
            found.append(Seen(graph, calls, (seeds or [gradients[-1]])[0], gradients))
        return found

    @cached_property
    def _lists_of_all(self) -> list[list[int]]:
        if not self._lists:
            return []
        asked = Questions()
        for at, graph in enumerate(GRAPHS):
            root, listed = Ref(at * EACH + graph.root), Ref(at * EACH + LIST)
            asked.do(*self.bench.built(graph, at), Call(listed, root, self._lists, []))
            asked.ask(at, listed, "", "refs")
        answers, reply = asked.answers(self.bench.run)
        if reply.fault or not all(isinstance(answer, list) for answer in answers.values()):
            return []
        return [[ref - at * EACH for ref in answers[at]] for at in range(len(GRAPHS))]

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


_GRAPHS_WITH: dict[str, Callable[[Graph], bool]] = {
    "two nodes hold equal numbers": lambda graph: graph is EQUAL,
    "one result uses a node twice": lambda graph: any(
        len(set(users)) < len(users) for users in graph.users
    ),
    "a node is used more than once": lambda graph: any(len(users) > 1 for users in graph.users),
}


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
        return ""  # or it leaves out leaves, too
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
