"""The worker: a bare interpreter that holds the learner's code and does what the judge asks.

It is started by path, imports the standard library and the wire format, and knows no expected value and no verdict.
Everything here shares a process with code that may do anything; the judge believes none of it beyond its type and size.
"""

from __future__ import annotations

import builtins
import gc
import operator
import os
import sys
from _frozen_importlib import ModuleSpec  # by way of importlib.machinery it would cost 0.6 ms

globals()["__builtins__"] = dict(vars(builtins))  # a private copy: a submission that overwrites a built-in breaks its own code only

TYPE_CHECKING = False  # importing typing would cost a third of the start-up
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, ModuleType
    from typing import Any, NoReturn, TypeAlias

    from grader import faults, limits, wire
    from grader.wire import Wire

    Results: TypeAlias = list[Wire]
else:
    HERE = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != HERE]
    sys.path.insert(0, HERE)
    import faults
    import limits
    import wire

    sys.path.remove(HERE)
    for name in ("wire", "limits", "faults"):  # a learner's own wire.py must not meet ours
        del sys.modules[name]

Ref = wire.Ref
clip, name_of = faults.clip, faults.name_of

MAX_ITEMS = 5_000
MAX_EDGES = 20 * MAX_ITEMS
MAX_PLACEHOLDERS = 12
FIRST_FOUND = 1 << 40  # objects that the judge has not named are numbered from here
RESERVE = 1 << 20  # given back when there is no memory left to tell so

STANDARD = sys.stdlib_module_names
MISSING = object()
OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow,
    "@": operator.matmul, "neg": operator.neg,
}  # fmt: skip
BUILTINS: dict[str, Callable[..., Any]] = {"sum": sum, "repr": repr, "len": len}


def is_a(thing: object, kinds: type | tuple[type, ...]) -> bool:
    """Whether a thing is of these types, whatever it says of its `__class__`."""
    return issubclass(type(thing), kinds)


# --- the learner's modules -------------------------------------------------------------------------------------------


class Placeholder(type(sys)):  # type: ignore[misc] # the type of modules, without importing `types`
    """Stands in for a module that is not here (a plotting library, say): importing it works, using it raises."""

    def __getattr__(self, name: str) -> Placeholder:
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(f"{self.__name__}.{name}")

    def __call__(self, *_args: object, **_named: object) -> NoReturn:
        raise ImportError(f"{self.__name__} is not available while grading: the grader runs your code on its own")


class Files:
    """Finds the learner's modules in memory, and placeholders for those that cannot be had."""

    def __init__(self, sources: dict[str, tuple[str, bytes]]) -> None:
        self.sources = sources
        self.absent: list[str] = []

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        if name in self.sources or name.partition(".")[0] in self.absent:
            return ModuleSpec(name, self)  # type: ignore[arg-type] # it has what the import system asks for
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        if spec.name in self.sources:
            return None
        module = Placeholder(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module: ModuleType) -> None:
        if (found := self.sources.get(module.__name__)) is not None:
            module.__dict__["__builtins__"] = builtins  # and not our copy
            exec(compiled(*found), module.__dict__)


