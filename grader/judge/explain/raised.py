"""Say what each exception means that learners meet often: what Python lacked, and where to look."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Union

from grader.curriculum.model import Graph
from grader.judge.evidence import Run
from grader.judge.script.operators import OPERATORS
from grader.judge.script.steps import Apply, Builtin, Call, Make, Read, Repeat, Step, Walk
from grader.model import Fault
from grader.text import with_article
from grader.worker.protocol import Ref


class Raised:
    """An exception, with the parts of its text that matter."""

    def __init__(
        self, fault: Fault, steps: Sequence[Step], words: Graph, parts: Sequence[str], run: Run
    ) -> None:
        self.fault, self.steps, self.words, self.parts = fault, steps, words, parts
        self.run = run
        self.node = words.node
        self.last = steps[-1] if steps else None

    @property
    def where(self) -> str:
        """Return the learner's line that raised, as an adverbial."""
        return f"in {self.fault.frames[-1].place}" if self.fault.frames else "here"

    @property
    def there(self) -> str:
        """Return the learner's line that raised, as a subject."""
        return self.fault.frames[-1].place if self.fault.frames else "the code"

    def filled(self, sentence: str) -> str:
        """Return a sentence with the names and places of this raised."""
        step = self.words.step
        return sentence.format(
            *self.parts, where=self.where, there=self.there, node=self.node, step=step
        )

    @property
    def source(self) -> str:
        """Return the text of the learner's line that raised."""
        return self.fault.frames[-1].source if self.fault.frames else ""


DEEP = 200
_PARENTHESES = "; are the parentheses of its call missing?"
_IN_PLACE = re.compile(r"\w\.(append|extend|insert|sort|reverse|shuffle|update|add)\(")
_UNHANDLED = "which is missing or returns `NotImplemented`"
_ONCE = "zip|map|filter|generator|enumerate|reversed"  # which can be looped over only once
_COLLECTION = "list|tuple|set|dict|function|method"


def _none(raised: Raised) -> str:
    if in_place := _IN_PLACE.search(raised.source):
        return f"`{in_place[1]}()` changes the list itself and returns None"
    return f"{raised.where} something is None; is a `return` missing?"


def _recursion(raised: Raised) -> str:
    nested = Counter(frame.function for frame in raised.fault.frames)
    most = max(nested.values(), default=0)  # the innermost may only be what is called last
    functions = [f"`{name}`" for name, count in nested.items() if count > 1 or most == 1]
    depth = max((step.count for step in raised.steps if isinstance(step, Repeat)), default=0)
    if depth >= DEEP:
        function = functions[-1] if functions else "the code"
        return (
            f"the graph is {depth:,} nodes deep and {function} calls itself once for each"
            " node, but Python allows only about 1,000 nested calls. Use a loop and a list of the"
            " nodes still to visit"
        )
    if slip := _backward_for_step(raised):
        return slip
    if len(functions) > 1:
        return (
            f"{' and '.join(functions)} call each other forever; one of them must do the work"
            " itself"
        )
    last = raised.fault.frames[-1] if raised.fault.frames else None
    if last is not None and last.function.startswith("__"):
        return (
            f"to run `{last.source}`, Python calls `{last.function}` again, and so on forever;"
            " build it from other operations"
        )
    return f"{functions[0] if functions else 'the code'} calls itself forever"


def _backward_for_step(raised: Raised) -> str:
    """Return a hint if backward() is called on every node instead of the node's own step."""
    words = raised.words
    nested = [each for each in raised.fault.frames if each.function == words.backward]
    if len(nested) > 1 and f".{words.backward}()" in nested[0].source:
        return (
            f"`{words.backward}` calls `{words.backward}()` on every node; did you mean"
            f" `{words.step}()`, with an underscore?"
        )
    return ""


