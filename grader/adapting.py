"""Finds the adapter of an engine by trying: in a worker, on graphs of two nodes, whose right numbers the judge knows.

Nothing of the engine's code is read here. What there is to try, the worker says: names of classes, functions, attributes.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from grader import packages
from grader.adapter import Adapter, Template, template
from grader.answers import Odd
from grader.errors import UsageError
from grader.functions import FUNCTIONS
from grader.oracle import close
from grader.script import Apply, Call, Expression, Make, Read, Step
from grader.session import LearnerFault, Session, WorkerLost
from grader.wire import Ref

_CLASSES = "[n for _, n in sorted((len(t.__subclasses__()) > 0, n) for n, t in list(globals().items()) if isinstance(t, type) and t.__module__ == __name__)]"
_FUNCTIONS = "[n for n, t in list(globals().items()) if type(t).__name__ == 'function' and not n.startswith('_')]"
_MAKERS = "[n for n, t in vars({}).items() if isinstance(t, (staticmethod, classmethod)) and not n.startswith('_')]"
_NAMED = "lambda x: [n for n in dir(x) if not n.startswith('__') and callable(getattr(x, n, None)) is {}]"
_SEEN, _A, _B, _C, _D = Ref(90_001), Ref(1), Ref(2), Ref(3), Ref(4)
_MAX_TRIED = 40
_WORDS = {"+": "add plus sum", "-": "sub subtract minus", "*": "mul multiply times prod", "/": "div truediv divide", "**": "pow power", "neg": "neg negate"}
_OPERATORS: dict[str, Callable[..., float]] = {
    "*": operator.mul, "+": operator.add, "-": operator.sub, "/": operator.truediv, "**": operator.pow, "neg": operator.neg,
}  # fmt: skip
_POINTS = (0.5, -0.75, 1.5)
_POSITIVE = (0.5, 1.5)


@dataclass(frozen=True)
class Engine:
    """What has been found: the adapter, and what an engine usually has and this one has not."""

    adapter: Adapter
    missing: tuple[str, ...]


class Finder:
    """Tries what may be meant, in one worker."""

    def __init__(self, session: Session, file: str, path: str, methods: Sequence[str], backward: str) -> None:
        self._session = session
        self._file, self._path = file, path
        self._methods, self._backward = methods, backward
        self._functions: list[str] = []

    def find(self) -> Engine:
        """The first class whose nodes can be made, multiplied and sent back through. Raises UsageError with how far it came."""
        names = self._list(_CLASSES)
        self._functions = self._list(_FUNCTIONS)[:_MAX_TRIED]
        if not names:
            raise UsageError(f"{self._path} has no class{self._why()}", self._hint("name the file in which the class of a node is defined"))
        reached: list[str] = []
        for name in names[:_MAX_TRIED]:
            for make in self._constructors(name):
                for data in self._holding(make):
                    draft = Adapter("", {self._file: self._path}, name, make, Template("", "", is_method=True, args=(), named=False), data)
                    if (product := self._operator(draft, "*")) is None:
                        reached.append(f"{make.text}.{data} holds the number, and nothing was found that multiplies")
                        continue
                    calls = {} if product == "" else {"*": template(product, "*")}
                    if (found := self._sent_back(replace(draft, calls=calls))) is not None:
                        return self._complete(found)
                    reached.append(f"{make.text}.{data} holds the number and can be multiplied, and nothing was found that sends gradients back")
        raise UsageError(f"no engine was found in {self._path}: {reached[0] if reached else 'no class takes a number and holds it'}", self._hint(_BY_HAND))

    def _why(self) -> str:
        try:
            self._session.load()
        except (LearnerFault, WorkerLost) as failure:
            return f": importing it raises {failure.fault.type_name or failure.fault.kind.value}: {failure.fault.message}"
        return ""

    def _hint(self, otherwise: str) -> str:
        """What to do next: a package that the engine wants, and that is installed, is the most likely cause."""
        try:
            wanted = [name for name in self._session.load().absent if not packages.absent([name])]
        except (LearnerFault, WorkerLost) as failure:
            wanted = [name for name in ("numpy",) if name in failure.fault.message and not packages.absent([name])]
        return f"it imports {wanted[0]}: add --package {wanted[0]}" if wanted else otherwise

    # --- asking the worker ---

    def _run(self, steps: Sequence[Step]) -> list[object] | None:
        try:
            return list(self._session.run(steps, fresh=True))
        except (LearnerFault, WorkerLost):
            return None

    def _list(self, source: str) -> list[str]:
        answers = self._run([Expression(_SEEN, source), Read(_SEEN, "", "value")])
        found = answers[0] if answers else None
        return [name for name in found if isinstance(name, str) and name.isidentifier()] if isinstance(found, list) else []

    def _attributes(self, make: Template, *, called: bool) -> list[str]:
        """What a node has: the plain names first."""
        steps = [self._node(make, _A, 2.0), Expression(_B, _NAMED.format(called)), Call(_SEEN, _B, "__call__", [_A]), Read(_SEEN, "", "value")]
        answers = self._run(steps)
        found = answers[0] if answers else None
        names = [name for name in found if isinstance(name, str) and name.isidentifier()] if isinstance(found, list) else []
        return sorted(names, key=lambda name: name.startswith("_"))[:_MAX_TRIED]

    def _numbers(self, steps: Sequence[Step], *readings: tuple[Ref, str]) -> list[float | None]:
        """Numbers that are read after these steps; None for what is none."""
        answers = self._run([*steps, *(Read(on, path, "number") for on, path in readings)])
        if answers is None:
            return [None] * len(readings)
        return [float(a) if isinstance(a, (int, float)) and not isinstance(a, Odd) else None for a in answers]

    @staticmethod
    def _node(make: Template, target: Ref, number: float) -> Step:
        return Expression(target, make.filled([number]))

    # --- what to try ---

    def _constructors(self, name: str) -> Iterator[Template]:
        """Ways to make a node of a number: the class, its factories, functions beside it."""
        factories = [f"{name}.{maker}" for maker in self._list(_MAKERS.format(name))]
        for text in (f"{name}({{}})", f"{name}({{}}, requires_grad=True)", *(f"{path}({{}})" for path in (*factories, *self._functions))):
            made = template(text, "")
            kind = self._run([self._node(made, _A, 2.0), Expression(_B, f"lambda x: type(x) is {name}"), Call(_C, _B, "__call__", [_A]), Read(_C, "", "value")])
            if kind == [True]:
                yield made

    def _holding(self, make: Template) -> list[str]:
        """Attributes that hold the number, those that can be set first."""
        holding = []
        for name in self._attributes(make, called=False):
            steps = [self._node(make, _A, 2.0), self._node(make, _B, -3.0)]
            if _right(self._numbers(steps, (_A, name), (_B, name)), (2.0, -3.0)):
                holding.append(name)
        return sorted(holding, key=lambda name: not self._settable(make, name))

    def _settable(self, make: Template, name: str) -> bool:
        from grader.script import Put

        return _right(self._numbers([self._node(make, _A, 2.0), Put(_A, name, 4.5)], (_A, name)), (4.5,))

    def _operator(self, draft: Adapter, op: str) -> str | None:
        """How an operator is written: "" for itself, or a call; None if there is neither."""
        count = 1 if op == "neg" else 2
        refs, numbers = [_A, _B][:count], [2.0, -3.0][:count]
        steps = [self._node(draft.make, ref, number) for ref, number in zip(refs, numbers)]
        exponent = op == "**"
        arguments = [_A, 3] if exponent else refs
        wanted = (_OPERATORS[op](2.0, 3) if exponent else _OPERATORS[op](*numbers),)
        if _right(self._numbers([*steps, Apply(_C, op, arguments)], (_C, draft.data)), wanted):  # type: ignore[arg-type]
            return ""
        if op != "*" and "*" not in draft.calls and self._session.can(op):
            return None  # an engine with operators that lacks this one
        words = _WORDS[op].split()
        named = sorted(self._callables(draft, count), key=lambda text: not any(word in text.lower() for word in words))
        for text in named:
            if any(word in text.lower() for word in words) and _right(self._numbers([*steps, self._by(draft, text, _C, arguments)], (_C, draft.data)), wanted):
                return text
        return None

    def _callables(self, draft: Adapter, count: int) -> list[str]:
        """Everything that could be called with nodes: methods, functions, functions in the class."""
        holes = ", ".join(["{}"] * count)
        methods = [f"{{}}.{name}({', '.join(['{}'] * (count - 1))})" for name in self._attributes(draft.make, called=True)]
        makers = self._list(_MAKERS.format(draft.owner))
        return [*methods, *(f"{name}({holes})" for name in self._functions), *(f"{draft.owner}.{name}({holes})" for name in makers)]

    def _by(self, draft: Adapter, text: str, target: Ref, operands: Sequence[Ref | float]) -> Step:
        call = template(text, text)
        arguments = call.arguments(list(operands))
        if call.is_method:
            return Call(target, operands[0], call.path, arguments)  # type: ignore[arg-type]
        return Make(target, f"{draft.module(self._file)}:{call.path}", arguments)

    def _apply(self, draft: Adapter, op: str, target: Ref, operands: Sequence[Ref | float]) -> Step:
        found = draft.calls.get(op)
        return Apply(target, op, list(operands)) if found is None else self._by(draft, found.text, target, operands)

    def _product(self, draft: Adapter) -> list[Step]:
        return [self._node(draft.make, _A, 2.0), self._node(draft.make, _B, -3.0), self._apply(draft, "*", _C, [_A, _B])]

    def _sent_back(self, draft: Adapter) -> Adapter | None:
        """With what sends gradients back, and where they are then."""
        likely = ("back", "grad", "prop")
        tried = sorted(self._callables(draft, 1), key=lambda text: (f".{self._backward}(" not in text, not any(word in text.lower() for word in likely)))
        for text in tried[:_MAX_TRIED]:
            steps = [*self._product(draft), self._by(draft, text, _D, [_C])]
            seen = self._attributes_after(steps)
            names = [name for name in seen if name != draft.data]
            right = []
            numbers = self._numbers(steps, *((node, name) for name in names for node in (_A, _B)))
            for index, name in enumerate(names):
                if _right(numbers[2 * index : 2 * index + 2], (-3.0, 2.0)):
                    right.append(name)
            if right:
                gradient = min(right, key=lambda name: not self._settable(draft.make, name))
                return replace(draft, backward=template(text, text), gradient=gradient)
        return None

    def _attributes_after(self, steps: Sequence[Step]) -> list[str]:
        """As `_attributes`, of the first node after these steps."""
        answers = self._run([*steps, Expression(_SEEN, _NAMED.format("False")), Call(Ref(90_002), _SEEN, "__call__", [_A]), Read(Ref(90_002), "", "value")])
        found = answers[0] if answers else None
        return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []

    # --- what else there is ---

    def _complete(self, found: Adapter) -> Engine:
        from grader.script import Put

        calls: dict[str, Template | None] = dict(found.calls)
        missing = []
        for op in _OPERATORS:
            text = "" if op == "*" and op not in calls else calls["*"].text if op == "*" else self._operator(found, op)  # type: ignore[union-attr]
            if text is None:
                missing.append(op)
                calls |= {op: None} if "*" in found.calls else {}
            elif text:
                calls[op] = template(text, op)
        found = replace(found, calls=calls)
        times = [self._node(found.make, _A, 2.0), self._apply(found, "*", _C, [_A, 4.0])]
        plus = [self._node(found.make, _A, 2.0), self._apply(found, "+", _C, [_A, 4.0])]
        numbers = _right(self._numbers(times, (_C, found.data)), (8.0,)) or _right(self._numbers(plus, (_C, found.data)), (6.0,))
        square = self._apply(found, "*", _C, [_A, _A])  # in which an engine that assigns where it should add does not pass for one that clears
        held = [self._node(found.make, _A, 2.0), Put(_A, found.gradient, 5.0), square, self._by(found, found.backward.text, _D, [_C])]
        clears = _right(self._numbers(held, (_A, found.gradient)), (4.0,))
        for name in self._methods:
            text = self._function(found, name) if name in FUNCTIONS else self._cleared(found, name)
            if text is None:
                missing.append(name)
            if text != f"{{}}.{name}()":
                calls[name] = template(text, name) if text else None
        return Engine(replace(found, calls=calls, numbers=numbers, clears=clears), tuple(missing))

    def _function(self, found: Adapter, name: str) -> str | None:
        """How an elementary function is called: by its own name whatever it gives, by another if it gives the right numbers."""
        candidates = self._callables(found, 1)
        own = [text for text in candidates if text in {f"{{}}.{name}()", f"{name}({{}})", f"{found.owner}.{name}({{}})"}]
        if own:
            return own[0]
        points = _POSITIVE if name == "log" else _POINTS
        value = FUNCTIONS[name].value
        alike = sorted(candidates, key=lambda text: name not in text.lower())
        for text in alike[:_MAX_TRIED]:
            if name in text.lower() and all(
                _right(self._numbers([self._node(found.make, _A, x), self._by(found, text, _C, [_A])], (_C, found.data)), (value(x),)) for x in points
            ):
                return text
        return None

    def _cleared(self, found: Adapter, name: str) -> str | None:
        """A method that clears the gradients of a whole graph. One that clears a single node is another thing."""
        for text in (f"{{}}.{name}()", f"{name}({{}})"):
            steps = [*self._product(found), self._by(found, found.backward.text, _D, [_C]), self._by(found, text, Ref(5), [_C])]
            if text in self._callables(found, 1) and _right(self._numbers(steps, *((node, found.gradient) for node in (_A, _B, _C))), (0.0,) * 3):
                return text
        return None


_BY_HAND = "write adapter.toml by hand: class, make, data, gradient, backward and [files]; the README shows one"


def _right(got: Iterable[float | None], wanted: Iterable[float]) -> bool:
    pairs = list(zip(got, wanted))
    return bool(pairs) and all(number is not None and math.isfinite(number) and close(number, want) for number, want in pairs)


def written(engine: Engine) -> str:
    """The adapter as TOML."""
    adapter, lines = engine.adapter, ["# What this engine calls the things that the course asks for; see: grade adapt --help"]
    lines += [f"class = {_text(adapter.owner)}", f"make = {_text(adapter.make.text)}  # how a node is made of a number"]
    lines += [f"data = {_text(adapter.data)}", f"gradient = {_text(adapter.gradient)}", f"backward = {_text(adapter.backward.text)}"]
    if not adapter.numbers:
        lines.append("numbers = false  # an operand must be a node")
    if adapter.clears:
        lines.append("clears = true  # the backward pass sets all gradients to 0 before it begins")
    if adapter.packages:
        lines.append(f"packages = {json.dumps(list(adapter.packages))}")
    lines += ["", "[files]  # of the course, and what stands for them here"]
    lines += [f"{_text(name)} = {_text(path)}" for name, path in adapter.files.items()]
    if adapter.calls:
        lines += ["", '[calls]  # what is called otherwise; "" for what this engine has not']
        lines += [f"{_text(name)} = {_text(call.text if call is not None else '')}" for name, call in adapter.calls.items()]
    if adapter.networks:
        lines += ["", "[networks]  # how they are made, for each choice of activations"]
        lines += [f"{_text(name)} = {_text(call.text)}" for name, call in adapter.networks.items()]
    if adapter.attributes:
        lines += ["", "[attributes]  # other names along the way to a parameter"]
        lines += [f"{_text(name)} = {_text(other)}" for name, other in adapter.attributes.items()]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def module_of(path: str) -> str:
    """The module that a file is imported as, from the folder that its path begins at."""
    return ".".join(PurePosixPath(path).with_suffix("").parts).removesuffix(".__init__")
