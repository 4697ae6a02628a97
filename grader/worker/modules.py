"""The learner's modules: found in memory, imported afresh. For the worker: standard library only,
loaded by path.

A module that is not here is a fault of nobody's until it is used: whoever imports a plotting
library is graded, too.
"""

from __future__ import annotations

import builtins
import sys

# by way of importlib.machinery it would cost the worker 0.6 ms
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import PathFinder

from .protocol import MAX_ABSENT

# a private copy: a submission that overwrites a built-in breaks its own code only
globals()["__builtins__"] = dict(vars(builtins))

TYPE_CHECKING = False  # importing typing would cost the worker a third of its start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import CodeType, FrameType, ModuleType
    from typing import Any, NoReturn

STANDARD = sys.stdlib_module_names
ABSENT = object()
FUNCTIONS = (type(lambda: None), classmethod, staticmethod, property)
IMPORT = builtins.__import__
SWAPPED = "<the reference>"


class Placeholder:
    """Stands in for a package that is not installed, and for everything that it would hold.

    It can always be named, subclassed, used in an annotation and asked about by `isinstance`.
    Anything else gives a placeholder again while modules are imported, so that demos and settings
    at the top of a file do no harm; afterwards it raises ImportError.
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
        """A union of types: `np.ndarray | float`."""
        return Placeholder(
            self._files, self._path, (*self._also, type(None) if other is None else other)
        )

    __ror__ = __or__

    def __instancecheck__(self, thing: object) -> bool:
        return isinstance(thing, self._also)

    def __subclasscheck__(self, kind: type) -> bool:
        return issubclass(kind, self._also)

    def __mro_entries__(self, _bases: object) -> tuple[type]:
        path = self._path

        class Missing:
            """A base class of which nothing is known."""

            def __init__(self, *_args: object, **_named: object) -> None:
                """Take whatever the subclass passes on."""

            def __init_subclass__(cls, **_named: object) -> None:
                """Take whatever the class statement says."""

            def __getattr__(self, name: str) -> NoReturn:
                raise AttributeError(
                    f"{type(self).__name__!r} object has no attribute {name!r}, and its base class"
                    f" {unavailable(path)}"
                )

        return (Missing,)

    def used(self, *_operands: object) -> Placeholder:
        """A placeholder again while modules are imported; ImportError afterwards."""
        if not self._files.importing:
            raise ImportError(unavailable(self._path), name=self._path.partition(".")[0])
        return self

    def __call__(self, *args: Any, **_named: object) -> Any:
        """As `used`; a decorator gives back what it decorates."""
        self.used()
        return (
            args[0]
            if len(args) == 1
            and isinstance(args[0], (type, *FUNCTIONS))
            and args[0] not in vars(builtins).values()
            else self
        )

    def __iter__(self) -> Any:
        """As many placeholders as are unpacked (`fig, ax = plt.subplots()`); none for a loop."""
        return iter([self.used()] * unpacked(sys._getframe(1)))  # noqa: SLF001 - that which unpacks

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


def unavailable(path: str) -> str:
    """Why something of a package cannot be used."""
    package = path.partition(".")[0]
    return f"{path} is not available while grading, because {package} is not installed there"


def unpacked(frame: FrameType) -> int:
    """How many things the instruction that a frame is at unpacks; 0 for any other instruction."""
    from opcode import opname  # only here: most submissions need no placeholder

    operation, count = frame.f_code.co_code[frame.f_lasti : frame.f_lasti + 2]
    return count if opname[operation] in {"UNPACK_SEQUENCE", "UNPACK_EX"} else 0


class Files:
    """Finds the learner's modules in memory, and gives placeholders for packages that are not
    installed.

    An import that fails is first left to the learner's own `except ImportError`. Only if it ends
    the import of a module is that repeated, and then the file in which it failed gets a
    placeholder. `own` are names that never get one.
    """

    def __init__(
        self,
        sources: dict[str, tuple[str, bytes]],
        own: Sequence[str] = (),
        filenames: Sequence[str] = (),
    ) -> None:
        self.sources = sources
        self.own = {name.partition(".")[0] for name in (*sources, *own)}
        self.filenames = {*filenames, *(filename for filename, _ in sources.values())}
        self.importing = False
        self.absent: list[str] = []
        self.granted: set[tuple[str, str]] = set()
        self.failed: tuple[BaseException, tuple[str, str]] | None = None

    def install(self) -> None:
        """Have every import ask here first."""
        sys.meta_path.insert(0, self)
        builtins.__import__ = self.imported

    def imported(
        self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        """As `__import__`; a placeholder for a package that this file gets one for."""
        frame = sys._getframe(1)  # noqa: SLF001 - that of the import statement
        place = frame.f_code.co_filename, name.partition(".")[0]
        if level == 0 and place in self.granted:
            made = Placeholder(self, name if fromlist else place[1])
            if fromlist and "*" in fromlist:
                vars(made)["__all__"] = [
                    word
                    for word in words_of(frame.f_code)
                    if word not in frame.f_globals and not hasattr(builtins, word)
                ]
            return made
        try:
            return IMPORT(name, globals, locals, fromlist, level)
        except ImportError as error:
            if level == 0 and place[0] in self.filenames and place[1] not in self.own:
                self.failed = error, place
            raise

    def stand_in(self, error: BaseException | None) -> bool:
        """Whether a missing package has led to this exception, and the file that imports it now
        gets a placeholder.
        """
        failed, self.failed = self.failed, None
        while error is not None and (failed is None or error is not failed[0]):
            error = error.__context__
        if failed is None or error is None:
            return False
        filename, package = failed[1]
        # `import math.nothing` is a mistake
        missing = error.name if isinstance(error, ImportError) else None
        known = package in STANDARD and type(missing) is str and missing.startswith(f"{package}.")
        if known or failed[1] in self.granted or len({*self.absent, package}) > MAX_ABSENT:
            return False
        self.granted.add((filename, package))
        if package not in self.absent:
            self.absent.append(package)
        return True

    def find_spec(
        self, name: str, _path: object = None, _target: object = None
    ) -> ModuleSpec | None:
        """Say that a module is here, if it is the learner's."""
        if name not in self.sources:
            return None
        package = any(other.startswith(f"{name}.") for other in self.sources)
        spec = ModuleSpec(name, self, is_package=package)  # type: ignore[arg-type] # it has what the import system asks for
        # so that the module has a `__file__`
        spec.origin, spec.has_location = (self.sources[name][0], True)
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave it to the import system."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the learner's module: again, with a placeholder, if a missing package ends it and
        nobody else can catch that.
        """
        code = compiled(*self.sources[module.__name__])
        space = module.__dict__
        space["__builtins__"] = builtins  # and not our copy
        if self.importing:
            exec(code, space)  # noqa: S102 - the point of it all
            return
        fresh, before = dict(space), set(sys.modules)
        self.importing = True
        try:
            while True:
                try:
                    exec(code, space)  # noqa: S102 - as above
                except (ImportError, SystemExit) as error:  # noqa: PERF203 - a few times at most
                    if not self.stand_in(error):
                        raise
                    space.clear()
                    space.update(fresh)
                    forget(self.sources.keys() - before)
                else:
                    return
        finally:
            self.importing = False


def forget(names: Iterable[str]) -> None:
    """Have these modules imported afresh."""
    for name in names:
        sys.modules.pop(name, None)


def words_of(code: CodeType) -> set[str]:
    """The names in a module's code that are not its own variables, those in its functions included."""  # noqa: E501
    found = {word for word in code.co_names if not word.startswith("_")}
    for const in code.co_consts:
        if type(const) is type(code):
            found |= words_of(const)
    return found


