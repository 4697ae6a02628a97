"""Find an engine's adapter by trial, on graphs of two nodes whose results are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.intake.adapter import Adapter, Template, template
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.script.operators import OF_NUMBERS, OPERATORS
from grader.judge.script.steps import Apply, Call, Operand, Put, Step
from grader.judge.session import Session
from grader.learner.adapting.refusals import BY_HAND, Refused, described, hint_after, package_in
from grader.learner.adapting.trials import MAX_TRIED, A, B, C, D, E, F, Trials, are_close
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
_POINTS = (0.5, -0.75, 1.5)
_POSITIVE = (0.5, 1.5)
_BACKWARD_WORDS = ("back", "grad", "prop")
_GRADIENTS = (-3.0, 2.0)  # of a and b in a * b
_NO_CALL = Template("", "", is_method=True, args=())


@dataclass(frozen=True)
class Engine:
    """A found engine: its adapter, what it lacks, and notes for the user."""

    adapter: Adapter
    missing: tuple[str, ...]
    notes: tuple[str, ...] = ()


class Finder:
    """Tries possible names of an engine in a file."""

    def __init__(
        self, session: Session, file: str, path: str, methods: Sequence[str], backward: str
    ) -> None:
        self._try = Trials(session)
        self._file, self._path = file, path
        self._methods, self._backward = methods, backward
        self._functions: list[str] = []
        self._refused: list[Refused] = []

    def find(self) -> Engine:
        """Return the first class whose nodes can be made, multiplied and sent back through.

        Raise Refused, with how far the search came. A class whose products belong to it comes
        first: a `Bias` whose products are `Value`s is not the engine's class.
        """
        names = self._try.names(_CLASSES)
        self._functions = self._try.names(_FUNCTIONS)[:MAX_TRIED]
        found: list[Adapter] = []
        for engine in self._engines(names[:MAX_TRIED]):
            if self._try.is_one(self._try.product(engine), C, engine.owner):
                return self._complete(engine)
            found.append(engine)
        if found:
            return self._complete(found[0])
        if not names:
            raise Refused(
                f"{self._path} defines no class", "name the file that defines the class of a node"
            )
        raise max(self._refused, key=lambda refused: refused.far)

    def _engines(self, names: Sequence[str]) -> Iterator[Adapter]:
        """Yield adapters with which products and their backward pass work."""
        files = {self._file: self._path}
        for name in names:
            for make in self._constructors(name):
                for data in self._holding(make):
                    draft = Adapter("", files, name, make, _NO_CALL, data)
                    if (product := self._operator(draft, "*")) is None:
                        self._refuse_product(draft)
                        continue
                    calls = {"*": template(product, "*")} if product else {}
                    if engine := self._sent_back(replace(draft, calls=calls)):
                        yield engine

    # --- what to try ---

    def _constructors(self, name: str) -> Iterator[Template]:
        """Yield ways to make a node from a number: the class, its factories, other functions."""
        factories = [f"{name}.{maker}" for maker in self._try.names(_MAKERS.format(name))]
        found = False
        for text in (
            f"{name}({{}})",
            f"{name}({{}}, requires_grad=True)",
            *(f"{path}({{}})" for path in (*factories, *self._functions)),
        ):
            made = template(text, "")
            if self._try.is_one(self._try.leaves(made, 2.0), A, name):
                found = True
                yield made
        if not found:
            fault = self._try.fault(self._try.leaves(template(f"{name}({{}})", ""), 2.0))
            why = described(fault) if fault else "does not hold 2.0"
            self._refuse(
                0,
                f"no class takes a number and holds it; {name}(2.0) {why}",
                fault if fault and package_in(fault) else None,
            )

    def _holding(self, make: Template) -> list[str]:
        """Return the attributes that hold the number, those that can be set first."""
        steps = self._try.leaves(make, 2.0, -3.0)
        holding = [
            name
            for name in self._try.attributes(steps, A, called=False)
            if self._try.gives((2.0, -3.0), steps, (A, name), (B, name))
        ]
        if not holding:
            method = self._method_that_gives(steps, [A], (2.0,))
            why = (
                f"the method .{method}() returns it, but an adapter can name only an attribute"
                if method
                else f"no attribute of {_two(make)} is 2.0"
            )
            self._refuse(1, f"no class takes a number and holds it; {why}")
        return sorted(holding, key=lambda name: not self._settable(make, name))

    def _settable(self, make: Template, name: str) -> bool:
        steps = [*self._try.leaves(make, 2.0), Put(A, name, 4.5)]
        return self._try.gives((4.5,), steps, (A, name))

    def _operator(self, draft: Adapter, op: str) -> str | None:
        """Return a call that does the operator's work, "" for the operator itself, or None."""
        numbers = [2.0] if op == "neg" else [2.0, -3.0]
        leaves = self._try.leaves(draft.make, *numbers)
        arguments: list[Operand] = [A, B] if len(numbers) > 1 else [A]
        if op == "**":
            numbers[1], arguments[1] = 3, 3
        wanted, result = (OPERATORS[op].compute(*numbers),), (C, draft.data)
        if self._try.gives(wanted, [*leaves, Apply(C, op, arguments)], result):
            return ""
        if op != "*" and "*" not in draft.calls:
            return None  # an engine with operators that lacks this one
        words = OPERATORS[op].words
        for text in self._callables(draft, len(numbers)):
            if any(word in text.lower() for word in words):
                call = self._try.call_text(text, C, arguments)  # type: ignore[arg-type]
                if self._try.gives(wanted, [*leaves, call], result):
                    return text
        return None

    def _callables(
        self, draft: Adapter, count: int, of: Sequence[Step] = (), node: Ref = A
    ) -> list[str]:
        """Return everything that may be called with nodes.

        That is: methods of a leaf (or of the result of these steps), functions, static and class
        methods.
        """
        holes = ", ".join(["{}"] * count)
        steps = of or self._try.leaves(draft.make, 2.0)
        makers = self._try.names(_MAKERS.format(draft.owner))
        return [
            *(
                f"{{}}.{name}({', '.join(['{}'] * (count - 1))})"
                for name in self._try.attributes(steps, node, called=True)
            ),
            *(f"{name}({holes})" for name in self._functions),
            *(f"{draft.owner}.{name}({holes})" for name in makers),
        ]

    def _sent_back(self, draft: Adapter) -> Adapter | None:
        """Return the adapter with its backward pass and the gradient's attribute, or None.

        The call may need no argument, 1.0 as the result's gradient, or that gradient set by hand.
        """
        product = self._try.product(draft)

        def order(text: str) -> tuple[bool, bool]:
            is_likely = any(word in text.lower() for word in _BACKWARD_WORDS)
            return f".{self._backward}(" not in text, not is_likely

        tried = sorted(self._callables(draft, 1, product, C), key=order)[:MAX_TRIED]
        likely = [text for text in tried if not order(text)[1]]
        given = [text.replace("()", "(1.0)").replace("{})", "{}, 1.0)") for text in likely]
        for text in (*tried, *given):
            if found := self._gradient(replace(draft, backward=template(text, text)), product):
                return found
        for text in likely:
            called = replace(draft, backward=template(text, text), seed=True)
            for name in self._try.attributes(product, C, called=False):
                if name != draft.data and (
                    found := self._gradient(replace(called, gradient=name), product)
                ):
                    return found
        self._refuse_backward(draft, product, likely)
        return None

    def _gradient(self, draft: Adapter, product: Sequence[Step]) -> Adapter | None:
        """Return the adapter with the attribute that holds the gradients afterwards, or None.

        If the gradient is set by hand, a single operation's step passes this test too, but only a
        backward pass reaches the operands of operands.
        """
        steps = [*product, *self._try.back(draft)]
        names = [draft.gradient] if draft.seed else self._try.attributes(steps, A, called=False)
        names = [name for name in names if name != draft.data]
        numbers = self._try.numbers(steps, *((node, name) for name in names for node in (A, B)))
        right = [
            name
            for index, name in enumerate(names)
            if are_close(numbers[2 * index : 2 * index + 2], _GRADIENTS)
        ]
        if not right or (draft.seed and not self._reaches_far(draft)):
            return None
        best = min(right, key=lambda name: not self._settable(draft.make, name))
        return replace(draft, gradient=best)

    def _reaches_far(self, draft: Adapter) -> bool:
        """Return whether the backward pass of (a * b) * 4 reaches a and b."""
        steps = [
            *self._try.leaves(draft.make, 2.0, -3.0),
            self._try.call(draft.make, F, [4.0]),
            self._try.apply(draft, "*", E, [A, B]),
            self._try.apply(draft, "*", C, [E, F]),
            *self._try.back(draft),
        ]
        return self._try.gives((-12.0, 8.0), steps, (A, draft.gradient), (B, draft.gradient))

    # --- explaining refusals ---

    def _refuse(self, far: int, sentence: str, fault: Fault | None = None) -> None:
        message = f"no engine was found in {self._path}: {sentence}"
        hint = hint_after(fault) if fault else BY_HAND
        self._refused.append(Refused(message, hint, far, fault))

    def _refuse_product(self, draft: Adapter) -> None:
        product = self._try.product(draft)
        fault = self._try.fault(product)
        (number,) = self._try.numbers(product, (C, draft.data))
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
            f"{_two(draft.make)} holds its number in .{draft.data}, but no multiplication"
            f" was found: a * b {why}",
            None if lacks else fault,
        )

    def _refuse_backward(
        self, draft: Adapter, product: Sequence[Step], likely: Sequence[str]
    ) -> None:
        """Explain what the likeliest name does: raise, change nothing, or return the gradient."""
        why, fault = "no method or function is called anything like backward", None
        if text := next((text for text in likely if "._" not in text), None):
            called = text.format("c")
            backward = [*product, self._try.call_text(text, D, [C])]
            fault = self._try.fault(backward)
            why = (
                f"{called} {described(fault)}"
                if fault
                else (
                    f"for a = 2 and b = -3, after c = a * b and {called}, no attribute of a and b"
                    " holds the gradients -3 and 2"
                )
            )
            method = self._method_that_gives(product if fault else backward, [A, B], _GRADIENTS)
            if not method and called in {"c.grad()", "c.gradient()"}:
                method = called[2:-2]
            if method:
                fault = None
                why = (
                    f"the method .{method}() returns the gradient, but an adapter can name only"
                    " an attribute"
                )
        self._refuse(
            3,
            f"{_two(draft.make)} holds its number in .{draft.data} and can be multiplied,"
            f" but no backward pass was found: {why}",
            fault,
        )

    def _method_that_gives(
        self, steps: Sequence[Step], nodes: Sequence[Ref], wanted: Sequence[float]
    ) -> str:
        answers = [Ref(FIRST_TRIED + 1000 + index) for index in range(len(nodes))]
        for name in self._try.attributes(steps, A, called=True):
            calls = [Call(answer, node, name, []) for answer, node in zip(answers, nodes)]
            if self._try.gives(wanted, [*steps, *calls], *((answer, "") for answer in answers)):
                return name
        return ""

    # --- completing the adapter ---

    def _complete(self, found: Adapter) -> Engine:
        calls: dict[str, Template | None] = dict(found.calls)
        missing = []
        for op in OF_NUMBERS:
            text = "" if op == "*" else self._operator(found, op)
            if text is None:
                missing.append(op)
                calls |= {op: None} if "*" in found.calls else {}
            elif text:
                calls[op] = template(text, op)
        found = replace(found, calls=calls)
        found = replace(found, numbers=self._takes_numbers(found), clears=self._clears(found))
        for name in self._methods:
            text = self._function(found, name) if name in FUNCTIONS else self._cleared(found, name)
            if text is None:
                missing.append(name)
            if text != f"{{}}.{name}()":
                calls[name] = template(text, name) if text else None
        return Engine(replace(found, calls=calls), tuple(missing))

    def _takes_numbers(self, found: Adapter) -> bool:
        """Return whether an operand may be a plain number."""
        leaf, result = self._try.leaves(found.make, 2.0), (C, found.data)
        return any(
            self._try.gives((right,), [*leaf, self._try.apply(found, op, C, [A, 4.0])], result)
            for op, right in (("*", 8.0), ("+", 6.0))
        )

    def _clears(self, found: Adapter) -> bool:
        """Return whether the backward pass sets all gradients to 0 first. In `a * a`, an engine
        that assigns instead of adding does not look like one that clears.
        """
        steps = [
            *self._try.leaves(found.make, 2.0),
            Put(A, found.gradient, 5.0),
            self._try.apply(found, "*", C, [A, A]),
            *self._try.back(found),
        ]
        return self._try.gives((4.0,), steps, (A, found.gradient))

    def _function(self, found: Adapter, name: str) -> str | None:
        """Return how to call an elementary function, or None.

        Its own name counts whatever it returns, any other name only if the numbers are right.
        """
        candidates = self._callables(found, 1)
        own = (f"{{}}.{name}()", f"{name}({{}})", f"{found.owner}.{name}({{}})")
        alike = sorted(candidates, key=lambda text: name not in text.lower())[:MAX_TRIED]
        return next((text for text in candidates if text in own), None) or next(
            (text for text in alike if name in text.lower() and self._computes(found, text, name)),
            None,
        )

    def _computes(self, found: Adapter, text: str, name: str) -> bool:
        """Return whether a call gives the values of an elementary function."""
        call = self._try.call_text(text, C, [A])
        return all(
            self._try.gives(
                (FUNCTIONS[name].value(x),),
                [*self._try.leaves(found.make, x), call],
                (C, found.data),
            )
            for x in (_POSITIVE if name == "log" else _POINTS)
        )

    def _cleared(self, found: Adapter, name: str) -> str | None:
        """Return a method that clears the gradients of a whole graph, not of one node, or None."""
        candidates = self._callables(found, 1)
        steps = [*self._try.product(found), *self._try.back(found)]
        gradients = [(node, found.gradient) for node in (A, B, C)]
        for text in (f"{{}}.{name}()", f"{name}({{}})"):
            if text in candidates and self._try.gives(
                (0.0,) * 3, [*steps, self._try.call_text(text, E, [C])], *gradients
            ):
                return text
        return None


def _two(make: Template) -> str:
    """Return the node of 2.0 as the engine's code makes it."""
    return make.text.replace("{}", "2.0")
