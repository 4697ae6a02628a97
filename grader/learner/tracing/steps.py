"""Describe the steps of both passes in the engine's own order, with the problems of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.judge.plain_values import is_close, shown_as
from grader.learner.tracing.model import Growth, Node, Number, Step
from grader.learner.tracing.observe import Observation
from grader.learner.tracing.words import fault_text, number, pair, shortened
from grader.model import Fault, Kind, Shown
from grader.worker.protocol import Ref

LISTED = 3
FEW = 8  # numbers in one sentence


class Narrator:
    """Describes both passes step by step. `places` are the objects' indices among the nodes."""

    def __init__(self, seen: Observation, nodes: Mapping[Ref, Node]) -> None:
        self.seen, self.nodes, self.words = seen, [*nodes.values()], seen.circuit.words
        self.places = {thing: place for place, thing in enumerate(nodes)}
        self.now = {place: shown_as(seen.begun.get(thing)) for thing, place in self.places.items()}
        self.ran: Counter[int] = Counter()

    def name(self, place: int) -> str:
        """Return a node as a sentence names it."""
        return f"`{shortened(self.nodes[place].label)}`"

    def _names(self, places: Sequence[int]) -> str:
        return _listed([*map(self.name, places)])

    def steps(self) -> list[Step]:
        """Return the steps of both passes."""
        return [*self._forward(), *self._backward()]

    # --- forwards ---

    def _forward(self) -> Iterator[Step]:
        """Yield a step for the inputs, then one for each operation."""
        leaves = [place for place, node in enumerate(self.nodes) if node.role != "operation"]
        inputs = {
            place: self.nodes[place].value.got
            for place in leaves
            if self.nodes[place].role == "leaf"
        }
        held = {
            self.places[self.seen.objects[ref]]: gradient
            for ref, gradient in self.seen.circuit.held.items()
        }
        text = f"Inputs: {self._numbers(inputs)}." if inputs else "The forward pass begins."
        text += f" Gradients before the pass: {self._numbers(held)}." if held else ""
        problems = [problem for place in leaves for problem in self._wrong(place)]
        yield Step("begin", text, problems=tuple(problems))
        for place, node in enumerate(self.nodes):
            if node.role == "operation":
                text = f"{self.name(place)} is computed: {number(node.value.got)}."
                yield Step("forward", text, place, (), tuple(self._wrong(place)))

    def _numbers(self, held: Mapping[int, Shown]) -> str:
        return _listed([f"{self.name(place)} = {number(value)}" for place, value in held.items()])

    def _wrong(self, place: int) -> Iterator[str]:
        """Yield the faults of a node's value and of the operands that it records."""
        node = self.nodes[place]
        if node.value.wrong:
            got, right = pair(node.value)
            yield f"{self.name(place)} is {got}; it should be {right}."
        if node.unrecorded:
            names = self._names(node.unrecorded)
            yield f"{self.name(place)} does not record {names} in `{self.words.operands}`."

    # --- backwards ---

    def _backward(self) -> Iterator[Step]:
        """Yield the steps in the engine's order, beginning with the first gradient set."""
        seen = self.seen
        if seen.circuit.root is None:
            return
        if seen.watched:
            yield self._seed(self.places[seen.objects[seen.circuit.root]])
            yield from self._runs()
        elif seen.fault is None:
            text = (
                f"`{self.words.backward}()` has run. This engine does not work node by node with"
                f" `{self.words.step}`, so its individual steps are unknown."
            )
            yield Step("other", text, growths=tuple(self._grow(seen.gradients.items()).values()))
        yield self._end() if seen.fault is None else self._stopped(seen.fault)

    def _grow(self, changes: Iterable[tuple[Ref, Any]]) -> dict[int, Growth]:
        """Update the gradients. Return each node's growth."""
        before, grown = {**self.now}, {}
        for thing, after in changes:
            place = self.places.get(thing)
            if place is not None:
                self.now[place] = shown_as(after)
                grown[place] = Growth(place, before[place], self.now[place])
        return grown

    def _seed(self, root: int) -> Step:
        grown = self._grow(self.seen.between.get(0, ()))
        held = self.now[root]
        text = f"The backward pass begins: the gradient of {self.name(root)} is {number(held)}."
        return Step("seed", text, root, growths=tuple(grown.values()))

    def _runs(self) -> Iterator[Step]:
        for index, (thing, held) in enumerate(self.seen.calls):
            place = self.places.get(thing)
            changes = self.seen.during.get(index, ())
            if place is not None and (changes or self.nodes[place].role == "operation"):
                yield self._run(place, shown_as(held), changes)
            if grown := self._grow(self.seen.between.get(index + 1, ())):
                text = f"Between two steps, `{self.words.backward}` itself changes gradients."
                yield Step("other", text, growths=tuple(grown.values()))

    def _run(self, place: int, held: Shown, changes: Sequence[tuple[Ref, Any]]) -> Step:
        node = self.nodes[place]
        self.ran[place] += 1
        again = f" again (run {self.ran[place]})" if self.ran[place] > 1 else ""
        text = (
            f"{self.name(place)} runs its `{self.words.step}`{again}. Its gradient is"
            f" {number(held)}."
        )
        problems = ["It has run before. Each node must run once."] if again else []
        problems += [] if again else self._too_early(place, held)
        upstream = float(held) if isinstance(held, (int, float)) else None
        others = self._grow(changes)
        shares = [
            replace(
                others.pop(operand, Growth(operand, self.now[operand], self.now[operand])),
                slopes=() if self._is_last(place) else node.slopes.get(operand, ()),
                upstream=upstream,
            )
            for operand in dict.fromkeys(node.operands)
        ]
        problems += [problem for growth in shares for problem in self._wrong_share(growth)]
        problems += [
            f"{self.name(other)} changes, but it is not an operand of {self.name(place)}."
            for other in others
            if other != place
        ]
        return Step("run", text, place, (*shares, *others.values()), tuple(problems))

    def _is_last(self, place: int) -> bool:
        """Return whether this call was interrupted by an exception."""
        return self.seen.fault is not None and place == self.places.get(self.seen.calls[-1][0])

    def _too_early(self, place: int, held: Shown) -> Iterator[str]:
        gradient = Number(held, self.nodes[place].gradient.right)
        if not gradient.wrong:
            return
        got, right = pair(gradient)
        late = [
            user
            for user, node in enumerate(self.nodes)
            if place in node.operands and not self.ran[user]
        ]
        if late:
            yield (
                f"Too early: its gradient is still {got} and should be {right}."
                f" {self._names(late)} must run first."
            )
        else:
            yield f"Its gradient is {got} here; it should be {right}."

    def _wrong_share(self, growth: Growth) -> Iterator[str]:
        if growth.gradient.wrong and growth.share is not None:
            got, right = pair(growth.gradient)
            text = f"The gradient of {self.name(growth.node)} is now {got}; it should be {right}."
            if growth.before and is_close(growth.after, growth.share):
                text += f" The {number(growth.before)} that was there is lost. Add to it with `+=`."
            yield text

    # --- the end ---

    def _stopped(self, fault: Fault) -> Step:
        problem = fault_text(fault, f"{self.words.backward}()")
        if fault.stub and fault.kind is Kind.RAISED:
            return Step("stopped", problem)
        last = self.places.get(self.seen.calls[-1][0]) if self.seen.calls else None
        text = "The backward pass does not finish."
        if last is not None:
            text = f"The backward pass stops here, in the `{self.words.step}` of {self.name(last)}."
        return Step("stopped", text, last, problems=(problem,))

    def _end(self) -> Step:
        known = [node for node in self.nodes if node.gradient.right is not None]
        wrong = [node for node in known if node.gradient.wrong]
        problems = [
            f"{self.name(place)} never ran its `{self.words.step}`."
            for place, node in enumerate(self.nodes)
            if self.seen.watched and node.role == "operation" and not self.ran[place]
        ][:LISTED]
        for node in wrong[:LISTED]:
            got, right = pair(node.gradient)
            problems.append(
                f"The gradient of `{shortened(node.label)}` is {got}; it should be {right}."
            )
        text = f"The end: all {len(known)} gradients are right."
        if wrong:
            verb = "is" if len(wrong) == 1 else "are"
            text = f"The end: {len(wrong)} of {len(known)} gradients {verb} wrong."
        return Step("end", text, problems=tuple(problems))


def _listed(texts: Sequence[str]) -> str:
    """Return the first texts, and how many more there are."""
    return ", ".join(texts[:FEW]) + (f" and {len(texts) - FEW} more" if len(texts) > FEW else "")
