"""Run a learner's backward pass on small graphs of sums, and find the lines that do something."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from grader.curriculum.model import Graph as Words
from grader.judge.diagnosis.evidence import Run
from grader.judge.diagnosis.replay import Alone
from grader.judge.diagnosis.sites import Sites
from grader.judge.diagnosis.walks import TWO_PATHS, Graph
from grader.judge.oracle import close
from grader.judge.script.steps import Apply, Call, Make, Put, Step, Watch
from grader.model import Frame
from grader.worker.protocol import UNUSED, Patch, Ref

EACH = 20  # numbers for the nodes of a graph, its list and its pass
LIST, PASS = 18, 19
_NUMBER = 987.125  # a node with it is the one whose lines are looked for


class Bench:
    """The code under test. Lines are found only if it can be `patched`."""

    def __init__(self, words: Words, run: Run, patched: Callable[[Patch], Run] | None) -> None:
        self.words, self.run = words, run
        self._sites = Sites(words, patched)

    def making(self, alone: Alone) -> Frame | None:
        """Return the line that makes the result of an operation."""
        return self._sites.making(alone.value, [*alone.steps, alone.operation])

    def wrapping(self, alone: Alone) -> Frame | None:
        """Return the line of an operation that makes a node which holds another node."""
        return self._sites.wrapping([*alone.steps, alone.operation])

    def overwriting(self, alone: Alone, leaf: Ref) -> Frame | None:
        """Return the line of a backward step that sets the gradient of an operand."""
        steps = [*alone.steps, *alone.held(), alone.operation, *alone.backward()]
        gradient, number = self.words.gradient, alone.numbers[list(alone.leaves).index(leaf)]
        for lines in self._sites.setting(gradient, number, steps):
            if lines[-1].function != "__init__":
                return lines[-1]
        return None

    def built(self, graph: Graph, at: int = 0) -> Iterator[Step]:
        """Yield the steps that build a graph, as one of several in a script."""
        for place, node in enumerate(graph.nodes):
            ref = Ref(at * EACH + place)
            if isinstance(node, tuple):
                yield Apply(ref, "+", [Ref(at * EACH + operand) for operand in node])
            else:
                yield Make(ref, self.words.make, [node])

    def watch(self, graph: Graph, at: int = 0) -> Watch:
        """Return the step that runs a backward pass and keeps its calls."""
        words, root = self.words, Ref(at * EACH + graph.root)
        watched = Ref(at * EACH + PASS)
        return Watch(watched, root, words.operands, words.step, words.backward, words.gradient)

    def calling(self, method: str, times: int = 1) -> list[Step]:
        """Return the steps that build a graph and call a method of its result."""
        call = Call(UNUSED, Ref(TWO_PATHS.root), method, [])
        return [*self.built(TWO_PATHS), *[call] * times]

    def walk_line(self, steps: Sequence[Step], attribute: str = "") -> Frame | None:
        """Return the last line that asks the result for its operands, or another attribute."""
        words = self.words
        marked = self._marked(steps, TWO_PATHS.root)
        for asked in filter(None, (attribute, words.operands)):
            lines = [_outside_texts(each) for each in self._sites.reading(asked, _NUMBER, marked)]
            if outside := [line for line in lines if line.function != words.step]:
                return outside[-1]
        return None

    def _marked(self, steps: Sequence[Step], node: int) -> list[Step]:
        """Give a node the number by which it is known, before the last step."""
        return [*steps[:-1], Put(Ref(node), self.words.data, _NUMBER), steps[-1]]

    def step_line(self) -> Frame | None:
        """Return the line that runs the steps."""
        steps = self.calling(self.words.backward)
        for node in (TWO_PATHS.root, 2):
            for lines in self._sites.reading(self.words.step, _NUMBER, self._marked(steps, node)):
                return lines[-1]
        return None

    def inside_step(self) -> Frame | None:
        """Return the first line of a step that reads something of its node in a second pass."""
        outside = self.step_line()
        marked = self._marked(self.calling(self.words.backward, times=2), TWO_PATHS.root)
        for lines in self._sites.reading("", _NUMBER, marked):
            if outside in lines[:-1]:
                return lines[-1]
        return outside

    def set_line(
        self, node: int, steps: Sequence[Step], *, outermost: bool = False
    ) -> Frame | None:
        """Return the first line of the pass that sets a node's gradient, or leads there."""
        for lines in self._sites.setting(self.words.gradient, _NUMBER, self._marked(steps, node)):
            return lines[0] if outermost else lines[-1]
        return None


def _outside_texts(lines: Sequence[Frame]) -> Frame:
    """Return the innermost line that does not only make a text of a node."""
    asking = [line for line in lines if line.function not in {"__repr__", "__str__"}]
    return (asking or lines)[-1]


def alike(got: Sequence[Any], want: Sequence[float]) -> bool:
    """Return whether all numbers are the expected ones."""
    return len(got) == len(want) and all(map(is_, got, want))


def is_(got: Any, want: float) -> bool:
    """Return whether a number is the expected one."""
    return type(got) in {int, float} and close(got, want)


class Observation(NamedTuple):
    """What the code does, and the line that does it.

    If it `lists`, a line of the same function that adds a node to its list tells more.
    """

    why: str = ""
    where: Frame | None = None
    lists: bool = False
