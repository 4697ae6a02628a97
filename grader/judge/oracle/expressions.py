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
from grader.judge.script.steps import Operand, Step
from grader.worker.protocol import Ref

MAX_TEXT = 20_000
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
    fallback: Parsed | None = None
    first: NoNumber | None = None
    for drawn in _draw(source, [name for name in names if name not in given], given):
        values = {name: drawn[name] if name in drawn else given[name] for name in names}
        reader = _Reader(source, make, values, bare_calls)
        try:
            found = reader.read(tree)
        except NoNumber as error:
            first = first or error
            continue
        if not drawn or all(
            number and abs(number) <= LARGEST for number in reader.program.values.values()
        ):
            return found
        # an intermediate zero hides everything below it, and ten-digit numbers are unreadable
        fallback = fallback or found
    if fallback is None and first is not None:
        raise first
    assert fallback is not None
    return fallback


def _draw(source: str, names: list[str], given: Mapping[str, float]) -> Iterator[dict[str, float]]:
    if not names:
        yield {}
        return
    pool = [number for number in POOL if number not in given.values()] or POOL
    yield {name: pool[index % len(pool)] for index, name in enumerate(names)}
    choose = random.Random(source)
    for _ in range(DRAWS):
        yield {name: choose.choice(POOL) for name in names}


