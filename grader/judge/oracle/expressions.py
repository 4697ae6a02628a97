"""Parse an expression that a person typed, without running it: its steps and its nodes' names."""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from grader.curriculum.syntax import parse_python
from grader.errors import UsageError
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.programs import Program, compute
from grader.judge.script.operators import BY_NODE
from grader.judge.script.steps import Step
from grader.worker.protocol import Ref

MAX_OPERATIONS = 400
MAX_NUMBER = 1e12
ALLOWED = f"an expression has numbers, names, + - * / ** and {', '.join(sorted(FUNCTIONS))}"
EXAMPLE = 'for example: grade trace "(a*b + c) * (a + d)"'
POOL = (2, -3, 5, 4, 3, -2, 1.5, -1, 0.5, 6, -0.5, 2.5)
DRAWS = 100
LARGEST = 1000.0  # limit of an intermediate value, if possible


class NoNumber(UsageError):
    """A part of the expression has no value for these inputs."""


@dataclass(frozen=True)
class Parsed:
    """An expression with a number for each name.

    `steps` build it and `root` is the result. `labels` gives each node the text a person would use
    for it, and `names` maps each name to its node.
    """

    source: str
    steps: tuple[Step, ...]
    root: Ref
    labels: Mapping[Ref, str]
    names: Mapping[str, Ref]
    given: Mapping[str, float]
    unused: tuple[str, ...]


def parse(source: str, given: Mapping[str, float], make: str, *, bare_calls: bool = True) -> Parsed:
    """Parse an expression such as `s = a*b; s*s + s`.

    Names missing in `given` get small numbers, always the same for the same expression. With
    `bare_calls`, `tanh(a)` is allowed as well as `a.tanh()`. Raise UsageError, with the column, for
    anything that is not allowed and if a part has no value.
    """
    tree = _tree(source)
    names = _free_names(tree)
    if unknown := [name for name in given if name not in names]:
        known = f"its names are {', '.join(names)}" if names else "it has no names"
        raise UsageError(f"there is no name {unknown[0]!r} to set in the expression", known)
    found: list[Parsed] = []
    errors: list[NoNumber] = []
    for drawn in _draw(source, [name for name in names if name not in given], given):
        values = {name: drawn[name] if name in drawn else given[name] for name in names}
        reader = _Reader(source.strip(), make, values, bare_calls)
        try:
            found.append(reader.read(tree))
        except NoNumber as error:
            errors.append(error)
            continue
        # an intermediate zero hides everything below it, and ten-digit numbers are unreadable
        if all(number and abs(number) <= LARGEST for number in reader.program.values.values()):
            return found[-1]
    if not found:
        raise errors[0]
    return found[0]


def _draw(source: str, names: list[str], given: Mapping[str, float]) -> Iterator[dict[str, float]]:
    pool = [number for number in POOL if number not in given.values()] or POOL
    yield {name: pool[index % len(pool)] for index, name in enumerate(names)}
    choose = random.Random(source)
    for _ in range(DRAWS):
        yield {name: choose.choice(POOL) for name in names}


def _tree(source: str) -> ast.Module:
    text = source.strip()
    try:
        tree = parse_python(text)
    except SyntaxError as error:
        line, column = error.lineno or 1, max(0, (error.offset or 1) - 1)
        raise UsageError(
            f"this is not an expression: {error.msg}\n{_pointed(text, line, column)}", EXAMPLE
        ) from None
    except (ValueError, MemoryError, RecursionError) as error:
        raise UsageError(
            f"this is not an expression: {type(error).__name__}: {error}",
            "write it with fewer brackets",
        ) from None
    if not tree.body:
        raise UsageError("the expression is empty", EXAMPLE)
    operations = (ast.BinOp, ast.UnaryOp, ast.Call)
    if sum(isinstance(node, operations) for node in ast.walk(tree)) > MAX_OPERATIONS:
        raise UsageError(
            f"the expression has more than {MAX_OPERATIONS} operations", "trace a part of it"
        )
    return tree


def _pointed(text: str, line: int, column: int) -> str:
    """Return the line, or part of a long one, with a caret below it at that column."""
    whole = text.splitlines()[line - 1] if line <= len(text.splitlines()) else ""
    start = max(0, column - 50)
    return f"  {whole[start : start + 72]}\n  {' ' * (column - start)}^"


def _free_names(tree: ast.Module) -> list[str]:
    """Return the names that need a number, in order of first use."""
    found: dict[str, None] = {}
    known: set[str] = set()
    for statement in tree.body:
        nodes = list(ast.walk(statement))
        called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        met = [node for node in nodes if isinstance(node, ast.Name) and id(node) not in called]
        for node in sorted(met, key=lambda node: (node.lineno, node.col_offset)):
            if isinstance(node.ctx, ast.Load) and node.id not in known:
                found[node.id] = None
        known |= {node.id for node in met if isinstance(node.ctx, ast.Store)}
    return list(found)


