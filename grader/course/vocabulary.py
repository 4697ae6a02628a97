"""The vocabulary of the course's suites: a learner's `Value`, and the checks on it."""

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
    kind_of,
    oracle,
    programs,
)

# the first is used in the plainest example, and equals none of its other numbers
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
AT_ONCE = 4  # graphs in one message: together they are smaller than the longest chain

Drawn = tuple[Program, list[Ref]]
"""A program, and the operands of the operation under test."""


class Value(Symbol):
    """A learner's `Value`."""

    @property
    def data(self) -> Reading:
        """A reading of `data`."""
        return self.reading("data")

    @data.setter
    def data(self, number: float) -> None:
        self.put("data", number)

    @property
    def grad(self) -> Reading:
        """A reading of `grad`."""
        return self.reading("grad")

    @grad.setter
    def grad(self, number: float) -> None:
        self.put("grad", number)

    def backward(self) -> None:
        """Record `self.backward()`."""
        self.call("backward")

    def zero_grad(self) -> None:
        """Record `self.zero_grad()`."""
        self.call("zero_grad")

    def function(self, name: str) -> Value:
        """Record a call of an elementary function as a method, and return its result."""
        return Value(self.recorder, self.call(name))

    def tanh(self) -> Value:
        """Record `self.tanh()`."""
        return self.function("tanh")

    def relu(self) -> Value:
        """Record `self.relu()`."""
        return self.function("relu")

    def exp(self) -> Value:
        """Record `self.exp()`."""
        return self.function("exp")


