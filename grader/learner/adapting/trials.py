"""Try lines of Python on an engine that nobody knows yet, in its own namespace, and read the
results.

The engine's code is not read here. The worker lists the names of classes, functions and attributes
to try.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from grader.intake.adapter import Adapter, Template
from grader.judge.evidence import Reply, attempt
from grader.judge.plain_values import is_same
from grader.judge.script.steps import FIRST_TRIED, Define, Read
from grader.judge.session import Session
from grader.worker.protocol import Ref

A, B, INNER, C = "_a", "_b", "_inner", "_c"  # nodes; the engine may use the letters themselves
MAX_TRIED = 40
OPS = ("*", "+")
_GRADIENTS = {"*": (-12.0, 8.0), "+": (1.0, 2.0)}  # of A and B, in `Trials.result`
_ANSWER = Ref(FIRST_TRIED + 1)
_FUNCTIONS = (
    "[n for n, t in list(globals().items()) if type(t).__name__ == 'function' and not"
    " n.startswith('_')]"
)
_MAKERS = (
    "[n for n, t in vars({}).items() if isinstance(t, (staticmethod, classmethod)) and not"
    " n.startswith('_')]"
)
_TRY = """
def _try(read):
    try:
        return read()
    except Exception:
        return None

"""


class Trials:
    """Runs lines of Python on the engine in one worker, each time from the beginning."""

    def __init__(self, session: Session, op: str = "*") -> None:
        self._session = session
        self.op = op
        self.gradients = _GRADIENTS[op]

    # --- what comes of some lines ---

    def run(self, lines: Sequence[str], answer: str = "None") -> Reply:
        """Run lines, and read the plain value of an expression."""
        source = _TRY + "\n".join([*lines, f"_answer = {answer}"])
        steps = Define(_ANSWER, "_answer", source), Read(_ANSWER, "", "value")
        return attempt(lambda: self._session.run(steps, fresh=True))

    def listed(self, lines: Sequence[str], answer: str) -> list[object]:
        """Return the list that an expression gives after these lines; nothing after a fault."""
        (found,) = self.run(lines, answer).answers or [None]
        return [*found] if isinstance(found, list) else []

    def names(self, answer: str, lines: Sequence[str] = ()) -> list[str]:
        """Return the names in the list that an expression gives after these lines."""
        found = self.listed(lines, answer)
        return [name for name in found if isinstance(name, str) and name.isidentifier()]

    def attributes(self, lines: Sequence[str], node: str, *, called: bool) -> list[str]:
        """Return the names of a node's attributes after these lines, public ones first.

        Attributes that raise when read are left out.
        """
        found = self.names(
            f"[n for n in dir({node}) if n[:2] != '__'"
            f" and _try(lambda: callable(getattr({node}, n))) is {called}]",
            lines,
        )
        return sorted(found, key=lambda name: name[0] == "_")[:MAX_TRIED]

    def is_true(self, lines: Sequence[str], answer: str) -> bool:
        """Return whether an expression is True after these lines."""
        return self.listed(lines, f"[{answer}]") == [True]

    def numbers(self, lines: Sequence[str], *readings: str) -> list[float | None]:
        """Return the numbers read after these lines, with None for failures and other types."""
        found = self.listed(
            lines, f"[{', '.join(f'_try(lambda: {each})' for each in readings)}]"
        ) or [None] * len(readings)
        return [float(each) if type(each) in {int, float} else None for each in found]  # type: ignore[arg-type]

    def gives(self, wanted: Sequence[float], lines: Sequence[str], *readings: str) -> bool:
        """Return whether these numbers are read after the lines."""
        return is_same(self.numbers(lines, *readings), wanted)

    @cached_property
    def functions(self) -> list[str]:
        """Return the names of the engine's functions."""
        return self.names(_FUNCTIONS)[:MAX_TRIED]

    def makers(self, owner: str) -> list[str]:
        """Return the static and class methods of a class."""
        return [f"{owner}.{name}" for name in self.names(_MAKERS.format(owner))]

    # --- lines ---

    def leaves(self, make: Template, *numbers: float) -> list[str]:
        """Return the lines that make `A`, and `B` if there are two numbers."""
        return [f"{node} = {make.text.format(number)}" for node, number in zip((A, B), numbers)]

    def applied(self, draft: Adapter, left: object, right: object, op: str = "") -> str:
        """Return an expression with an operator, called in the way that the adapter knows."""
        op = op or self.op
        made = draft.calls.get(op)
        return made.text.format(left, right) if made else f"({left} {op} {right})"

    def result(self, draft: Adapter) -> list[str]:
        """Return the lines of `C = (A * B) * 4` with `A = 2` and `B = -3`, or `C = (A + B) + B`."""
        other = B if self.op == "+" else draft.make.text.format(4.0)
        return [
            *self.leaves(draft.make, 2.0, -3.0),
            f"{INNER} = {self.applied(draft, A, B)}",
            f"{C} = {self.applied(draft, INNER, other)}",
        ]

    def back(self, found: Adapter) -> list[str]:
        """Return the lines of the backward pass of `C`."""
        seed = [f"{C}.{found.gradient} = 1.0"] * found.seed
        return [*seed, found.backward.text.format(C)]
