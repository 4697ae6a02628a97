"""Import the learner's modules afresh, from memory.

The worker loads this file by path; it imports only the standard library.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys

# importing it from importlib.machinery would cost the worker 0.6 ms
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import PathFinder
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from types import CodeType, ModuleType
from typing import Any

from .bounds import MAX_ABSENT
from .loaded import functions_in
from .placeholders import NUMERIC, Placeholder, unavailable
from .protocol import File, Place
from .slips import slip_in

STANDARD = sys.stdlib_module_names
IMPORT = builtins.__import__
ROOT = "__init__"  # the folder of the submission as a package
FROM_ROOT = f"{ROOT}."
# whose `nn` is never the learner's nn.py
LIBRARIES = NUMERIC | {"flax", "keras", "mxnet", "paddle", "sklearn", "tinygrad"}
_IMPORTED = re.compile(
    r"(?:^|;)[ \t]*(?:from|import)[ \t]+(\w[\w.]*)(?:[ \t]+import[ \t]+(\([^)]*|[^;#\n]*))?",
    re.MULTILINE,
)
_RELATIVE = re.compile(rb"^[ \t]*from[ \t]+\.", re.MULTILINE)


class Files:
    """Finds the learner's modules in memory and provides placeholders for missing packages.

    The learner's own `except ImportError` gets the first chance to handle a failed import. Only if
    the failure ends the import of a module does that module run again, with a placeholder in the
    failed file. Names in `own` never get one.
    """

    def __init__(
        self,
        files: Sequence[File],
        own: Sequence[str],
        filenames: Iterable[str],
        left_out: Sequence[Place],
        provided: Sequence[str],
    ) -> None:
        modules = [file for file in files if not file.is_cell]
        root = File(ROOT, f"{ROOT}.py", b"")
        self.sources = {inner_name(file.module): file for file in (root, *modules)}
        self.left_out = left_out
        self.named, self.provided = {*own, *provided} - {ROOT}, provided
        names = (*self.sources, *own, *provided)
        self.own = {part for name in names for part in name.split(".")}
        self.filenames = {*filenames}
        self.importing = False
        self.package = ""  # of the module that imports
        self.packages = own_packages(modules).union(  # a cell may write a package's file
            *(
                _packages_before([f.module], [f.module.rpartition(".")[2]])
                for f in files
                if f.is_cell
            )
        )
        self.aliases: dict[str, str] = {}
        self.absent: dict[str, set[str]] = {}  # a package, and the files with a placeholder for it
        # a copy, so a submission that overwrites a built-in breaks only itself
        self.builtins = type(builtins)("builtins")
        own_built_ins = {"exit": sys.exit, "quit": sys.exit, "__import__": self.imported}
        vars(self.builtins).update(vars(builtins), **own_built_ins)
        self.failed: tuple[BaseException, tuple[str, str]] | None = None

    def install(self) -> None:
        """Make every import of the learner's code go through this object first."""
        sys.meta_path.insert(0, self)
        sys.modules["builtins"] = self.builtins

    def imported(
        self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        """Import like `__import__`, but return a placeholder if this file was granted one."""
        frame = sys._getframe(1)  # noqa: SLF001 - the frame of the import statement
        filename = frame.f_code.co_filename
        if filename not in self.filenames:
            return IMPORT(name, globals, locals, fromlist, level)
        self.package = str((globals or {}).get("__package__") or ROOT)
        if level:  # the folder of the submission is the outermost package
            parts = self.package.split(".")
            above = parts[: max(len(parts) - level + 1, 1)]
            return IMPORT(".".join((*above, name)).rstrip("."), globals, locals, fromlist)
        shadow = None if self.packages else self.sources.get(FROM_ROOT + name)
        if shadow and shadow.shown != filename:  # a package's files would get Python's own
            own = IMPORT(FROM_ROOT + name, globals, locals, fromlist or ("__name__",))
            return own if fromlist else sys.modules[FROM_ROOT + name.partition(".")[0]]
        place = filename, self.part_of(name)
        if filename in self.absent.get(place[1], ()):
            made = Placeholder(self, name if fromlist else place[1])
            if fromlist and "*" in fromlist:
                vars(made)["__all__"] = [
                    word
                    for word in words_of(frame.f_code)
                    if word not in frame.f_globals and not hasattr(self.builtins, word)
                ]
            return made
        try:
            return IMPORT(name, globals, locals, fromlist)
        except ImportError as error:
            place = filename, self.part_of(name)  # it may be known by now
            is_foreign = place[1].rpartition(".")[2] not in self.own
            if is_foreign and "circular import" not in str(error):
                self.failed = error, place
                if not self.importing and error.name == place[1]:  # inside a function
                    error.msg = unavailable(self, name)
            raise

    def part_of(self, name: str) -> str:
        """Return the part of a path that is missing as a whole: a package, or a file in the
        learner's own.
        """
        head = name.partition(".")[0]
        return name if head in self.packages else head

    def stand_in(self, error: BaseException | None) -> bool:
        """Return whether a missing package caused this. If so, its file gets a placeholder."""
        failed, self.failed = self.failed, None
        while error is not None and (failed is None or error is not failed[0]):
            error = error.__context__
        if failed is None or error is None:
            return False
        filename, package = failed[1]
        # `import math.nothing` is the learner's mistake, not a missing package
        missing = error.name if isinstance(error, ImportError) else None
        known = package in STANDARD and type(missing) is str and missing.startswith(f"{package}.")
        files = self.absent.get(package, set())
        if known or filename in files or len({*self.absent, package}) > MAX_ABSENT:
            return False
        self.absent[package] = {*files, filename}
        return True

    def find_spec(
        self, name: str, _path: object = None, _target: object = None
    ) -> ModuleSpec | None:
        """Return the spec of one of the learner's modules, or None for any other."""
        if name not in self.sources:
            if (own := self.meant(name)) is None:
                return None
            self.aliases[name] = own
        package = name == ROOT or any(other.startswith(f"{name}.") for other in self.sources)
        spec = ModuleSpec(name, self, is_package=package)  # type: ignore[arg-type] # it has every method that the import system calls
        if name in self.sources:  # gives the module a `__file__`
            spec.origin, spec.has_location = (self.sources[name].shown, True)
        return spec

    def meant(self, name: str) -> str | None:
        """Return the learner's module that goes by this other name, or None."""
        head, _, rest = name.partition(".")
        beside = f"{self.package}.{name}".removeprefix(FROM_ROOT)
        if beside in self.sources and head not in STANDARD:
            return beside  # as if the file were started from its own folder
        if head in STANDARD or head in self.named:
            return None
        if name in self.packages:
            return ROOT
        while rest:
            inner = inner_name(rest)
            is_there = inner in self.sources or (rest in self.own and rest in sys.modules)
            if is_there and head in {ROOT, *self.packages}:
                return inner
            step, _, rest = rest.partition(".")
            head = f"{head}.{step}"
        if name.startswith(FROM_ROOT):
            told = f"attempted relative import of {name[len(FROM_ROOT) :]!r}, which is not read"
            raise ModuleNotFoundError(told, name=name)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return the module that another name means. Leave all other names to the import system."""
        if (own := self.aliases.get(spec.name)) is None:
            return None
        module: ModuleType = IMPORT(own, None, None, ("__name__",))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run the learner's module.

        Run it again, with a placeholder, if a missing package ends it and nothing else can catch
        that.
        """
        assert module.__spec__ is not None
        if module.__spec__.name in self.aliases:  # it has run under its own name
            module.__spec__ = module.__spec__.loader_state
            return
        code = compiled(*self.sources[module.__name__][1:3], self.left_out)
        space = module.__dict__
        space["__builtins__"] = self.builtins
        parent = str(module.__package__).removeprefix(ROOT).strip(".")
        space["__package__"] = f"{ROOT}.{parent}".rstrip(".")
        if not self.packages and (name := module.__name__.removeprefix(FROM_ROOT)) in STANDARD:
            space["__getattr__"] = partial(getattr, IMPORT(name))
        fresh, before = dict(space), set(sys.modules)
        is_inner, self.importing = self.importing, True
        try:
            while True:
                try:
                    exec(code, space)  # noqa: S102 - running it is the purpose
                except (ImportError, SystemExit) as error:  # noqa: PERF203 - a few times at most
                    if is_inner or not self.stand_in(error):
                        raise
                    space.clear()
                    space.update(fresh)
                    forget((self.sources.keys() | self.aliases.keys()) - before)
                else:
                    return
        finally:
            self.importing = is_inner


def inner_name(module: str) -> str:
    """Return the name under which the learner's module is imported. One of Python's own keeps its
    name, because only the learner's files may mean the learner's.
    """
    return FROM_ROOT + module if module.partition(".")[0] in STANDARD else module


def own_packages(files: Sequence[File]) -> set[str]:
    """Return the names of packages that mean the folder of the submission: `a` and `a.b` for an
    `a.b.engine` that means the learner's engine.py, or for an `a.b.Value` that may come from the
    learner's `__init__.py`, and ROOT for a relative import.
    """
    own, found = {file.module for file in files}, set[str]()
    root = next((file for file in files if file.module == ROOT), File(ROOT, "", b""))
    folder = {*re.findall(r"([^/\\\s]+)[/\\][^/\\]*$", root.shown)}
    texts = [file.source for file in files] if b"*" in root.source else [root.source]
    brought = {word.decode() for text in texts for word in re.findall(rb"\w+", text)}
    taken = {name.partition(".")[0] for name in own} | STANDARD
    for module, _shown, source, _is_cell in files:
        is_inner = any(name.startswith(f"{module}.") or module.count(".") for name in own)
        found |= {ROOT} if _RELATIVE.search(source) and not is_inner else set()
        for path, names in _IMPORTED.findall(source.decode("utf-8", "replace")):
            wholes = [path, *(f"{path}.{name}" for name in re.findall(r"\w+", names))]
            ends = _packages_before(wholes, own - {module})
            if not ends and module != ROOT and path.partition(".")[0] not in taken:
                ends = _packages_before(wholes, brought)
            found |= ends
    return folder | {name for name in found if name.partition(".")[0] not in LIBRARIES - folder}


def _packages_before(wholes: Sequence[str], lasts: Collection[str]) -> set[str]:
    """Return the packages in front of these last parts: `a` and `a.b` for `c` and `a.b.c`."""
    found = set()
    for whole in wholes:
        for last in lasts:
            if whole.endswith(f".{last}"):
                parts = whole.removesuffix(f".{last}").split(".")
                found |= {".".join(parts[: end + 1]) for end in range(len(parts))}
    return found


def forget(names: Iterable[str]) -> None:
    """Make Python import these modules again."""
    for name in names:
        sys.modules.pop(name, None)


def words_of(code: CodeType) -> set[str]:
    """Return the names that a module takes from elsewhere, including those in its functions."""
    return {
        word
        for each in (code, *functions_in(code))
        for word in each.co_names
        if not word.startswith("_")
    }


class Packages:
    """Finds installed packages, each in its own folder, but nothing else in that folder."""

    def __init__(self, folders: dict[str, str]) -> None:
        self.folders = folders

    def find_spec(
        self, name: str, path: object = None, _target: object = None
    ) -> ModuleSpec | None:
        """Return the spec of one of these packages. Python finds its submodules without help."""
        if path is None and name in self.folders:
            return PathFinder.find_spec(name, [self.folders[name]])
        return None


def compiled(filename: str, source: bytes, left_out: Sequence[Place] = ()) -> CodeType:
    """Compile a file up to the first statement that is left out. Raise SyntaxError, with the file's
    name, for any problem.

    This holds in every Python version.
    """
    refuse_other_bytes(filename, source)
    try:
        code = compile(source, filename, "exec", dont_inherit=True)
        if any(file == filename for file, _line in left_out):
            tree = ast.parse(source, filename)
            reached = [is_left_out(statement, filename, left_out) for statement in tree.body]
            del tree.body[(*reached, True).index(True) :]
            code = compile(tree, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        error.filename = error.filename or filename
        if slip := slip_in(source.decode("utf-8", "replace"), error.lineno or 0):
            error.lineno, error.msg = slip
            error.text = None
        raise
    except ValueError as error:  # raised by older versions
        raise SyntaxError(str(error), (filename, 0, 0, "")) from None
    return code


def first_line(statement: Any) -> int:
    """Return the first line of a statement, which may be its decorator."""
    decorators = getattr(statement, "decorator_list", ())
    return min(int(part.lineno) for part in (statement, *decorators))


def is_left_out(statement: Any, filename: str, left_out: Sequence[Place]) -> bool:
    """Return whether one of these lines belongs to the statement."""
    return any(
        file == filename and first_line(statement) <= line <= statement.end_lineno
        for file, line in left_out
    )


def refuse_other_bytes(filename: str, source: bytes) -> None:
    """Raise SyntaxError for UTF-16 text and for null bytes, because Python's own message depends on
    its version and gives no line.
    """
    if source.startswith((b"\xff\xfe", b"\xfe\xff")) or 3 * source.count(b"\0") > len(source) > 0:
        raise SyntaxError("it is saved as UTF-16; save it as UTF-8", (filename, 1, 0, ""))
    if (place := source.find(b"\0")) >= 0:
        raise SyntaxError(
            "it contains a null byte", (filename, source.count(b"\n", 0, place) + 1, 0, "")
        )


def load(files: Files, entry: str) -> ModuleType:
    """Import the learner's module afresh, after the package that its files say they are in."""
    files.install()
    forget(files.sources)
    try:
        __import__(ROOT)
    except ImportError:  # it may work from here, where Python would not begin
        forget(files.sources.keys() | files.aliases.keys())
    # the module itself, not the package that contains it
    return __import__(entry, None, None, ("__name__",))


def known(name: str) -> ModuleType | None:
    """Return one of the learner's modules, or None if it is missing or cannot be imported."""
    try:
        return __import__(name)
    except ImportError:
        return None
