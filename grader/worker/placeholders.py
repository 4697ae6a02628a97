"""Stand in for packages that are not installed.

A missing package is not a failure until it is used, so a submission that imports a plotting library
can still be graded.
"""

from __future__ import annotations

import builtins
import sys
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from .modules import Files


FUNCTIONS = (type(lambda: None), classmethod, staticmethod, property)


class Placeholder:
    """Replaces a package that is not installed, and everything in it.

    It can always be named, subclassed, used in an annotation and passed to `isinstance`. During
    imports, any other use returns a placeholder again, so demos and settings at the top of a file
    do no harm. Afterwards, any other use raises ImportError.
    """

    def __init__(self, files: Files, path: str, also: tuple[Any, ...] = ()) -> None:
        self._files, self._path, self._also = files, path, also
        self.__name__ = self.__qualname__ = path.rpartition(".")[2]

    def __repr__(self) -> str:
        return f"<{self._path}, which is not available while grading>"

    __str__ = __repr__

    def __format__(self, _spec: str) -> str:
        return repr(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__version__":
            raise AttributeError(name)
        kind = (
            Warning
            if name.endswith("Warning")
            else Exception
            if name.endswith(("Error", "Exception"))
            else None
        )
        found = (
            type(name, (kind,), {}) if kind else Placeholder(self._files, f"{self._path}.{name}")
        )
        setattr(self, name, found)
        return found

    def __getitem__(self, _key: object) -> Placeholder:
        return self

    def __or__(self, other: object) -> Placeholder:
        """Return a union of types, as in `np.ndarray | float`."""
        return Placeholder(
            self._files, self._path, (*self._also, type(None) if other is None else other)
        )

    __ror__ = __or__

    def __instancecheck__(self, thing: object) -> bool:
        return isinstance(thing, self._also)

    def __subclasscheck__(self, kind: type) -> bool:
        return issubclass(kind, self._also)

    def __mro_entries__(self, _bases: object) -> tuple[type]:
        told = unavailable(self._files, self._path)

        class Missing:
            """A base class about which nothing is known."""

            def __init__(self, *_args: object, **_named: object) -> None:
                """Accept whatever the subclass passes on."""

            def __init_subclass__(cls, **_named: object) -> None:
                """Accept any keyword of the class statement."""

            def __getattr__(self, name: str) -> NoReturn:
                raise AttributeError(
                    f"{type(self).__name__!r} object has no attribute {name!r}, and its base class"
                    f" {told}"
                )

        return (Missing,)

    def used(self, *_operands: object) -> Placeholder:
        """Return a placeholder during imports. Raise ImportError afterwards."""
        if not self._files.importing:
            told = unavailable(self._files, self._path)
            raise ImportError(told, name=self._path.partition(".")[0])
        return self

    def __call__(self, *args: Any, **_named: object) -> Any:
        """Like `used`, but a decorator returns the thing it decorates."""
        self.used()
        return (
            args[0]
            if len(args) == 1
            and isinstance(args[0], (type, *FUNCTIONS))
            and args[0] not in vars(builtins).values()
            else self
        )

    def __iter__(self) -> Any:
        """Return as many placeholders as the statement unpacks: `fig, ax = plt.subplots()`.

        A loop gets none.
        """
        return iter([self.used()] * unpacked(sys._getframe(1)))  # noqa: SLF001 - the frame that unpacks

    def __bool__(self) -> bool:
        return True

    def __float__(self) -> float:
        self.used()
        return float("nan")

    def __len__(self) -> int:
        self.used()
        return 0

    def __contains__(self, _thing: object) -> bool:
        self.used()
        return False

    def __exit__(self, *_raised: object) -> None:
        """Let every exception through."""

    __int__ = __index__ = __len__
    __enter__ = __setitem__ = __delitem__ = __neg__ = __pos__ = __abs__ = __invert__ = __round__ = (
        used
    )
    __lt__ = __le__ = __gt__ = __ge__ = used
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        __floordiv__
    ) = __rfloordiv__ = used
    __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = __and__ = __rand__ = (
        __xor__
    ) = __rxor__ = used
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __divmod__ = __rdivmod__ = used


NUMERIC = {"autograd", "cupy", "jax", "mpmath", "numpy", "scipy", "sympy", "tensorflow", "torch"}


def unavailable(files: Files, path: str) -> str:
    """Return a message that says why part of a package cannot be used, and an alternative."""
    import math  # imported here because most submissions need no placeholder

    if files.part_of(path) != path.partition(".")[0]:
        return f"{path} is not among the graded files"
    package, last = path.partition(".")[0], path.rpartition(".")[2]
    allowed = ", ".join(["Python's standard library", *files.provided])
    instead = f": use math.{last}" if package in NUMERIC and hasattr(math, last) else ""
    return f"{path} is not available while grading; the course uses {allowed} only{instead}"


def unpacked(frame: FrameType) -> int:
    """Return how many items the frame's current instruction unpacks, 0 if it does not."""
    from opcode import opname  # imported here because most submissions need no placeholder

    operation, count = frame.f_code.co_code[frame.f_lasti : frame.f_lasti + 2]
    return count if opname[operation] in {"UNPACK_SEQUENCE", "UNPACK_EX"} else 0
