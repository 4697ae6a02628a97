"""The worker: a bare interpreter that holds the learner's code and does what the judge asks.

It is started by path, imports the standard library and the wire format, and knows no expected value and no verdict.
Everything here shares a process with code that may do anything; the judge believes none of it beyond its type and size.
"""

# Private copies: a submission that overwrites a built-in breaks its own code, not this one.
from builtins import (
    AttributeError, BaseException, ImportError, MemoryError, OverflowError,
    SyntaxError, SystemExit, TypeError, bool, bytes, callable, compile, dict, enumerate, exec, float, frozenset, getattr,
    hasattr, id, int, isinstance, iter, len, list, object, range, repr, reversed, set, setattr, str, sum, tuple, type,
)  # fmt: skip

import gc
import operator
import os
import sys
from importlib.machinery import ModuleSpec

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != HERE]
sys.path.insert(0, HERE)
import limits  # type: ignore[import-not-found]  # noqa: E402
import wire  # type: ignore[import-not-found]  # noqa: E402

sys.path.remove(HERE)
for _name in ("wire", "limits"):  # a learner's own wire.py must not meet ours
    del sys.modules[_name]
Ref = wire.Ref

MAX_TEXT = 400
MAX_FRAMES = 12
MAX_ITEMS = 5_000
MAX_PLACEHOLDERS = 12
FIRST_FOUND = 1 << 40  # objects that the judge has not named are numbered from here

OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow,
    "@": operator.matmul, "neg": operator.neg,
}  # fmt: skip
BUILTINS = {"sum": sum, "repr": repr, "len": len}


def clip(text):
    """Text of the learner's, bounded."""
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


# --- the learner's modules -------------------------------------------------------------------------------------------


class Placeholder(type(sys)):
    """Stands in for a module that is not here (a plotting library, say): importing it works, using it raises."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(f"{self.__name__}.{name}")

    def __call__(self, *args, **kwargs):
        raise ImportError(f"{self.__name__} is not available while grading: the grader runs your code on its own")


class Files:
    """Finds the learner's modules in memory, and placeholders for those that cannot be had."""

    def __init__(self, sources):
        self.sources = dict(sources)
        self.absent = []

    def find_spec(self, name, path=None, target=None):
        if name in self.sources or name.partition(".")[0] in self.absent:
            return ModuleSpec(name, self)
        return None

    def create_module(self, spec):
        if spec.name in self.sources:
            return None
        module = Placeholder(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module):
        if (found := self.sources.get(module.__name__)) is not None:
            filename, source = found
            exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)


def load(files, entry):
    """The learner's module, imported afresh; a missing module of somebody else's gets a placeholder, once tried without."""
    sys.meta_path.insert(0, files)
    while True:
        for name in list(sys.modules):
            if name in files.sources:
                del sys.modules[name]
        try:
            __import__(entry)
            return sys.modules[entry]
        except ImportError as error:
            missing = (getattr(error, "name", None) or "").partition(".")[0]
            known = missing in sys.stdlib_module_names or missing in files.sources or missing in files.absent
            if not missing or known or len(files.absent) >= MAX_PLACEHOLDERS:
                raise
            files.absent.append(missing)


# --- faults ----------------------------------------------------------------------------------------------------------


def describe(error, filenames, stubs):
    """A fault as plain values: how, type, its bases, message, the learner's own frames, the stub that raised."""
    how = "raised"
    if isinstance(error, SystemExit):
        how = "exited"
    elif isinstance(error, MemoryError):
        how = "memory"
    elif isinstance(error, SyntaxError) and error.filename in filenames:
        how = "syntax"
    frames, stub = frames_of(error, filenames, stubs)
    if how == "syntax":
        frames = [[str(error.filename), int(error.lineno or 0), "", clip((error.text or "").strip())]]
    bases = [clip(base.__name__) for base in type(error).__mro__[:8]]
    return [how, clip(type(error).__name__), bases, message_of(error, how), frames, stub]


def message_of(error, how):
    """The exception's text, by the base class's own `__str__`: the learner's might loop or lie."""
    try:
        if how == "syntax":
            return clip(str(error.msg))
        return clip(BaseException.__str__(error))
    except BaseException:
        return ""


