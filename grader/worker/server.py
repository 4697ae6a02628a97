"""The worker: a bare interpreter that holds the learner's code and does what the judge asks.

It is started by path, imports the standard library and the wire format, and knows no expected value
and no verdict.
Everything here shares a process with code that may do anything; the judge believes none of it
beyond its type and size.
"""

from __future__ import annotations

import _operator as operator  # what `operator` is made of
import builtins
import gc
import sys

from . import cells, confinement, deadline, exceptions, limits, modules, pass_trace, protocol

globals()["__builtins__"] = dict(
    vars(builtins)
)  # a private copy: a submission that overwrites a built-in breaks its own code only

TYPE_CHECKING = False  # importing typing would cost a third of the start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import CodeType, FrameType
    from typing import Any, TypeAlias

    from grader.worker.protocol import Wire

    Results: TypeAlias = list[Wire]
    Ref: TypeAlias = tuple[int]

clip, name_of = exceptions.clip, exceptions.name_of

MAX_ITEMS = 5_000
MAX_EDGES = 20 * MAX_ITEMS
MAX_AXES = 8
MAX_CALLS = 20  # of one method, for each object that is watched
MAX_DOCUMENT = 1 << 16  # characters
MAX_EVENTS = 100_000  # calls and returns that are looked at, to see which functions are used
FIRST_FOUND = 1 << 40  # objects that the judge has not named are numbered from here
RESERVE = 1 << 20  # given back when there is no memory left to tell so
LAST_WORDS = protocol.encode(["fault", 0, ["memory", "MemoryError", [], "", [], ""]])

MISSING = object()
OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "@": operator.matmul,
    "neg": operator.neg,
}
BUILTINS: dict[str, Callable[..., Any]] = {"sum": sum, "repr": repr, "len": len, "list": list}


def is_a(thing: object, kinds: type | tuple[type, ...]) -> bool:
    """Whether a thing is of these types, whatever it says of its `__class__`."""
    return issubclass(type(thing), kinds)


# --- doing what the judge asks ---


