"""Represent the learner's code in a suite: record steps on it, and compare its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, TypeVar, Union, overload

from grader.judge.expectations import (
    RAISED,
    Expected,
    Mismatch,
    Reading,
    kind_of,
    refuse_unread,
    type_in_words,
)
from grader.judge.failures import LearnerFault
from grader.judge.oracle.programs import Choose
from grader.judge.plain_values import form_for, is_number, is_same, refuse_incomparable, text_of
from grader.judge.properties import for_all
from grader.judge.recorder import Recorder
from grader.judge.replies import Answer
from grader.judge.script.steps import (
    Builtin,
    Define,
    Expression,
    Get,
    Make,
    Operand,
    Repeat,
    Step,
    Walk,
    Watch,
)
from grader.judge.symbols import Symbol, plain
from grader.model import Kind
from grader.worker.bounds import BUILTINS
from grader.worker.protocol import Ref, UnexpectedType

S = TypeVar("S", bound=Symbol)
T = TypeVar("T")
_UNNAMED = "an unnamed object"
_ACCIDENTS = {"NameError", "RecursionError"}
Argument = Union[Operand, Symbol, Sequence[Any]]


class Learner:
    """The learner's code, in a separate process.

    Recording a step runs nothing. All recorded steps run together, in one message, when something
    is read or expected, or with `run()`. A course may define its own class, built from the
    `recorder` of another Learner and nothing else.

    `seed` is the seed of the examples, which makes a report repeatable. `dialect` holds the code's
    names for things, and its operations. `is_adapted` is True for an engine that `grade --adapter`
    describes.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.seed = recorder.seed
        self.dialect = recorder.session.dialect
        self.is_adapted = not self.dialect.asks_form

    @property
    def steps(self) -> list[Step]:
        """Return the steps recorded since the script began.

        The oracle evaluates them as a function.
        """
        return list(self.recorder.steps)

    # --- recording ---

    def fresh(self) -> AbstractContextManager[None]:
        """Begin a new script. Earlier objects are forgotten, and a failure shows only later steps.

        After a `with learner.fresh():` block, another new script begins.
        """
        self.recorder.restart()
        return self._until_the_next()

    @contextmanager
    def _until_the_next(self) -> Iterator[None]:
        yield
        self.recorder.restart()  # not after a failure, because a report shows that script

    def call(self, function: str, *args: Argument, name: str = "") -> Symbol:
        """Record `name = function(*args)`, with a function or class from the learner's file."""
        return self.make(Symbol, function, *args, name=name)

    def make(
        self, kind: type[S], function: str, *args: Argument, name: str = "", **named: Argument
    ) -> S:
        """Like `call`, but return a symbol of `kind`, a Symbol subclass with its own attributes.

        It also takes keyword arguments for the function.
        """
        pairs = [[key, plain(value)] for key, value in named.items()]
        return self.recorder.new(kind, Make, function, plain(args), pairs, name=name)

    @overload
    def symbol(self, ref: Ref) -> Symbol: ...
    @overload
    def symbol(self, ref: Ref, kind: type[S]) -> S: ...
    def symbol(self, ref: Ref, kind: type[Symbol] = Symbol) -> Symbol:
        """Return the symbol of the object with this number."""
        return kind(self.recorder, ref)

    def named(self, name: str, symbol: S) -> S:
        """Set the name of an object in listings for learners. Return its symbol."""
        self.recorder.names[symbol.ref] = name
        return symbol

    @overload
    def get(self, on: Symbol, path: str) -> Symbol: ...
    @overload
    def get(self, on: Symbol, path: str, kind: type[S]) -> S: ...
    def get(self, on: Symbol, path: str, kind: type[Symbol] = Symbol) -> Symbol:
        """Record `on.path`, or `on[...]`."""
        return self.recorder.new(kind, Get, on.ref, path)

    def expression(self, source: str, name: str = "") -> Symbol:
        """Record an expression to use as an argument.

        It may be `lambda x: x * x`, a list to keep, or the name of one of the learner's functions.
        """
        return self.recorder.new(Symbol, Expression, source, name=name)

    def define(self, name: str, source: str) -> Symbol:
        """Record a class or function of the suite, to use as an argument."""
        return self.recorder.new(Symbol, Define, name, source)

    def builtin(self, function: str, *args: Argument) -> Symbol:
        """Record a call of a built-in function. Raise ValueError if it is not among BUILTINS."""
        if function not in BUILTINS:
            raise ValueError(f"builtin() knows {', '.join(BUILTINS)}, and not {function!r}")
        return self.recorder.new(Symbol, Builtin, function, plain(args))

    def total(self, symbols: Sequence[S]) -> S:
        """Record `sum([...])`."""
        return self.recorder.new(type(symbols[0]), Builtin, "sum", [plain(symbols)])

    def repeat(self, count: int, op: str, start: S, other: Symbol | float | None) -> S:
        """Record a loop of `x = x op other`, `count` times. Without `other`, it is `x = x op x`."""
        return self.recorder.new(type(start), Repeat, count, op, start.ref, plain(other))

    def walk(self, on: Symbol, along: str, method: str, until: Sequence[Symbol]) -> None:
        """Record a call of `method` on every object from `on` down to the `until` objects."""
        self.recorder.steps.append(Walk(on.ref, along, method, [symbol.ref for symbol in until]))

    def watch(self, on: Symbol, along: str, step: str, method: str, gradient: str) -> Symbol:
        """Record `on.method()`, noting the order of its calls of `step` on the objects below.

        The result holds them as `nodes`.
        """
        return self.recorder.new(Symbol, Watch, on.ref, along, step, method, gradient)

    # --- reading ---

    def run(self) -> None:
        """Run the recorded steps."""
        self.recorder.run()

    def read(self, readings: Sequence[Reading]) -> list[Answer]:
        """Run the recorded steps and return readings, for comparisons that `expect` cannot make."""
        for reading in readings:
            refuse_unread(reading)
        return self.recorder.run(readings)

    def raised(self) -> LearnerFault | None:
        """Run the recorded steps and return the exception that they raised, or None."""
        try:
            self.run()
        except LearnerFault as raised:
            return raised
        return None

    def wrong_type(self, reading: Reading, why: str, expected: str) -> Mismatch:
        """Return the Mismatch for something of the wrong type, after reading its type."""
        value = replace(reading, form="value")
        name = f"{reading.attribute}.__class__.__name__".removeprefix(".")
        answer, type_name = self.read([value, replace(reading, attribute=name, form="text")])
        return Mismatch(
            why,
            kind=Kind.BAD_TYPE,
            expected=expected,
            got=kind_of(answer, str(type_name)),
            reading=value,
        )

    def name_of(self, ref: Ref) -> str:
        """Return an object as learners see it: `s`, or `s + 1`.

        An object that an operator made internally has no name.
        """
        recorder = self.recorder
        if ref in recorder.names or any(step.target == ref for step in recorder.steps):
            return recorder.expression_of(ref)
        return _UNNAMED

    def names_of(self, refs: Iterable[Ref]) -> str:
        """Return objects as learners see them, in this order, and how many have no name."""
        names = list(map(self.name_of, refs))
        named = [name for name in names if name != _UNNAMED]
        unnamed = len(names) - len(named)
        return ", ".join([*named, *([f"{unnamed} without a name"] if unnamed else [])])

    # --- expecting ---

    def expect(self, reading: Reading, wanted: object, why: str = "") -> None:
        """Raise Mismatch unless the reading gives `wanted`.

        `wanted` may be a number (the tolerance is 1e-6 of 1 + its size), a text, True, False, None,
        or a list of these; a tuple counts as a list. Raise TypeError for anything else.
        """
        self.expect_all([(reading, wanted)], why)

    def expect_all(
        self, wanted: Sequence[Expected | tuple[Reading, object]], why: str = ""
    ) -> None:
        """Raise Mismatch for the first reading that does not give its wanted value.

        If all are numbers, one message reads them all.
        """
        for entry in wanted:
            refuse_unread(entry[0])
        if all(is_number(entry[1]) for entry in wanted):
            self.recorder.expect_all(wanted, why)  # type: ignore[arg-type]
        elif len(wanted) == 1:
            self._expect_value(*wanted[0][:2], why)
        else:
            for entry in wanted:
                self.expect_all([entry], why)

    def _expect_value(self, reading: Reading, wanted: object, why: str) -> None:
        refuse_incomparable(wanted)
        if reading.form == "number":
            reading = replace(reading, form=form_for(wanted))
        (got,) = self.read([reading])
        if is_same(got, wanted):
            return
        what = self.recorder.describe(reading)
        if isinstance(got, UnexpectedType) or type_in_words(got) != type_in_words(wanted):
            raise Mismatch(
                why or f"`{what}` is {type_in_words(got)}; it must be {type_in_words(wanted)}",
                kind=Kind.BAD_TYPE,
                expected=text_of(wanted),
                got=kind_of(got) if isinstance(got, UnexpectedType) else text_of(got),
                reading=reading,
            )
        raise Mismatch(
            why or f"`{what}` is wrong", expected=text_of(wanted), got=text_of(got), reading=reading
        )

    @contextmanager
    def raises(self, *types: type[BaseException] | str, why: str) -> Iterator[None]:
        """Raise Mismatch unless the steps in the block raise one of these exceptions.

        An exception that is not built in is named by a string. Without any, every exception that
        somebody could raise on purpose counts, so not NameError or RecursionError. Earlier steps
        must not raise. If the learner has written nothing, Python itself may raise the exception,
        so first expect something related to work.
        """
        recorder = self.recorder
        before = len(recorder.steps)
        yield
        inside = recorder.steps[before:]
        del recorder.steps[before:]
        self.ask(why)
        self.run()
        recorder.steps += inside
        names = [each if isinstance(each, str) else each.__name__ for each in types]
        if (raised := self.raised()) is not None:
            met = set(raised.fault.types)
            if raised.fault.stub or (not met & set(names) if names else met & _ACCIDENTS):
                raise raised
            recorder.steps = recorder.steps[:-1]
            return
        last = recorder.steps[-1].target
        reading = Reading(last, "", RAISED) if last is not None else None
        raise Mismatch(
            why, expected=" or ".join(names) or "an exception", got="no exception", reading=reading
        )

    # --- many examples ---

    def for_all(
        self, draw: Callable[[Choose[Any]], T], check: Callable[[T], None], examples: int = 100
    ) -> None:
        """Check many examples from `draw`, each in a new script.

        The failure shown is the smallest one found. `draw(choose)` makes an example;
        `choose(options)` picks one item of a sequence, whose first item is the simplest.
        """

        def each(drawn: Sequence[T]) -> None:
            for example in drawn:
                self.fresh()
                check(example)

        for_all(draw, each, self.recorder, examples, 1)

    # --- engines not written for this course ---

    def ask(self, what: str) -> None:
        """Skip the check for an engine with an adapter: only this course's stubs require this."""
        self.dialect.ask_form(what)

    def has(self, name: str) -> bool:
        """Return whether the learner's file has a function, class or method: `Value.build_topo`."""
        return self.recorder.session.has(name)