def _tree(source: str) -> ast.Module:
    if len(source) > MAX_TEXT:
        raise UsageError(
            f"the expression has {len(source)} characters", f"at most {MAX_TEXT} can be traced"
        )
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
        value = getattr(statement, "value", None)
        called = {id(node.func) for node in ast.walk(statement) if isinstance(node, ast.Call)}
        met = [
            node
            for node in (ast.walk(value) if isinstance(value, ast.AST) else ())
            if isinstance(node, ast.Name) and id(node) not in called
        ]
        for node in sorted(met, key=lambda node: (node.lineno, node.col_offset)):
            if node.id not in known:
                found[node.id] = None
        if isinstance(statement, ast.Assign):
            known |= {node.id for node in statement.targets if isinstance(node, ast.Name)}
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
    count: int = 0
    program: Program = field(init=False)

    def read(self, tree: ast.Module) -> Parsed:
        """Return the parsed expression."""
        self.program = Program(self.make)
        for name, number in self.values.items():
            self.names[name] = self._leaf(number, name)
        last = tree.body[-1]
        *_, root = [self._statement(each, last=each is last) for each in tree.body]
        steps = self.program.pruned(root).steps
        kept = {step.target for step in steps}
        unused = tuple(label for ref, label in self.labels.items() if ref not in kept)
        labels = {ref: label for ref, label in self.labels.items() if ref in kept}
        return Parsed(
            " ".join(self.source.split()),
            tuple(steps),
            root,
            labels,
            self.names,
            dict(self.values),
            unused,
        )

    def _leaf(self, number: float, label: str) -> Ref:
        ref = self.program.leaf(number)
        self.labels[ref] = label
        return ref

    def _statement(self, statement: ast.stmt, *, last: bool) -> Ref:
        if isinstance(statement, ast.Expr) and last:
            return self._node(statement.value)
        target = (
            statement.targets[0]
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1
            else None
        )
        if not isinstance(target, ast.Name) or not isinstance(statement, ast.Assign):
            reason = (
                "only the last part may go without a name"
                if isinstance(statement, ast.Expr)
                else f"this is not allowed: {ALLOWED}"
            )
            self._refuse(statement, reason)
        node = self._node(statement.value)
        if target.id in self.names:
            self._refuse(target, f"{target.id!r} has a number already: give a new name")
        self.names[target.id] = node
        if node not in [self.names[name] for name in self.values]:
            self.labels[node] = target.id
        return node

    def _node(self, node: ast.expr) -> Ref:
        operand = self._operand(node)
        return operand if isinstance(operand, Ref) else self._leaf(operand, _text(operand))

    def _operand(self, top: ast.expr) -> Ref | float:
        """Return the node or number of a part.

        This does not use recursion, because a sum of 400 terms is 400 levels deep.
        """
        done: dict[int, Ref | float] = {}
        todo: list[tuple[ast.expr, bool]] = [(top, False)]
        while todo:
            node, parts_done = todo.pop()
            if isinstance(node, ast.Constant) and type(node.value) in {int, float}:
                done[id(node)] = self._bounded(node, node.value)  # type: ignore[arg-type] # mypy does not see the types in the set
            elif isinstance(node, ast.Name):
                done[id(node)] = self.names[node.id]
            else:
                op, inner = self._operation(node)
                if parts_done:
                    done[id(node)] = self._made(node, op, [done[id(part)] for part in inner])
                else:
                    todo += [(node, True), *((part, False) for part in reversed(inner))]
        return done[id(top)]

    def _made(self, node: ast.expr, op: str, operands: list[Ref | float]) -> Ref | float:
        if not any(isinstance(operand, Ref) for operand in operands):
            return self._bounded(
                node, self._folded(node, op, [float(operand) for operand in operands])
            )
        if op == "**" and isinstance(operands[1], Ref):
            self._refuse(node, "an exponent must be a number")
        return self._apply(node, op, [*operands])

    def _operation(self, node: ast.expr) -> tuple[str, list[ast.expr]]:
        if isinstance(node, ast.BinOp) and type(node.op) in BY_NODE:
            return BY_NODE[type(node.op)], [node.left, node.right]
        if isinstance(node, ast.UnaryOp) and type(node.op) in BY_NODE:
            return BY_NODE[type(node.op)], [node.operand]
        if isinstance(node, ast.Call) and not node.keywords:
            if (
                isinstance(node.func, ast.Attribute)
                and node.func.attr in FUNCTIONS
                and not node.args
            ):
                return node.func.attr, [node.func.value]
            if (
                self.bare_calls
                and isinstance(node.func, ast.Name)
                and node.func.id in FUNCTIONS
                and len(node.args) == 1
            ):
                return node.func.id, [node.args[0]]
        return self._refuse(node, f"this is not allowed: {ALLOWED}")

    def _apply(self, node: ast.expr, op: str, operands: list[Operand]) -> Ref:
        self.count += 1
        if self.count > MAX_OPERATIONS:
            raise UsageError(
                f"the expression has more than {MAX_OPERATIONS} operations", "trace a part of it"
            )
        try:
            ref = self.program.apply(op, *operands)
        except (ArithmeticError, ValueError, TypeError) as error:
            self._no_number(node, str(error))
        if not math.isfinite(self.program.values[ref]):
            self._no_number(node, "too large")
        self.labels[ref] = self._written(node)
        return ref

    def _folded(self, node: ast.expr, op: str, numbers: list[float]) -> float:
        """Compute an operation on plain numbers, as Python does before the engine sees it."""
        try:
            found = compute(op, numbers)
        except (ArithmeticError, ValueError, TypeError) as error:
            self._no_number(node, str(error))
        if op in FUNCTIONS or op == "/":
            return found
        whole = all(number.is_integer() for number in (*numbers, found))
        return int(found) if whole and abs(found) < MAX_NUMBER else found

    def _bounded(self, node: ast.expr, number: float) -> float:
        if not abs(number) <= MAX_NUMBER:
            self._refuse(node, f"a number must be at most {MAX_NUMBER:g}")
        return number

    def _no_number(self, node: ast.expr, why: str) -> NoReturn:
        given = ", ".join(
            f"{name} = {_text(number)}" for name, number in list(self.values.items())[:8]
        )
        hint = "choose other numbers: --set a=2" if self.values else "use a different number"
        raise NoNumber(
            f"{self._written(node)[:60]} has no number"
            + (f" for {given}" if given else "")
            + f": {why}\n{_pointed(*self._place(node))}",
            hint,
        )

    def _refuse(self, node: ast.AST, why: str) -> NoReturn:
        raise UsageError(f"{why}\n{_pointed(*self._place(node))}", "see grade trace --help")

    def _place(self, node: Any) -> tuple[str, int, int]:
        """Return the text, and the line and column of a part.

        For `a + b` that is the sign's position.
        """
        text = self.source.strip()
        lines = text.encode().splitlines()
        if not isinstance(node, ast.BinOp):
            return text, node.lineno, len(lines[node.lineno - 1][: node.col_offset].decode())
        line, offset = node.left.end_lineno or 1, node.left.end_col_offset or 0
        rest = lines[line - 1][offset:]
        offset += len(rest) - len(rest.lstrip(b") "))
        return text, line, len(lines[line - 1][:offset].decode())

    def _written(self, node: ast.expr) -> str:
        """Return a part as the person wrote it, on one line."""
        return " ".join((ast.get_source_segment(self.source.strip(), node) or "").split())


def _text(number: float) -> str:
    return f"{number:.6g}"
