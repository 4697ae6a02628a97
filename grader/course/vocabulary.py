"""The words of this course, as its suites use them: a learner's `Value`, and what can be asked of
it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import Any

from grader import suite
from grader.suite import (
    FUNCTIONS,
    OPERATORS,
    RAISED,
    Apply,
    Call,
    Expected,
    Form,
    InTurn,
    Kind,
    Make,
    Mismatch,
    NotAsked,
    Operand,
    Program,
    Reading,
    Recorder,
    Ref,
    Step,
    Symbol,
    UnexpectedType,
    fixture,
    oracle,
    programs,
)

# the first is that of the plainest example: like none of its other numbers
UPSTREAM = (11.0, -2.0, 0.5, 1.0, -1.5)
HELD = 5.0
QUOTA = 40
OPERATIONS = (
    "v + v",
    "v + k",
    "k + v",
    "v * v",
    "v * k",
    "k * v",
    "-v",
    "v - v",
    "v - k",
    "k - v",
    "v ** k",
    "v / v",
    "v / k",
    "k / v",
)
LARGE_QUOTA = 80
EXAMPLES = 100
TOGETHER = 10

Drawn = tuple[Program, list[Ref]]
"""A program, and the operands of the operation that it is about."""


class Value(Symbol):
    """A learner's `Value`, seen from the judge."""

    @property
    def data(self) -> Reading:
        """Its number."""
        return self.reading("data")

    @data.setter
    def data(self, number: float) -> None:
        self.put("data", number)

    @property
    def grad(self) -> Reading:
        """Its gradient."""
        return self.reading("grad")

    @grad.setter
    def grad(self, number: float) -> None:
        self.put("grad", number)

    def backward(self) -> None:
        """Run the learner's backward pass from here."""
        self.call("backward")

    def zero_grad(self) -> None:
        """Set every gradient below to zero."""
        self.call("zero_grad")

    def function(self, name: str) -> Value:
        """An elementary function, called as a method."""
        return Value(self.recorder, self.call(name))

    def tanh(self) -> Value:
        """The hyperbolic tangent."""
        return self.function("tanh")

    def relu(self) -> Value:
        """What is positive, and 0 for the rest."""
        return self.function("relu")

    def exp(self) -> Value:
        """The exponential."""
        return self.function("exp")