class Server:
    """The learner's module, the objects made so far, and one method per step."""

    def __init__(self, arm: Callable[[float], None] = lambda _seconds: None) -> None:
        self.arm = arm
        self.module: Any = None
        self.provided: list[str] = []
        self.filenames: tuple[str, ...] = ()
        self.stubs: dict[CodeType, str] = {}
        self.names: dict[CodeType, str] = {}
        self.objects: dict[Ref, Any] = {}
        self.known: dict[int, Ref] = {}
        self.found = FIRST_FOUND
        self.at = 0
        self.reserve: bytearray | None = bytearray(RESERVE)

    def reply(self, request: bytes) -> bytes:
        """The reply to one request, whatever the learner's code does: what it raises is one, too."""  # noqa: E501
        self.at = 0
        try:
            return protocol.encode(self.serve(protocol.unpack(request)))
        except BaseException as error:  # noqa: BLE001 - SystemExit and KeyboardInterrupt, too, are the learner's
            self.reserve = None
            for _attempt in range(2):
                try:
                    return protocol.encode(
                        [
                            "fault",
                            self.at,
                            exceptions.describe(error, self.filenames, self.stubs, self.names),
                        ]
                    )
                except MemoryError:  # noqa: PERF203 - functions that call themselves hold on to what they see
                    gc.collect()
            return LAST_WORDS

    def serve(self, request: Any) -> Wire:
        """What to reply to one request, both as plain values."""
        command, seconds, *rest = request
        self.arm(seconds)
        try:
            return ["ok", COMMANDS[command](self, *rest)]
        finally:
            self.arm(0)

    def out_of_time(self, frame: FrameType | None) -> bytes:
        """The reply when a request takes too long: where the code is."""
        return protocol.encode(
            ["fault", self.at, exceptions.interrupted(frame, self.filenames, self.names)]
        )

    def provide(self, packages: list[tuple[str, str]]) -> Wire:
        """Make packages importable, each from its folder, and import them: what that takes, and
        what it lacks, is not the learner's.
        """
        folders = dict(packages)
        sys.meta_path.append(modules.Packages(folders))
        for name in folders:
            __import__(name)
        self.provided += folders
        return []

    def load(
        self,
        files: list[tuple[str, str, bytes]],
        entry: str,
        names: list[str],
        own: list[str],
        disabled: list[str],
        swaps: Sequence[tuple[str, str]] = (),
        from_cells: Sequence[tuple[str, bytes]] = (),
        left_out: Sequence[tuple[str, int]] = (),
    ) -> Wire:
        """Import the learner's module and say of each name: present, stub or missing, from which
        line to which it goes, in which file.

        Where there are `from_cells`, they are run instead, but for the statements in the lines that
        are `left_out`, and told about.

        `own` are the modules of the course: one that was not handed in is missing, and gets no
        placeholder. `disabled`
        functions have not come to an end before, and are not run again. `swaps` are the reference's
        functions for some modules.
        """
        sources = {
            module: (filename, source)
            for module, filename, source in files
            if module not in self.provided
        }
        self.filenames = (
            *(filename for filename, _ in sources.values()),
            *(filename for filename, _ in from_cells),
        )
        finder, told = modules.Files(sources, own + self.provided, self.filenames), []
        if from_cells:
            notebook = cells.Notebook(finder, own, left_out, self.arm, exceptions.describe)
            self.module, told = notebook.run(from_cells), notebook.told
        else:
            self.module = modules.load(finder, entry)
        for name, source in swaps:
            if (module := modules.known(name)) is not None:
                modules.swap(module, source)
        found: Wire = [self.inspect(name) for name in names]
        for name in disabled:
            owner, _dot, rest = name.rpartition(".")
            setattr(
                getattr(self.module, owner) if owner else self.module, rest, deadline.stopped(name)
            )
        return [found, [clip(name) for name in finder.absent], told]

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
                return ["not a class", 0, 0, ""]
        if found is None or type(found) is modules.Placeholder:
            return ["missing", 0, 0, ""]
        if (code := modules.code_of(found)) is None:
            return ["present", 0, 0, ""]
        place: list[Wire] = [
            code.co_firstlineno,
            modules.last_line(code),
            code.co_filename if code.co_filename in self.filenames else "",
        ]
        if code.co_names == ("NotImplementedError",):  # it does nothing but raise that
            self.stubs[code] = name
            return ["stub", *place]
        self.names[code] = name
        return ["present", 0, 0, ""] if code.co_filename == modules.SWAPPED else ["present", *place]

    def run(self, fresh: bool, steps: list[list[Any]]) -> Wire:  # noqa: FBT001 - a field of the message
        """Do the steps in turn; what they send back."""
        if fresh:
            self.objects, self.known, self.found = {}, {}, FIRST_FOUND
            self.save()
        results: Results = []
        for self.at, step in enumerate(steps):
            getattr(self, "do_" + step[0])(results, *step[1:])
        return results

    def patched(self, patches: list[tuple[str, str, list[str]]], steps: list[list[Any]]) -> Wire:
        """As a fresh `run`, with other functions in place of some modules' own for so long."""
        undo: list[Callable[[], None]] = []
        try:
            for name, source, deletes in patches:
                if (module := modules.known(name)) is not None:
                    undo.append(modules.patch(module, source, deletes))
            return self.run(fresh=True, steps=steps)
        finally:
            for each in reversed(undo):
                each()

    def called(self, steps: list[list[Any]]) -> Wire:
        """The functions of the course that are called in a fresh run of the steps, whatever becomes
        of it; in so many events.
        """
        met: set[CodeType] = set()
        left = MAX_EVENTS

        def note(frame: FrameType, event: str, _argument: object) -> None:
            nonlocal left
            left -= 1
            if event == "call":
                met.add(frame.f_code)
            if left < 0:
                raise Enough

        sys.setprofile(note)
        try:
            self.run(fresh=True, steps=steps)
        except BaseException:  # noqa: BLE001, S110 - it has been told of already: this script failed before
            pass
        finally:
            sys.setprofile(None)
        return [[name for code, name in self.names.items() if code in met]]

    def save(self) -> None:
        """Put memory by, if there is some."""
        try:
            self.reserve = self.reserve or bytearray(RESERVE)
        except MemoryError:
            return

    def value(self, operand: Any) -> Any:
        """The operand itself: an object for a reference, a list of them for a list."""
        if type(operand) is tuple:
            return self.objects[operand]
        if type(operand) is list:
            return [self.value(item) for item in operand]
        return operand

    def keep(self, target: Ref, thing: object) -> None:
        self.objects[target] = thing
        self.known[id(thing)] = target

    def do_make(
        self, _: Results, target: Ref, function: str, args: list[Any], named: list[Any]
    ) -> None:
        module, colon, path = function.partition(":")
        if not colon:
            module, _dot, path = function.rpartition(".")
        owner = (
            __import__(module, None, None, ("__name__",)) if module else self.module
        )  # the module itself, and not the package that it is in
        self.keep(
            target,
            follow(owner, path)(
                *[self.value(arg) for arg in args], **{name: self.value(arg) for name, arg in named}
            ),
        )

    def do_builtin(self, _: Results, target: Ref, function: str, args: list[Any]) -> None:
        self.keep(target, BUILTINS[function](*[self.value(arg) for arg in args]))

    def do_apply(self, _: Results, target: Ref, op: str, args: list[Any]) -> None:
        self.keep(target, OPERATORS[op](*[self.value(arg) for arg in args]))

    def do_call(
        self, _: Results, target: Ref, on: Ref, method: str, args: list[Any], named: list[Any]
    ) -> None:
        self.keep(
            target,
            getattr(self.objects[on], method)(
                *[self.value(arg) for arg in args], **{name: self.value(arg) for name, arg in named}
            ),
        )

    def do_get(self, _: Results, target: Ref, on: Ref, attribute: str) -> None:
        self.keep(target, follow(self.objects[on], attribute))

    def do_put(self, _: Results, on: Ref, attribute: str, value: Any) -> None:
        owner, _dot, last = attribute.rpartition(".")
        setattr(follow(self.objects[on], owner), last, self.value(value))

    def do_expression(self, _: Results, target: Ref, source: str) -> None:
        self.keep(target, eval(source, self.module.__dict__))  # noqa: S307 - the judge wrote it, not the learner

    def do_define(self, _: Results, target: Ref, name: str, source: str) -> None:
        space = dict(self.module.__dict__)  # it leaves nothing behind in there
        exec(source, space)  # noqa: S102 - the judge wrote it, not the learner
        self.keep(target, space[name])

    def do_repeat(
        self, _: Results, target: Ref, count: int, op: str, start: Ref, other: Any
    ) -> None:
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

    def do_watch(
        self, _: Results, target: Ref, on: Ref, along: str, method: str, call: str, noted: str
    ) -> None:
        watched, root = Watched(), self.objects[on]
        nodes = topological(root, along)
        watched.most = MAX_CALLS * len(nodes)
        for node in nodes:
            setattr(node, method, watched.recording(getattr(node, method), node, noted))
        try:  # noqa: SIM105 - importing contextlib would cost the worker start-up time
            getattr(root, call)()
        except Enough:
            pass
        self.keep(target, watched)

    def do_follow(
        self,
        _: Results,
        target: Ref,
        on: Ref,
        along: str,
        also: list[Ref],
        method: str,
        call: str,
        noted: str,
        until: list[Ref],
    ) -> None:
        root = self.objects[on]
        below = topological(root, along)
        known = {id(node) for node in below}
        others = {id(self.objects[ref]): self.objects[ref] for ref in also}
        nodes = (below + [node for key, node in others.items() if key not in known])[:MAX_ITEMS]
        followed = pass_trace.Followed(nodes, noted, self.as_kept)
        self.keep(target, followed)  # whatever becomes of the call
        for node in nodes:
            if hasattr(node, method):
                setattr(node, method, followed.following(getattr(node, method), node))
        try:
            if call:
                getattr(root, call)()
            else:
                ends = {id(node) for ref in until for node in topological(self.objects[ref], along)}
                for node in below:
                    if id(node) not in ends:
                        getattr(node, method)()
            followed.settle()
        except pass_trace.Enough:
            pass

    def as_kept(self, thing: Any) -> Wire:
        """A number as it is now, though the object it came from may change; else the name of its
        type.
        """
        return None if thing is None else self.as_number(thing)

    def do_read(self, results: Results, on: Ref, attribute: str, form: str) -> None:
        thing = self.objects[on]
        if form == "graph":
            results.append(self.graph(thing, attribute))
            return
        thing = follow(thing, attribute)
        results.append(getattr(self, "as_" + form)(thing))

    def as_number(self, thing: Any) -> Wire:
        """A float, an int, or the name of the type that is neither, in a list of one."""
        kind = type(thing)
        if kind is float:
            return thing  # type: ignore[no-any-return]
        if kind is int:
            return whole(thing)
        if kind is modules.Placeholder:
            thing.used()  # which says that the package is not here
        if issubclass(kind, float):
            return float.__float__(thing)
        if issubclass(kind, int) and kind is not bool:
            return whole(int.__index__(thing))
        if (
            kind.__module__ == "numpy"
            and hasattr(thing, "item")
            and kind.__name__ not in {"bool", "bool_", "str_"}
        ):
            return self.as_number(thing.item())
        return [name_of(kind)]

    def as_array(self, thing: Any) -> Wire:
        """The shape of an array of real numbers, and the numbers, the last axis fastest; a number
        alone has no axis.

        For all else, in a list of one: what it is.
        """
        if not any(
            kind.__module__ == "numpy" and kind.__name__ == "ndarray"
            for kind in type(thing).__mro__
        ):
            number = self.as_number(thing)
            return number if type(number) is list else [[], [number]]
        if thing.dtype.kind not in "iuf":
            return [clip(f"array of {thing.dtype.name}")]
        if thing.size > MAX_ITEMS or thing.ndim > MAX_AXES:
            return [f"array of {int(thing.size)} numbers with {int(thing.ndim)} axes"]
        as_plain: Callable[[Any], Wire] = float if thing.dtype.kind == "f" else whole
        return [
            [int(size) for size in thing.shape],
            [as_plain(number) for number in thing.ravel().tolist()],
        ]

    def as_text(self, thing: object) -> Wire:
        return clip(thing) if is_a(thing, str) else [name_of(type(thing))]  # type: ignore[arg-type]

    def as_document(self, thing: Any) -> Wire:
        """A text as a whole; for one that is too long, or no text, what it is."""
        if not is_a(thing, str):
            return [name_of(type(thing))]
        text = str.__str__(thing)
        return text if len(text) <= MAX_DOCUMENT else [f"text of {len(text)} characters"]

    def as_callable(self, thing: object) -> Wire:
        return callable(thing)

    def as_value(self, thing: Any, depth: int = 0, room: list[int] | None = None) -> Wire:
        """Numbers, None, bools, text, lists and tuples of these, `MAX_ITEMS` in all; for all else
        its type's name, as bytes.
        """
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
        return number[0].encode("utf-8", "backslashreplace") if type(number) is list else number  # type: ignore[union-attr]

    def as_ref(self, thing: Any) -> Wire:
        """The number of the object itself."""
        return self.ref(thing)

    def as_refs(self, thing: Any) -> Wire:
        """The numbers of the objects in a collection, new ones for those that have none yet."""
        if is_a(thing, (str, bytes, dict)):
            return None
        try:
            items = iter(thing)
        except TypeError:
            return None
        return [self.ref(item) for _, item in zip(range(MAX_ITEMS), items)]

    def ref(self, thing: object) -> Wire:
        if (ref := self.known.get(id(thing))) is None:
            self.found += 1
            ref = (self.found,)
            self.keep(ref, thing)
        return protocol.Ref(ref[0])

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