@dataclass
class _Reader:
    """Builds the steps as it walks the tree."""

    source: str
    make: str
    values: Mapping[str, float]
    bare_calls: bool
    names: dict[str, Ref] = field(default_factory=dict)
    labels: dict[Ref, str] = field(default_factory=dict)

    def read(self, tree: ast.Module) -> Parsed:
        """Return the parsed expression."""
        self.program = Program(self.make)
        for name, number in self.values.items():
            self.names[name] = self._leaf(number, name)
        last = tree.body[-1]
        *_, root = [self._statement(each, last=each is last) for each in tree.body]
        steps = self.program.pruned(root).steps
        kept = {step.target for step in steps}
        return Parsed(
            " ".join(self.source.split()),
            tuple(steps),
            root,
            {ref: label for ref, label in self.labels.items() if ref in kept},
            self.names,
            dict(self.values),
            tuple(label for ref, label in self.labels.items() if ref not in kept),
        )

    def _leaf(self, number: float, label: str) -> Ref:
        ref = self.program.leaf(number)
        self.labels[ref] = label
        return ref

    def _statement(self, statement: ast.stmt, *, last: bool) -> Ref:
        match statement:
            case ast.Expr(value) if last:
                return self._node(value)
            case ast.Expr():
                self._refuse(statement, "only the last part may go without a name")
            case ast.Assign([ast.Name(name)], value):
                node = self._node(value)
                if name in self.names:
                    self._refuse(statement, f"{name!r} has a number already: give a new name")
                self.names[name] = node
                if node not in [self.names[name] for name in self.values]:
                    self.labels[node] = name
                return node
        return self._refuse(statement, f"this is not allowed: {ALLOWED}")

    def _node(self, node: ast.expr) -> Ref:
        operand = self._operand(node)
        return operand if isinstance(operand, Ref) else self._leaf(operand, f"{operand:.6g}")

    def _operand(self, node: ast.expr) -> Ref | float:
        """Return the node or number of a part. Python computes with plain numbers itself, before an
        engine sees them.
        """
        if isinstance(node, ast.Name):
            return self.names[node.id]
        if isinstance(node, ast.Constant) and type(node.value) in {int, float}:
            return self._bounded(node, node.value)  # type: ignore[arg-type] # mypy does not see the types in the set
        op, parts = self._operation(node)
        operands = [*map(self._operand, parts)]
        if op == "**" and isinstance(operands[1], Ref):
            self._refuse(node, "an exponent must be a number")
        try:
            if not any(isinstance(operand, Ref) for operand in operands):
                return self._bounded(node, compute(op, [*map(float, operands)]))
            ref = self.program.apply(op, *operands)
            why = "" if math.isfinite(self.program.values[ref]) else "too large"
        except (ArithmeticError, ValueError, TypeError) as error:
            why = str(error)
        if why:
            given = [f"{name} = {number:.6g}" for name, number in self.values.items()][:8]
            what = f"{self._written(node)[:60]} has no number"
            what += f" for {', '.join(given)}" if given else ""
            hint = "choose other numbers with --set" if given else "use a different number"
            raise NoNumber(f"{what}: {why}\n{self._place(node)}", hint)
        self.labels[ref] = self._written(node)
        return ref

    def _operation(self, node: ast.expr) -> tuple[str, list[ast.expr]]:
        match node:
            case ast.BinOp(left, op, right) if type(op) in BY_NODE:
                return BY_NODE[type(op)], [left, right]
            case ast.UnaryOp(op, operand) if type(op) in BY_NODE:
                return BY_NODE[type(op)], [operand]
            case ast.Call(ast.Attribute(on, name), [], []) if name in FUNCTIONS:
                return name, [on]
            case ast.Call(ast.Name(name), [on], []) if name in FUNCTIONS and self.bare_calls:
                return name, [on]
        return self._refuse(node, f"this is not allowed: {ALLOWED}")

    def _bounded(self, node: ast.expr, number: float) -> float:
        if not abs(number) <= MAX_NUMBER:
            self._refuse(node, f"a number must be at most {MAX_NUMBER:g}")
        return number

    def _refuse(self, node: ast.AST, why: str) -> NoReturn:
        raise UsageError(f"{why}\n{self._place(node)}", "see grade trace --help")

    def _place(self, node: Any) -> str:
        """Return the line of a part, with a caret below its beginning."""
        before = self.source.encode().splitlines()[node.lineno - 1][: node.col_offset]
        return _pointed(self.source, node.lineno, len(before.decode()))

    def _written(self, node: ast.expr) -> str:
        """Return a part as the person wrote it, on one line."""
        return " ".join((ast.get_source_segment(self.source, node) or "").split())
