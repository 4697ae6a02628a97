"""The learner's modules: found in memory, imported afresh. For the worker: standard library only, loaded by path.

A module that is not here is a fault of nobody's until it is used: whoever imports a plotting library is graded, too.
"""

from __future__ import annotations

import builtins
import sys
from _frozen_importlib import ModuleSpec  # by way of importlib.machinery it would cost the worker 0.6 ms
from _frozen_importlib_external import PathFinder

globals()["__builtins__"] = dict(vars(builtins))  # a private copy: a submission that overwrites a built-in breaks its own code only

TYPE_CHECKING = False  # importing typing would cost the worker a third of its start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import CodeType, ModuleType
    from typing import Any, NoReturn

MAX_PLACEHOLDERS = 12
STANDARD = sys.stdlib_module_names
ABSENT = object()
SWAPPED = "<the reference>"


class Placeholder(type(sys)):  # type: ignore[misc] # the type of modules, without importing `types`
    """Stands in for a module that is not here (a plotting library, say): importing it works, using it raises."""

    def __getattr__(self, name: str) -> Placeholder:
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(f"{self.__name__}.{name}")

    def __call__(self, *_args: object, **_named: object) -> NoReturn:
        """Say that the module is not here."""
        raise ImportError(f"{self.__name__} is not available while grading: the grader runs your code on its own", name=self.__name__)

    __getitem__ = __setitem__ = __iter__ = __enter__ = __call__


class Files:
    """Finds the learner's modules in memory, and placeholders for those that cannot be had."""

    def __init__(self, sources: dict[str, tuple[str, bytes]]) -> None:
        self.sources = sources
        self.absent: list[str] = []

    def stand_in(self, error: ImportError, own: Sequence[str]) -> bool:
        """Whether a placeholder can be had for what could not be imported: from now on there is one."""
        name = error.name if type(error.name) is str else ""
        missing = name.partition(".")[0]
        known = missing in STANDARD or missing in self.sources or missing in self.absent or missing in own
        if not missing or known or len(self.absent) >= MAX_PLACEHOLDERS:
            return False
        self.absent.append(missing)
        return True

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """Say that a module is here, if it is the learner's or known to be absent."""
        if name in self.sources or name.partition(".")[0] in self.absent:
            package = any(other.startswith(f"{name}.") for other in self.sources)
            spec = ModuleSpec(name, self, is_package=package)  # type: ignore[arg-type] # it has what the import system asks for
            if name in self.sources:  # so that the module has a `__file__`
                spec.origin, spec.has_location = self.sources[name][0], True
            return spec
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Make a placeholder; for the learner's modules, leave it to the import system."""
        if spec.name in self.sources:
            return None
        module = Placeholder(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run the learner's module."""
        if (found := self.sources.get(module.__name__)) is not None:
            module.__dict__["__builtins__"] = builtins  # and not our copy
            exec(compiled(*found), module.__dict__)  # noqa: S102 - the point of it all


FUNCTIONS = (type(Files.find_spec), classmethod, staticmethod, property)


class Packages:
    """Finds installed packages, each in the one folder that it lies in, and nothing that lies beside it."""

    def __init__(self, folders: dict[str, str]) -> None:
        self.folders = folders

    def find_spec(self, name: str, path: object = None, _target: object = None) -> ModuleSpec | None:
        """Say that a package is here, if it is one of them; what is inside of it Python finds by itself."""
        if path is None and name in self.folders:
            return PathFinder.find_spec(name, [self.folders[name]])
        return None


def compiled(filename: str, source: bytes) -> CodeType:
    """The code of a file. Whatever is wrong with it is a SyntaxError that names the file, in every version of Python."""
    refuse_other_bytes(filename, source)
    try:
        return compile(source, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        error.filename = error.filename or filename
        raise
    except ValueError as error:  # in older versions
        raise SyntaxError(str(error), (filename, 0, 0, "")) from None


def refuse_other_bytes(filename: str, source: bytes) -> None:
    """Raise SyntaxError for text in UTF-16 and for null bytes: what Python says of these depends on its version, and names no line."""
    if source.startswith((b"\xff\xfe", b"\xfe\xff")) or 3 * source.count(b"\0") > len(source) > 0:
        raise SyntaxError("it must be saved as UTF-8; there is UTF-16 text", (filename, 1, 0, ""))
    if (place := source.find(b"\0")) >= 0:
        raise SyntaxError("there is a null byte", (filename, source.count(b"\n", 0, place) + 1, 0, ""))


def load(files: Files, entry: str, own: list[str]) -> ModuleType:
    """The learner's module, imported afresh; a missing module of somebody else's gets a placeholder, once tried without."""
    sys.meta_path.insert(0, files)
    while True:
        for name in list(sys.modules):
            if name in files.sources:
                del sys.modules[name]
        try:
            return __import__(entry, None, None, ("__name__",))  # the module itself, and not the package that it is in
        except ImportError as error:
            if not files.stand_in(error, own):
                raise


def known(name: str) -> ModuleType | None:
    """A module of the learner's, if it was handed in and can be imported."""
    try:
        return __import__(name)
    except ImportError:
        return None


def patch(module: ModuleType, source: str, deletes: list[str]) -> Callable[[], None]:
    """Put the functions that `source` defines in place of the module's, and take `deletes` out; returns what undoes it.

    Methods go into the module's own class of that name, so that the class stays the one that every other function knows.
    """
    scratch: dict[str, Any] = {}
    exec(compile(source, getattr(module, "__file__", None) or "", "exec", dont_inherit=True), module.__dict__, scratch)  # noqa: S102 - as above
    replaced: list[tuple[Any, str, Any]] = []

    def put(owner: Any, name: str, thing: Any) -> None:
        replaced.append((owner, name, vars(owner).get(name, ABSENT)))
        assign(owner, name, thing)

    for name, thing in scratch.items():
        own = getattr(module, name, None)
        if type(thing) is type and type(own) is type:
            for attribute, part in vars(thing).items():
                if type(part) in FUNCTIONS or attribute == "__hash__":  # which a class with `__eq__` alone has as None
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
    """Put the reference's functions in place of the module's own, for good. They share the module's classes and other functions.

    They bring along the names that they were written with, imports for instance, and the module gets none of these.
    """
    space: dict[str, Any] = {"__name__": module.__name__, "__builtins__": builtins}
    exec(compile(source, SWAPPED, "exec", dont_inherit=True), space)  # noqa: S102 - as above
    written = {name: thing for name, thing in space.items() if getattr(thing, "__module__", "") == module.__name__}
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
    """The code of a function that was written in Python."""
    code = getattr(function, "__code__", None)
    return code if type(code) is type(code_of.__code__) else None


def last_line(code: CodeType) -> int:
    """The last line of a function, those inside of it included."""
    lines = [line for _start, _end, line in code.co_lines() if line]
    inner = [last_line(const) for const in code.co_consts if type(const) is type(code)]
    return max([code.co_firstlineno, *lines, *inner])
