"""Find out what a pass does to earlier gradients, and which ones are not cleared."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from grader.judge.diagnosis.bench import PASS, Bench, Observation, alike
from grader.judge.diagnosis.evidence import Questions
from grader.judge.diagnosis.walks import TWO_PATHS, Graph
from grader.judge.script.steps import Call, Put
from grader.worker.protocol import UNUSED, Ref

_HELD = 0.25
_BEFORE = [_HELD] * len(TWO_PATHS.nodes)
_ROOT, _INNER = TWO_PATHS.root, TWO_PATHS.inner
_BELOW = TWO_PATHS.all - {_ROOT}
_LEAVES = TWO_PATHS.all - _INNER
_DIRECT = set(TWO_PATHS.operands[_ROOT])
_REPLACED = {
    "all earlier gradients": _BELOW,
    "the earlier gradients of leaves": _LEAVES,
    "the earlier gradients of intermediate results": _BELOW & _INNER,
}
_CLEARED = {
    "clears only the leaves": _LEAVES,
    "clears everything but the leaves": _INNER,
    "clears only the node that it is called on": {_ROOT},
    "clears everything but the node that it is called on": _BELOW,
    "clears only that node and its direct operands": _DIRECT | {_ROOT},
    "clears only the direct operands of that node": _DIRECT,
    "follows only the first of two operands": TWO_PATHS.along(slice(0, 1)),
    "follows only the last of two operands": TWO_PATHS.along(slice(1, 2)),
    "clears nothing": set[int](),
}


def of_later(bench: Bench) -> Observation:
    """Return what a pass does to the gradients that are there, or a second pass leaves out."""
    backward = bench.words.backward
    after, _ = _after(bench, passes=1)
    for name, some in _REPLACED.items():
        if alike(after, _summed(_BEFORE, cleared=some)):
            why = f"the pass replaces {name}; it must add to them"
            line = bench.set_line(min(some), bench.calling(backward), outermost=True)
            return Observation(why, line)
    first = _summed(_BEFORE)
    if not alike(after, first):
        return Observation()
    twice, calls = _after(bench, passes=2)
    if alike(twice, _summed(first)):
        return _of_second_result(bench)
    if _is_taken_apart(bench):
        return Observation("after the first pass, the result no longer has any operands")
    again = _INNER & set(calls)
    if not again:
        return Observation(
            "a second pass over the same graph runs no step at all", bench.step_line()
        )
    if len(again) < len(_INNER):
        why = f"a second pass over the same graph runs only {len(again)} of its {len(_INNER)} steps"
        return Observation(why, bench.walk_line(bench.calling(backward)))
    if alike(twice, first):
        why = "a second pass over the same graph calls the steps, but they send nothing"
        return Observation(why, bench.inside_step())
    return Observation()


def of_clearing(bench: Bench, method: str) -> Observation:
    """Return which gradients a method sets to 0, if it should do so with all."""
    asked = Questions(bench.calling(method)[:-1])
    asked.do(*[Put(Ref(node), bench.words.gradient, _HELD) for node in TWO_PATHS.all])
    asked.do(Call(UNUSED, Ref(_ROOT), method, []))
    got = _gradients(bench, asked)[0]
    fits = [
        why
        for why, some in _CLEARED.items()
        if alike(got, [0.0 if node in some else _HELD for node in sorted(TWO_PATHS.all)])
    ]
    if len(fits) != 1:
        return Observation()
    steps = bench.calling(method)
    lines = (bench.set_line(node, steps) for node in sorted(_CLEARED[fits[0]]))
    return Observation(f"`{method}()` {fits[0]}", next(filter(None, lines), None))


def _gradients(bench: Bench, asked: Questions) -> tuple[list[Any], list[int]]:
    """Return all gradients at the end of a script, and the calls of its pass if it has one."""
    for node in TWO_PATHS.all:
        asked.ask(node, Ref(node), bench.words.gradient)
    answers, reply = asked.answers(bench.run)
    if reply.fault is not None:
        return [], []
    calls = [int(ref) for ref in answers.get("calls", ())]
    return [answers[node] for node in sorted(TWO_PATHS.all)], calls


def _after(bench: Bench, passes: int) -> tuple[list[Any], list[int]]:
    """Return the gradients after some passes over a graph, and the calls of the last."""
    words = bench.words
    asked = Questions(list(bench.built(TWO_PATHS)))
    asked.do(*[Put(Ref(node), words.gradient, held) for node, held in enumerate(_BEFORE)])
    begun = Call(UNUSED, Ref(_ROOT), words.backward, [])
    asked.do(*[begun] * (passes - 1), bench.watch(TWO_PATHS))
    asked.ask("calls", Ref(PASS), "nodes", "refs")
    return _gradients(bench, asked)


def _is_taken_apart(bench: Bench) -> bool:
    """Return whether a pass removes the operands of the result."""
    asked = Questions(bench.calling(bench.words.backward))
    asked.ask("operands", Ref(_ROOT), bench.words.operands, "refs")
    return asked.answers(bench.run)[0].get("operands") == []


def _of_second_result(bench: Bench) -> Observation:
    """Return whether nodes that ran for one result do not run for another one."""
    shared, one, other = 2, 4, 6
    both = Graph(2.0, -5.0, (0, 1), 7.0, (shared, 3), 9.5, (shared, 5))
    backward = bench.words.backward
    asked = Questions([*bench.built(both), Call(UNUSED, Ref(one), backward, [])])
    asked.do(bench.watch(both))
    asked.ask("calls", Ref(PASS), "nodes", "refs")
    calls = asked.answers(bench.run)[0].get("calls", ())
    if Ref(shared) not in calls and Ref(other) in calls:
        why = "a node that ran for one result does not run for the next one"
        return Observation(why, bench.walk_line(bench.calling(backward)))
    return Observation()


def _summed(before: Sequence[float], cleared: Collection[int] = ()) -> list[float]:
    """Return the gradients after a pass that adds to those before, except to the cleared ones."""
    found = [0.0 if node in cleared else held for node, held in enumerate(before)]
    found[_ROOT] = 1.0
    for node in reversed(range(len(found))):
        for operand in TWO_PATHS.operands[node]:
            found[operand] += found[node]
    return found
