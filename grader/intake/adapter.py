"""Read adapters, which let the grader judge engines that were not written for this course.

An adapter is data. It says how to make a node from a number, where its number and gradient are, and
which method or function corresponds to each of the course's. Anything it leaves out has the
course's own name, or does not exist.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from grader.curriculum.packages import refuse_unfit
from grader.curriculum.tables import Rule, as_toml, matching, read_table
from grader.errors import UsageError

FILE = "adapter.toml"
NOTEBOOK = ".ipynb"
_HOLE = "_hole"
_HOW = (
    "a call with {} for each operand: {}.name(), name({}) or name({}, {}); any other argument"
    " must be a number, a string, True, False or None"
)
HOLE = ...
"""Marks the place of an operand among the arguments of a template."""


@dataclass(frozen=True)
class Template:
    """A call: `{}.backprop()` is a method of the first operand, `add({}, {})` a function, and
    `Tensor({}, requires_grad=True)` has a constant argument.

    `path` names the method or the function. `args` and `named` hold constants, or HOLE for the next
    operand.
    """

    text: str
    path: str
    is_method: bool
    args: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...] = ()

    @property
    def holes(self) -> int:
        """Return how many operands it takes."""
        return self.is_method + [*self.args, *(value for _, value in self.named)].count(HOLE)

    def arguments(self, operands: Sequence[Any]) -> tuple[list[Any], list[list[Any]]]:
        """Return the arguments of the call, without the object whose method is called."""
        rest = iter(operands[1:] if self.is_method else operands)
        args = [next(rest) if arg is HOLE else arg for arg in self.args]
        return args, [[name, next(rest) if value is HOLE else value] for name, value in self.named]


def template(text: str) -> Template:
    """Parse a call with `{}` for its operands. Raise ValueError for anything else."""
    try:
        call: Any = ast.parse(text.strip().replace("{}", _HOLE), mode="eval").body
        words = ast.unparse(call.func).split(".")
        args = tuple(map(_argument, call.args))
        named = {str(keyword.arg): _argument(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, TypeError, AttributeError, RecursionError, MemoryError):
        raise ValueError from None
    is_method = words[0] == _HOLE
    is_plain = all(map(str.isidentifier, words)) and not {*words[1:], *named} & {_HOLE, "None"}
    if (
        "{}" not in text
        or not is_plain
        or len(named) < len(call.keywords)
        or (is_method and len(words) != 2)
    ):
        raise ValueError
    return Template(
        text.strip(), ".".join(words[is_method:]), is_method, args, tuple(named.items())
    )


def _argument(node: ast.expr) -> Any:
    """Return HOLE or a constant. Raise ValueError for anything else."""
    if isinstance(node, ast.Name) and node.id == _HOLE:
        return HOLE
    value = ast.literal_eval(node)
    if type(value) not in {int, float, str, bool, type(None)} or (
        isinstance(value, str) and _HOLE in value
    ):
        raise ValueError
    return value


DOUBLE, SINGLE = "float64", "float32"  # how an engine rounds its numbers
_A_CALL = Rule(template, _HOW)
_BACKWARD = template("{}.backward()")
_A_CALL_OR_NONE = Rule(lambda text: None if text == "" else template(text), _HOW)
_AN_ATTRIBUTE = matching(
    r"[^\W\d]\w*(\.[^\W\d]\w*)*(\(\))?", 'the name of an attribute or of a method, such as "name()"'
)
_A_FILE = matching(
    r"(?!/|(.*/)?\.\./).+\.(py|ipynb)",
    'a path to a Python file or notebook in the graded folder, such as "src/engine.py"',
)


@dataclass(frozen=True)
class Adapter:
    """The names of one engine. `owner` is its class. None in `calls` is an operation it lacks."""

    where: str
    files: dict[str, Annotated[str, _A_FILE]]
    owner: str
    make: Annotated[Template, _A_CALL]
    data: Annotated[str, _AN_ATTRIBUTE]
    gradient: Annotated[str, _AN_ATTRIBUTE]
    backward: Annotated[Template, _A_CALL] = _BACKWARD
    numbers: bool = True
    clears: bool = False
    seed: bool = False
    intermediate: bool = True
    precision: Annotated[str, matching(f"{DOUBLE}|{SINGLE}", f"one of {DOUBLE}, {SINGLE}")] = DOUBLE
    packages: tuple[str, ...] = ()
    calls: dict[str, Annotated[Template | None, _A_CALL_OR_NONE]] = field(default_factory=dict)
    networks: dict[str, Annotated[Template, _A_CALL]] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)

    def module(self, file: str) -> str:
        """Return the module that corresponds to one of the course's files, or an empty string. A
        notebook runs as the course's module.
        """
        path = self.files.get(file, "")
        if path.endswith(NOTEBOOK):
            return PurePosixPath(file).stem
        parts = PurePosixPath(path).with_suffix("").parts if path else ()
        return ".".join(parts).removesuffix(".__init__")


def read_adapter(file: Path) -> Adapter:
    """Read an adapter from a TOML file, or from the table `[tool.grade.adapter]` of a
    `pyproject.toml`. Raise UsageError with the wrong key and what to do.
    """
    if not file.exists():
        raise UsageError(f"there is no {file}", "write one with: grade adapt path/to/engine.py")
    table = read_table(file, UsageError)
    for key in ("tool", "grade", "adapter") if file.name == "pyproject.toml" else ():
        table = table.table(key)
    adapter = table.make(Adapter, where=table.where, owner=table.get("class", str))
    refuse_unfit(adapter.packages, f"{table.where}: 'packages'")
    calls = {"make": adapter.make, "backward": adapter.backward, **adapter.calls}
    for key, found in calls.items():
        wanted = 2 if key in {"+", "-", "*", "/", "**"} else 1
        if found is not None and found.holes != wanted:
            raise UsageError(
                f"{table.where}: {key!r} is {found.text!r}; it must contain"
                f" {'two' if wanted == 2 else 'one'} {{}}",
                f"write {key} = {_HOW}",
            )
    return adapter


_CONVENTIONS: dict[str, tuple[object, str]] = {  # what most engines do, and why others are listed
    "numbers": (True, "  # an operand must be a node"),
    "clears": (False, "  # the backward pass sets all gradients to 0 before it begins"),
    "seed": (False, "  # the gradient of the result is set to 1 before the backward pass"),
    "intermediate": (True, "  # only the leaves keep a gradient after backward"),
    "precision": (DOUBLE, "  # numbers are rounded to it"),
    "packages": ((), ""),
}


def adapter_text(adapter: Adapter) -> str:
    """Return the TOML of an adapter without networks or `[attributes]`."""
    lines = [
        "# How this engine names the things that the course asks for; see: grade adapt --help",
        f"class = {as_toml(adapter.owner)}",
        f"make = {as_toml(adapter.make.text)}  # makes a node from a number",
        f"data = {as_toml(adapter.data)}",
        f"gradient = {as_toml(adapter.gradient)}",
        f"backward = {as_toml(adapter.backward.text)}",
    ]
    lines += [
        f"{key} = {as_toml(getattr(adapter, key))}{why}"
        for key, (usual, why) in _CONVENTIONS.items()
        if getattr(adapter, key) != usual
    ]
    lines += ["", "[files]  # each file of the course, and the file here that replaces it"]
    lines += [f"{as_toml(name)} = {as_toml(path)}" for name, path in adapter.files.items()]
    calls = [f"{as_toml(n)} = {as_toml(c.text if c else '')}" for n, c in adapter.calls.items()]
    if calls:
        lines += ["", '[calls]  # names that differ here; "" if this engine lacks one', *calls]
    return "\n".join(lines) + "\n"
