"""Turn a script into a few lines of Python that learners can paste into their own shell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from keyword import iskeyword

from grader.judge.script.operators import OPERATORS
from grader.judge.script.steps import (
    Apply,
    Builtin,
    Call,
    Define,
    Expression,
    Get,
    Make,
    Operand,
    Put,
    Repeat,
    Step,
    Walk,
    Watch,
)
from grader.worker.protocol import Ref

_POOL = tuple("cdefghpqrstuvwxyzmnoklijab")
_ATOM = 5
_WIDTH = 72  # a report indents a listing
_POINT = 3  # brackets around a number of a point in a list in a call; a point is not broken


class Listing:
    """Renders steps. A result used only once, in an expression, is written in place."""

    def __init__(
        self,
        steps: Sequence[Step],
        names: Mapping[Ref, str],
        keep: set[Ref],
        walked: Mapping[Ref, int],
    ) -> None:
        self._steps = steps
        self._keep = keep
        self._walked = walked
        self._inline = self._find_inline(names, keep)
        self.names = self._name_all(names)
        self._written: dict[Ref, tuple[str, int]] = {}
        self._defined: dict[Ref, str] = {}
        self._body = [line for step in steps for line in self._lines(step)]

    def text(
        self, module: str, shown: Ref | None, attribute: str, comment: str, printed: str = ""
    ) -> str:
        """Return all lines. With `shown`, the last one prints that object, or `printed` applied to
        it, such as `len({})`. The comment goes at the end.
        """
        lines = self.lines(module)
        if shown is not None:
            what = self._reached(shown, attribute)
            lines.append(f"print({(printed or '{}').format(what)})")
        if comment and lines:
            lines[-1] += f"  # {' '.join(comment.split())}"
        return "\n".join(lines)

    def lines(self, module: str) -> list[str]:
        """Return the import and the lines for each step. Reads are left to the caller."""
        used = [step.function for step in self._steps if isinstance(step, Make)]
        used += [
            step.source
            for step in self._steps
            if isinstance(step, Expression)
            and step.source.isidentifier()
            and not iskeyword(step.source)
        ]
        modules: dict[str, set[str]] = {}
        for qualified in used:
            owner, name = _split(qualified)
            name = name.partition(".")[0]
            modules.setdefault(owner or module, set()).add(name)
        imports = [
            f"from {owner} import {', '.join(sorted(names))}" for owner, names in modules.items()
        ]
        return imports + [part for line in self._body for part in _wrapped(line)]

    def expression(self, ref: Ref) -> str:
        """Return the name or expression of an object in these lines."""
        return self._written[ref][0] if ref in self._written else self.names.get(ref, "it")

    def definition(self, ref: Ref) -> str:
        """Return the line that makes an object, such as `d = a * b`, or else its expression."""
        return self._defined.get(ref) or self.expression(ref)

    def _reached(self, on: Ref, path: str) -> str:
        name = self._operand(on, _ATOM)
        return f"{name}{'' if path[:1] in ('', '[') else '.'}{path}"

    def _find_inline(self, names: Mapping[Ref, str], keep: set[Ref]) -> set[Ref]:
        uses = Counter(ref for step in self._steps for ref in step.references())
        used_in_expression = {
            ref for step in self._steps if isinstance(step, Apply) for ref in step.references()
        }
        paths = {step.target for step in self._steps if isinstance(step, (Get, Expression))} - set(
            names
        )
        return paths | {
            step.target
            for step in self._steps
            if isinstance(step, Apply)
            and uses[step.target] == 1
            and step.target in used_in_expression
            and step.target not in names
            and step.target not in keep
        }

    def _name_all(self, names: Mapping[Ref, str]) -> dict[Ref, str]:
        made = [
            ref
            for step in self._steps
            if (ref := step.target) is not None and ref not in self._inline
        ]
        chosen = {ref: names[ref] for ref in made if ref in names}
        chosen |= {step.target: step.name for step in self._steps if isinstance(step, Define)}
        free = iter(
            [
                *(name for name in _POOL if name not in chosen.values()),
                *(f"v{n}" for n in range(len(made))),
            ]
        )
        return {ref: chosen.get(ref) or next(free) for ref in made}

    def _lines(self, step: Step) -> list[str]:
        match step:
            case Make(target, function):
                call = f"{_split(function)[1]}({self._arguments(step)})"
                return self._bind(target, call, _ATOM)
            case Builtin(target, "list", [list(items)]):
                return self._bind(target, self._plain(items), _ATOM)
            case Builtin(target, function, args):
                return self._bind(target, f"{function}({', '.join(map(self._plain, args))})", _ATOM)
            case Apply(target, op, args):
                return self._bind(target, *self._applied(op, args))
            case Get(target, on, attribute):
                return self._bind(target, self._reached(on, attribute), _ATOM)
            case Expression(target, source):
                return self._bind(target, source, 0 if " " in source else _ATOM)
            case Call():
                return self._call(step)
            case Put(on, attribute, value):
                return [f"{self._reached(on, attribute)} = {self._plain(value)}"]
            case Watch():
                return [f"{self._plain(step.on)}.{step.call}()"]
        return self._block(step)

    def _block(self, step: Step) -> list[str]:
        """Return the lines of a step that takes more than one."""
        match step:
            case Repeat(target):
                name = self.names[target]
                other = name if step.other is None else self._plain(step.other)
                return [
                    f"{name} = {self._plain(step.start)}",
                    f"for _ in range({step.count}):",
                    f"    {name} = {name} {step.op} {other}",
                    "",
                ]
            case Define():
                # In a shell an empty line ends a block, so there is only one, at the end.
                return [*(line for line in step.code.splitlines() if line.strip()), ""]
            case Walk(on) if self._walked.get(on, 1) > 1:
                return [
                    (
                        "def run(node):  # the operation made more than one node: run each, results"
                        " first"
                    ),
                    f"    node.{step.method}()",
                    f"    for child in node.{step.along}:",
                    "        run(child)",
                    "",
                    f"run({self._plain(on)})",
                ]
            case Walk(on):
                return [f"{self._plain(on)}.{step.method}()"]
        return []

    def _call(self, step: Call) -> list[str]:
        method = "" if step.method == "__call__" else f".{step.method}"
        call = f"{self._operand(step.on, _ATOM)}{method}({self._arguments(step)})"
        used = step.target in self._keep or any(
            step.target in other.references() for other in self._steps
        )
        return self._bind(step.target, call, _ATOM) if used else [call]

    def _bind(self, ref: Ref, text: str, binding: int) -> list[str]:
        if ref in self._inline:
            self._written[ref] = (text, binding)
            return []
        self._defined[ref] = f"{self.names[ref]} = {text}"
        return [self._defined[ref]]

    def _applied(self, op: str, args: list[Operand]) -> tuple[str, int]:
        level = OPERATORS[op].level
        if op == "neg":
            return f"-{self._operand(args[0], level)}", level
        # `**` needs brackets around another `**` on both sides, the other operators on their right.
        left = self._operand(args[0], level + (op == "**"))
        return f"{left} {op} {self._operand(args[1], level + 1)}", level

    def _operand(self, operand: Operand, level: int) -> str:
        if isinstance(operand, Ref) and operand in self._written:
            text, binding = self._written[operand]
            return text if binding >= level else f"({text})"
        text = self._plain(operand)
        return f"({text})" if text.startswith("-") and level > 1 else text

    def _arguments(self, step: Make | Call) -> str:
        return ", ".join(
            [
                *map(self._plain, step.args),
                *(f"{name}={self._plain(value)}" for name, value in step.named),
            ]
        )

    def _plain(self, operand: Operand) -> str:
        if isinstance(operand, Ref):
            return self.expression(operand)
        if isinstance(operand, list):
            return f"[{', '.join(map(self._plain, operand))}]"
        return repr(operand)


def with_comment(text: str, comment: str) -> str:
    """Return a listing with a new comment on its last line."""
    *before, last = text.splitlines()
    return "\n".join([*before, f"{last.rpartition('  # ')[0] or last}  # {comment}"])


def _wrapped(line: str) -> list[str]:
    """A long line of numbers, broken after commas inside brackets."""
    if len(line) <= _WIDTH or '"' in line or "'" in line[_WIDTH:]:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    lines, piece, depth, before = [""], "", 0, 0
    for item in re.split(r"(?<=,) ", line):
        piece = f"{piece} {item}" if piece else item
        depth += sum(map(item.count, "([{")) - sum(map(item.count, ")]}"))
        if depth >= _POINT:
            continue
        joined = f"{lines[-1]} {piece}" if lines[-1] else piece
        if before and len(joined) > _WIDTH:
            lines.append(indent + piece)
        else:
            lines[-1] = joined
        piece, before = "", depth
    return lines


def _split(function: str) -> tuple[str, str]:
    """Return a function's module and its name there."""
    owner, _, name = function.partition(":") if ":" in function else function.rpartition(".")
    return owner, name