class Packages:
    """Finds installed packages, each in the one folder that it lies in, and nothing that lies
    beside it.
    """

    def __init__(self, folders: dict[str, str]) -> None:
        self.folders = folders

    def find_spec(
        self, name: str, path: object = None, _target: object = None
    ) -> ModuleSpec | None:
        """Say that a package is here, if it is one of them; what is inside of it Python finds by
        itself.
        """
        if path is None and name in self.folders:
            return PathFinder.find_spec(name, [self.folders[name]])
        return None


def compiled(filename: str, source: bytes) -> CodeType:
    """The code of a file. Whatever is wrong with it is a SyntaxError that names the file, in every
    version of Python.
    """
    refuse_other_bytes(filename, source)
    try:
        return compile(source, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        error.filename = error.filename or filename
        raise
    except ValueError as error:  # in older versions
        raise SyntaxError(str(error), (filename, 0, 0, "")) from None


def refuse_other_bytes(filename: str, source: bytes) -> None:
    """Raise SyntaxError for text in UTF-16 and for null bytes: what Python says of these depends on
    its version, and names no line.
    """
    if source.startswith((b"\xff\xfe", b"\xfe\xff")) or 3 * source.count(b"\0") > len(source) > 0:
        raise SyntaxError("it is saved as UTF-16, not as UTF-8", (filename, 1, 0, ""))
    if (place := source.find(b"\0")) >= 0:
        raise SyntaxError(
            "it contains a null byte", (filename, source.count(b"\n", 0, place) + 1, 0, "")
        )


def load(files: Files, entry: str) -> ModuleType:
    """The learner's module, imported afresh."""
    files.install()
    forget(files.sources)
    # the module itself, and not the package that it is in
    return __import__(entry, None, None, ("__name__",))


def known(name: str) -> ModuleType | None:
    """A module of the learner's, if it was handed in and can be imported."""
    try:
        return __import__(name)
    except ImportError:
        return None


def patch(module: ModuleType, source: str, deletes: list[str]) -> Callable[[], None]:
    """Put the functions that `source` defines in place of the module's, and take `deletes` out;
    returns what undoes it.

    Methods go into the module's own class of that name, so that the class stays the one that every
    other function knows.
    """
    scratch: dict[str, Any] = {}
    exec(  # noqa: S102
        compile(source, getattr(module, "__file__", None) or "", "exec", dont_inherit=True),
        module.__dict__,
        scratch,
    )
    replaced: list[tuple[Any, str, Any]] = []

    def put(owner: Any, name: str, thing: Any) -> None:
        replaced.append((owner, name, vars(owner).get(name, ABSENT)))
        assign(owner, name, thing)

    for name, thing in scratch.items():
        own = getattr(module, name, None)
        if type(thing) is type and type(own) is type:
            for attribute, part in vars(thing).items():
                if (
                    type(part) in FUNCTIONS or attribute == "__hash__"
                ):  # which a class with `__eq__` alone has as None
                    put(own, attribute, part)
        elif type(thing) in FUNCTIONS:
            put(module, name, thing)
    for name in deletes:
        owner, _dot, last = name.rpartition(".")
        put(getattr(module, owner) if owner else module, last, ABSENT)

    def undo() -> None:
        for owner, name, thing in reversed(replaced):
            assign(owner, name, thing)

    return undo


def swap(module: ModuleType, source: str) -> None:
    """Put the reference's functions in place of the module's own, for good. They share the module's
    classes and other functions.

    They bring along the names that they were written with, imports for instance, and the module
    gets none of these.
    """
    space: dict[str, Any] = {"__name__": module.__name__, "__builtins__": builtins}
    exec(compile(source, SWAPPED, "exec", dont_inherit=True), space)  # noqa: S102 - as above
    written = {
        name: thing
        for name, thing in space.items()
        if getattr(thing, "__module__", "") == module.__name__
    }
    for name, thing in written.items():
        own = getattr(module, name, None)
        if isinstance(thing, type) and isinstance(own, type):
            for attribute, part in vars(thing).items():
                if type(part) in FUNCTIONS or (attribute == "__hash__" and part is None):
                    setattr(own, attribute, part)
        else:
            setattr(module, name, thing)
    brought = space.keys() - written.keys()
    space.update((name, thing) for name, thing in vars(module).items() if name not in brought)


def assign(owner: Any, name: str, thing: Any) -> None:
    """Set an attribute, or delete it where it must be absent."""
    if thing is not ABSENT:
        setattr(owner, name, thing)
    elif name in vars(owner):
        delattr(owner, name)


def code_of(function: object) -> CodeType | None:
    """The code of a function or static method that was written in Python."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code if type(code) is type(code_of.__code__) else None


def last_line(code: CodeType) -> int:
    """The last line of a function, those inside of it included."""
    lines = [line for _start, _end, line in code.co_lines() if line]
    inner = [last_line(const) for const in code.co_consts if type(const) is type(code)]
    return max([code.co_firstlineno, *lines, *inner])