def _unsupported(raised: Raised) -> str:
    op, left, right = raised.parts
    if op.startswith("//") and raised.node in {left, right}:
        return f"a {raised.node} has no `//`; did you mean `/`?"
    both = {left, right}
    if "NoneType" in both:
        return _none(raised)
    if raised.fault.frames:
        if (left, right) == ("int", "list") and "sum(" in raised.source:
            return "`sum` starts with 0, and `0 + [...]` fails; start with a list: `sum(..., [])`"
        if op.startswith("**") and right == raised.node and left in {"int", "float"}:
            return (
                f"{raised.there} has a {raised.node} as its exponent; is a `.{raised.words.data}`"
                f" missing? That gives a plain number, from which you then make a new {raised.node}"
            )
        return _mixed(raised, both)
    for kind in sorted(both & (_CALLABLES | _COLLECTIONS)):
        return f"your code gives {with_article(kind)} where a {raised.node} belongs"
    asked = OPERATORS.get(op.split()[0].rstrip("="))
    if isinstance(raised.last, Builtin) and right == raised.node:
        return f"`sum` starts with 0, so Python first calls `{raised.node}.__radd__`, {_UNHANDLED}"
    if isinstance(raised.last, (Apply, Repeat)) and asked:
        if right == raised.node and left != raised.node:
            return (
                f"a plain number is on the left, so Python calls `{raised.node}.{asked.reflected}`,"
                f" {_UNHANDLED}"
            )
        return f"Python calls `{raised.node}.{asked.method}`, {_UNHANDLED}"
    return ""


def _mixed(raised: Raised, both: set[str]) -> str:
    """Explain which kind of operand does not belong into the learner's own expression."""
    if both & _CALLABLES:
        return f"{raised.there} uses a function instead of its result{_PARENTHESES}"
    if both & _COLLECTIONS:
        return _collection(raised, min(both & _COLLECTIONS))
    if raised.node in both and both & {"float", "int"}:
        if method := _unsupported_alone(raised):
            return f"Python calls `{raised.node}.{method}`, {_UNHANDLED}"
        return (
            f"{raised.there} combines a plain number with a {raised.node}; is a"
            f" `.{raised.words.data}` missing, or should the number be wrapped?"
        )
    return ""


def _unsupported_alone(raised: Raised) -> str:
    """Return the method that Python lacks for a new node and a number, too."""
    asked = OPERATORS.get(raised.parts[0].split()[0].rstrip("="))
    is_left, leaf = raised.parts[1] == raised.node, Ref(0)
    if asked is None:
        return ""
    alone = Apply(Ref(1), asked.sign, [leaf, 2] if is_left else [2, leaf])
    fault = raised.run([Make(leaf, raised.words.make, [2.0]), alone]).fault
    if fault is None or fault.frames or "TypeError" not in fault.types:
        return ""
    return asked.method if is_left else asked.reflected


def _collection(raised: Raised, kind: str) -> str:
    return f"{raised.there} uses {with_article(kind)} where a number or a {raised.node} belongs"


def _unary(raised: Raised) -> str:
    if raised.parts[0] != raised.node:
        kind = with_article(raised.parts[0])
        return f"{raised.there} gets {kind} where a number or a {raised.node} belongs"
    return f"Python calls `{raised.node}.__neg__`, which is not defined"


def _number(raised: Raised) -> str:
    kind, attribute = raised.parts
    if kind == "NoneType":
        return _none(raised)
    if other := _OTHER_NAMES.get((kind, attribute)):
        return f"a {kind} has no `{attribute}`; did you mean `{other}`?"
    if kind in _CALLABLES:
        return f"{raised.there} uses a function like a {raised.node}{_PARENTHESES}"
    if kind not in _COLLECTIONS:
        used = f"{raised.there} uses a plain number ({kind}) like a {raised.node}"
        return f"{used}, but it has no `.{attribute}`"
    if raised.fault.frames:
        used = f"{raised.there} uses {with_article(kind)} like a {raised.node}"
        return f"{used}, but it has no `.{attribute}`"
    owner = raised.last.attribute.rpartition(".")[0] if isinstance(raised.last, Read) else ""
    if owner:
        return f"`{owner}` is {with_article(kind)}; it must be a {raised.node}"
    return f"your code gives {with_article(kind)} where a {raised.node} belongs"


_OTHER_NAMES = {
    ("list", "add"): "append",
    ("set", "append"): "add",
    ("list", "push"): "append",
    ("set", "extend"): "update",
}
_COLLECTIONS = {"list", "tuple", "set", "dict", "str", "range", "zip", "generator"}


