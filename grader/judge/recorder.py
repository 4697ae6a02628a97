"""Record the script of one checkpoint, send it, read results and compare them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar, cast

from grader.judge.expectations import RAISED, Expected, Mismatch, Reading, kind_of
from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.replies import Answer
from grader.judge.script.source import Listing
from grader.judge.script.steps import Get, Read, Step, Walk, Watch, is_used, slice_for, used_names
from grader.judge.session import RUN_SECONDS, Session
from grader.model import Kind
from grader.text import shown
from grader.worker.protocol import Ref, UnexpectedType

S = TypeVar("S")
T = TypeVar("T")


class Recorder:
    """The script of one checkpoint: the steps, how many have been sent, and their results."""

    def __init__(
        self,
        session: Session,
        *,
        seed: int,
        mirror: bool = False,
        drawn: dict[Hashable, Any] | None = None,
    ) -> None:
        self.session = session
        self.seed = seed
        self.mirror = mirror
        self.seconds = RUN_SECONDS
        self._drawn = {} if drawn is None else drawn
        self.before: Sequence[Step] = ()  # the previous script, which passed
        self._all_sent: list[Step] = []  # for any script
        self._begin()

    def _begin(self) -> None:
        self.steps: list[Step] = []
        self.names: dict[Ref, str] = {}
        self.walked: dict[Ref, int] = {}
        self._count = 0
        self._sent = 0

    def restart(self) -> None:
        """Forget the script and its objects. The next step begins a new script."""
        self.before = self.steps or self.before
        self._begin()

    def asked_for(self, functions: Iterable[str]) -> bool:
        """Return whether the scripts of this checkpoint use any of these functions."""
        used = used_names(self._all_sent)
        return any(is_used(name, used) for name in functions)

    def new(
        self,
        kind: Callable[[Recorder, Ref], S],
        step: Callable[..., Step],
        *fields: object,
        name: str = "",
    ) -> S:
        """Record a step that makes an object, with these fields after its target. `name` is the
        object's name in listings.
        """
        self._count += 1
        ref = Ref(self._count)
        if name:
            self.names[ref] = name
        self.steps.append(step(ref, *fields))
        return kind(self, ref)

    # --- sending and reading ---

    def run(self, readings: Sequence[Reading] = ()) -> list[Answer]:
        """Send the pending steps in one message. Return the answers to `readings`."""
        self.steps += readings
        steps = self.steps[self._sent :]
        self._all_sent += steps
        fresh, self._sent = self._sent == 0, len(self.steps)
        try:
            answers = self.session.run(steps, fresh=fresh, seconds=self.seconds)
        except LearnerFault as fault:
            self._sent = fault.index
            self.steps = self.steps[: fault.index + 1]
            raise
        except WorkerLost as lost:
            self.steps = self.steps[: lost.index + 1]
            raise
        self.walked |= {
            step.on: int(answer)  # type: ignore[arg-type]
            for step, answer in zip((step for step in steps if step.form), answers)
            if isinstance(step, Walk)
        }
        return answers[len(answers) - len(readings) :]

    # --- expecting ---

    def expect_all(self, wanted: Sequence[Expected | tuple[Reading, float]], why: str = "") -> None:
        """Raise Mismatch for the first reading that does not give its number.

        All are read in one message.
        """
        expectations = [Expected(*entry) for entry in wanted]
        answers = self.run([expected.reading for expected in expectations])
        for (reading, want, confirm), got in zip(expectations, answers):
            if isinstance(got, UnexpectedType):
                raise Mismatch(
                    f"`{self.describe(reading)}` is {kind_of(got)}; it must be a number",
                    kind=Kind.BAD_TYPE,
                    expected=want,
                    got=kind_of(got),
                    reading=reading,
                )
            assert isinstance(got, (int, float))
            if got != want and not self.session.dialect.close(got, want):
                why = why or f"`{self.describe(reading)}` is wrong"
                raise Mismatch(why, expected=want, got=got, reading=reading, confirm=confirm)

    def kept(self, key: Hashable, draw: Callable[[], T]) -> T:
        """Return the result of `draw`, called once for an equal key, seed, mirror and module."""
        whole = self.session.module, self.seed, self.mirror, key
        if whole not in self._drawn:
            self._drawn[whole] = draw()
        return cast("T", self._drawn[whole])

    def describe(self, reading: Reading) -> str:
        """Return a reading as the listing shows it."""
        name = self.names.get(reading.on, "")
        if not name:
            last = self.listing(reading.on, reading.attribute).splitlines()[-1]
            return last.removeprefix("print(").removesuffix(")")
        dot = "" if reading.attribute[:1] in {"", "["} else "."
        return f"{name}{dot}{self.session.dialect.path(reading.attribute)}"

    def expression_of(self, ref: Ref) -> str:
        """Return an object as the listing shows it: its name, or the expression that makes it."""
        return self._lines_of(ref).expression(ref)

    def bearing_on(self, failure: Mismatch | LearnerFault | WorkerLost) -> list[Step]:
        """Return the steps that may have led to a failure, connected with the last object read."""
        if isinstance(failure, Mismatch) and failure.reading is not None:
            return slice_for(self.steps, failure.reading.on)
        focus = self._last_object()
        return slice_for(self.steps, focus) if focus is not None else self.steps

    def _last_object(self) -> Ref | None:
        if not self.steps:
            return None
        refs = self.steps[-1].references()
        return refs[0] if refs else self.steps[-1].target

    def listing_until_last(self, comment: str) -> str:
        """Return the steps connected with the script's last one, as Python."""
        last = self.steps[-1] if self.steps else None
        if isinstance(last, (Read, Get)):
            return self.listing(last.on, last.attribute, comment)
        return self.listing(None, comment=comment, about=self._last_object())

    def reproduce(self, reading: Reading, mismatch: Mismatch) -> str:
        """Return the script as Python.

        Its last line prints the wrong result and says what it should be.
        """
        on, expected, got = reading.on, mismatch.expected, mismatch.got

        def listing(comment: str, printed: str = "") -> str:
            return self.listing(on, reading.attribute, comment, printed=printed)

        if reading.form == RAISED:
            wanted, _, _or_else = shown(expected).partition(" (")
            return self.listing(None, comment=f"raises nothing, should raise {wanted}", about=on)
        if mismatch.comment:
            return listing(mismatch.comment, mismatch.printed)
        if reading.form == "value" and mismatch.printed:
            return listing(_GIVES.format("True", "False"), mismatch.printed)
        if reading.form == "callable":
            return listing(_GIVES.format("False", "True"), "callable({})")
        if reading.form == "refs" and isinstance(expected, int) and isinstance(got, int):
            return listing(_GIVES.format(got, expected), mismatch.printed or "len({})")
        if reading.form in {"number", "text"} and mismatch.kind is Kind.WRONG_VALUE:
            return listing(_GIVES.format(shown(got), shown(expected)))
        is_text = isinstance(expected, str) and expected[:1] not in "0123456789["
        parts = [f"should be {shown(expected)}"] if is_text or expected in {True, False} else []
        if parts and mismatch.kind is Kind.BAD_TYPE:
            parts.append(f"is {shown(got)}")
        # learners have no name for it
        if any(isinstance(step, Watch) and step.target == on for step in self.steps):
            return self.listing(None, comment=", ".join(parts), about=on)
        return listing(", ".join(parts))

    def listing(
        self,
        shown: Ref | None,
        attribute: str = "",
        comment: str = "",
        about: Ref | None = None,
        printed: str = "",
    ) -> str:
        """Return the steps connected with `shown` (or `about`) as Python.

        The last line prints `shown`, or `printed` applied to it.
        """
        listing = self._lines_of(about if about is not None else shown, shown)
        text = listing.text(
            self.session.module, shown, self.session.dialect.path(attribute), comment, printed
        )
        # the names are already there, and the module does not exist
        if self.session.submission.is_notebook:
            text = "\n".join(
                line
                for line in text.splitlines()
                if not line.startswith(tuple(f"from {name} import" for name in self.session.own))
            )
        return text

    def _lines_of(self, focus: Ref | None, kept: Ref | None = None) -> Listing:
        """Return a listing of the steps connected with an object, or of all."""
        steps = slice_for(self.steps, focus) if focus is not None else self.steps
        said = self.session.dialect.say([step for step in steps if not isinstance(step, Read)])
        return Listing(said, self.names, {kept} - {None}, self.walked)  # type: ignore[arg-type]


_GIVES = "gives {}, should give {}"