def compiled(filename: str, source: bytes) -> CodeType:
    """The code of a file. Whatever is wrong with it is a SyntaxError that names the file, in every version of Python."""
    try:
        return compile(source, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        error.filename = error.filename or filename
        raise
    except ValueError as error:  # a null byte, before Python 3.12
        raise SyntaxError(str(error), (filename, 0, 0, "")) from None


def load(files: Files, entry: str) -> ModuleType:
    """The learner's module, imported afresh; a missing module of somebody else's gets a placeholder, once tried without."""
    sys.meta_path.insert(0, files)
    while True:
        for name in list(sys.modules):
            if name in files.sources:
                del sys.modules[name]
        try:
            return __import__(entry)
        except ImportError as error:
            name = error.name if type(error.name) is str else ""
            missing = name.partition(".")[0]
            known = missing in STANDARD or missing in files.sources or missing in files.absent
            if not missing or known or len(files.absent) >= MAX_PLACEHOLDERS:
                raise
            files.absent.append(missing)


def code_of(function: object) -> CodeType | None:
    """The code of a function that was written in Python."""
    code = getattr(function, "__code__", None)
    return code if type(code) is type(code_of.__code__) else None


def is_stub(code: CodeType) -> bool:
    """Whether a function does nothing but raise NotImplementedError."""
    return code.co_names == ("NotImplementedError",)


# --- doing what the judge asks ---------------------------------------------------------------------------------------


class Server:
    """The learner's module, the objects made so far, and one method per step."""

    def __init__(self) -> None:
        self.module: Any = None
        self.filenames: tuple[str, ...] = ()
        self.stubs: dict[CodeType, str] = {}
        self.objects: dict[int, Any] = {}
        self.known: dict[int, Ref] = {}
        self.found = FIRST_FOUND
        self.at = 0
        self.reserve: bytearray | None = bytearray(RESERVE)

    def reply(self, request: bytes) -> bytes:
        """The reply to one request, whatever the learner's code does: what it raises is one, too."""
        self.at = 0
        try:
            return wire.encode(self.serve(wire.decode(request)))
        except BaseException as error:
            self.reserve = None
            return wire.encode(["fault", self.at, faults.describe(error, self.filenames, self.stubs)])

    def serve(self, request: Any) -> Wire:
        """What to reply to one request, both as plain values."""
        command, *rest = request
        return ["ok", self.load(*rest) if command == "load" else self.run(*rest)]

    def load(self, files: list[tuple[str, str, bytes]], entry: str, names: list[str]) -> Wire:
        """Import the learner's module and say of each name: present, stub or missing, and where it starts."""
        sources = {module: (filename, source) for module, filename, source in files}
        self.filenames = tuple(filename for filename, _ in sources.values())
        finder = Files(sources)
        self.module = load(finder, entry)
        return [[self.inspect(name) for name in names], [clip(name) for name in finder.absent]]

    def inspect(self, name: str) -> Wire:
        owner, _, rest = name.partition(".")
        found = getattr(self.module, owner, None)
        if rest and found is not None:
            holder, found = found, getattr(found, "__dict__", {}).get(rest, MISSING)
            if found is MISSING:
                found = getattr(holder, rest, None)
            if found is getattr(object, rest, MISSING):
                found = None
            if found is not None and not is_a(holder, type):
                return ["not a class", 0]
        if found is None:
            return ["missing", 0]
        if (code := code_of(found)) is None:
            return ["present", 0]
        if is_stub(code):
            self.stubs[code] = name
            return ["stub", code.co_firstlineno]
        return ["present", code.co_firstlineno]

    def run(self, fresh: bool, steps: list[list[Any]]) -> Wire:
        """Do the steps in turn; what they send back."""
        if fresh:
            self.objects, self.known, self.found = {}, {}, FIRST_FOUND
        results: Results = []
        for self.at, step in enumerate(steps):
            getattr(self, "do_" + step[0])(results, *step[1:])
        return results

    def value(self, operand: Any) -> Any:
        """The operand itself: an object for a reference, a list of them for a list."""
        if type(operand) is Ref:
            return self.objects[operand]
        if type(operand) is list:
            return [self.value(item) for item in operand]
        return operand

    def keep(self, target: Ref, thing: object) -> None:
        self.objects[target] = thing
        self.known[id(thing)] = target

    def do_make(self, _: Results, target: Ref, function: str, args: list[Any]) -> None:
        self.keep(target, getattr(self.module, function)(*[self.value(arg) for arg in args]))

    def do_builtin(self, _: Results, target: Ref, function: str, args: list[Any]) -> None:
        self.keep(target, BUILTINS[function](*[self.value(arg) for arg in args]))

    def do_apply(self, _: Results, target: Ref, op: str, args: list[Any]) -> None:
        self.keep(target, OPERATORS[op](*[self.value(arg) for arg in args]))

    def do_call(self, _: Results, target: Ref, on: Ref, method: str, args: list[Any]) -> None:
        self.keep(target, getattr(self.objects[on], method)(*[self.value(arg) for arg in args]))

    def do_get(self, _: Results, target: Ref, on: Ref, attribute: str) -> None:
        self.keep(target, getattr(self.objects[on], attribute))

    def do_put(self, _: Results, on: Ref, attribute: str, value: Any) -> None:
        setattr(self.objects[on], attribute, self.value(value))

    def do_repeat(self, _: Results, target: Ref, count: int, op: str, start: Ref, other: Any) -> None:
        apply, thing, operand = OPERATORS[op], self.objects[start], self.value(other)
        for _round in range(count):
            thing = apply(thing, thing if other is None else operand)
        self.keep(target, thing)

    def do_walk(self, results: Results, on: Ref, along: str, method: str, until: list[Ref]) -> None:
        below = {id(node) for ref in until for node in topological(self.objects[ref], along)}
        nodes = [node for node in topological(self.objects[on], along) if id(node) not in below]
        for node in nodes:
            getattr(node, method)()
        results.append(len(nodes))

    def do_watch(self, _: Results, target: Ref, on: Ref, along: str, method: str, call: str) -> None:
        order: list[object] = []
        root = self.objects[on]
        for node in topological(root, along):
            setattr(node, method, recorded(getattr(node, method), node, order))
        getattr(root, call)()
        self.keep(target, order)

    def do_read(self, results: Results, on: Ref, attribute: str, form: str) -> None:
        thing = self.objects[on]
        if form == "graph":
            results.append(self.graph(thing, attribute))
            return
        if attribute:
            thing = getattr(thing, attribute)
        results.append(getattr(self, "as_" + form)(thing))

    def as_number(self, thing: Any) -> Wire:
        """A float, an int, or the name of the type that is neither, in a list of one."""
        kind = type(thing)
        if kind is float:
            return thing  # type: ignore[no-any-return]
        if kind is int:
            return whole(thing)
        if issubclass(kind, float):
            return float.__float__(thing)
        if issubclass(kind, int) and kind is not bool:
            return whole(int.__index__(thing))
        if kind.__module__ == "numpy" and hasattr(thing, "item") and kind.__name__ not in {"bool", "bool_", "str_"}:
            return self.as_number(thing.item())
        return [name_of(kind)]

    def as_text(self, thing: object) -> Wire:
        return clip(thing) if is_a(thing, str) else [name_of(type(thing))]  # type: ignore[arg-type]

    def as_callable(self, thing: object) -> Wire:
        return callable(thing)

    def as_value(self, thing: Any, depth: int = 0, room: list[int] | None = None) -> Wire:
        """Numbers, None, bools, text, and lists and tuples of these, `MAX_ITEMS` of them in all."""
        if thing is None or thing is True or thing is False:
            return thing
        room = [MAX_ITEMS] if room is None else room
        if is_a(thing, (list, tuple)) and depth < 4:
            items: list[Wire] = []
            for item in thing:
                if not room[0]:
                    break
                room[0] -= 1
                items.append(self.as_value(item, depth + 1, room))
            return items
        if is_a(thing, str):
            return clip(thing)
        number = self.as_number(thing)
        return ["?", *number] if type(number) is list else number

    def as_refs(self, thing: Any) -> Wire:
        """The numbers of the objects in a collection, new ones for those that have none yet."""
        if is_a(thing, (str, bytes, dict)):
            return None
        try:
            items = iter(thing)
        except TypeError:
            return None
        return [self.ref(item) for _, item in zip(range(MAX_ITEMS), items)]

    def ref(self, thing: object) -> Ref:
        if (number := self.known.get(id(thing))) is None:
            self.found += 1
            number = Ref(self.found)
            self.keep(number, thing)
        return number

    def graph(self, root: object, along: str) -> Wire:
        """Every object that can be reached, operands first, each with its own operands."""
        nodes = topological(root, along)[:MAX_ITEMS]
        found: list[Wire] = []
        room = MAX_EDGES
        for node in reversed(nodes):
            operands = children(node, along)[:room]
            room -= len(operands)
            found.append([self.ref(node), [self.ref(child) for child in operands]])
        return found


def whole(number: int) -> Wire:
    """An int that fits the wire, or the float nearest to it."""
    if -(2**63) <= number < 2**63:
        return number
    try:
        return float(number)
    except OverflowError:
        return ["int too large for a float"]


def children(node: object, along: str) -> list[Any]:
    """What a node was made of."""
    found = getattr(node, along, ())
    return list(found) if is_a(found, (set, frozenset, list, tuple)) else []


def topological(root: object, along: str) -> list[Any]:
    """Everything below a root, each once, results before the operands that they were made of."""
    order, seen, stack = [], {id(root)}, [(root, iter(children(root, along)))]
    while stack:
        node, rest = stack[-1]
        for child in rest:
            if id(child) not in seen:
                seen.add(id(child))
                stack.append((child, iter(children(child, along))))
                break
        else:
            stack.pop()
            order.append(node)
    order.reverse()
    return order


def recorded(function: Callable[..., Any], node: object, order: list[object]) -> Callable[..., Any]:
    """The function, which notes the node in `order` whenever it is called."""

    def wrapper(*args: object, **named: object) -> Any:
        order.append(node)
        return function(*args, **named)

    return wrapper


# --- the process -----------------------------------------------------------------------------------------------------


def main() -> None:
    """Say what limits are in force, then answer one request after the other."""
    requests, replies = limits.private_channels()
    gc.set_threshold(20_000, 20, 20)  # graphs are many small objects that all live: looking for garbage is half the time
    server, printed, header = Server(), sys.stdout, wire.HEADER
    sys.argv[:] = [""]
    data = wire.encode(["ready", limits.apply()])
    while True:
        limits.write_all(replies, header.pack(len(data)) + data)
        size = header.unpack(limits.read_exactly(requests, header.size))[0]
        data = server.reply(limits.read_exactly(requests, size))
        try:
            printed.flush()
        except (OSError, ValueError):  # the learner's code has closed it
            continue


if __name__ == "__main__":
    main()