def _divided_by_zero(raised: Raised) -> str:
    given = raised.last.args if isinstance(raised.last, (Make, Call)) else []
    if raised.fault.frames and any(type(each) in {int, float} and each == 0 for each in given):
        return f"{raised.there} divides by 0, because an argument is 0 here; 0 must work, too"
    leaves = [each for step in raised.steps if isinstance(step, Make) for each in step.args]
    if isinstance(raised.last, Walk) and any(leaf == 0 for leaf in leaves):
        return f"{raised.there} divides by 0, because an operand is 0 here; 0 must work, too"
    return ""


def _not_ordered(raised: Raised) -> str:
    if raised.node not in raised.parts:
        return ""
    if any(frame.function.rpartition(".")[2] == "relu" for frame in raised.fault.frames):
        return (
            f"a {raised.node} cannot be compared like a number; compare its `.{raised.words.data}`"
        )
    return (
        f"a {raised.node} cannot be compared like a number; compare its `.{raised.words.data}`,"
        f" or call `relu()` for the larger of 0 and a {raised.node}"
    )


def _inner_arguments(raised: Raised) -> str:
    step = raised.words.step
    if not isinstance(raised.last, (Call, Walk)):
        return ""
    return f"`{step}()` is called without arguments, so the function must have no parameters"


def _unhashable(raised: Raised) -> str:
    kind = raised.parts[0]
    if kind in {"list", "set", "dict"}:
        return f"{raised.there} uses {with_article(kind)} as an item of a set or a key of a dict"
    return (
        "objects of a class that defines `__eq__` but not `__hash__` cannot be put into a set;"
        " leave `__eq__` out (a dataclass writes one, unless it is `@dataclass(eq=False)`)"
    )


def _not_text(raised: Raised) -> str:
    question = "; is its `return` missing?" if raised.parts[1] == "NoneType" else ""
    return f"`{raised.parts[0]}` must return a string{question}"


def _no_self(raised: Raised) -> str:
    function = raised.fault.frames[-1].function if raised.fault.frames else "this method"
    return f"`{function}` needs `self` as its first parameter"


def _arguments(raised: Raised) -> str:
    if "takes no arguments" in raised.fault.message:
        return f"`{raised.node}` has no `__init__`; is its name misspelt?"
    name = raised.parts[0]
    counts = re.search(r"takes (\d+) positional arguments? but (\d+) w", raised.fault.message)
    if counts and "." in name and "<locals>" not in name:
        return f"`{name}` takes {counts[1]} and gets {counts[2]} arguments; the first is `self`"
    return (
        f"the arguments do not fit the parameters of `{name}`: every parameter needs an argument or"
        " a default"
    )


def _not_callable(raised: Raised) -> str:
    kind = with_article(raised.parts[0])
    if raised.fault.frames or not isinstance(raised.last, Call):
        return f"{raised.there} calls {kind}, which is not a function"
    name = raised.last.method
    return f"`{name}` is {kind}, so `{name}()` fails; define it with `def`, without `@property`"


def _not_iterable(raised: Raised) -> str:
    kind, question = raised.parts[0], ""
    if kind in _CALLABLES:
        question = "; are the parentheses of the call missing?"
    elif kind == "int":
        question = "; did you mean `range(...)`?"
    elif " += " in raised.source:
        question = "; to add one item to a list, use `append` in place of `+=`"
    elif kind == "float":
        question = "; a tuple of one needs a comma: `(x,)`"
    elif kind == raised.node and any(
        "__init__" in each.function for each in raised.fault.frames[-1:]
    ):
        question = "; a tuple of one needs a comma: `(a,)`"
    return f"{raised.there} loops over {with_article(kind)}{question}"


_CALLABLES = {"method", "function", "builtin_function_or_method"}


def _only_once(raised: Raised) -> str:
    kind = raised.parts[0]
    return f"{with_article(kind)} is not a list; make one of it, with `list(...)`"