def frames_of(error, filenames, stubs):
    """The learner's frames of a traceback, outermost first, the first and the last few; and the stub it ended in."""
    frames, code, step = [], None, error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename in filenames:
            frames.append([code.co_filename, int(step.tb_lineno or 0), clip(code.co_name), ""])
        step = step.tb_next
    if len(frames) > MAX_FRAMES:
        half = MAX_FRAMES // 2
        frames = frames[:half] + frames[-half:]
    return frames, stubs.get(code, "") if type(error).__name__ == "NotImplementedError" else ""


def is_stub(function):
    """Whether a function does nothing but raise NotImplementedError."""
    code = getattr(function, "__code__", None)
    return code is not None and code.co_names == ("NotImplementedError",)


# --- doing what the judge asks ---------------------------------------------------------------------------------------


class Server:
    """The learner's module, the objects made so far, and one method per step."""

    def __init__(self):
        self.module = None
        self.filenames = ()
        self.stubs = {}
        self.objects = {}
        self.known = {}
        self.found = FIRST_FOUND

    def serve(self, request):
        """The reply to one request, both as plain values."""
        command = request[0]
        if command == "load":
            return self.load(*request[1:])
        return self.run(*request[1:])

    def load(self, files, entry, names):
        """Import the learner's module and say of each name: present, stub or missing, and where it starts."""
        sources = {module: (filename, source) for module, filename, source in files}
        self.filenames = tuple(filename for filename, _ in sources.values())
        finder = Files(sources)
        try:
            self.module = load(finder, entry)
        except BaseException as error:
            return ["fault", 0, describe(error, self.filenames, {}), []]
        return ["ok", [[self.inspect(name) for name in names], list(finder.absent)]]

    def inspect(self, name):
        owner, _, rest = name.partition(".")
        found = getattr(self.module, owner, None)
        if rest and found is not None:
            found = getattr(found, "__dict__", {}).get(rest) or getattr(found, rest, None)
            if found is getattr(object, rest, self):
                found = None
        if found is None:
            return ["missing", 0]
        if rest and not isinstance(getattr(self.module, owner), type):
            return ["not a class", 0]
        line = getattr(getattr(found, "__code__", None), "co_firstlineno", 0)
        if is_stub(found):
            self.stubs[found.__code__] = name
            return ["stub", line]
        return ["present", line]

    def run(self, fresh, steps):
        """Do the steps in turn; what they send back, and the fault that ended them, if one did."""
        if fresh:
            self.objects, self.known, self.found = {}, {}, FIRST_FOUND
        results = []
        for index, step in enumerate(steps):
            try:
                getattr(self, "do_" + step[0])(results, *step[1:])
            except BaseException as error:
                return ["fault", index, describe(error, self.filenames, self.stubs), results]
        return ["ok", results]

    def value(self, operand):
        """The operand itself: an object for a reference, a list of them for a list."""
        if type(operand) is Ref:
            return self.objects[operand]
        if type(operand) is list:
            return [self.value(item) for item in operand]
        return operand

    def keep(self, target, thing):
        self.objects[target] = thing
        self.known[id(thing)] = target

    def do_make(self, results, target, function, args):
        self.keep(target, getattr(self.module, function)(*[self.value(arg) for arg in args]))

    def do_builtin(self, results, target, function, args):
        self.keep(target, BUILTINS[function](*[self.value(arg) for arg in args]))

    def do_apply(self, results, target, op, args):
        self.keep(target, OPERATORS[op](*[self.value(arg) for arg in args]))

    def do_call(self, results, target, on, method, args):
        self.keep(target, getattr(self.objects[on], method)(*[self.value(arg) for arg in args]))

    def do_get(self, results, target, on, attribute):
        self.keep(target, getattr(self.objects[on], attribute))

    def do_put(self, results, on, attribute, value):
        setattr(self.objects[on], attribute, self.value(value))

    def do_repeat(self, results, target, count, op, start, other):
        apply, thing, operand = OPERATORS[op], self.objects[start], self.value(other)
        for _ in range(count):
            thing = apply(thing, thing if other is None else operand)
        self.keep(target, thing)

    def do_walk(self, results, on, along, method, until):
        below = {id(node) for ref in until for node in topological(self.objects[ref], along)}
        nodes = [node for node in topological(self.objects[on], along) if id(node) not in below]
        for node in nodes:
            getattr(node, method)()
        results.append(len(nodes))

    def do_watch(self, results, target, on, along, method, call):
        root, order = self.objects[on], []
        nodes = topological(root, along)
        for node in nodes:
            setattr(node, method, recorded(getattr(node, method), node, order))
        getattr(root, call)()
        self.keep(target, order)

    def do_read(self, results, on, attribute, form):
        thing = self.objects[on]
        if form == "graph":
            results.append(self.graph(thing, attribute))
            return
        if attribute:
            thing = getattr(thing, attribute)
        results.append(getattr(self, "as_" + form)(thing))

    def as_number(self, thing):
        """A float, an int, or the name of the type that is neither, in a list of one."""
        kind = type(thing)
        if kind is float:
            return thing
        if kind is int:
            return whole(thing)
        if isinstance(thing, float):
            return float.__float__(thing)
        if isinstance(thing, int) and not isinstance(thing, bool):
            return whole(int.__index__(thing))
        if kind.__module__ == "numpy" and hasattr(thing, "item") and kind.__name__ not in {"bool", "bool_", "str_"}:
            return self.as_number(thing.item())
        return [clip(kind.__name__)]

    def as_text(self, thing):
        return clip(str.__str__(thing)) if isinstance(thing, str) else [clip(type(thing).__name__)]

    def as_callable(self, thing):
        return callable(thing)

    def as_value(self, thing, depth=0):
        """Numbers, None, bools, text, and lists and tuples of these."""
        if thing is None or thing is True or thing is False:
            return thing
        if isinstance(thing, (list, tuple)) and depth < 4:
            return [self.as_value(item, depth + 1) for item in list(thing)[:MAX_ITEMS]]
        if isinstance(thing, str):
            return clip(str.__str__(thing))
        number = self.as_number(thing)
        return ["?", *number] if type(number) is list else number

    def as_refs(self, thing):
        """The numbers of the objects in a collection, new ones for those that have none yet."""
        if isinstance(thing, (str, bytes, dict)):
            return None
        try:
            items = list(iter(thing))
        except TypeError:
            return None
        return [self.ref(item) for item in items[:MAX_ITEMS]]

    def ref(self, thing):
        if (number := self.known.get(id(thing))) is None:
            self.found += 1
            number = Ref(self.found)
            self.keep(number, thing)
        return number

    def graph(self, root, along):
        """Every object that can be reached, operands first, each with its own operands."""
        nodes = topological(root, along)[:MAX_ITEMS]
        return [[self.ref(node), [self.ref(child) for child in children(node, along)]] for node in reversed(nodes)]


