"""Checks on one operation: its number, and the gradients it sends back to its operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from graph_checks import GraphChecks
from values import Value, confirm

from grader.suite import (
    FUNCTIONS,
    RAISED,
    Expected,
    Form,
    InTurn,
    LearnerFault,
    Mismatch,
    NotAsked,
    Program,
    Reading,
    Ref,
    oracle,
    programs,
)

# the first is used in the plainest example, and equals none of its other numbers
UPSTREAM = (11.0, -2.0, 0.5, 1.0, -1.5)
HELD = 5.0
QUOTA = 40
LARGE_QUOTA = 80
SIGNS = ("+", "-", "*", "/")
ADDS = "`_backward` must add to the gradient that is already there, with `+=`"
ADDS_ADAPTED = (
    "the backward pass must add to the gradient that is already there (if it clears all gradients"
    " first, set `clears = true` in the adapter)"
)


T = TypeVar("T")


class Example(NamedTuple):
    """A program, the operands of the operation under test, the gradient to send back, and the
    gradient that the operands already hold.
    """

    program: Program
    operands: Sequence[Ref]
    upstream: float
    held: float = 0.0


class OperationChecks(GraphChecks):
    """Checks on one operation, before there is a backward pass."""

    def check_operation(self, *written: str, quota: int = QUOTA, gradient: bool) -> None:
        """Check the number or the gradients in a quota of examples for every form, on leaves and
        inside expressions.
        """
        for form in self.forms(*written):
            drawn, held = self.recorder.kept(
                ("drawn", form, quota, gradient),
                partial(self._drawn, form, quota, gradient=gradient),
            )
            nodes = self.program(drawn[0].program)
            look = self.expect_reached if gradient else self.expect_new
            look(nodes[drawn[0].program.root], [nodes[ref] for ref in drawn[0].operands])
            self.recorder.restart()
            self._expect_examples(drawn, data=not gradient, gradient=gradient)
            if gradient and not self.dialect.clears:
                self._check_added(held)

    def check_both(self, *written: str) -> None:
        """Check the number and then the gradients in a quota of examples for every form."""
        for gradient in (False, True):
            self.check_operation(*written, gradient=gradient)

    def check_at(self, written: str, *examples: Sequence[float], gradient: bool = True) -> None:
        """Check the number and the gradients of these forms, such as `v - v, v - k`, on operands
        that no example draws: ints, 0, 1, and numbers far out or near a kink.
        """
        for form in self.forms(*written.split(", ")):
            drawn = []
            for numbers in examples:
                program = Program("Value")
                kinds = zip(form.operands, numbers)
                args = [program.leaf(number) if kind == "v" else number for kind, number in kinds]
                program.apply(form.op, *args)
                drawn.append(Example(program, program.leaves, UPSTREAM[2]))
            self._expect_examples(drawn, gradient=gradient)

    def check_reused(self, written: str) -> None:
        """Check the gradients of `a op a` and of `(a op b) op c`: no share may be lost if one
        operand is used twice, or if the operation occurs twice.
        """
        (form,) = self.forms(written)
        drawn = []
        for operands in ("aa", "abc"):
            program = Program("Value")
            names = zip(sorted({*operands}), (3.0, -2.0, 0.5))
            leaves = {name: program.leaf(number) for name, number in names}
            root, *others = [leaves[name] for name in operands]
            for other in others:
                root = program.apply(form.op, root, other)
            drawn.append(Example(program, program.leaves, UPSTREAM[0]))
        self._expect_examples(drawn, data=False)

    def _drawn(
        self, form: Form, quota: int, *, gradient: bool
    ) -> tuple[list[Example], list[Example]]:
        """Draw a quota of examples of a form, and a quarter of it for operands with a gradient."""
        source = programs.choices(self.recorder.seed, f"{form.op}{form.operands}{gradient}")

        def draw(quota: int, shallow: int, held: float = 0.0) -> list[Example]:
            found = []
            for number in range(quota):
                choose, inside = source.choice if number else InTurn(), number > shallow
                drawn = programs.focus("Value", form, choose, source.choice, inside=inside)
                found.append(Example(*drawn, UPSTREAM[number % len(UPSTREAM)], held))
            return found

        quarter = quota // 4
        return draw(quota, quarter), draw(quarter, quarter // 2, HELD)

    def _check_added(self, drawn: Sequence[Example]) -> None:
        """Check that shares are added to the gradient that an operand already has."""
        try:
            self._expect_examples(drawn, data=False)
        except Mismatch as wrong:
            numbers = [one for one in (wrong.got, wrong.expected) if isinstance(one, (int, float))]
            if len(numbers) == 2 and oracle.close(numbers[0] + HELD, numbers[1]):
                wrong.message = ADDS_ADAPTED if self.is_adapted else ADDS
            raise
        except (LearnerFault, NotAsked):
            if not self.is_adapted:
                raise  # other engines may refuse an existing gradient
        self.recorder.restart()

    def _expect_examples(
        self, drawn: Sequence[Example], *, data: bool = True, gradient: bool = True
    ) -> None:
        """Expect the numbers of these examples, the shares that they send back, or both."""
        for examples in self.together(drawn):
            expected: list[Expected] = []
            for example in examples:
                program, nodes = example.program, self.program(example.program)
                if data:
                    root = program.root
                    expected.append(Expected(nodes[root].data, program.values[root]))
                if gradient:
                    expected += self._expected_back(example, nodes)
            self.expect_all(expected)
            self.recorder.restart()

    def _expected_back(self, example: Example, nodes: dict[Ref, Value]) -> list[Expected]:
        """Send a gradient back from the result, and return the expected gradients."""
        program, operands, upstream, held = example
        root = nodes[program.root]
        if not self.dialect.intermediate:
            operands = program.leaves
        # other engines may begin by clearing all nodes but the leaves
        holding = program.leaves if self.is_adapted else operands
        before = {ref: held if ref in holding else 0.0 for ref in operands}
        for ref in operands:
            if before[ref]:
                nodes[ref].grad = held
        upstream = self.send_back(root, upstream, *[nodes[ref] for ref in operands])
        return [Expected(root.grad, upstream)] + [
            Expected(
                nodes[ref].grad,
                before[ref] + upstream * slope,
                partial(confirm, program.steps, program.root, ref, upstream, before[ref]),
            )
            for ref, slope in zip(operands, map(program.slopes.__getitem__, operands))
        ]

    def check_values(self, name: str, *numbers: float) -> None:
        """Check the values of a function at chosen numbers, not its derivative."""
        self.check_at(f"{name} v", *((number,) for number in numbers), gradient=False)

    def check_slopes(
        self, apply: Callable[[Value], Value], *examples: tuple[float, float, float], why: str = ""
    ) -> None:
        """Check an operation at chosen numbers, given with the right result and derivative."""
        for number, value, slope in examples:
            a = self.value(number, "a")
            b = apply(a)
            upstream = self.send_back(b, 3.0, a)
            self.expect_all([(b.data, value), (a.grad, upstream * slope)], why)
            self.fresh()

    def check_refuses(
        self,
        written: str,
        apply: Callable[[Value, Any], object],
        *things: object,
        errors: Sequence[type[BaseException]] = (),
    ) -> None:
        """Check that an operation raises one of these errors for things that are not numbers. By
        default, any exception that somebody could raise on purpose counts.
        """
        for thing in things:
            a = self.value(2.0, "a")
            why = f"`{written} {thing!r}` must raise TypeError: {thing!r} is not a number"
            with self.raises(*errors, why=why):
                apply(a, thing)
            self.fresh()

    def check_untouched(self, *written: str) -> None:
        """Check that no form changes its operands or returns one of them, and that a function's
        `_op` names it.
        """
        for form in self.forms(*written):
            a, b = self.values(a=2.0, b=-3.0)
            a.grad, b.grad = 0.5, -0.25
            args = _arguments(form, a, b)
            result = self.apply(form.op, *args)
            result.grad = 7.0
            why = "an operation must make a new Value and leave its operands unchanged"
            held = [(a.grad, 0.5), (b.grad, -0.25), (result.grad, 7.0)]
            self.recorder.expect_all([(a.data, 2.0), (b.data, -3.0), *held], why)
            if self.is_adapted:
                self.expect_new(result, (a, b))
                self.recorder.restart()
                continue
            # a function built from other operations may show the sign of the last
            if form.op in FUNCTIONS and {*self.refs(result.reading("_prev", "refs"))} == {a.ref}:
                self.expect_operation(result, form.op, *SIGNS)
            for operand in (a, b):
                self.expect_same_objects(operand.reading("_prev", "refs"), [])
            a.data, b.data = 0.75, 1.5
            program = Program("Value")
            leaves = program.leaf(0.75), program.leaf(1.5)
            right = program.values[program.apply(form.op, *_arguments(form, *leaves))]
            why = "the numbers of the operands have changed, so the result must be worked out again"
            self.expect(self.apply(form.op, *args).data, right, why)
            if form.operands[1:]:
                changed = self.change(form.op, *args)
                why = f"`a {form.op}= b` must make a new Value: other results may be made from `a`"
                self.expect_all([(changed.data, right), (a.data, 0.75), (b.data, 1.5)], why)
            self.recorder.restart()

    def check_new(self, *operations: Callable[[Value], Value]) -> None:
        """Check that special cases such as `a + 0` make new Values that know `a`, too."""
        for apply in () if self.is_adapted else operations:
            a = self.value(2.0, "a")
            self.expect_reached(self.named("c", apply(a)), [a])
            self.recorder.restart()

    def check_exponent(self, power: Callable[[Value, Value], Value], exponent: float) -> None:
        """Raise Mismatch if a power accepts a Value as its exponent and gives a wrong gradient."""
        a, b = self.values(a=2.0, b=exponent)
        self.run()
        c = power(a, b)
        if (refused := self.raised()) is not None:
            if refused.fault.stub:
                raise refused
            self.fresh()
            return
        steps = list(self.steps)
        written = self.name_of(c.ref)
        used = [
            node
            for node in (a, b)
            if any(node.ref in step.args for step in steps)  # type: ignore[union-attr]
        ]
        slopes = oracle.gradients(steps, c.ref, [node.ref for node in used])
        upstream = self.send_back(c, 3.0, *used)
        if self.is_adapted and self.raised() is not None:
            self.fresh()
            return
        for node, got in zip(used, self.read([node.grad for node in used])):
            right = upstream * slopes[node.ref]
            if not isinstance(got, (int, float)) or not oracle.close(got, right):
                self.recorder.steps = steps  # show only the power
                raise Mismatch(
                    f"`{written}` must raise TypeError if `b` is a Value; it is accepted, and"
                    f" `{self.name_of(node.ref)}` gets a wrong gradient",
                    expected=(
                        "a TypeError (or the correct gradients, if you accept Values as exponents)"
                    ),
                    got="no exception",
                    reading=Reading(c.ref, "", RAISED),
                )
        self.fresh()


def _arguments(form: Form, left: T, right: T) -> list[T | int]:
    """Return these operands of a form, with 2 in place of a number."""
    return [2 if kind == "k" else node for kind, node in zip(form.operands, (left, right))]
