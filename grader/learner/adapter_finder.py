"""Find an engine's adapter by trial, in a worker, on graphs of two nodes whose results are known.

The engine's code is not read here. The worker lists the names of classes, functions and attributes
to try.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from grader.intake.adapter import Adapter, Template, template
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.gradients import close
from grader.judge.replies import UnexpectedType
from grader.judge.script.operators import OF_NUMBERS, OPERATORS
from grader.judge.script.steps import Apply, Call, Define, Expression, Make, Put, Read, Step
from grader.judge.session import LearnerFault, Session, WorkerLost
from grader.learner.adapter_refusals import BY_HAND, Refused, described, hint_after, package_in
from grader.model import Fault
from grader.worker.protocol import FIRST_TRIED, Ref

_CLASSES = (
    "[n for *_, n in sorted((not (hasattr(t, '__mul__') or hasattr(t, '__add__')),"
    " len(type.__subclasses__(t)) > 0, i, n) for i, (n, t) in enumerate(list(globals().items())) if"
    " isinstance(t, type) and t.__module__ == __name__)]"
)
_FUNCTIONS = (
    "[n for n, t in list(globals().items()) if type(t).__name__ == 'function' and not"
    " n.startswith('_')]"
)
_MAKERS = (
    "[n for n, t in vars({}).items() if isinstance(t, (staticmethod, classmethod)) and not"
    " n.startswith('_')]"
)
_NAMED = """
def named(node, is_called):
    found = []
    for name in dir(node):
        try:
            if not name.startswith("__") and callable(getattr(node, name)) is is_called:
                found.append(name)
        except Exception:
            pass
    return found