def follow(thing: Any, path: str) -> Any:
    """What a path such as `layers[0].w[2].data` leads to; the thing itself for an empty one."""
    for word in path.replace("]", "").replace("[", ".").split("."):
        if word:
            thing = thing[int(word)] if word.isdigit() else getattr(thing, word)
    return thing


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


class Enough(BaseException):
    """Raised when a method has been called far more often than there are objects, or a run was
    watched for long enough.
    """


class Watched:
    """The objects whose method was called, in that order, and what one attribute of each held just
    then.
    """

    def __init__(self) -> None:
        self.nodes: list[object] = []
        self.numbers: list[object] = []
        self.most = 0

    def recording(
        self, function: Callable[..., Any], node: object, noted: str
    ) -> Callable[..., Any]:
        """The function, which notes the object whenever it is called."""

        def wrapper(*args: object, **named: object) -> Any:
            if len(self.nodes) >= self.most:
                raise Enough
            self.nodes.append(node)
            self.numbers.append(getattr(node, noted, None))
            return function(*args, **named)

        return wrapper


COMMANDS: dict[str, Callable[..., Wire]] = {
    "provide": Server.provide,
    "load": Server.load,
    "run": Server.run,
    "patched": Server.patched,
    "called": Server.called,
}


# --- the process ---