class Learner(suite.Learner):
    """The learner's code, with the checks that the suites share."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self._multiplies = self.multiplies()

    # --- making ---

    def value(self, number: float, name: str = "", *more: Any) -> Value:
        """Record `name = Value(number, ...)`."""
        return self.make(Value, "engine.Value", number, *more, name=name)

    def values(self, **numbers: float) -> tuple[Value, ...]:
        """Record one `Value` for each name."""
        return tuple(self.value(number, name) for name, number in numbers.items())

    def program(self, program: Program) -> dict[Ref, Value]:
        """Record a drawn program; return its nodes by their numbers in the program."""
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
        """Give `result` a gradient, run `_backward` from there to its operands, and return that
        gradient.

        An engine with an adapter has no `_backward` to call. It runs a whole backward pass, from a
        product that gives `result` the gradient `upstream`; if its products are wrong, from
        `result` with a gradient of 1.
        """
        if self.is_adapted:
            sent = upstream if self._multiplies else 1.0
            (result if sent == 1.0 else result * self.value(sent)).backward()
            return sent
        result.grad = upstream
        self.walk(result, "_prev", "_backward", operands)
        return upstream

    def seed_was_added(self, result: Value) -> bool:
        """Return whether an adapted engine adds 1 to the gradient of the result in each pass.

        Its second pass then sends more than this course's.
        """
        return self.is_adapted and self.read([result.grad]) == [2.0]

    def forms(self, *written: str) -> tuple[Form, ...]:
        """Return these forms, without those that an adapted engine lacks."""
        found = tuple(form for form in programs.forms(*written) if self.can(form.op, form.operands))
        if not found:
            raise NotAsked(
                f"this engine has no {' or '.join(dict.fromkeys(f'`{text}`' for text in written))}"
                " (v is a node, k a number)"
            )
        return found

    def check_operation(self, *written: str, quota: int = QUOTA, gradient: bool) -> None:
        """Check the number or the gradients in a quota of examples for every form, on leaves and
        inside expressions.
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

    def check_at(self, written: str, *examples: Sequence[float], gradient: bool = True) -> None:
        """Check the number and the gradients of a form on these operands, which no example draws:
        0, 1, and numbers far out or near a kink.
        """
        (form,) = self.forms(written)

        def write() -> list[Expected]:
            expected: list[Expected] = []
            for numbers in examples:
                program = Program("Value")
                args = [
                    program.leaf(number) if kind == "v" else number
                    for kind, number in zip(form.operands, numbers)
                ]
                root = program.apply(form.op, *args)
                nodes = self.program(program)
                expected.append(Expected(nodes[root].data, program.values[root]))
                if gradient:
                    expected += self._expected_back(program, nodes, program.leaves, UPSTREAM[2])[1:]
            return expected

        self._expect_prepared(("at", form, examples, gradient), write)
        self.recorder.restart()

    def _drawn(self, form: Form, quota: int, *, gradient: bool) -> tuple[list[Drawn], list[Drawn]]:
        """Draw a quota of examples of a form, and a quarter of it for operands with a gradient."""
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
        """Check that what is sent back is added to the gradient that an operand already has."""

        def write() -> list[Expected]:
            expected: list[Expected] = []
            for number, (program, operands) in enumerate(drawn):
                upstream = UPSTREAM[number % len(UPSTREAM)]
                nodes = self.program(program)
                expected += self._expected_back(program, nodes, operands, upstream, HELD)
            return expected

        try:
            self._expect_prepared(("added", form, len(drawn)), write)
        except Mismatch as wrong:
            if is_overwritten(wrong.got, wrong.expected):
                wrong.message = _ADDS_ADAPTED if self.is_adapted else _ADDS
            raise
        self.recorder.restart()

    def _expect_prepared(
        self, key: Hashable, write: Callable[[], Sequence[Expected]], why: str = ""
    ) -> None:
        # the steps differ for engines with an adapter
        manner = self.is_adapted, self._multiplies
        self.recorder.expect_prepared((key, manner), write, why)

    def _expect_reached(self, result: Value, operands: Sequence[Value]) -> None:
        """Raise Mismatch if an operand is not in the result's graph: no gradient would reach it."""
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
                    expected=f"a graph with {name} in it",
                    got=f"a graph without {name}",
                    reading=result.reading("_prev", "refs"),
                    comment=f"{name} is missing",
                )

    def _expect_new(self, result: Value, operands: Sequence[Value]) -> None:
        """Raise Mismatch if the result is one of the operands."""
        same = self.recorder.run([operand.reading("", "ref") for operand in operands])
        for operand, ref in zip(operands, same):
            if ref != operand.ref:
                name = self.name_of(operand.ref)
                raise Mismatch(
                    f"the result must be a new Value; it is `{name}` itself",
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
        """Check that no form changes its operands or returns one of them, and that a function's
        `_op` names it.
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
            why = "an operation must make a new Value and leave its operands unchanged"
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
        """Raise Mismatch if `_op` does not name the function. One that is built from other
        operations may show the sign of the last.
        """
        if set(self._refs(result.reading("_prev", "refs"))) == {operand.ref}:
            self.expect_operation(result, function, *_SIGNS)

    def expect_power_of_values(self, a: Value, b: Value, c: Value) -> None:
        """For `c = a ** b` with two Values, raise Mismatch unless both gradients are right."""
        recorder = self.recorder
        steps = list(recorder.steps)
        slopes = oracle.gradients(steps, c.ref, [a.ref, b.ref])
        upstream = self.send_back(c, 3.0, a, b)
        for node, got in zip((a, b), recorder.run([a.grad, b.grad])):
            if isinstance(got, UnexpectedType) or not oracle.close(
                float(got),  # type: ignore[arg-type]
                upstream * slopes[node.ref],
            ):
                recorder.steps = steps  # show the power alone
                name = self.name_of(node.ref)
                raise Mismatch(
                    "`a ** b` must raise TypeError if `b` is a Value; it is accepted, and"
                    f" `{name}` gets a wrong gradient",
                    expected=(
                        "a TypeError (or the right gradients, if you accept Values as exponents)"
                    ),
                    got="no exception",
                    reading=Reading(c.ref, "", RAISED),
                )

    # --- the whole backward pass ---

    def check_graph(self, build: Callable[[Learner], Value], times: int = 2) -> None:
        """Build a graph, run `backward()` and expect every number and gradient, again and again
        with new objects, every other time with `+` and `*` mirrored.
        """
        mirrored = self.mirror

        def check(mirrors: Sequence[bool]) -> None:
            graphs = []
            for self.mirror in mirrors:
                graphs.append(self._passed(build))
            self.mirror = mirrored
            self._expect_passed(graphs)

        def apart(mirrors: Sequence[bool]) -> None:
            for mirror in mirrors:
                check([mirror])
                self.recorder.restart()

        mirrors = [mirrored, not mirrored] * times
        for at in range(0, len(mirrors), AT_ONCE):
            some = mirrors[at : at + AT_ONCE]
            self.recorder.at_once(partial(check, some), partial(apart, some))

    def _passed(self, build: Callable[[Learner], Value]) -> tuple[Sequence[Step], Value]:
        """Record a graph and its `backward()`. Return the steps that build it, and its root."""
        before = len(self.steps)
        root = build(self)
        steps = self.steps[before:]
        root.backward()
        return steps, root

    def _expect_passed(self, graphs: Sequence[tuple[Sequence[Step], Value]]) -> None:
        """Expect the right number and gradient of every node of these graphs, in one message."""

        def write() -> list[Expected]:
            return [expected for steps, root in graphs for expected in self._after(steps, root)]

        self._expect_prepared(("backward", self.script), write)

    def _after(self, steps: Sequence[Step], root: Value) -> list[Expected]:
        """Return what to expect of every node after the backward pass from a root."""
        values = oracle.evaluate(steps)
        slopes = oracle.gradients(steps, root.ref, list(values))
        nodes = [Value(self.recorder, ref) for ref in values]
        return [Expected(node.data, values[node.ref]) for node in nodes] + [
            Expected(node.grad, slopes[node.ref], partial(_confirm, steps, root.ref, node.ref))
            for node in reversed(nodes)
        ]

    def check_programs(self, drawn: Sequence[Program]) -> None:
        """Check the backward pass of drawn programs, all in one message."""
        self.recorder.restart()
        self._expect_prepared(("programs", *drawn), partial(self._backward_of_all, drawn))

    def _backward_of_all(self, drawn: Sequence[Program]) -> list[Expected]:
        return [expected for program in drawn for expected in self._backward_of(program)]

    def _backward_of(self, program: Program) -> list[Expected]:
        """Record a program and its `backward()`; return what to expect of every node, results
        first.
        """
        nodes = self.program(program)
        slopes = oracle.gradients(program.steps, program.root, list(program.values))
        nodes[program.root].backward()
        values = [Expected(nodes[ref].data, value) for ref, value in program.values.items()]
        return values + [
            Expected(nodes[ref].grad, slope, partial(_confirm, program.steps, program.root, ref))
            for ref, slope in reversed(slopes.items())
        ]

    def check_inside(self, *written: str, quota: int = QUOTA // 3) -> None:
        """Check for every form a quota of graphs `(form * c) op u`, where the form takes the
        intermediate `u` as one or all of its operands.
        """
        self._check_drawn("inside", programs.inside, written, quota)

    def check_reuse(self, *written: str, quota: int = 12) -> None:
        """Check for every form a quota of graphs that use its operand, a leaf, before, in and
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
        """Check the values of a function at chosen numbers, not its derivative."""
        for number in numbers:
            a = self.value(number, "a")
            self.expect(a.function(function).data, right(number))
            self.recorder.restart()

    def check_random_graphs(self, *written: str, examples: int = EXAMPLES) -> None:
        """Check random graphs; shrink one with a wrong number to a small expression."""
        forms = self.forms(*written)
        self.for_all_together(
            partial(programs.graph, "Value", forms),
            self.check_programs,
            examples,
            TOGETHER,
            parts=Program.parts,
            simpler=Program.simpler,
            key=("graphs", forms),
        )

    # --- form ---

    def expect_same_objects(self, reading: Reading, wanted: Sequence[Symbol]) -> None:
        """Raise Mismatch unless a collection holds exactly these objects, in any order, each at
        least once.
        """
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
            raise self.wrong_type(
                reading,
                f"`{self.recorder.describe(reading)}` must be a set, tuple or list of Values",
                "a set, tuple or list",
            )
        return answer  # type: ignore[return-value]

    def expect_text(
        self, reading: Reading, accept: Callable[[str], bool], expected: str, why: str
    ) -> None:
        """Raise Mismatch unless a text is read that `accept` accepts."""
        (answer,) = self.recorder.run([reading])
        if isinstance(answer, UnexpectedType):
            raise Mismatch(
                why, kind=Kind.BAD_TYPE, expected=expected, got=kind_of(answer), reading=reading
            )
        assert isinstance(answer, str)
        if not accept(answer):
            raise Mismatch(why, expected=expected, got=answer, reading=reading)

    def expect_operands(self, result: Value, operands: Sequence[Value]) -> None:
        """Raise Mismatch unless `_prev` of a new result holds its operands."""
        self._expect_new(result, operands)
        self.expect_same_objects(result.reading("_prev", "refs"), operands)

    def expect_operation(self, result: Value, *accepted: str) -> None:
        """Raise Mismatch unless `_op` of a result contains the operation's sign or name."""
        self.expect_text(
            result.reading("_op", "text"),
            lambda text: any(word in text.lower() for word in accepted),
            accepted[0],
            f'`_op` must be "{accepted[0]}"',
        )

    def expect_topological_order(self, root: Value) -> None:
        """Raise Mismatch unless `build_topo()` lists every node once, operands before results.

        For an engine without `build_topo()`, judge the order in which `backward()` visits nodes.
        """
        reading, order, graph = self._order(root)
        operands = dict(graph)

        def listed() -> str:
            return ", ".join(map(self.name_of, order))

        if len(set(order)) != len(order):
            twice = next(self.name_of(ref) for ref in order if order.count(ref) > 1)
            raise Mismatch(
                f"the order lists `{twice}` more than once",
                expected="every node once",
                got=listed(),
                reading=reading,
            )
        missing = [self.name_of(ref) for ref in (root.ref, *operands) if ref not in order]
        if missing or set(order) - set(operands):
            lacks = f"; `{missing[0]}` is missing" if missing else ""
            raise Mismatch(
                f"the order must list every node of the graph and nothing else{lacks}",
                expected=f"{len(operands)} nodes",
                got=f"{len(order)}: {listed()}" if order else "an empty list",
                reading=reading,
            )
        place = {ref: index for index, ref in enumerate(order)}
        if place[root.ref] == 0:  # results first is the same order in reverse
            place = {ref: -index for ref, index in place.items()}
        for node, children in graph:
            for child in children:
                if place[child] >= place[node]:
                    raise Mismatch(
                        f"`{self.name_of(child)}` must come before `{self.name_of(node)}`, which"
                        " was made from it",
                        expected="operands before results",
                        got=listed(),
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


def is_overwritten(got: object, expected: object) -> bool:
    """Return whether a gradient lacks just what the operand held before."""
    if not isinstance(got, (int, float)) or not isinstance(expected, (int, float)):
        return False
    return oracle.close(got + HELD, expected)


_ADDS = "`_backward` must add to the gradient that is already there, with `+=`"
_ADDS_ADAPTED = (
    "the backward pass must add to the gradient that is already there (if it clears all gradients"
    " first, set `clears = true` in the adapter)"
)
_SIGNS = ("+", "-", "*", "/")


@fixture
def learner(recorder: Recorder) -> Learner:
    """Return the learner's code, which runs in a separate worker."""
    return Learner(recorder)
