"""A learner's code, as a suite meets it: what is done with it is written down, and what is read of
it is compared here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, Union, overload

from grader.judge.expectations import Expected, Mismatch, Reading, article, kind_of
from grader.judge.oracle import close
from grader.judge.oracle.programs import Choose
from grader.judge.recorder import Recorder
from grader.judge.replies import Answer, UnexpectedType
from grader.judge.script.steps import Operand, Step, Watch
from grader.judge.session import LearnerFault
from grader.judge.symbols import Symbol
from grader.model import Kind
from grader.worker.protocol import Ref, pack

if TYPE_CHECKING:
    from grader.judge.background import BackgroundCheck

S = TypeVar("S", bound=Symbol)
T = TypeVar("T")
Argument = Union[Operand, Symbol, Sequence[Any]]
SHORT_TEXT = 400  # characters of a text that are read where no more are asked for


class Learner:
    """The learner's code, in a process of its own.

    Nothing runs when it is written down. It runs when something is read or expected, or with
    `run()`: all that was written down until then, in one message. A class of a course's own is made
    of another's `recorder`, and asks nothing else of that.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    @property
    def seed(self) -> int:
        """What examples are drawn from, so that every run of a report is the same."""
        return self.recorder.seed

    @property
    def steps(self) -> list[Step]:
        """What was written down since the script began: a function, for the oracle."""
        return list(self.recorder.steps)

    @property
    def script(self) -> bytes:
        """The same as bytes: a key for what depends on nothing but the steps."""
        return pack(self.recorder.steps)

    @property
    def mirror(self) -> bool:
        """Whether `a + b` and `a * b` of two symbols are written down as `b + a` and `b * a`."""
        return self.recorder.mirror

    @mirror.setter
    def mirror(self, mirror: bool) -> None:
        self.recorder.mirror = mirror

    @property
    def seconds(self) -> float:
        """How much processor time a message may take."""
        return self.recorder.seconds

    @seconds.setter
    def seconds(self, seconds: float) -> None:
        self.recorder.seconds = seconds

    # --- writing down ---

    def fresh(self) -> AbstractContextManager[None]:
        """Begin a new script: the objects so far are forgotten, and a failure shows what follows
        alone. After `with learner.fresh():` another one begins.
        """
        self.recorder.restart()
        return self._until_the_next()

    @contextmanager
    def _until_the_next(self) -> Iterator[None]:
        yield
        self.recorder.restart()  # and not where the block failed: its script has to be shown

    def call(self, function: str, *args: Argument, name: str = "") -> Symbol:
        """Write down `name = function(*args)`, a function or class of the learner's file."""
        return self.make(Symbol, function, *args, name=name)

    def make(self, kind: type[S], function: str, *args: Argument, name: str = "") -> S:
        """As `call`, for what has names of its own: a subclass of Symbol stands for the result."""
        return self.recorder.make(kind, function, *args, name=name)  # type: ignore[arg-type]

    @overload
    def symbol(self, ref: Ref) -> Symbol: ...
    @overload
    def symbol(self, ref: Ref, kind: type[S]) -> S: ...
    def symbol(self, ref: Ref, kind: type[Symbol] = Symbol) -> Symbol:
        """What stands for the object of this number."""
        return kind(self.recorder, ref)

    def named(self, name: str, symbol: S) -> S:
        """The same object, by this name in what learners are shown."""
        self.recorder.names[symbol.ref] = name
        return symbol

    @overload
    def get(self, on: Symbol, path: str) -> Symbol: ...
    @overload
    def get(self, on: Symbol, path: str, kind: type[S]) -> S: ...
    def get(self, on: Symbol, path: str, kind: type[Symbol] = Symbol) -> Symbol:
        """Write down `on.path`, or `on[...]`."""
        return self.symbol(self.recorder.get(on, path), kind)

    def expression(self, source: str, name: str = "") -> Symbol:
        """Write down an expression, to be an argument: `lambda x: x * x`, a list to keep, the name
        of one of the learner's functions.
        """
        return self.symbol(self.recorder.expression(source, name))

    def define(self, name: str, source: str) -> Symbol:
        """Write down a class or function of the suite's, to be an argument."""
        return self.symbol(self.recorder.define(name, source))

    def builtin(self, function: str, *args: Argument) -> Symbol:
        """Write down a call of one of Python's own functions."""
        return self.recorder.builtin(function, *args)  # type: ignore[arg-type]

    def total(self, symbols: Sequence[S]) -> S:
        """Write down `sum([...])`."""
        return self.recorder.total(symbols)

    def repeat(self, count: int, op: str, start: S, other: Symbol | float | None) -> S:
        """Write down a loop of `x = x op other`, `count` times; without `other`, `x = x op x`."""
        return self.recorder.repeat(count, op, start, other)

    def walk(self, on: Symbol, along: str, method: str, until: Sequence[Symbol]) -> None:
        """Write down that `method` is called on every object from `on` to the `until` objects."""
        self.recorder.walk(on, along, method, until)

    def watch(self, on: Symbol, along: str, step: str, method: str, gradient: str) -> Symbol:
        """Write down `on.method()`, and note in which order it calls `step` on the objects below;
        the result has them as `nodes`.
        """
        ref = self.recorder.new_ref()
        self.recorder.record(Watch(ref, on.ref, along, step, method, gradient))
        return self.symbol(ref)

    # --- reading ---

    def run(self) -> None:
        """Run what was written down."""
        self.recorder.run()

    def read(self, readings: Sequence[Reading]) -> list[Answer]:
        """Run what was written down, and read: for what no `expect` can compare."""
        return self.recorder.run(readings)

    def raised(self) -> LearnerFault | None:
        """Run what was written down; the exception that it raised."""
        return self.recorder.raised()

    def describe(self, reading: Reading) -> str:
        """What is read, as learners write it: `a.grad`."""
        return self.recorder.describe(reading)

    def wrong_type(self, reading: Reading, why: str, expected: str) -> Mismatch:
        """Return the Mismatch for something of the wrong type, after reading what it is."""
        value = replace(reading, form="value")
        name = f"{reading.attribute}.__class__.__name__".removeprefix(".")
        answer, type_name = self.read([value, replace(reading, attribute=name, form="text")])
        got = kind_of(answer, str(type_name))
        return Mismatch(why, kind=Kind.BAD_TYPE, expected=expected, got=got, reading=value)

    @property
    def names(self) -> Mapping[Ref, str]:
        """The names that were given, by the numbers of the objects."""
        return self.recorder.names

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """What is written down in the block is done, and is not shown to learners."""
        scene = list(self.recorder.steps), dict(self.recorder.names), dict(self.recorder.walked)
        yield
        self.recorder.scene = scene

    def name_of(self, ref: Ref) -> str:
        """An object as learners are shown it: `s`, or `s + 1`. What an operator made inside itself
        has no name.
        """
        recorder = self.recorder
        if ref in recorder.names or any(step.target == ref for step in recorder.steps):
            return recorder.expression_of(ref)
        return "another object"

    # --- expecting ---

    def expect(self, reading: Reading, wanted: object, why: str = "") -> None:
        """What is read must be `wanted`: a number within 1e-6 of 1 + its size, a text, True, False
        or None, a list of these (a tuple counts as one).
        """
        self.expect_all([(reading, wanted)], why)

    def expect_all(
        self, wanted: Sequence[Expected | tuple[Reading, object]], why: str = ""
    ) -> None:
        """Every reading must be what is wanted of it; all are read in one message, and the first
        wrong one is shown.
        """
        if all(_is_number(entry[1]) for entry in wanted):
            self.recorder.expect_all(wanted, why)  # type: ignore[arg-type]
            return
        for entry in wanted:
            reading, value = entry[:2]
            if _is_number(value):
                self.recorder.expect_all([entry], why)  # type: ignore[list-item]
            else:
                self._expect_value(reading, value, why)

    def _expect_value(self, reading: Reading, wanted: object, why: str) -> None:
        if reading.form == "number":
            reading = replace(reading, form=_form_for(wanted))
        (got,) = self.read([reading])
        if _alike(got, wanted):
            return
        what = self.describe(reading)
        if isinstance(got, UnexpectedType) or type(got) is not type(_plain(wanted)):
            raise Mismatch(
                why or f"`{what}` is {_kind(got)}; it must be {_kind(_plain(wanted))}",
                kind=Kind.BAD_TYPE,
                expected=_text(wanted),
                got=kind_of(got) if isinstance(got, UnexpectedType) else _text(got),
                reading=reading,
            )
        raise Mismatch(
            why or f"`{what}` is wrong", expected=_text(wanted), got=_text(got), reading=reading
        )

    @contextmanager
    def raises(self, *types: type[BaseException] | str, why: str) -> Iterator[None]:
        """What is written down in the block must raise one of these exceptions, named by a string
        where Python has none of that name; any where none is named.

        What was written down before must not. An exception that Python raises where nothing is
        written proves nothing: expect first that what is near works.
        """
        recorder = self.recorder
        before = len(recorder.steps)
        yield
        inside = recorder.steps[before:]
        del recorder.steps[before:]
        names = [each if isinstance(each, str) else each.__name__ for each in types]
        recorder.must_raise(lambda: recorder.steps.extend(inside), *names, what=why)

    # --- many examples ---

    def for_all(
        self, draw: Callable[[Choose[Any]], T], check: Callable[[T], None], examples: int = 100
    ) -> None:
        """Check what `draw` makes of many choices, each in a new script; a failure is that of the
        smallest example that fails.

        `draw(choose)` makes an example, where `choose(options)` takes one of a sequence: the first
        is the simplest.
        """

        def each(drawn: Sequence[T]) -> None:
            for example in drawn:
                self.fresh()
                check(example)

        self.for_all_together(draw, each, examples, 1)

    def for_all_together(  # noqa: PLR0913 - as properties.for_all
        self,
        draw: Callable[[Choose[Any]], T],
        check: Callable[[Sequence[T]], None],
        examples: int,
        together: int,
        *,
        parts: Callable[[T], Sequence[T]] | None = None,
        key: Hashable = None,
    ) -> None:
        """As `for_all`, so many examples in a list at a time, for a check that reads them all in
        one message. It begins with `learner.fresh()` itself.

        `parts` are the smaller examples that one is made of, the smallest first. With a `key` that
        says all that `draw` depends on, the examples are drawn once and kept for the next
        submission.
        """
        from grader.judge.properties import for_all

        for_all(draw, check, self.recorder, examples, together, parts=parts, key=key)

    # --- other people's engines, and long checks ---

    @property
    def is_adapted(self) -> bool:
        """Whether this is somebody else's engine, which `grade --adapter` describes."""
        return not self.recorder.session.dialect.asks_form

    @property
    def clears(self) -> bool:
        """Whether its backward pass sets all gradients to zero first."""
        return self.recorder.session.dialect.clears

    def can(self, op: str, operands: str) -> bool:
        """Whether it has this operation, on nodes `v` and numbers `k`."""
        return self.recorder.session.dialect.can(op, operands)

    def can_make(self, function: str, *args: Operand) -> bool:
        """Whether it has a way to make this."""
        return self.recorder.session.dialect.can_make(function, *args)

    def multiplies(self) -> bool:
        """Whether its products pass on the right gradients. To be asked before a script begins."""
        return self.recorder.session.multiplies()

    def ask(self, what: str) -> None:
        """Leave the check out for somebody else's engine: only the stubs of this course ask for
        this.
        """
        self.recorder.session.dialect.ask_form(what)

    def has(self, name: str) -> bool:
        """Whether the learner's file has this function, class or method: `Value.build_topo`."""
        return self.recorder.session.has(name)

    def finish(self, check: BackgroundCheck) -> None:
        """Wait for a check that the fixture `aside` began; its failure is the failure of this."""
        check.finish(self.recorder)


def _is_number(wanted: object) -> bool:
    return isinstance(wanted, (int, float)) and not isinstance(wanted, bool)


def _form_for(wanted: object) -> str:
    if not isinstance(wanted, str):
        return "value"
    return "text" if len(wanted) < SHORT_TEXT else "document"


def _plain(wanted: object) -> object:
    """A tuple as the list that it is read as."""
    return list(wanted) if isinstance(wanted, tuple) else wanted


def _alike(got: Answer | object, wanted: object) -> bool:
    if _is_number(wanted) and _is_number(got):
        return close(got, wanted)  # type: ignore[arg-type]
    wanted = _plain(wanted)
    if isinstance(wanted, list) and isinstance(got, list):
        return len(got) == len(wanted) and all(map(_alike, got, wanted))
    return type(got) is type(wanted) and got == wanted


def _text(value: object) -> str:
    if isinstance(value, UnexpectedType):
        return f"<{value.type_name}>"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_text_inside(item) for item in value)}]"
    return str(value)


def _text_inside(value: object) -> str:
    return repr(value) if isinstance(value, str) else _text(value)


def _kind(value: object) -> str:
    if value is None:
        return "None"
    return article(value.type_name if isinstance(value, UnexpectedType) else type(value).__name__)