def _not_a_float(raised: Raised) -> str:
    if raised.parts[0] != raised.node:
        return ""
    called = re.search(r"\bmath\.\w+", raised.source)
    file = raised.fault.frames[-1].file if raised.fault.frames else ""
    if called and not file.endswith(f"{raised.words.module}.py"):  # which needs plain numbers
        return (
            f"`{called[0]}` takes only plain numbers; use the operators and methods of a"
            f" {raised.node}, which build the graph"
        )
    return (
        f"{raised.there} needs a plain number and gets a {raised.node}; is a `.{raised.words.data}`"
        f" missing, or does a {raised.node} hold another {raised.node}?"
    )


def _unbound(raised: Raised) -> str:
    name = raised.parts[0]
    is_attribute = name in {raised.words.data, raised.words.gradient}
    question = f"; did you mean `self.{name}`?" if is_attribute else ""
    return f"assigning to `{name}` inside a function makes it a new local variable{question}"


_Sentence = Union[str, Callable[[Raised], str]]
SENTENCES: dict[str, dict[str, _Sentence]] = {
    "AttributeError": {
        rf"'(float|int|NoneType|{_COLLECTION})' object has no attribute '(\w+)'": _number,
        r"type object '(\w+)' has no attribute '(\w+)'": (
            "`{0}` is the class itself, which has no `.{1}`; use one of its objects, or make one"
            " with `{0}(...)`"
        ),
    },
    "BdbQuit": {
        "": "a `breakpoint()` is left in your code, and nobody can answer it here; remove it"
    },
    "NameError": {r"name 'self' is not defined": _no_self},
    "OverflowError": {
        r"math range error|too large": (
            "{where} a number gets too large for a float, as `exp(710)` does"
        )
    },
    "RecursionError": {"": _recursion},
    "TypeError": {
        r"unsupported operand type\(s\) for \^": (
            "in Python `^` is a bitwise operation; a power is `**`"
        ),
        r"must be real number, not (\w+)": _not_a_float,
        r"unsupported operand type\(s\) for (.+): '(.+)' and '(.+)'": _unsupported,
        r"bad operand type for unary -: '(\w+)'": _unary,
        r"'NoneType' object is not callable": (
            "something that should be a function is None; did you write `{step}()` where `{step}`"
            " should be stored?"
        ),
        r"'NoneType' object is not (?:iterable|reversible|subscriptable)": _none,
        r"object of type 'NoneType' has no len": _none,
        rf"'({_ONCE})' (?:has no len|object is not subscriptable)": _only_once,
        r"not supported between instances of '(\w+)' and '(\w+)'": _not_ordered,
        r"unhashable type: '(\w+)'": _unhashable,
        r"__init__\(\) should return None": (
            "`__init__` sets attributes and returns nothing; leave its `return` out"
        ),
        r"(__\w+__) returned non-string \(type (\w+)\)": _not_text,
        r"<locals>\.[\w<>]+\(\) missing 1 required": _inner_arguments,
        r"^<lambda>\(\) (?:takes|missing)": (
            "a function gets the wrong number of arguments; to pass the items of a list as separate"
            " arguments, write `f(*items)`"
        ),
        r"([\w.]+)\(\) (?:takes|missing)": _arguments,
        r"'(\w+)' object is not (?:iterable|reversible)": _not_iterable,
        r"'(\w+)' object is not callable": _not_callable,
        r"isinstance\(\) arg 2": "in `isinstance` the object comes first and the class second",
        r"can't multiply sequence by non-int": (
            "{there} uses a list where a number or a {node} belongs"
        ),
    },
    "ZeroDivisionError": {"": _divided_by_zero},
    "UnboundLocalError": {r"local variable '(\w+)'": _unbound},
    "ValueError": {
        r"non-broadcastable output operand": (
            "this share is larger than the gradient that it is added to; after broadcasting, the"
            " share itself must be summed"
        ),
        r"values to unpack": (
            "{there} unpacks the wrong number of items; to loop over two lists side by side, use"
            " `zip(one, other)`"
        ),
        r"^matmul: ": (
            "{where} the shapes do not fit: `x @ y` needs as many columns in `x` as rows in `y`"
        ),
        r"could not be broadcast together": (
            "{where} the shapes do not fit together; print both shapes there and compare them"
        ),
    },
}
"""By exception: patterns of messages, the first match counts, and what to say about them."""
