"""Run the judge's steps, which `judge/script/steps.py` describes: a method for each."""

from __future__ import annotations

import builtins
import operator
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from . import answers, bounds, pass_trace, protocol
from .bounds import MAX_ITEMS
from .protocol import FIRST_FOUND, Wire

Results: TypeAlias = list[Wire]
Ref: TypeAlias = dict[str, int]  # in a request: {"ref": its number}

MAX_CALLS = 20  # of one method, per watched object
MODULES = sys.modules  # the interpreter's own, whatever the learner's code does to `sys`

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "@": operator.matmul,
    "neg": operator.neg,
    **{name: vars(builtins)[name] for name in bounds.BUILTINS},
}


def seed_random(seed: int) -> None:
    """Let Python's and numpy's generators draw the same numbers after each call."""
    for name in ("random", "numpy.random"):
        choose: Any = getattr(MODULES.get(name), "seed", None)
        if hasattr(choose, "__self__"):  # a function in a learner's own random.py is not a method
            choose(seed)


class Script:
    """The learner's module and the objects that the steps have made."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.objects: dict[int, Any] = {}
        self.known: dict[int, int] = {}
        self.found = FIRST_FOUND
        self.at = 0

    def forget(self) -> None:
        """Drop all objects."""
        self.objects, self.known, self.found = {}, {}, FIRST_FOUND

    def run(self, steps: list[list[Any]]) -> Results:
        """Run the steps in order and return their answers."""
        results: Results = []
        for self.at, (kind, *fields) in enumerate(steps):
            DO[kind](self, results, *fields)
        return results

    def keep(self, target: Ref, thing: object) -> None:
        """Store an object under a number."""
        number = target["ref"]
        self.objects[number] = thing
        self.known[id(thing)] = number

    def ref(self, thing: object) -> Wire:
        """Return an object's number, giving it a new one if it has none."""
        if id(thing) not in self.known:
            self.found += 1
            self.keep({"ref": self.found}, thing)
        return protocol.Ref(self.known[id(thing)])

    def value(self, operand: Any) -> Any:
        """Replace references with objects, in lists too. Return anything else unchanged."""
        if type(operand) is dict:
            return self.objects[operand["ref"]]
        if type(operand) is list:
            return [self.value(item) for item in operand]
        return operand

    def do_make(
        self, _: Results, target: Ref, function: str, args: list[Any], named: list[Any]
    ) -> None:
        module, _sign, path = (
            function.partition(":") if ":" in function else function.rpartition(".")
        )
        owner = MODULES.get(module) if module else self.module
        if owner is None:  # the module itself, not the package that contains it
            owner = __import__(module, None, None, ("__name__",))
        self.keep(
            target,
            follow(owner, path)(
                *[self.value(arg) for arg in args], **{name: self.value(arg) for name, arg in named}
            ),
        )

    def do_apply(self, _: Results, target: Ref, function: str, args: list[Any]) -> None:
        self.keep(target, FUNCTIONS[function](*[self.value(arg) for arg in args]))

    do_builtin = do_apply

    def do_call(
        self, _: Results, target: Ref, on: Ref, method: str, args: list[Any], named: list[Any]
    ) -> None:
        self.keep(
            target,
            getattr(self.value(on), method)(
                *[self.value(arg) for arg in args], **{name: self.value(arg) for name, arg in named}
            ),
        )

    def do_get(self, _: Results, target: Ref, on: Ref, attribute: str) -> None:
        self.keep(target, follow(self.value(on), attribute))

    def do_put(self, _: Results, on: Ref, attribute: str, value: Any) -> None:
        owner, _dot, last = attribute.rpartition(".")
        setattr(follow(self.value(on), owner), last, self.value(value))

    def do_expression(self, _: Results, target: Ref, source: str) -> None:
        self.keep(target, eval(source, self.module.__dict__))  # noqa: S307 - the judge wrote it, not the learner

    def do_define(self, _: Results, target: Ref, name: str, source: str) -> None:
        space = dict(self.module.__dict__)  # a copy, to leave nothing behind in the module
        exec(source, space)  # noqa: S102 - the judge wrote it, not the learner
        self.keep(target, space[name])

    def do_repeat(
        self, _: Results, target: Ref, count: int, op: str, start: Ref, other: Any
    ) -> None:
        apply, thing, operand = FUNCTIONS[op], self.value(start), self.value(other)
        for _round in range(count):
            thing = apply(thing, thing if other is None else operand)
        self.keep(target, thing)

    def do_watch(
        self,
        _: Results,
        target: Ref,
        on: Ref,
        along: str,
        method: str,
        call: str,
        noted: str,
        also: list[Ref] | None,
        until: list[Ref],
    ) -> None:
        root = self.value(on)
        nodes = answers.topological(root, along)
        if also is None:
            watched = pass_trace.Watched(noted, MAX_CALLS * len(nodes))
        else:
            below = {id(node): node for node in (*nodes, *map(self.value, also))}
            everything = [*below.values()][:MAX_ITEMS]
            looks = pass_trace.MAX_LOOKS // max(1, len(everything))
            most = min(pass_trace.MAX_CALLS, max(2 * len(everything), looks))
            watched = pass_trace.Watched(noted, most, everything, as_kept)
            nodes = [node for node in everything if hasattr(node, method)]
        self.keep(target, watched)  # stored first, because the call may fail
        watched.instrument(nodes, method)
        with suppress(pass_trace.Enough):
            if call:
                getattr(root, call)()
            else:
                self.walk(root, along, method, until)
            watched.settle()

    def do_walk(self, results: Results, on: Ref, along: str, method: str, until: list[Ref]) -> None:
        results.append(self.walk(self.value(on), along, method, until))

    def walk(self, root: object, along: str, method: str, until: list[Ref]) -> int:
        """Call the method on every object below a root, except on and below `until`.

        Return how many.
        """
        ends = {id(node) for ref in until for node in answers.topological(self.value(ref), along)}
        nodes = [node for node in answers.topological(root, along) if id(node) not in ends]
        for node in nodes:
            getattr(node, method)()
        return len(nodes)

    def do_read(self, results: Results, on: Ref, attribute: str, form: str) -> None:
        thing = self.value(on)
        if form == "graph":
            results.append(answers.graph(thing, attribute, self.ref))
            return
        thing = follow(thing, attribute)
        if form == "ref":
            results.append(self.ref(thing))
        elif form == "refs":
            results.append(answers.refs(thing, self.ref))
        else:
            results.append(answers.FORMS[form](thing))


DO: dict[str, Callable[..., None]] = {
    name[3:]: do for name, do in vars(Script).items() if name.startswith("do_")
}


def as_kept(thing: Any) -> Wire:
    """Return a number's current value, because its object may change, or its type in a list."""
    return None if thing is None else answers.number(thing)


def follow(thing: Any, path: str) -> Any:
    """Follow a path such as `layers[0].w[2].data` or `a.grad()`. An empty path returns the thing
    itself.
    """
    if path.isidentifier():  # most are
        return getattr(thing, path)
    for word in path.replace("]", "").replace("[", ".").split("."):
        if word:
            name = word.removesuffix("()")
            thing = thing[int(word)] if word.isdigit() else getattr(thing, name)
            thing = thing if name == word else thing()
    return thing
