"""Expressions as text, evaluated by the oracle and by any trusted libraries installed here.

The worker, the oracle and the libraries all read the same text, so they cannot mean different
expressions.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from grader.suite import NotInstalled, Operand, Operators, Program, Ref, oracle


class Expression(NamedTuple):
    """A lambda with one to three arguments, and numbers for them."""

    source: str
    numbers: tuple[float, ...]

    @property
    def function(self) -> Callable[..., Any]:
        """The function, for anything that has Python's operators."""
        return eval(self.source, {})  # type: ignore[no-any-return]  # noqa: S307 - text from the suite


class Found(NamedTuple):
    """An engine's result: the value, each number's gradient, and a second method for each."""

    value: float
    gradients: list[float]
    confirm: Sequence[Callable[[], float]]


class Node(Operators):
    """The judge's node: operators on it are recorded for the oracle to differentiate."""

    def __init__(self, program: Program, ref: Ref) -> None:
        self.program, self.ref = program, ref

    def _apply(self, op: str, *args: Node | float) -> Node:
        operands: list[Operand] = [arg.ref if isinstance(arg, Node) else arg for arg in args]
        return Node(self.program, self.program.apply(op, *operands))

    def relu(self) -> Node:
        """Record relu of this node."""
        return self._apply("relu", self)


def by_oracle(expression: Expression) -> Found:
    """Return the right result."""
    program = Program("Value")
    leaves = [program.leaf(number) for number in expression.numbers]
    root = expression.function(*(Node(program, leaf) for leaf in leaves)).ref
    found = oracle.gradients(program.steps, root, leaves)
    confirm = [partial(oracle.finite_difference, program.steps, root, leaf) for leaf in leaves]
    return Found(program.values[root], [found[leaf] for leaf in leaves], confirm)


def by_pytorch(expression: Expression) -> Found:
    """Return the result of PyTorch. Raises NotInstalled."""
    torch = _imported("torch", "PyTorch", "python -m pip install torch")
    leaf = partial(torch.tensor, dtype=torch.float64, requires_grad=True)
    return _by(expression, leaf, float)


def by_micrograd(expression: Expression) -> Found:
    """Return the result of micrograd. Raises NotInstalled."""
    engine = _imported("micrograd.engine", "micrograd", "python -m pip install micrograd")
    return _by(expression, engine.Value, lambda result: float(result.data))


def _by(
    expression: Expression, make: Callable[[float], Any], number: Callable[[Any], float]
) -> Found:
    """Return a library's result; the oracle confirms it before a learner is blamed."""
    leaves = [make(number) for number in expression.numbers]
    result = expression.function(*leaves)
    result.backward()
    gradients = [0.0 if leaf.grad is None else float(leaf.grad) for leaf in leaves]
    confirm = [lambda at=at: by_oracle(expression).gradients[at] for at in range(len(leaves))]
    return Found(number(result), gradients, confirm)


def _imported(module: str, name: str, command: str) -> ModuleType:
    try:
        with _without_here():
            return importlib.import_module(module)
    except ImportError as error:
        missing = error.name in {module, module.partition(".")[0]}
        why = "is not installed here" if missing else f"cannot be imported here ({error})"
        raise NotInstalled(
            module.partition(".")[0],
            f"{name} {why}, so nothing was compared. To install it: {command}",
        ) from None


@contextmanager
def _without_here() -> Iterator[None]:
    """Leave the current folder, which may be the learner's, out of the import path."""
    kept: Sequence[str] = list(sys.path)
    sys.path[:] = [entry for entry in kept if entry and Path(entry).resolve() != Path.cwd()]
    try:
        yield
    finally:
        sys.path[:] = kept