"""
_SEEN, _A, _B, _C, _D = Ref(FIRST_TRIED + 1), Ref(1), Ref(2), Ref(3), Ref(4)
_MAX_TRIED = 40
_POINTS = (0.5, -0.75, 1.5)
_POSITIVE = (0.5, 1.5)
_BACKWARD_WORDS = ("back", "grad", "prop")
_GRADIENTS = (-3.0, 2.0)  # of a and b in a * b


@dataclass(frozen=True)
class Engine:
    """A found engine: its adapter, what it lacks, and notes for the user."""

    adapter: Adapter
    missing: tuple[str, ...]
    notes: tuple[str, ...] = ()


class Finder:
    """Tries possible names in one worker."""

    def __init__(
        self, session: Session, file: str, path: str, methods: Sequence[str], backward: str
    ) -> None:
        self._session = session
        self._file, self._path = file, path
        self._methods, self._backward = methods, backward
        self._functions: list[str] = []
        self._refused: list[Refused] = []

    def find(self) -> Engine:
        """Return the first class whose nodes can be made, multiplied and sent back through.

        Raise Refused, with how far the search came. A class whose products belong to it comes
        first: a `Bias` whose products are `Value`s is not the engine's class.
        """
        found: list[Adapter] = []
        names = self._list(_CLASSES)
        self._functions = self._list(_FUNCTIONS)[:_MAX_TRIED]
        for name in names[:_MAX_TRIED]:
            for make in self._constructors(name):
                for data in self._holding(make):
                    draft = Adapter(
                        "",
                        {self._file: self._path},
                        name,
                        make,
                        Template("", "", is_method=True, args=()),
                        data,
                    )
                    if (product := self._operator(draft, "*")) is None:
                        self._refuse_product(draft)
                        continue
                    calls = {} if product == "" else {"*": template(product, "*")}
                    if (engine := self._sent_back(replace(draft, calls=calls))) is None:
                        continue
                    if self._is_one(self._product(engine), _C, name):
                        return self._complete(engine)
                    found.append(engine)
        if found:
            return self._complete(found[0])
        if not names:
            raise Refused(
                f"{self._path} defines no class", "name the file that defines the class of a node"
            )
        raise max(self._refused, key=lambda refused: refused.far)

    # --- running steps in the worker ---

    def _run(self, steps: Sequence[Step]) -> list[object] | None:
        try:
            return list(self._session.run(steps, fresh=True))
        except (LearnerFault, WorkerLost):
            return None

    def _fault(self, steps: Sequence[Step]) -> Fault | None:
        """Return the fault that these steps end with, or None."""
        try:
            self._session.run(steps, fresh=True)
        except (LearnerFault, WorkerLost) as failure:
            return failure.fault
        return None

    def _list(self, source: str) -> list[str]:
        return _names(self._run([Expression(_SEEN, source), Read(_SEEN, "", "value")]))

    def _attributes(self, steps: Sequence[Step], on: Ref, *, called: bool) -> list[str]:
        """Return the names of an object's attributes after these steps, public ones first.

        An attribute that raises when it is read is left out.
        """
        names = _names(
            self._run(
                [
                    *steps,
                    Define(_SEEN, "named", _NAMED),
                    Call(Ref(FIRST_TRIED + 2), _SEEN, "__call__", [on, called]),
                    Read(Ref(FIRST_TRIED + 2), "", "value"),
                ]
            )
        )
        return sorted(names, key=lambda name: name.startswith("_"))[:_MAX_TRIED]

    def _numbers(self, steps: Sequence[Step], *readings: tuple[Ref, str]) -> list[float | None]:
        """Return the numbers read after these steps, with None for failures and other types."""
        numbers: list[float | None] = [None] * len(readings)
        left = list(range(len(readings)))
        while left:
            try:
                answers = self._session.run(
                    [*steps, *(Read(*readings[index], "number") for index in left)], fresh=True
                )
            except WorkerLost:
                break
            except LearnerFault as failure:
                if failure.index < len(steps):
                    break
                del left[min(failure.index - len(steps), len(left) - 1)]
                continue
            for index, answer in zip(left, answers):
                numbers[index] = (
                    float(answer)
                    if isinstance(answer, (int, float)) and not isinstance(answer, UnexpectedType)
                    else None
                )
            break
        return numbers

    def _is_one(self, steps: Sequence[Step], on: Ref, owner: str) -> bool:
        """Return whether an object is of exactly this class after these steps."""
        asked: list[Step] = [
            Expression(_SEEN, f"lambda x: type(x) is {owner}"),
            Call(_D, _SEEN, "__call__", [on]),
            Read(_D, "", "value"),
        ]
        return self._run([*steps, *asked]) == [True]

    def _node(self, make: Template, target: Ref, number: float) -> Step:
        return self._by(make, target, [number])

    # --- what to try ---

    def _constructors(self, name: str) -> Iterator[Template]:
        """Yield ways to make a node from a number: the class, its factories, other functions."""
        factories = [f"{name}.{maker}" for maker in self._list(_MAKERS.format(name))]
        found = False
        for text in (
            f"{name}({{}})",
            f"{name}({{}}, requires_grad=True)",
            *(f"{path}({{}})" for path in (*factories, *self._functions)),
        ):
            made = template(text, "")
            if self._is_one([self._node(made, _A, 2.0)], _A, name):
                found = True
                yield made
        if not found:
            fault = self._fault([self._node(template(f"{name}({{}})", ""), _A, 2.0)])
            why = described(fault) if fault else "does not hold 2.0"
            self._refuse(
                0,
                f"no class takes a number and holds it; {name}(2.0) {why}",
                fault if fault and package_in(fault) else None,
            )

    def _holding(self, make: Template) -> list[str]:
        """Return the attributes that hold the number, those that can be set first."""
        steps = [self._node(make, _A, 2.0), self._node(make, _B, -3.0)]
        names = self._attributes(steps, _A, called=False)
        holding = [
            name
            for name in names
            if _right(self._numbers(steps, (_A, name), (_B, name)), (2.0, -3.0))
        ]
        if not holding:
            method = self._method_that_gives(steps, [_A], (2.0,))
            why = (
                f"the method .{method}() returns it, but an adapter can name only an attribute"
                if method
                else f"no attribute of {_shown(make, 2.0)} is 2.0"
            )
            self._refuse(1, f"no class takes a number and holds it; {why}")
        return sorted(holding, key=lambda name: not self._settable(make, name))

    def _settable(self, make: Template, name: str) -> bool:
        return _right(
            self._numbers([self._node(make, _A, 2.0), Put(_A, name, 4.5)], (_A, name)), (4.5,)
        )

    def _operator(self, draft: Adapter, op: str) -> str | None:
        """Return a call that does the operator's work, "" for the operator itself, or None."""
        count = 1 if op == "neg" else 2
        refs, numbers = [_A, _B][:count], [2.0, -3.0][:count]
        steps = [self._node(draft.make, ref, number) for ref, number in zip(refs, numbers)]
        exponent = op == "**"
        arguments = [_A, 3] if exponent else refs
        wanted = (OPERATORS[op].compute(*([2.0, 3] if exponent else numbers)),)
        if _right(self._numbers([*steps, Apply(_C, op, arguments)], (_C, draft.data)), wanted):  # type: ignore[arg-type]
            return ""
        if op != "*" and "*" not in draft.calls:
            return None  # an engine with operators that lacks this one
        words = OPERATORS[op].words
        named = sorted(
            self._callables(draft, count),
            key=lambda text: not any(word in text.lower() for word in words),
        )
        for text in named:
            if any(word in text.lower() for word in words) and _right(
                self._numbers([*steps, self._call(text, _C, arguments)], (_C, draft.data)), wanted
            ):
                return text
        return None

    def _callables(
        self, draft: Adapter, count: int, of: Sequence[Step] = (), node: Ref = _A
    ) -> list[str]:
        """Return everything that may be called with nodes.

        That is: methods of a leaf (or of the result of these steps), functions, static and class
        methods.
        """
        holes = ", ".join(["{}"] * count)
        names = self._attributes(of or [self._node(draft.make, _A, 2.0)], node, called=True)
        methods = [f"{{}}.{name}({', '.join(['{}'] * (count - 1))})" for name in names]
        makers = self._list(_MAKERS.format(draft.owner))
        return [
            *methods,
            *(f"{name}({holes})" for name in self._functions),
            *(f"{draft.owner}.{name}({holes})" for name in makers),
        ]

    def _by(self, call: Template, target: Ref, operands: Sequence[Ref | float]) -> Step:
        arguments = call.arguments(operands)
        if call.is_method:
            return Call(target, operands[0], call.path, *arguments)  # type: ignore[arg-type]
        return Make(target, f"{self._session.module}:{call.path}", *arguments)

    def _call(self, text: str, target: Ref, operands: Sequence[Ref | float]) -> Step:
        return self._by(template(text, text), target, operands)

    def _apply(self, draft: Adapter, op: str, target: Ref, operands: Sequence[Ref | float]) -> Step:
        found = draft.calls.get(op)
        return (
            Apply(target, op, list(operands))
            if found is None
            else self._by(found, target, operands)
        )

    def _product(self, draft: Adapter) -> list[Step]:
        return [
            self._node(draft.make, _A, 2.0),
            self._node(draft.make, _B, -3.0),
            self._apply(draft, "*", _C, [_A, _B]),
        ]

    def _back(self, found: Adapter) -> list[Step]:
        """Return the steps of the backward pass of `_C`."""
        seed: list[Step] = [Put(_C, found.gradient, 1.0)] if found.seed else []
        return [*seed, self._by(found.backward, _D, [_C])]

    def _sent_back(self, draft: Adapter) -> Adapter | None:
        """Return the adapter with its backward pass and the gradient's attribute, or None.

        The call may need no argument, 1.0 as the result's gradient, or that gradient set by hand.
        """
        product = self._product(draft)

        def order(text: str) -> tuple[bool, bool]:
            return f".{self._backward}(" not in text, not any(
                word in text.lower() for word in _BACKWARD_WORDS
            )

        tried = sorted(self._callables(draft, 1, product, _C), key=order)[:_MAX_TRIED]
        likely = [text for text in tried if not order(text)[1]]
        for text in (
            *tried,
            *(
                f"{text[:-1]}1.0)" if text.endswith("()") else f"{text[:-1]}, 1.0)"
                for text in likely
            ),
        ):
            if found := self._gradient(replace(draft, backward=template(text, text)), product):
                return found
        for text in likely:
            for name in self._attributes(product, _C, called=False):
                if name != draft.data and (
                    found := self._gradient(
                        replace(draft, backward=template(text, text), gradient=name, seed=True),
                        product,
                    )
                ):
                    return found
        self._refuse_backward(draft, product, likely)
        return None

    def _gradient(self, draft: Adapter, product: Sequence[Step]) -> Adapter | None:
        """Return the adapter with the attribute that holds the gradients afterwards, or None.

        If the gradient is set by hand, a single operation's step passes this test too, but only a
        backward pass reaches the operands of operands.
        """
        steps = [*product, *self._back(draft)]
        names = (
            [draft.gradient]
            if draft.seed
            else [name for name in self._attributes(steps, _A, called=False) if name != draft.data]
        )
        numbers = self._numbers(steps, *((node, name) for name in names for node in (_A, _B)))
        right = [
            name
            for index, name in enumerate(names)
            if _right(numbers[2 * index : 2 * index + 2], _GRADIENTS)
        ]
        if not right or (draft.seed and not self._reaches_far(draft)):
            return None
        return replace(
            draft, gradient=min(right, key=lambda name: not self._settable(draft.make, name))
        )

    def _reaches_far(self, draft: Adapter) -> bool:
        """Return whether the backward pass of (a * b) * 4 reaches a and b."""
        inner, outer = Ref(5), Ref(6)
        steps = [
            self._node(draft.make, _A, 2.0),
            self._node(draft.make, _B, -3.0),
            self._node(draft.make, outer, 4.0),
            self._apply(draft, "*", inner, [_A, _B]),
            self._apply(draft, "*", _C, [inner, outer]),
            *self._back(draft),
        ]
        return _right(
            self._numbers(steps, (_A, draft.gradient), (_B, draft.gradient)), (-12.0, 8.0)
        )

    # --- explaining refusals ---

    def _refuse(self, far: int, sentence: str, fault: Fault | None = None) -> None:
        self._refused.append(
            Refused(
                f"no engine was found in {self._path}: {sentence}",
                hint_after(fault) if fault else BY_HAND,
                far,
                fault,
            )
        )

    def _refuse_product(self, draft: Adapter) -> None:
        product = self._product(draft)
        fault = self._fault(product)
        number = self._numbers(product, (_C, draft.data))[0]
        why = (
            described(fault)
            if fault
            else "does not return a node"
            if number is None
            else f"gives {number:g} for 2 * -3"
        )
        lacks = fault is not None and fault.message.startswith("unsupported operand")
        self._refuse(
            2,
            f"{_shown(draft.make, 2.0)} holds its number in .{draft.data}, but no multiplication"
            f" was found: a * b {why}",
            None if lacks else fault,
        )

    def _refuse_backward(
        self, draft: Adapter, product: Sequence[Step], likely: Sequence[str]
    ) -> None:
        """Explain what the likeliest name does: raise, change nothing, or return the gradient."""
        why, fault = "no method or function is called anything like backward", None
        for text in [text for text in likely if "._" not in text][:1]:
            called = text.format("c")
            backward = [*product, self._call(text, _D, [_C])]
            fault = self._fault(backward)
            method = self._method_that_gives(
                backward if fault is None else product, [_A, _B], _GRADIENTS
            )
            why = (
                f"{called} {described(fault)}"
                if fault
                else (
                    f"for a = 2 and b = -3, after c = a * b and {called}, no attribute of a and b"
                    " holds the gradients -3 and 2"
                )
            )
            if not method and called in {"c.grad()", "c.gradient()"}:
                method = called[2:-2]
            if method:
                why, fault = (
                    (
                        f"the method .{method}() returns the gradient, but an adapter can name only"
                        " an attribute"
                    ),
                    None,
                )
        self._refuse(
            3,
            f"{_shown(draft.make, 2.0)} holds its number in .{draft.data} and can be multiplied,"
            f" but no backward pass was found: {why}",
            fault,
        )

    def _method_that_gives(
        self, steps: Sequence[Step], nodes: Sequence[Ref], wanted: Sequence[float]
    ) -> str:
        for name in self._attributes(steps, _A, called=True):
            answers = [Ref(FIRST_TRIED + 1000 + index) for index in range(len(nodes))]
            calls = [Call(answer, node, name, []) for answer, node in zip(answers, nodes)]
            if _right(
                self._numbers([*steps, *calls], *((answer, "") for answer in answers)), wanted
            ):
                return name
        return ""

    # --- completing the adapter ---

    def _complete(self, found: Adapter) -> Engine:
        calls: dict[str, Template | None] = dict(found.calls)
        missing = []
        for op in sorted(OF_NUMBERS, key="*".__ne__):  # multiplication first; it is already known
            text = (
                ""
                if op == "*" and op not in calls
                else calls["*"].text  # type: ignore[union-attr]
                if op == "*"
                else self._operator(found, op)
            )
            if text is None:
                missing.append(op)
                calls |= {op: None} if "*" in found.calls else {}
            elif text:
                calls[op] = template(text, op)
        found = replace(found, calls=calls)
        times = [self._node(found.make, _A, 2.0), self._apply(found, "*", _C, [_A, 4.0])]
        plus = [self._node(found.make, _A, 2.0), self._apply(found, "+", _C, [_A, 4.0])]
        numbers = _right(self._numbers(times, (_C, found.data)), (8.0,)) or _right(
            self._numbers(plus, (_C, found.data)), (6.0,)
        )
        # here an engine that assigns instead of adding does not look like one that clears
        square = self._apply(found, "*", _C, [_A, _A])
        held = [
            self._node(found.make, _A, 2.0),
            Put(_A, found.gradient, 5.0),
            square,
            *self._back(found),
        ]
        clears = _right(self._numbers(held, (_A, found.gradient)), (4.0,))
        for name in self._methods:
            text = self._function(found, name) if name in FUNCTIONS else self._cleared(found, name)
            if text is None:
                missing.append(name)
            if text != f"{{}}.{name}()":
                calls[name] = template(text, name) if text else None
        return Engine(replace(found, calls=calls, numbers=numbers, clears=clears), tuple(missing))

    def _function(self, found: Adapter, name: str) -> str | None:
        """Return how to call an elementary function, or None.

        Its own name counts whatever it returns, any other name only if the numbers are right.
        """
        candidates = self._callables(found, 1)
        own = [
            text
            for text in candidates
            if text in {f"{{}}.{name}()", f"{name}({{}})", f"{found.owner}.{name}({{}})"}
        ]
        if own:
            return own[0]
        points = _POSITIVE if name == "log" else _POINTS
        value = FUNCTIONS[name].value
        alike = sorted(candidates, key=lambda text: name not in text.lower())
        for text in alike[:_MAX_TRIED]:
            if name in text.lower() and all(
                _right(
                    self._numbers(
                        [self._node(found.make, _A, x), self._call(text, _C, [_A])],
                        (_C, found.data),
                    ),
                    (value(x),),
                )
                for x in points
            ):
                return text
        return None

    def _cleared(self, found: Adapter, name: str) -> str | None:
        """Return a method that clears the gradients of a whole graph, not of one node, or None."""
        for text in (f"{{}}.{name}()", f"{name}({{}})"):
            steps = [*self._product(found), *self._back(found), self._call(text, Ref(5), [_C])]
            if text in self._callables(found, 1) and _right(
                self._numbers(steps, *((node, found.gradient) for node in (_A, _B, _C))), (0.0,) * 3
            ):
                return text
        return None


