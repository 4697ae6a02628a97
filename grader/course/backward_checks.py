"""Checks on the whole backward pass: `backward()` on chosen, drawn and random graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from values import Engine, Value, confirm

from grader.suite import Choose, Expected, Form, Program, Step, for_all, oracle, programs

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
        mirrored = self.recorder.mirror
        for text in texts:
            for mirror in [mirrored, not mirrored] * times:
                self.recorder.mirror = mirror
                root = self.graph(text)[-1]
                self.recorder.mirror, steps = mirrored, self.steps
                root.backward()
                self.expect_all(self._after(steps, root))
                self.recorder.restart()

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
        """Check the backward pass of drawn programs, together if possible."""
        for group in self.together(drawn):
            self.recorder.restart()
            self.expect_all([each for one in group for each in self._backward_of(one)])

    def _backward_of(self, program: Program) -> list[Expected]:
        """Record a program and its `backward()`; return what to expect of every node, results
        first.
        """
        nodes = self.program(program)
        nodes[program.root].backward()
        values = [Expected(nodes[ref].data, value) for ref, value in program.values.items()]
        return values + [
            Expected(nodes[ref].grad, slope, partial(confirm, program.steps, program.root, ref))
            for ref, slope in reversed(program.slopes.items())
        ]

    def check_inside(self, *written: str, quota: int = 13) -> None:
        """For every form, check a quota of graphs `(form * c) op u`, where the form takes the
        intermediate `u` as one or all of its operands, and the sum of three nodes of the form.
        """
        self._check_drawn("inside", programs.inside, written, quota)
        self._check_twice(written)

    def check_reuse(self, *written: str, quota: int = 12) -> None:
        """For every form, check a quota of graphs that use its operand, a leaf, before, in and
        after it.
        """
        self._check_drawn("reuse", programs.reuse, written, quota)

    def _check_drawn(
        self, name: str, draw: Callable[..., Program], written: Sequence[str], quota: int
    ) -> None:
        for form in self.forms(*written):
            source = programs.choices(self.recorder.seed, f"{name} {form.op}{form.operands}")
            examples = partial(_drawn, quota, draw, form, source.choice)
            self.check_programs(self.recorder.kept((name, form, quota), examples))
            self.recorder.restart()

    def check_random_graphs(self, *written: str, examples: int = EXAMPLES) -> None:
        """Check random graphs; shrink one with a wrong number to a small expression. Then check
        what every graph of a seed may lack.
        """
        forms = self.forms(*written)
        for_all(
            partial(programs.graph, "Value", forms),
            self.check_programs,
            self.recorder,
            examples,
            TOGETHER,
            parts=Program.parts,
            key=("graphs", forms),
        )
        self._check_twice(dict.fromkeys(written))

    def _check_twice(self, written: Iterable[str]) -> None:
        for form in self.forms(*written):
            self.check_programs([programs.twice("Value", form)])
            self.recorder.restart()


def _drawn(
    count: int, draw: Callable[..., Program], form: Form, choose: Choose[Any]
) -> list[Program]:
    return [draw("Value", form, choose) for _ in range(count)]
