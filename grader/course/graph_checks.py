"""Checks on the graph that a learner's engine records: its nodes, their operands and order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from values import Engine, Value

from grader.suite import Kind, Mismatch, Reading, Ref, Symbol, UnexpectedType, kind_of


class GraphChecks(Engine):
    """Checks on `_prev`, `_op` and `build_topo()`."""

    def expect_reached(self, result: Value, operands: Sequence[Value]) -> None:
        """Raise Mismatch if an operand is not in the result's graph: no gradient would reach it."""
        self.expect_new(result, operands)
        if not self.is_adapted:
            self.expect_in_graph(result, operands)

    def expect_in_graph(self, result: Symbol, operands: Sequence[Symbol]) -> None:
        """Raise Mismatch if `_prev` does not lead from the result to an operand."""
        (nodes,) = self.recorder.run([result.reading("_prev", "graph")])
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

    def works(self, *results: Value) -> None:
        """Fail unless these are nodes, because only working code can refuse. Begin a new script."""
        self.read([result.data for result in results])
        self.fresh()

    def expect_new(self, result: Value, operands: Sequence[Value]) -> None:
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

    def expect_same_objects(self, reading: Reading, wanted: Sequence[Symbol]) -> None:
        """Raise Mismatch unless a collection holds exactly these objects, in any order, each at
        least once.
        """
        refs = self.refs(reading)
        if set(refs) != {node.ref for node in wanted}:
            names = self.names_of(node.ref for node in wanted)
            got = self.names_of(sorted(set(refs)))
            raise Mismatch(
                f"`{self.recorder.describe(reading)}` must hold {names or 'nothing'}",
                expected=f"{{{names}}}",
                got=f"{{{got}}}",
                reading=reading,
            )

    def refs(self, reading: Reading) -> list[Ref]:
        """Return the objects in a collection; raise Mismatch unless it is one of Values."""
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
        """Raise Mismatch unless the reading is a text that `accept` accepts."""
        (answer,) = self.recorder.run([reading])
        is_text = isinstance(answer, str)
        if not is_text or not accept(str(answer)):
            raise Mismatch(
                why,
                kind=Kind.WRONG_VALUE if is_text else Kind.BAD_TYPE,
                expected=expected if is_text else f'"{expected}"',
                got=str(answer) if is_text else kind_of(answer),
                reading=reading,
            )

    def expect_operands(self, result: Value, operands: Sequence[Value]) -> None:
        """Raise Mismatch unless `_prev` of a new result holds its operands."""
        self.expect_new(result, operands)
        self.expect_same_objects(result.reading("_prev", "refs"), operands)

    def check_recorded(self, apply: Callable[[Value, Value], Value], *accepted: str) -> None:
        """Check that two results in a row know their operands, and the first its operation."""
        a, b, d = self.values(a=2.0, b=3.0, d=-1.5)
        c = self.named("c", apply(a, b))
        self.expect_operands(c, [a, b])
        self.expect_operation(c, *accepted)
        self.expect_operands(self.named("e", apply(c, d)), [c, d])

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

        For an engine without `build_topo()`, judge the order of the visits in `backward()`.
        """
        reading, order, graph = self._order(root)
        operands = dict(graph)
        if len(set(order)) != len(order):
            twice = min(ref for ref in order if order.count(ref) > 1)
            raise Mismatch(
                f"the order lists `{self.name_of(twice)}` more than once",
                expected="every node once",
                got=f"{len(order)} entries for {len(set(order))} nodes",
                reading=reading,
            )
        missing = [self.name_of(ref) for ref in sorted({root.ref, *operands}.difference(order))]
        if missing or set(order) - set(operands):
            lacks = f"; `{missing[0]}` is missing" if missing else ""
            raise Mismatch(
                f"the order must list every node of the graph and nothing else{lacks}",
                expected=f"{len(operands)} nodes",
                got=f"{len(order)}" if order else "an empty list",
                reading=reading,
            )
        place = {ref: index for index, ref in enumerate(order)}
        is_written = self.has("Value.build_topo")
        if not is_written and place[root.ref] == 0:  # `backward()` visits results first
            place = {ref: -index for ref, index in place.items()}
        wrong = [
            (child, node)
            for node, children in graph
            for child in children
            if place[child] >= place[node]
        ]
        if wrong:  # the same one every time, as far as the order of a set allows
            child, node = map(self.name_of, min(wrong))
            raise Mismatch(
                f"`{child}` must come before `{node}`, which was made from it",
                expected="operands before results",
                got=f"{node} before {child}",
                reading=reading,
            )
        if is_written:  # a generator has no length
            self.value(0.0).call("build_topo")
            why = "every call of `build_topo()` must return a new list"
            length = self.builtin("len", reading.on).reading("")
            self.expect(length, len(order), f"{why}; another call changed this one")
            again = self.named("again", self.symbol(root.call("build_topo")))
            first, second = self.read([replace(reading, form="ref"), again.reading("", "ref")])
            if first == second:
                kept = Mismatch(
                    why,
                    expected="a new list",
                    got="the same list",
                    reading=again.reading("", "value"),
                    printed="{} is order",
                )
                kept.explained = True
                raise kept

    def _order(self, root: Value) -> tuple[Reading, list[Ref], list[tuple[Ref, list[Ref]]]]:
        graph = root.reading("_prev", "graph")
        if self.has("Value.build_topo"):
            root.call("build_topo")  # must not leave anything behind for the second call
            order = self.named("order", self.symbol(root.call("build_topo")))
            reading = order.reading("", "refs")
        else:
            watched = self.watch(root, "_prev", "_backward", "backward", "grad")
            reading = watched.reading("nodes", "refs")
        refs = self.refs(reading)
        (nodes,) = self.read([graph])
        return reading, refs, nodes  # type: ignore[return-value]