def _names(answers: list[object] | None) -> list[str]:
    found = answers[0] if answers else None
    return (
        [name for name in found if isinstance(name, str) and name.isidentifier()]
        if isinstance(found, list)
        else []
    )


def _shown(make: Template, number: float) -> str:
    return make.text.replace("{}", repr(number))


def _right(got: Iterable[float | None], wanted: Iterable[float]) -> bool:
    pairs = list(zip(got, wanted))
    return bool(pairs) and all(
        number is not None and math.isfinite(number) and close(number, want)
        for number, want in pairs
    )


def written(engine: Engine) -> str:
    """Return the adapter as TOML."""
    adapter, lines = (
        engine.adapter,
        ["# How this engine names the things that the course asks for; see: grade adapt --help"],
    )
    lines += [
        f"class = {_text(adapter.owner)}",
        f"make = {_text(adapter.make.text)}  # how a node is made of a number",
    ]
    lines += [
        f"data = {_text(adapter.data)}",
        f"gradient = {_text(adapter.gradient)}",
        f"backward = {_text(adapter.backward.text)}",
    ]
    if not adapter.numbers:
        lines.append("numbers = false  # an operand must be a node")
    if adapter.clears:
        lines.append("clears = true  # the backward pass sets all gradients to 0 before it begins")
    if adapter.seed:
        lines.append(
            "seed = true  # the gradient of the result is set to 1 before the backward pass"
        )
    if adapter.packages:
        lines.append(f"packages = {json.dumps(list(adapter.packages))}")
    lines += ["", "[files]  # of the course, and what stands for them here"]
    lines += [f"{_text(name)} = {_text(path)}" for name, path in adapter.files.items()]
    if adapter.calls:
        lines += ["", '[calls]  # what is called otherwise; "" for what this engine has not']
        lines += [
            f"{_text(name)} = {_text(call.text if call is not None else '')}"
            for name, call in adapter.calls.items()
        ]
    if adapter.networks:
        lines += ["", "[networks]  # how they are made, for each choice of activations"]
        lines += [f"{_text(name)} = {_text(call.text)}" for name, call in adapter.networks.items()]
    if adapter.attributes:
        lines += ["", "[attributes]  # other names along the way to a parameter"]
        lines += [f"{_text(name)} = {_text(other)}" for name, other in adapter.attributes.items()]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
