"""The script of one checkpoint: what a suite writes down, sends, reads and expects."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from grader.errors import InternalError
from grader.judge import oracle
from grader.judge.expectations import RAISED, Expected, Mismatch, Reading, kind_of
from grader.judge.prepared import Batch, Prepared
from grader.judge.replies import Answer, UnexpectedType
from grader.judge.script.source import Listing
from grader.judge.script.steps import (
    Builtin,
    Define,
    Expression,
    Get,
    Make,
    Operand,
    Read,
    Repeat,
    Step,
    Walk,
    Watch,
    slice_for,
)
from grader.judge.session import RUN_SECONDS, LearnerFault, Session, WorkerLost
from grader.judge.symbols import Other, Symbol, plain
from grader.model import Kind
from grader.text import shown
from grader.worker.protocol import Ref

if TYPE_CHECKING:
    pass

S = TypeVar("S", bound=Symbol)
T = TypeVar("T")
Scene = tuple[list[Step], dict[Ref, str], dict[Ref, int]]


class Script(NamedTuple):
    """A part of a script that was prepared: its steps, the names in it, the number of its last
    object, and what is expected.
    """

    batch: Batch
    names: dict[Ref, str]
    last: int
    expected: Sequence[Expected]


class Recorder:
    """The script of one checkpoint: what was done, what has been sent, and what is known of the
    answers.
    """

    def __init__(
        self,
        session: Session,
        module: str,
        *,
        seed: int,
        mirror: bool = False,
        prepared: Prepared | None = None,
    ) -> None:
        self.session = session
        self.module = module
        self.seed = seed
        self.mirror = mirror
        self.seconds = RUN_SECONDS
        self._prepared = prepared or Prepared()
        self._begin()

    def _begin(self) -> None:
        self.steps: list[Step] = []
        self.names: dict[Ref, str] = {}
        self.walked: dict[Ref, int] = {}
        self._count = 0
        self._sent = 0

    @property
    def scene(self) -> Scene:
        """The script as it is now, to come back to when it has to be told."""
        return self.steps, self.names, self.walked

    @scene.setter
    def scene(self, scene: Scene) -> None:
        self.steps, self.names, self.walked = scene

    def restart(self) -> None:
        """Forget the script, and the objects with it: the next step begins a new one."""
        self._begin()

    def new_ref(self, name: str = "") -> Ref:
        """A number for the next object, and the name that a listing calls it by."""
        self._count += 1
        ref = Ref(self._count)
        if name:
            self.names[ref] = name
        return ref

    def record(self, step: Step) -> None:
        """Write a step down."""
        self.steps.append(step)

    def make(
        self, kind: Callable[[Recorder, Ref], S], function: str, *args: Operand, name: str = ""
    ) -> S:
        """Write down `name = function(*args)`."""
        ref = self.new_ref(name)
        self.record(Make(ref, function, [plain(arg) for arg in args]))
        return kind(self, ref)

    def get(self, on: Symbol, path: str) -> Ref:
        """Write down `on.path`, or `on[...]`; the number of what that is."""
        ref = self.new_ref()
        self.record(Get(ref, on.ref, path))
        return ref

    def expression(self, source: str, name: str = "") -> Ref:
        """Write down an expression, to be an argument: the name of one of the learner's functions,
        a lambda, a list to keep.
        """
        ref = self.new_ref(name)
        self.record(Expression(ref, source))
        return ref

    def define(self, name: str, source: str) -> Ref:
        """Write down a class or function, to be an argument: what stands in for something that the
        worker has not.
        """
        ref = self.new_ref()
        self.record(Define(ref, name, source))
        return ref

    def builtin(self, function: str, *args: Operand | Symbol) -> Symbol:
        """Write down a call of one of Python's own functions."""
        ref = self.new_ref()
        self.record(Builtin(ref, function, [plain(arg) for arg in args]))
        return Symbol(self, ref)

    def total(self, symbols: Sequence[S]) -> S:
        """Write down `sum([...])`."""
        ref = self.new_ref()
        self.record(Builtin(ref, "sum", [[symbol.ref for symbol in symbols]]))
        return type(symbols[0])(self, ref)

    def repeat(self, count: int, op: str, start: S, other: Other | None) -> S:
        """Write down a loop of `x = x op other`, `count` times; without `other`, `x = x op x`."""
        ref = self.new_ref()
        self.record(Repeat(ref, count, op, start.ref, None if other is None else plain(other)))
        return type(start)(self, ref)

    def walk(self, on: Symbol, along: str, method: str, until: Iterable[Symbol]) -> None:
        """Write down that `method` is called on every object between `on` and the `until` objects."""  # noqa: E501
        self.record(Walk(on.ref, along, method, [symbol.ref for symbol in until]))

    # --- sending and reading ---

    def run(self, readings: Sequence[Reading] = ()) -> list[Answer]:
        """Send what is pending, in one message, and return the answers to `readings`."""
        reads = [reading.step() for reading in readings]
        answers = self._send(Batch([*self.steps[self._sent :], *reads]))
        return answers[len(answers) - len(readings) :]

    def _send(self, batch: Batch) -> list[Answer]:
        """Send these steps in place of what is pending; the answers to all reads."""
        self.steps[self._sent :] = batch
        fresh, self._sent = self._sent == 0, len(self.steps)
        try:
            answers = self.session.run(batch, fresh=fresh, seconds=self.seconds)
        except LearnerFault as fault:
            self._sent = fault.index
            self.steps = self.steps[: fault.index + 1]
            raise
        except WorkerLost as lost:
            self.steps = self.steps[: lost.index + 1]
            raise
        assert len(answers) == len(batch.answering)
        read: list[Answer] = []
        for step, answer in zip(batch.answering, answers):
            if isinstance(step, Walk):
                self.walked[step.on] = int(answer)  # type: ignore[arg-type]
            else:
                read.append(answer)
        return read

    # --- expecting ---

    def expect(self, reading: Reading, want: float, why: str = "") -> None:
        """The number that is read must be `want`, within the oracle's tolerance."""
        self.expect_all([(reading, want)], why)

    def expect_all(self, wanted: Sequence[Expected | tuple[Reading, float]], why: str = "") -> None:
        """Every reading must be its number; all are read in one message, and the first wrong one is
        told.
        """
        expectations = [Expected(*entry) for entry in wanted]
        answers = self.run([expected.reading for expected in expectations])
        self._compare_all(expectations, answers, why)

    def expect_prepared(
        self, key: Hashable, write: Callable[[], Sequence[Expected]], why: str = ""
    ) -> None:
        """As `expect_all`, for steps that `write` writes down with what is expected of them.

        They are kept: for an equal key they are not written again. So `write` may depend on nothing
        but the key, the seed, the mirror and what the script holds already, and it may send
        nothing.
        """
        whole = ("script", key, self._sent, self._count)
        script = self.kept(whole, lambda: self._written(write))
        self.names.update(script.names)
        self._count = script.last
        answers = self._send(script.batch)
        self._compare_all(script.expected, answers[len(answers) - len(script.expected) :], why)

    def _written(self, write: Callable[[], Sequence[Expected]]) -> Script:
        sent, before = self._sent, set(self.names)
        expected = tuple(write())
        if self._sent != sent:
            raise InternalError("a script that is prepared was sent while it was written")
        reads = [entry.reading.step() for entry in expected]
        names = {ref: name for ref, name in self.names.items() if ref not in before}
        return Script(Batch([*self.steps[sent:], *reads]), names, self._count, expected)

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made once for an equal key and the same seed, mirror and module."""
        return self._prepared.get((self.module, self.seed, self.mirror, key), make)

    def _compare_all(
        self, expectations: Sequence[Expected], answers: Sequence[Answer], why: str
    ) -> None:
        for expected, got in zip(expectations, answers):
            self._compare(expected, got, why)

    def _compare(self, expected: Expected, got: Answer, why: str) -> None:
        reading, want, confirm = expected
        if isinstance(got, UnexpectedType):
            raise Mismatch(
                f"`{self.describe(reading)}` is {kind_of(got)}; it must be a number",
                kind=Kind.BAD_TYPE,
                expected=want,
                got=kind_of(got),
                reading=reading,
            )
        assert isinstance(got, (int, float))
        if not oracle.close(got, want):
            why = why or f"`{self.describe(reading)}` is wrong"
            raise Mismatch(why, expected=want, got=got, reading=reading, confirm=confirm)

    def raised(self) -> LearnerFault | None:
        """Send what is pending; the exception that it raised, of which the types matter, and the
        stub that it came from.
        """
        try:
            self.run()
        except LearnerFault as raised:
            return raised
        return None

    def must_raise(self, action: Callable[[], Any], *types: str, what: str) -> None:
        """Running what `action` writes down must raise one of these exceptions; without any,
        whatever it likes.
        """
        self.session.dialect.ask_form(what)
        self.run()
        action()
        if (raised := self.raised()) is not None:
            if raised.fault.stub or (types and not set(types) & set(raised.fault.types)):
                raise raised
            self.steps = self.steps[:-1]
            return
        expected = " or ".join(types) or "an exception"
        last = self.steps[-1].target
        reading = Reading(last, "", RAISED) if last is not None else None
        raise Mismatch(what, expected=expected, got="no exception", reading=reading)

    def describe(self, reading: Reading) -> str:
        """A reading as the listing writes it."""
        name = self.names.get(reading.ref, "")
        if not name:
            last = self.listing(reading.ref, reading.attribute).splitlines()[-1]
            return last.removeprefix("print(").removesuffix(")")
        dot = "" if reading.attribute[:1] in {"", "["} else "."
        return f"{name}{dot}{self.session.dialect.path(reading.attribute)}"

    def expression_of(self, ref: Ref) -> str:
        """An object as the listing writes it: its name, or the expression in which it is made and
        used.
        """
        steps = self.session.dialect.say(
            [step for step in slice_for(self.steps, ref) if not isinstance(step, Read)]
        ).steps
        listing = Listing(steps, self.names, set(), self.walked)
        listing.lines(self.module)
        return listing.expression(ref)

    def bearing_on(self, failure: Mismatch | LearnerFault | WorkerLost) -> list[Step]:
        """The steps that have to do with a failure: those around what was read, or around the last
        step.
        """
        if isinstance(failure, Mismatch) and failure.reading is not None:
            return slice_for(self.steps, failure.reading.ref)
        focus = self._last_object()
        return slice_for(self.steps, focus) if focus is not None else self.steps

    def _last_object(self) -> Ref | None:
        if not self.steps:
            return None
        refs = self.steps[-1].references()
        return refs[0] if refs else self.steps[-1].target

    def listing_until_last(self, comment: str) -> str:
        """The script up to its last step, as Python, and what bears on that step only."""
        if not self.steps:
            return ""
        last = self.steps[-1]
        if isinstance(last, Read):
            return self.listing(last.on, last.attribute, comment)
        return self.listing(None, comment=comment, about=self._last_object())

    def reproduce(self, reading: Reading, mismatch: Mismatch) -> str:
        """The script as Python: its last line prints what is wrong, and says what it gives and what
        it should give.
        """
        on, expected, got = reading.ref, mismatch.expected, mismatch.got
        if reading.form == RAISED:
            wanted, _, _or_else = shown(expected).partition(" (")
            return self.listing(None, comment=f"raises nothing, should raise {wanted}", about=on)
        if mismatch.comment:
            return self.listing(on, reading.attribute, mismatch.comment)
        if reading.form == "value" and mismatch.printed:
            return self.listing(
                on, reading.attribute, _GIVES.format("True", "False"), printed=mismatch.printed
            )
        if reading.form == "callable":
            return self.listing(
                on, reading.attribute, _GIVES.format("False", "True"), printed="callable({})"
            )
        if reading.form == "refs" and isinstance(expected, int) and isinstance(got, int):
            return self.listing(
                on,
                reading.attribute,
                _GIVES.format(got, expected),
                printed=mismatch.printed or "len({})",
            )
        told = reading.form in {"number", "text"} and mismatch.kind is Kind.WRONG_VALUE
        if told:
            return self.listing(on, reading.attribute, _GIVES.format(shown(got), shown(expected)))
        parts = [
            f"{verb} {shown(value)}"
            for verb, value in (("should be", expected), ("is", got))
            if value is not None
        ]
        if any(
            isinstance(step, Watch) and step.target == on for step in self.steps
        ):  # it has no name of the learner's
            return self.listing(None, comment=", ".join(parts), about=on)
        return self.listing(on, reading.attribute, ", ".join(parts))

    def listing(
        self,
        shown: Ref | None,
        attribute: str = "",
        comment: str = "",
        about: Ref | None = None,
        printed: str = "",
    ) -> str:
        """The script as Python: what bears on `shown` (or `about`), and a last line that prints it,
        or `printed` of it.
        """
        focus = about if about is not None else shown
        steps = slice_for(self.steps, focus) if focus is not None else self.steps
        steps = list(
            self.session.dialect.say([step for step in steps if not isinstance(step, Read)]).steps
        )
        listing = Listing(steps, self.names, {shown} - {None}, self.walked)  # type: ignore[arg-type]
        text = listing.text(
            self.module, shown, self.session.dialect.path(attribute), comment, printed
        )
        if self.session.is_notebook:  # where these names are at hand, and no such module is
            text = "\n".join(
                line
                for line in text.splitlines()
                if not line.startswith(tuple(f"from {name} import" for name in self.session.own))
            )
        return text


_GIVES = "gives {}, should give {}"