def whole(number):
    """An int that fits the wire, or the float nearest to it."""
    if -(2**63) <= number < 2**63:
        return number
    try:
        return float(number)
    except OverflowError:
        return ["int too large for a float"]


def children(node, along):
    found = getattr(node, along, ())
    return list(found) if isinstance(found, (set, frozenset, list, tuple)) else []


def topological(root, along):
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


def recorded(function, node, order):
    def wrapper(*args, **kwargs):
        order.append(node)
        return function(*args, **kwargs)

    return wrapper


# --- the process -----------------------------------------------------------------------------------------------------


def read_exactly(stream, size):
    parts = []
    while size:
        part = os.read(stream, size)
        if not part:
            os._exit(0)
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def write_all(stream, data):
    while data:
        data = data[os.write(stream, data) :]


def private_channels():
    """Take the request and reply pipes away from descriptors 0 and 1; what the learner prints goes to 2."""
    requests, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    if os.name == "nt":
        import msvcrt

        for stream in (requests, replies):
            msvcrt.setmode(stream, os.O_BINARY)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", write_through=True)
    return requests, replies


def main():
    requests, replies = private_channels()
    gc.set_threshold(20_000, 20, 20)  # graphs are many small objects that all live: looking for garbage is half the time
    server = Server()
    sys.argv[:] = [""]
    write_frame(replies, ["ready", limits.apply()])
    while True:
        size = wire.HEADER.unpack(read_exactly(requests, wire.HEADER.size))[0]
        write_frame(replies, server.serve(wire.decode(read_exactly(requests, size))))


def write_frame(stream, value, pack=wire.HEADER.pack, encode=wire.encode, write=write_all):
    data = encode(value)
    write(stream, pack(len(data)) + data)


if __name__ == "__main__":
    main()
