"""Describe the steps of both passes in the engine's own order, with the problems of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.judge import oracle
from grader.judge.replies import UnexpectedType
from grader.learner.tracing.graph import Made, is_number, slopes
from grader.learner.tracing.model import Growth, Node, Step
from grader.learner.tracing.observe import Changed, Observation
from grader.learner.tracing.words import fault_text, number, pair, shortened
from grader.model import Kind, Shown
from grader.text import safe
from grader.worker.protocol import Ref

LISTED = 3
FEW = 8  # numbers in one sentence
MAX_STEPS = 1_500


def plain(answer: Any) -> Shown:
    """Return a worker's answer as something to show."""
    if is_number(answer) or answer is None:
        return answer
    if isinstance(answer, UnexpectedType):
        return f"a {safe(answer.type_name, 40)}"
    if isinstance(answer, list) and len(answer) == 1 and isinstance(answer[0], str):
        return f"a {safe(answer[0], 40)}"
    return "not a number"


class Narrator:
    """Describes both passes step by step. `places` are the objects' indices among the nodes."""

    def __init__(self, seen: Observation, made: Mapping[Ref, Made], nodes: Sequence[Node]) -> None:
        self.seen, self.made, self.nodes = seen, made, nodes
        self.places = {thing: index for index, thing in enumerate(made)}
        self.words = seen.circuit.words
        self.root = seen.objects.get(seen.circuit.root) if seen.circuit.root is not None else None
        self.ran: Counter[Ref] = Counter()

    def name(self, thing: Ref | None) -> str:
        """Return a node as a sentence names it."""
        made = self.made.get(thing) if thing is not None else None
        return f"`{shortened(made.label if made else 'a node that is not in the graph')}`"

    # --- forwards ---

    def forward(self) -> Iterator[Step]:
        """Yield a step for the inputs, then one for each operation."""
        leaves = [thing for thing, node in self.made.items() if node.is_leaf]
        inputs = [
            f"{self.name(thing)} = {number(self._node(thing).value)}"
            for thing in leaves
            if self.made[thing].script is not None
        ]
        text = f"Inputs: {_listed(inputs, FEW)}." if inputs else "The forward pass begins."
        held = [
            f"{self.name(self.seen.objects[ref])} = {number(gradient)}"
            for ref, gradient in self.seen.circuit.held.items()
            if ref in self.seen.objects
        ]
        if held:
            text += f" Gradients before the pass: {', '.join(held[:FEW])}."
        problems = tuple(problem for thing in leaves for problem in self._wrong(thing))
        places = tuple(self.places[thing] for thing in leaves)
        yield Step("begin", text, values=places, problems=problems)
        for thing, made in self.made.items():
            if not made.is_leaf:
                text = f"{self.name(thing)} is computed: {number(self._node(thing).value)}."
                place = self.places[thing]
                yield Step("forward", text, place, (place,), (), (*self._wrong(thing),))

    def _wrong(self, thing: Ref) -> Iterator[str]:
        """Yield the faults of a node's value and of the operands that it records."""
        node, made = self._node(thing), self.made[thing]
        if node.wrong_value and node.right_value is not None:
            got, right = pair(node.value, node.right_value)
            yield f"{self.name(thing)} is {got}; it should be {right}."
        if made.is_leaf:
            return
        if made.lost and self.root != thing:
            yield f"The result does not record {self.name(thing)}, so no backward pass reaches it."
        elif made.unrecorded:
            names = " and ".join(map(self.name, made.unrecorded))
            yield f"{self.name(thing)} does not record {names} in `{self.words.operands}`."

    # --- backwards ---

    def backward(self) -> Iterator[Step]:
        """Yield the steps in the engine's order, beginning with the first gradient set."""
        seen = self.seen
        if self.root is None:
            return
        if seen.watched:
            yield self._seed(self.root)
            yield from self._runs()
        elif seen.fault is None:
            changes = [
                Changed(thing, seen.begun.get(thing), gradient, -1, 0)
                for thing, gradient in seen.gradients.items()
            ]
            text = (
                f"`{self.words.backward}()` has run. The nodes of this engine have no"
                f" `{self.words.step}` to watch, so its individual steps are unknown."
            )
            yield Step("other", text, growths=self._growths(changes))
        yield self._end() if seen.fault is None and not seen.endless else self._stopped()

    def _seed(self, root: Ref) -> Step:
        want = 1.0 if self.seen.circuit.upstream is None else self.seen.circuit.upstream
        changes = [change for change in self.seen.changes if change.during < 0 and change.at == 0]
        last = {change.node: change.after for change in changes}
        held = last.get(root, self.seen.begun.get(root))
        text = (
            f"The backward pass begins: the gradient of {self.name(root)} is {number(plain(held))}."
        )
        problems = []
        if not (is_number(held) and oracle.close(held, want)):
            problems.append(f"It must be {number(want)} before anything else runs.")
        problems += [
            f"{self.name(change.node)} gets {number(plain(change.after))} although no step has run."
            for change in changes
            if change.node != root and is_number(change.after) and change.after != 0
        ][:LISTED]
        growths = self._growths(changes)
        return Step("seed", text, self.places.get(root), (), growths, tuple(problems))

    def _runs(self) -> Iterator[Step]:
        during = defaultdict[int, list[Changed]](list)
        before = defaultdict[int, list[Changed]](
            list
        )  # before this call, but after the previous one
        for change in self.seen.changes:
            (before[change.at] if change.during < 0 else during[change.during]).append(change)
        for index, (thing, held) in enumerate(self.seen.calls):
            changes = during[index]
            self.ran[thing] += 1
            broken = self.seen.fault is not None and index == len(self.seen.calls) - 1
            if thing in self.made and (changes or not self.made[thing].is_leaf):
                yield self._run(thing, plain(held), changes, broken=broken)
            if index + 1 in before:
                text = f"Between two steps, `{self.words.backward}` itself changes gradients."
                yield Step("other", text, growths=self._growths(before[index + 1]))

    def _run(self, thing: Ref, held: Shown, changes: Sequence[Changed], *, broken: bool) -> Step:
        again = f" again (run {self.ran[thing]})" if self.ran[thing] > 1 else ""
        text = (
            f"{self.name(thing)} runs its `{self.words.step}`{again}. Its gradient is"
            f" {number(held)}."
        )
        merged: dict[Ref, Changed] = {}
        for change in changes:
            before = merged.get(change.node, change).before
            merged[change.node] = change._replace(before=before)
        growths, problems = [], list(self._too_early(thing, held))
        if self.ran[thing] > 1:
            problems.append("It has run before. Each node must run once.")
        found = {} if broken else slopes(self.made[thing], self.seen.values)
        for operand in dict.fromkeys(self.made[thing].operands):
            growth = self._share(operand, merged.pop(operand, None), found.get(operand, []), held)
            growths.append(growth)
            problems += self._wrong_share(thing, operand, growth)
        growths += self._growths([*merged.values()])
        problems += [
            f"{self.name(other)} changes, but it is not an operand of {self.name(thing)}."
            for other in merged
            if other in self.places and other != thing
        ]
        return Step("run", text, self.places[thing], (), tuple(growths), tuple(problems))

    def _too_early(self, thing: Ref, held: Shown) -> Iterator[str]:
        want = self._node(thing).right_gradient
        if want is None or not is_number(held) or self.ran[thing] > 1 or oracle.close(held, want):
            return
        late = [
            user
            for user, node in self.made.items()
            if thing in node.operands and not self.ran[user] and user != thing and not node.lost
        ]
        got, right = pair(held, want)
        if late:
            names = _listed([*map(self.name, late)], LISTED)
            yield (
                f"Too early: its gradient is still {got} and should be {right}."
                f" {names} must run first."
            )
        else:
            yield f"Its gradient is {got} here; it should be {right}."

    def _share(
        self, operand: Ref, change: Changed | None, found: Sequence[float], held: Shown
    ) -> Growth:
        before = plain(change.before) if change is not None else self._now(operand)
        after = plain(change.after) if change is not None else before
        upstream = float(held) if is_number(held) else None
        growth = Growth(self.places[operand], before, after, tuple(found), upstream)
        judged = self.made[operand].script is not None or not self.made[operand].is_leaf
        if not judged or growth.right is None:
            return growth
        return replace(growth, wrong=not (is_number(after) and oracle.close(after, growth.right)))

    def _wrong_share(self, thing: Ref, operand: Ref, growth: Growth) -> Iterator[str]:
        if not growth.wrong or growth.right is None or growth.share is None:
            return
        got, right = pair(growth.after, growth.right)
        text = f"The gradient of {self.name(operand)} is now {got}; it should be {right}."
        if operand in self.made[thing].unrecorded or growth.after == growth.before:
            text += " Nothing arrived."
        elif growth.before and is_number(growth.after) and oracle.close(growth.after, growth.share):
            text += f" The {number(growth.before)} that was there is lost. Add to it with `+=`."
        yield text

    def _now(self, thing: Ref) -> Shown:
        """Return the gradient of a node that does not change in this step.

        That is the value after its last change.
        """
        done, held = sum(self.ran.values()), self.seen.begun.get(thing)
        for change in self.seen.changes:
            if change.node == thing and change.at <= done:
                held = change.after
        return plain(held)

    def _growths(self, changes: Sequence[Changed]) -> tuple[Growth, ...]:
        return tuple(
            Growth(self.places[change.node], plain(change.before), plain(change.after))
            for change in changes
            if change.node in self.places
        )

    # --- the end ---

    def _stopped(self) -> Step:
        calls, fault, step = self.seen.calls, self.seen.fault, self.words.step
        if fault is None:
            endless = "It does not end. Does it visit a node again on every path?"
            text = f"Stopped after {len(calls)} calls of `{step}`."
            return Step("stopped", text, problems=(endless,))
        problem = fault_text(fault, f"{self.words.backward}()")
        if fault.stub and fault.kind is Kind.RAISED:
            return Step("stopped", problem)
        if not calls:
            text = "The backward pass does not finish."
            return Step("stopped", text, problems=(problem,))
        last = calls[-1][0]
        text = f"The backward pass stops here, in the `{step}` of {self.name(last)}."
        return Step("stopped", text, self.places.get(last), problems=(problem,))

    def _end(self) -> Step:
        wrong = [node for node in self.nodes if node.wrong_gradient]
        known = [node for node in self.nodes if node.right_gradient is not None]
        never = [
            thing
            for thing, node in self.made.items()
            if self.seen.watched and not node.is_leaf and not self.ran[thing] and not node.lost
        ]
        problems = [
            f"{self.name(thing)} never ran its `{self.words.step}`."
            for thing in reversed(never[-LISTED:])
        ]
        for node in wrong[:LISTED]:
            got, right = pair(node.gradient, node.right_gradient or 0.0)
            problems.append(
                f"The gradient of `{shortened(node.label)}` is {got}; it should be {right}."
            )
        if len(wrong) > LISTED:
            problems.append(f"And {len(wrong) - LISTED} more.")
        text = f"The end: all {len(known)} gradients are right."
        if wrong:
            verb = "is" if len(wrong) == 1 else "are"
            text = f"The end: {len(wrong)} of {len(known)} gradients {verb} wrong."
        return Step("end", text, problems=tuple(problems))

    def _node(self, thing: Ref) -> Node:
        return self.nodes[self.places[thing]]


def _listed(texts: Sequence[str], most: int) -> str:
    """Return the first texts, and how many more there are."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more