def main(make: Callable[..., Any] = Server) -> None:
    """Put on what the judge says and tell what holds, then answer one request after the other. The
    reader's server does as well.
    """
    sys.dont_write_bytecode = (
        True  # of ours it is kept; whatever is imported from now on is not our business
    )
    for name in [name for name in sys.modules if name.partition(".")[0] == "worker"]:
        del sys.modules[name]  # a learner's own worker.py must not meet ours
    requests, replies = limits.private_channels()
    gc.set_threshold(
        1_000_000, 10, 10
    )  # graphs are many small objects that all live: looking for garbage is half the time
    server, printed, header = make(deadline.arm), (sys.stdout, sys.stderr), protocol.HEADER

    def receive() -> bytes:
        size = header.unpack(limits.read_exactly(requests, header.size))[0]
        return limits.read_exactly(requests, size)

    def send(data: bytes, pack: Callable[[int], bytes] = header.pack) -> None:
        limits.write_all(replies, pack(len(data)) + data)

    deadline.watch(lambda frame: send(server.out_of_time(frame)))
    sys.argv[:] = [""]
    data = protocol.encode(["ready", *confined(protocol.unpack(receive()))])
    while True:
        send(data)
        data = server.reply(receive())
        for stream in printed:
            try:
                stream.flush()
            except (OSError, ValueError):  # noqa: PERF203 - the learner's code has closed it
                continue


def confined(request: Any) -> list[Wire]:
    """Carry out the judge's first message; what is in force, what is missing, which holes were
    found.
    """
    _command, most, *plan = request
    limited, unlimited = limits.apply() if most > 0 else ([], [])
    in_force, missing, holes = confinement.confine(most, *plan)
    return [[*limited, *in_force], [*unlimited, *missing], holes]
