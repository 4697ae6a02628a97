"""Find the learner's line that sets an attribute of a node, or that makes the node.

A patch on the class of the nodes makes that line raise, so it is found in any style. It is known by
the number in the node, which no other node has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.curriculum.model import Graph as Words
from grader.judge.diagnosis.evidence import Run
from grader.judge.diagnosis.replay import Alone
from grader.judge.script.steps import Step
from grader.model import Frame
from grader.worker.protocol import Patch, Ref

MOST = 5  # assignments to one attribute in one backward pass
_SETS, _MAKES = "__setattr__", "__init__"
_COUNTED = """
class {node}:
    def {method}(self, name, *thing, _own=object.{method}, _left=[{nth}]):
        if name == "{attribute}":
            try:
                _left[0] -= object.__getattribute__(self, "{data}") == {number}
            except AttributeError:
                pass
            else:
                if _left[0] == 0:
                    _left[0] = -1
                    raise RuntimeError
        return _own(self, name, *thing)
"""
_MADE = """
class {node}:
    def __init__(self, *args, _make={node}.__init__, **named):
        _make(self, *args, **named)
        if self.{data} == {number}:
            raise RuntimeError
"""
_WRAPPED = """
class {node}:
    def __init__(self, *args, _make={node}.__init__, **named):
        _make(self, *args, **named)
        if isinstance(self.{data}, {node}):
            raise RuntimeError
"""


Lines = list[Frame]
"""The learner's lines that run when something happens, the innermost last."""


class Sites:
    """Finds lines in one submission by making them raise."""

    def __init__(self, words: Words, patched: Callable[[Patch], Run] | None) -> None:
        self._words, self._patched = words, patched

    def making(self, alone: Alone) -> Frame | None:
        """Return the line that makes the result of an operation."""
        lines = self._lines(_MAKES, "", alone.value, [*alone.steps, alone.operation])
        return lines[-1] if lines else None

    def wrapping(self, alone: Alone) -> Frame | None:
        """Return the line of an operation that makes a node which holds another node."""
        lines = self._lines("", "", 0.0, [*alone.steps, alone.operation])
        return lines[-1] if lines else None

    def overwriting(self, alone: Alone, leaf: Ref) -> Frame | None:
        """Return the line of a backward step that sets the gradient of an operand."""
        steps = [*alone.steps, *alone.held(), alone.operation, *alone.backward()]
        gradient, number = self._words.gradient, alone.numbers[list(alone.leaves).index(leaf)]
        for nth in range(1, MOST + 1):
            lines = self._lines(_SETS, gradient, number, steps, nth)
            if lines is None:
                return None
            if lines and lines[-1].function != "__init__":
                return lines[-1]
        return None

    def _lines(
        self, method: str, attribute: str, number: float, steps: Sequence[Step], nth: int = 1
    ) -> Lines | None:
        words = self._words
        if self._patched is None:
            return None
        source = {_MAKES: _MADE, "": _WRAPPED}.get(method, _COUNTED).format(
            node=words.node,
            data=words.data,
            method=method,
            attribute=attribute,
            number=number,
            nth=nth,
        )
        fault = self._patched(Patch(words.module, source))(steps).fault
        if fault is None or fault.type_name != "RuntimeError":
            return None
        lines = list(fault.frames)
        while lines and lines[-1].function == (method or _MAKES):
            lines.pop()
        return lines
