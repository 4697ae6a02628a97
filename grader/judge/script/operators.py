"""Define Python's operators: their names, their methods, and how tightly they bind."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Union

if TYPE_CHECKING:
    from typing_extensions import Self


class Operator(NamedTuple):
    """An operator: how tightly it binds (`level`), and common names for it (`words`)."""

    sign: str
    method: str
    compute: Callable[..., Any]
    level: int
    node: type[ast.operator | ast.unaryop]
    words: tuple[str, ...]


OPERATORS = {
    each.sign: each
    for each in (
        Operator("+", "__add__", operator.add, 1, ast.Add, ("add", "plus", "sum")),
        Operator("-", "__sub__", operator.sub, 1, ast.Sub, ("sub", "subtract", "minus")),
        Operator("*", "__mul__", operator.mul, 2, ast.Mult, ("mul", "multiply", "times", "prod")),
        Operator("/", "__truediv__", operator.truediv, 2, ast.Div, ("div", "truediv", "divide")),
        Operator("**", "__pow__", operator.pow, 4, ast.Pow, ("pow", "power")),
        Operator("neg", "__neg__", operator.neg, 3, ast.USub, ("neg", "negate")),
        Operator("@", "__matmul__", operator.matmul, 2, ast.MatMult, ("matmul",)),
    )
}
OF_NUMBERS = tuple(sign for sign in OPERATORS if sign != "@")
# the reflected method is tried when the left operand cannot handle the operator
BY_METHOD = {each.method: each.sign for each in OPERATORS.values()} | {
    each.method.replace("__", "__r", 1): f"r{each.sign}"
    for each in OPERATORS.values()
    if each.sign != "neg"
}
BY_NODE = {OPERATORS[sign].node: sign for sign in OF_NUMBERS}


Other = Union["Operators", float, int]


class Operators:
    """Python's operators, each recorded by `_apply`."""

    def _apply(self, op: str, *args: Any) -> Self:
        raise NotImplementedError

    def __add__(self, other: Other) -> Self:
        return self._apply("+", self, other)

    def __mul__(self, other: Other) -> Self:
        return self._apply("*", self, other)

    def __radd__(self, other: float) -> Self:
        return self._apply("+", other, self)

    def __rmul__(self, other: float) -> Self:
        return self._apply("*", other, self)

    def __sub__(self, other: Other) -> Self:
        return self._apply("-", self, other)

    def __rsub__(self, other: float) -> Self:
        return self._apply("-", other, self)

    def __truediv__(self, other: Other) -> Self:
        return self._apply("/", self, other)

    def __rtruediv__(self, other: float) -> Self:
        return self._apply("/", other, self)

    def __pow__(self, exponent: Other) -> Self:
        return self._apply("**", self, exponent)

    def __rpow__(self, base: float) -> Self:
        return self._apply("**", base, self)

    def __neg__(self) -> Self:
        return self._apply("neg", self)
