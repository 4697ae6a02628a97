"""Checks on the whole backward pass: `backward()` on chosen, drawn and random graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from values import Engine, Value, confirm

from grader.suite import Expected, Form, Program, Step, oracle, programs

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
EXAMPLES = 100
TOGETHER = 10
AT_ONCE = 4  # graphs in one message: together they are smaller than the longest chain


class BackwardChecks(Engine):
    """Checks on every number and gradient after `backward()`."""

    def graph(self, text: str) -> tuple[Value, ...]:
        """Record a graph such as `a = 2.0; s = a * 3; f = s * s`, and return its named nodes."""
        nodes: dict[str, Value] = {}
        for line in text.split("; "):
            name, _, source = line.partition(" = ")
            made = eval(source, {"repeat": self.repeat}, nodes)  # noqa: S307 - text from the suite
            is_node = isinstance(made, Value)
            nodes[name] = self.named(name, made) if is_node else self.value(made, name)
        return tuple(nodes.values())

    def check_graphs(self, *texts: str, times: int = 2) -> None:
        """Record each graph, run `backward()` and expect every number and gradient, again and again
        with new objects, every other time with `+` and `*` mirrored.
        """
        for text in texts:
            self._check_graph(text, times)

    def _check_graph(self, text: str, times: int) -> None:
        mirrored = self.recorder.mirror

        def check(mirrors: Sequence[bool]) -> None:
            graphs = []
            for self.recorder.mirror in mirrors:
                graphs.append(self._passed(text))
            self.recorder.mirror = mirrored
            self._expect_passed(graphs)

        def apart(mirrors: Sequence[bool]) -> None:
            for mirror in mirrors:
                check([mirror])
                self.recorder.restart()

        mirrors = [mirrored, not mirrored] * times
        for at in range(0, len(mirrors), AT_ONCE):
            some = mirrors[at : at + AT_ONCE]
            self.recorder.at_once(partial(check, some), partial(apart, some))

    def _passed(self, text: str) -> tuple[Sequence[Step], Value]:
        """Record a graph and its `backward()`. Return the steps that build it, and its root."""
        before = len(self.steps)
        root = self.graph(text)[-1]
        steps = self.steps[before:]
        root.backward()
        return steps, root

    def _expect_passed(self, graphs: Sequence[tuple[Sequence[Step], Value]]) -> None:
        """Expect the correct number and gradient of every node of these graphs, in one message."""

        def write() -> list[Expected]:
            return [expected for steps, root in graphs for expected in self._after(steps, root)]

        self.expect_prepared(("backward", self.script), write)

    def _after(self, steps: Sequence[Step], root: Value) -> list[Expected]:
        """Return the expected readings of every node after the backward pass from a root."""
        values = oracle.evaluate(steps)
        slopes = oracle.gradients(steps, root.ref, list(values))
        nodes = [Value(self.recorder, ref) for ref in values]
        return [Expected(node.data, values[node.ref]) for node in nodes] + [
            Expected(node.grad, slopes[node.ref], partial(confirm, steps, root.ref, node.ref))
            for node in reversed(nodes)
        ]

    def check_programs(self, drawn: Sequence[Program]) -> None:
        """Check the backward pass of drawn programs, all in one message."""
        self.recorder.restart()
        self.expect_prepared(("programs", *drawn), partial(self._backward_of_all, drawn))

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
            Expected(nodes[ref].grad, slope, partial(confirm, program.steps, program.root, ref))
            for ref, slope in reversed(slopes.items())
        ]

    def check_inside(self, *written: str, quota: int = 13) -> None:
        """For every form, check a quota of graphs `(form * c) op u`, where the form takes the
        intermediate `u` as one or all of its operands, and the sum of three nodes of the form.
        """
        self._check_drawn("inside", programs.inside, written, quota)
        self._check_drawn("twice", programs.twice, written, 1)

    def check_reuse(self, *written: str, quota: int = 12) -> None:
        """For every form, check a quota of graphs that use its operand, a leaf, before, in and
        after it.
        """
        self._check_drawn("reuse", programs.reuse, written, quota)

    def _check_drawn(
        self, name: str, draw: Callable[..., Program], written: Sequence[str], quota: int
    ) -> None:
        for form in self.forms(*written):

            def write(form: Form = form) -> list[Expected]:
                source = programs.choices(self.recorder.seed, f"{name} {form.op}{form.operands}")
                return self._backward_of_all(
                    [draw("Value", form, source.choice) for _ in range(quota)]
                )

            self.expect_prepared((name, form, quota), write)
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