class Learner(suite.Learner):
    """What a suite does with the learner's code."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self._multiplies = self.multiplies()

    # --- making ---

    def value(self, number: float, name: str = "", *more: Any) -> Value:
        """`name = Value(number, ...)`."""
        return self.make(Value, "engine.Value", number, *more, name=name)

    def values(self, **numbers: float) -> tuple[Value, ...]:
        """One `Value` for each name."""
        return tuple(self.value(number, name) for name, number in numbers.items())

    def program(self, program: Program) -> dict[Ref, Value]:
        """Write a drawn program down; its nodes by the numbers that it gives them."""
        nodes: dict[Ref, Value] = {}
        letters = iter("abcdefgh")
        for step in program.steps:
            nodes[step.target] = self._node(step, nodes, letters)  # type: ignore[index]
        return nodes

    def _node(self, step: Any, nodes: dict[Ref, Value], letters: Iterator[str]) -> Value:
        if isinstance(step, Make):
            return self.value(step.args[0], next(letters))  # type: ignore[arg-type]
        if isinstance(step, Call):
            return nodes[step.on].function(step.method)
        node: Value = OPERATORS[step.op].compute(
            *[nodes[arg] if isinstance(arg, Ref) else arg for arg in step.args]
        )
        return node

    # --- the backward step of one operation, before there is a backward pass ---

    def send_back(self, result: Value, upstream: float, *operands: Value) -> float:
        """Give `result` a gradient and let the operation pass it on to its operands, through every
        node it is made of.

        An engine with an adapter has no `_backward` to call: `upstream` comes from a product above,
        and a whole backward pass. If its products are wrong, it is 1. Returns the gradient that
        `result` gets.
        """
        if self.is_adapted:
            sent = upstream if self._multiplies else 1.0
            (result if sent == 1.0 else result * self.value(sent)).backward()
            return sent
        result.grad = upstream
        self.walk(result, "_prev", "_backward", operands)
        return upstream

    def seed_was_added(self, result: Value) -> bool:
        """Whether an engine with an adapter has added 1 to the gradient of its result twice: then a
        second pass sends more than this course's.
        """
        return self.is_adapted and self.read([result.grad]) == [2.0]

    def forms(self, *written: str) -> tuple[Form, ...]:
        """These forms, as far as an engine with an adapter has them."""
        found = tuple(form for form in programs.forms(*written) if self.can(form.op, form.operands))
        if not found:
            raise NotAsked(
                f"this engine has no {' or '.join(dict.fromkeys(f'`{text}`' for text in written))}"
                " (v a node, k a number)"
            )
        return found

    def check_operation(self, *written: str, quota: int = QUOTA, gradient: bool) -> None:
        """A quota of examples for every form: on leaves and inside an expression; the number, or
        the gradients.
        """
        for form in self.forms(*written):
            self._check_form(form, quota, gradient=gradient)

    def _check_form(self, form: Form, quota: int, *, gradient: bool) -> None:
        drawn, added = self.recorder.kept(
            ("drawn", form, quota, gradient), lambda: self._drawn(form, quota, gradient=gradient)
        )
        program, operands = drawn[0]
        first = self.program(program)
        look = self._expect_reached if gradient else self._expect_new
        look(first[program.root], [first[ref] for ref in operands])

        def write() -> list[Expected]:
            expected: list[Expected] = []
            for number, (program, operands) in enumerate(drawn):
                nodes = self.program(program) if number else first
                if gradient:
                    upstream = UPSTREAM[number % len(UPSTREAM)]
                    expected += self._expected_back(program, nodes, operands, upstream)
                else:
                    root = program.root
                    expected.append(Expected(nodes[root].data, program.values[root]))
            return expected

        self._expect_prepared(("operation", form, quota, gradient), write)
        self.recorder.restart()
        if gradient and not self.clears:
            self._check_added(form, added)

    def _drawn(self, form: Form, quota: int, *, gradient: bool) -> tuple[list[Drawn], list[Drawn]]:
        """A quota of examples of a form; and a quarter of it, for operands that hold something."""
        source = programs.choices(self.recorder.seed, f"{form.op}{form.operands}{gradient}")

        def draw(quota: int, shallow: int) -> list[Drawn]:
            return [
                programs.focus(
                    "Value",
                    form,
                    source.choice if number else InTurn(),
                    source.choice,
                    inside=number > shallow,
                )
                for number in range(quota)
            ]

        quarter = quota // 4
        return draw(quota, quarter), draw(quarter, quarter // 2) if gradient else []

    def _check_added(self, form: Form, drawn: Sequence[Drawn]) -> None:
        """Operands whose `grad` holds something already: what is sent back is added to it."""

        def write() -> list[Expected]:
            expected: list[Expected] = []
            for number, (program, operands) in enumerate(drawn):
                upstream = UPSTREAM[number % len(UPSTREAM)]
                nodes = self.program(program)
                expected += self._expected_back(program, nodes, operands, upstream, HELD)
            return expected

        why = _ADDS_ADAPTED if self.is_adapted else _ADDS
        self._expect_prepared(("added", form, len(drawn)), write, why)
        self.recorder.restart()

    def _expect_prepared(
        self, key: Hashable, write: Callable[[], Sequence[Expected]], why: str = ""
    ) -> None:
        """As the recorder's, apart for engines with an adapter, which are written to otherwise."""
        manner = self.is_adapted, self._multiplies
        self.recorder.expect_prepared((key, manner), write, why)

    def _expect_reached(self, result: Value, operands: Sequence[Value]) -> None:
        """Whatever graph an operator makes, its operands must be in it, or no gradient ever reaches
        them.
        """
        self._expect_new(result, operands)
        if self.is_adapted:
            return
        reading = result.reading("_prev", "graph")
        (nodes,) = self.recorder.run([reading])
        reached = {node[0] for node in nodes}  # type: ignore[union-attr,index]
        for operand in operands:
            if operand.ref not in reached:
                name = self.recorder.names.get(operand.ref, "the operand")
                raise Mismatch(
                    f"`{name}` cannot be reached from the result through `_prev`",
                    expected=f"{name} among the nodes",
                    got="a graph without it",
                    reading=result.reading("_prev", "refs"),
                )

    def _expect_new(self, result: Value, operands: Sequence[Value]) -> None:
        """An operator that gives back one of its operands has changed it; its graph is not worth a
        look.
        """
        same = self.recorder.run([operand.reading("", "ref") for operand in operands])
        for operand, ref in zip(operands, same):
            if ref != operand.ref:
                name = self.name_of(operand.ref)
                raise Mismatch(
                    f"the result must be a new Value, and is `{name}` itself",
                    expected="a new Value",
                    got=f"{name} itself",
                    reading=result.reading("", "value"),
                    printed=f"{{}} is {name}",
                )

    def _expected_back(
        self,
        program: Program,
        nodes: dict[Ref, Value],
        operands: Sequence[Ref],
        upstream: float,
        held: float = 0.0,
    ) -> list[Expected]:
        root, used = nodes[program.root], [nodes[ref] for ref in operands]
        for node in used if held else ():
            node.grad = held
        upstream = self.send_back(root, upstream, *used)
        slopes = oracle.gradients(program.steps, program.root, operands)
        return [Expected(root.grad, upstream)] + [
            Expected(
                nodes[ref].grad,
                held + upstream * slope,
                partial(_confirm, program.steps, program.root, ref, upstream, held),
            )
            for ref, slope in slopes.items()
        ]

    def check_untouched(self, *written: str) -> None:
        """No form may change the number, the gradient or the children of its operands, return one
        of them, or pass for another function.
        """
        for form in self.forms(*written):
            a, b = self.values(a=2.0, b=-3.0)
            a.grad, b.grad = 0.5, -0.25
            left, right, made = Ref(1), Ref(2), Ref(3)
            args: list[Operand] = [
                2 if kind == "k" else ref for kind, ref in zip(form.operands, (left, right))
            ]
            step = (
                Call(made, left, form.op, [])
                if form.op in FUNCTIONS
                else Apply(made, form.op, args)
            )
            result = self._node(step, {left: a, right: b}, iter(()))
            result.grad = 7.0
            why = "an operation must leave its operands as they are, and make a new Value"
            numbers = [
                (a.data, 2.0),
                (b.data, -3.0),
                (a.grad, 0.5),
                (b.grad, -0.25),
                (result.grad, 7.0),
            ]
            self.recorder.expect_all(numbers, why)
            if self.is_adapted:
                self._expect_new(result, (a, b))
                self.recorder.restart()
                continue
            if form.op in FUNCTIONS:
                self._expect_named(result, a, form.op)
            for operand in (a, b):
                self.expect_same_objects(operand.reading("_prev", "refs"), [])
            self.recorder.restart()

    def _expect_named(self, result: Value, operand: Value, function: str) -> None:
        """`_op` must name the function that was called; one that is a formula has the sign of its
        last operation.
        """
        if set(self._refs(result.reading("_prev", "refs"))) == {operand.ref}:
            self.expect_operation(result, function, *_SIGNS)

    def expect_power_of_values(self, a: Value, b: Value, c: Value) -> None:
        """`c = a ** b`, both Values: the gradients of both must be right."""
        recorder = self.recorder
        steps = list(recorder.steps)
        slopes = oracle.gradients(steps, c.ref, [a.ref, b.ref])
        upstream = self.send_back(c, 3.0, a, b)
        for node, got in zip((a, b), recorder.run([a.grad, b.grad])):
            if isinstance(got, UnexpectedType) or not oracle.close(
                float(got),  # type: ignore[arg-type]
                upstream * slopes[node.ref],
            ):
                recorder.steps = steps  # what came after is not what is wrong
                name = self.name_of(node.ref)
                raise Mismatch(
                    f"a Value as the exponent must be refused; it is accepted, and `{name}` gets a"
                    " wrong gradient",
                    expected=(
                        "a TypeError (or, if a Value is accepted as the exponent, its gradient too)"
                    ),
                    got="no exception",
                    reading=Reading(c.ref, "", RAISED),
                )

    # --- the whole backward pass ---

    def expect_backward(self, root: Value) -> None:
        """Run `backward()` from `root`: the number and the gradient of every node must be the
        oracle's.
        """
        recorder = self.recorder

        def write() -> list[Expected]:
            steps = list(recorder.steps)
            values = oracle.evaluate(steps)
            slopes = oracle.gradients(steps, root.ref, list(values))
            root.backward()
            nodes = [Value(recorder, ref) for ref in values]
            return [Expected(node.data, values[node.ref]) for node in nodes] + [
                Expected(node.grad, slopes[node.ref], partial(_confirm, steps, root.ref, node.ref))
                for node in reversed(nodes)
            ]

        self._expect_prepared(("backward", root.ref, self.script), write)

    def check_graph(self, build: Callable[[Learner], Value], times: int = 2) -> None:
        """Build a graph, run `backward()`, expect every gradient: also with `+` and `*` mirrored,
        and with fresh objects.
        """
        mirrored = self.recorder.mirror
        for mirror in (mirrored, not mirrored) * times:
            self.recorder.mirror = mirror
            self.expect_backward(build(self))
            self.recorder.restart()
        self.recorder.mirror = mirrored

    def check_programs(self, drawn: Sequence[Program]) -> None:
        """As `check_graph`, for drawn programs; one message for all."""
        self.recorder.restart()
        self._expect_prepared(("programs", *drawn), partial(self._backward_of_all, drawn))

    def _backward_of_all(self, drawn: Sequence[Program]) -> list[Expected]:
        return [expected for program in drawn for expected in self._backward_of(program)]

    def _backward_of(self, program: Program) -> list[Expected]:
        """Write a program down and its `backward()`; what is expected of every node, results first."""  # noqa: E501
        nodes = self.program(program)
        slopes = oracle.gradients(program.steps, program.root, list(program.values))
        nodes[program.root].backward()
        values = [Expected(nodes[ref].data, value) for ref, value in program.values.items()]
        return values + [
            Expected(nodes[ref].grad, slope, partial(_confirm, program.steps, program.root, ref))
            for ref, slope in reversed(slopes.items())
        ]

    def check_inside(self, *written: str, quota: int = QUOTA // 3) -> None:
        """For every form a quota of graphs `(form * c) op u` on an intermediate `u`, as all of its
        operands or one of them.
        """
        self._check_drawn("inside", programs.inside, written, quota)

    def check_reuse(self, *written: str, quota: int = 12) -> None:
        """For every form a quota of graphs in which its operand, a leaf, is used before, in and
        after it.
        """
        self._check_drawn("reuse", programs.reuse, written, quota)

    def _check_drawn(
        self, name: str, draw: Callable[..., Program], written: Sequence[str], quota: int
    ) -> None:
        for form in self.forms(*written):

            def write(form: Form = form) -> list[Expected]:
                source = programs.choices(self.recorder.seed, f"{name} {form.op}{form.operands}")
                drawn = [draw("Value", form, source.choice) for _ in range(quota)]
                return self._backward_of_all(drawn)

            self._expect_prepared((name, form, quota), write)
            self.recorder.restart()

    def check_values(
        self, function: str, right: Callable[[float], float], numbers: Sequence[float]
    ) -> None:
        """A function at chosen numbers, the derivative aside."""
        for number in numbers:
            a = self.value(number, "a")
            self.recorder.expect(a.function(function).data, right(number))
            self.recorder.restart()

    def check_random_graphs(self, *written: str, examples: int = EXAMPLES) -> None:
        """Random graphs; a wrong number in one is shrunk to a small expression that is still
        wrong.
        """
        forms = self.forms(*written)
        self.for_all_together(
            partial(programs.graph, "Value", forms),
            self.check_programs,
            examples,
            TOGETHER,
            parts=Program.parts,
            key=("graphs", forms),
        )

    # --- form ---

    def expect_same_objects(self, reading: Reading, wanted: Sequence[Symbol]) -> None:
        """A collection must hold exactly these objects, in any order, once or more often."""
        refs = self._refs(reading)
        if set(refs) != {node.ref for node in wanted}:
            names = ", ".join(self.name_of(node.ref) for node in wanted)
            got = ", ".join(sorted(self.name_of(ref) for ref in set(refs)))
            raise Mismatch(
                f"`{self.recorder.describe(reading)}` must hold {names or 'nothing'}",
                expected=f"{{{names}}}",
                got=f"{{{got}}}",
                reading=reading,
            )

    def _refs(self, reading: Reading) -> list[Ref]:
        (answer,) = self.recorder.run([reading])
        if isinstance(answer, UnexpectedType):
            raise Mismatch(
                f"`{self.recorder.describe(reading)}` must be a set, tuple or list of Values",
                kind=Kind.BAD_TYPE,
                expected="a set, tuple or list",
                got=answer.type_name,
                reading=reading,
            )
        return answer  # type: ignore[return-value]

    def expect_text(
        self, reading: Reading, accept: Callable[[str], bool], expected: str, why: str
    ) -> None:
        """A text must be acceptable."""
        (answer,) = self.recorder.run([reading])
        if isinstance(answer, UnexpectedType):
            raise Mismatch(
                why,
                kind=Kind.BAD_TYPE,
                expected=expected,
                got=f"a {answer.type_name}",
                reading=reading,
            )
        assert isinstance(answer, str)
        if not accept(answer):
            raise Mismatch(why, expected=expected, got=answer, reading=reading)

    def expect_operands(self, result: Value, operands: Sequence[Value]) -> None:
        """`_prev` of a result must hold its operands."""
        self._expect_new(result, operands)
        self.expect_same_objects(result.reading("_prev", "refs"), operands)

    def expect_operation(self, result: Value, *accepted: str) -> None:
        """`_op` of a result must say which operation it was, by its sign or its name."""
        self.expect_text(
            result.reading("_op", "text"),
            lambda text: any(word in text.lower() for word in accepted),
            accepted[0],
            f'`_op` must be "{accepted[0]}"',
        )

    def expect_topological_order(self, root: Value) -> None:
        """`build_topo()` must list every node of the graph once, operands before results.

        Where an engine keeps its ordering to itself, the order in which `backward()` runs is judged
        instead.
        """
        reading, order, graph = self._order(root)
        operands = dict(graph)
        names = [self.name_of(ref) for ref in order]
        if len(set(order)) != len(order):
            twice = next(name for ref, name in zip(order, names) if order.count(ref) > 1)
            raise Mismatch(
                f"the order lists `{twice}` more than once",
                expected="every node once",
                got=", ".join(names),
                reading=reading,
            )
        missing = {*operands, root.ref} - set(order)
        if missing or set(order) - set(operands):
            raise Mismatch(
                "the order must list every node of the graph, and nothing else",
                expected=f"{len(operands)} nodes",
                got=f"{len(order)}: {', '.join(names)}",
                reading=reading,
            )
        place = {ref: index for index, ref in enumerate(order)}
        if place[root.ref] == 0:  # results first is the same order, read from the other end
            place = {ref: -index for ref, index in place.items()}
        for node, children in graph:
            for child in children:
                if place[child] >= place[node]:
                    raise Mismatch(
                        f"`{self.name_of(child)}` must come before `{self.name_of(node)}`, which"
                        " was made of it",
                        expected="operands before results",
                        got=", ".join(names),
                        reading=reading,
                    )

    def _order(self, root: Value) -> tuple[Reading, list[Ref], list[tuple[Ref, list[Ref]]]]:
        graph = root.reading("_prev", "graph")
        if self.has("Value.build_topo"):
            order = self.named("order", self.symbol(root.call("build_topo")))
            reading = order.reading("", "refs")
        else:
            watched = self.watch(root, "_prev", "_backward", "backward", "grad")
            reading = watched.reading("nodes", "refs")
        refs = self._refs(reading)
        (nodes,) = self.read([graph])
        return reading, refs, nodes  # type: ignore[return-value]


def _confirm(
    steps: Sequence[Step], of: Ref, wrt: Ref, upstream: float = 1.0, held: float = 0.0
) -> float:
    return held + upstream * oracle.finite_difference(steps, of, wrt)


_ADDS = "`_backward` must add to the gradient that is there, with `+=`"
_ADDS_ADAPTED = (
    "the backward pass must add to the gradient that is there (if it clears all gradients first:"
    " `clears = true` in the adapter)"
)
_SIGNS = ("+", "-", "*", "/")


@fixture
def learner(recorder: Recorder) -> Learner:
    """The learner's code, in a worker of its own."""
    return Learner(recorder)
