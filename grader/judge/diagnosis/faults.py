"""Explain the exceptions that learners meet most: what Python lacked, and where to look."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Union

from grader.curriculum.model import Graph
from grader.judge.diagnosis.advice import IDLE, lacks_self
from grader.judge.diagnosis.fault_case import Case, Look
from grader.judge.script.operators import OPERATORS
from grader.judge.script.steps import Apply, Builtin, Call, Read, Repeat, Step, Walk
from grader.model import Fault, Kind
from grader.text import with_article

DEEP = 200


def explain(fault: Fault, steps: Sequence[Step], words: Graph, look: Look) -> str:
    """Return what the exception means in the script that raised it, or an empty text."""
    if fault.kind is not Kind.RAISED:
        return ""
    if said := _should_be_refused(fault, steps[-1:], words):
        return said
    if fault.frames and (said := _compared(fault, words.make.rpartition(".")[2], look)):
        return said
    if fault.frames and fault.frames[-1].source.startswith("raise "):
        return "your own `raise` runs here; look at its condition"
    if fault.meant and (said := _meant(fault)):
        return said
    if (lacks := _NO_ATTRIBUTE.match(fault.message)) and (said := _never_set(lacks, look)):
        return said
    for kind in fault.types:
        for pattern, sentence in _SENTENCES.get(kind, {}).items():
            if match := re.search(pattern, fault.message):
                case = Case(fault, steps, words, match.groups(), look)
                return sentence if isinstance(sentence, str) else sentence(case)
    return ""


def _should_be_refused(fault: Fault, last: Sequence[Step], words: Graph) -> str:
    """Say that an operand which is neither a node nor a number must end in a TypeError."""
    operands = [arg for step in last if isinstance(step, Apply) for arg in step.args]
    others = [arg for arg in operands if arg is None or isinstance(arg, (str, list))]
    if not others or "TypeError" in fault.types:
        return ""
    node = words.make.rpartition(".")[2]
    return (
        f"the operand is `{others[0]!r}` here, on purpose: raise a TypeError if it is neither a"
        f" {node} nor a number"
    )


def _compared(fault: Fault, node: str, look: Look) -> str:
    """A comparison on the line that raised, whose result nothing uses."""
    frame = fault.frames[-1]
    for fact in look(f"{node}.{frame.function}").facts:
        if fact.line == frame.line and fact.text.startswith(IDLE) and " == " in fact.text:
            return "`==` compares, and nothing uses the result; did you mean `=`?"
    return ""


_COLLECTION = "list|tuple|set|dict|function|method"
_NO_ATTRIBUTE = re.compile(r"'(\w+)' object has no attribute '(\w+)'")


def _never_set(lacks: re.Match[str], look: Look) -> str:
    """Say that a constructor does not set an attribute, if the class has one."""
    owner, attribute = lacks.groups()
    made = look(f"{owner}.__init__")
    if not made.line and owner[0].isupper() and owner != "NoneType":
        return f"nothing has set `{attribute}` of this `{owner}`; should its `__init__` do it?"
    if not made.line or any(fact.text.startswith(f"#0.{attribute} ") for fact in made.facts):
        return ""
    return f"`{owner}.__init__` never sets `self.{attribute}`"


def _meant(fault: Fault) -> str:
    """Suggest the existing name that may be meant instead of a missing one."""
    if not fault.frames:  # the grader looked it up
        return f"your code has `{fault.meant}` instead; is that a typo?"
    if fault.meant.startswith("import "):
        return f"put `{fault.meant}` at the top of the file"
    return f"did you mean `{fault.meant}`?"


def _recursion(case: Case) -> str:
    nested = Counter(frame.function for frame in case.fault.frames)
    most = max(nested.values(), default=0)  # the innermost may only be what is called last
    functions = [f"`{name}`" for name, count in nested.items() if count > 1 or most == 1]
    if case.depth >= DEEP:
        function = functions[-1] if functions else "the code"
        return (
            f"the graph is {case.depth:,} nodes deep and {function} calls itself once for each"
            " node, but Python allows only about 1,000 nested calls. Use a loop and a list of the"
            " nodes that are still to do"
        )
    if slip := _backward_for_step(case):
        return slip
    if len(functions) > 1:
        return (
            f"{' and '.join(functions)} call each other without end; one of them must do the work"
            " itself"
        )
    last = case.fault.frames[-1] if case.fault.frames else None
    if last is not None and last.function.startswith("__"):
        return (
            f"Python runs `{last.source}` by calling `{last.function}` again, without end; build"
            " it from other operations"
        )
    return f"{functions[0] if functions else 'the code'} calls itself without end"


def _backward_for_step(case: Case) -> str:
    """Return a hint if backward() is called on every node instead of the node's own step."""
    words = case.words
    function = case.look(f"{case.node}.{words.backward}")
    called = {fact.text.removesuffix(" in if") for fact in function.facts}
    if f"#.{words.backward}()" in called and f"#.{words.step}()" not in called:
        return (
            f"`{words.backward}` calls `{words.backward}()` of every node; did you mean"
            f" `{words.step}()`, with an underscore?"
        )
    return ""


def _unsupported(case: Case) -> str:
    op, left, right = case.parts
    if op.startswith("//") and case.node in {left, right}:
        return f"a {case.node} has no `//`; did you mean `/`?"
    both = {left, right}
    if "NoneType" in both:
        return _none(case)
    if case.fault.frames:
        return _mixed(case, both)
    for kind in sorted(both & (_CALLABLES | _COLLECTIONS)):
        return f"your code gives {with_article(kind)} where a {case.node} belongs"
    asked = OPERATORS.get(op.split()[0].rstrip("="))
    if isinstance(case.last, Builtin) and right == case.node:
        return (
            f"`sum` starts with 0, so Python calls `{case.node}.__radd__` for the first addition;"
            " there is none that handles it"
        )
    if isinstance(case.last, (Apply, Repeat)) and asked:
        if right == case.node and left != case.node:
            return (
                f"a plain number is on the left, so Python calls `{case.node}.{asked.reflected}`;"
                " there is none that handles it"
            )
        return f"Python calls `{case.node}.{asked.method}`; there is none that handles it"
    return ""


def _mixed(case: Case, both: set[str]) -> str:
    """Explain which kind of operand does not belong into the learner's own expression."""
    if both & _CALLABLES:
        return f"{case.where} a function is used instead of its result{_CALL_IT}"
    if both & _COLLECTIONS:
        return _collection(case, min(both & _COLLECTIONS))
    if case.node in both and both & {"float", "int"}:
        return (
            f"{case.where} a plain number meets a {case.node}; is a"
            f" `.{case.words.data}` missing, or should the number be wrapped?"
        )
    return ""


def _collection(case: Case, kind: str) -> str:
    return (
        f"{case.where} {with_article(kind)} is used where a number or a {case.node} belongs"
        + _TAKE_ONE
    )


_CALL_IT, _TAKE_ONE = "; call it, with `()`", "; take one of its items, or loop over it"


def without_remedy(why: str) -> str:
    """Return an explanation for a line that is right, because its caller gives it a wrong thing."""
    return why.removesuffix(_CALL_IT).removesuffix(_TAKE_ONE)


def _sequence(case: Case) -> str:
    return _collection(case, "list")


def _unary(case: Case) -> str:
    if case.parts[0] != case.node:
        return (
            f"{_there(case)} is run with a {case.parts[0]} where a number or a {case.node} belongs"
        )
    return f"Python calls `{case.node}.__neg__`, which is not defined"


def _number(case: Case) -> str:
    kind, attribute = case.parts
    if kind == "NoneType":
        return _none(case)
    if (kind, attribute) in _OTHER_NAMES:
        return f"a {kind} has no `{attribute}`; did you mean `{_OTHER_NAMES[kind, attribute]}`?"
    if kind in _CALLABLES:
        return (
            f"{case.where} a function is used like a {case.node}; is its call missing, with `()`?"
        )
    if kind in _COLLECTIONS and not case.fault.frames:
        owner = case.last.attribute.rpartition(".")[0] if isinstance(case.last, Read) else ""
        if owner:
            return f"`{owner}` is {with_article(kind)}; it must be a {case.node}"
        return f"your code gives {with_article(kind)} where a {case.node} belongs"
    if kind in _COLLECTIONS:
        return (
            f"{case.where} {with_article(kind)} is used like a {case.node}: it has no"
            f" `.{attribute}`{_TAKE_ONE}"
        )
    return (
        f"{case.where} a plain number ({kind}) is used like a {case.node}: it has no `.{attribute}`"
    )


_OTHER_NAMES = {
    ("list", "add"): "append",
    ("set", "append"): "add",
    ("list", "push"): "append",
    ("set", "extend"): "update",
}
_COLLECTIONS = {"list", "tuple", "set", "dict", "str", "range", "zip", "generator"}


def _of_class(case: Case) -> str:
    owner, attribute = case.parts
    return (
        f"`{owner}` is the class itself, which has no `.{attribute}`; use one of its objects, or"
        f" make one with `{owner}(...)`"
    )


def _unpacked(case: Case) -> str:
    return (
        f"{_there(case)} needs another number of items than it gets; to walk through two lists side"
        " by side, loop over `zip(one, other)`"
    )


def _index(case: Case) -> str:
    return f"{case.where} an index is past the end; the last item has the index `len(...) - 1`"


def _shapes(case: Case) -> str:
    return f"{case.where} the shapes do not fit together; print both shapes there and compare them"


def _product_of_shapes(case: Case) -> str:
    return (
        f"{case.where} the shapes do not fit: `x @ y` needs as many columns in `x` as rows in `y`"
    )


def _none(case: Case) -> str:
    return f"{case.where} something is None; a missing `return` is the most common cause"


def _none_called(case: Case) -> str:
    step = case.words.step
    return (
        f"something that should be a function is None; did you write `{step}()` where `{step}`"
        " should be stored?"
    )


def _not_ordered(case: Case) -> str:
    if case.node not in case.parts:
        return ""
    return (
        f"a {case.node} cannot be compared like a number; compare its `.{case.words.data}`,"
        f" or call `relu()` for the larger of 0 and a {case.node}"
    )


def _overflow(case: Case) -> str:
    return f"{case.where} a number gets too large for a float; `exp` of more than 709 does"


def _inner_arguments(case: Case) -> str:
    step = case.words.step
    if not isinstance(case.last, (Call, Walk)):
        return ""
    return f"`{step}()` is called without arguments, so the function must have no parameters"


def _not_text(case: Case) -> str:
    told = f"`{case.parts[0]}` must return a text"
    return f"{told}; is its `return` missing?" if case.parts[1] == "NoneType" else told


def _no_self(case: Case) -> str:
    function = case.fault.frames[-1].function if case.fault.frames else "this method"
    return f"`{function}` needs `self` as its first parameter"


def _arguments(case: Case) -> str:
    if "takes no arguments" in case.fault.message:
        made = f"{case.node}.__init__"
        meant = case.look(made).meant
        return f"did you mean `__init__` instead of `{meant}`?" if meant else ""
    name = case.parts[0] if "." in case.parts[0] else f"{case.node}.{case.parts[0]}"
    if lacks_self(name, case.look(name)):
        return f"`{case.parts[0]}` needs `self` as its first parameter"
    return (
        f"the arguments do not fit the parameters of `{case.parts[0]}`: every parameter needs an"
        " argument or a default"
    )


def _not_callable(case: Case) -> str:
    kind = with_article(case.parts[0])
    if case.fault.frames or not isinstance(case.last, Call):
        return f"{_there(case)} calls {kind}"
    name = case.last.method
    return f"`{name}` is {kind}, so `{name}()` fails; define it with `def`, without `@property`"


def _not_iterable(case: Case) -> str:
    kind = case.parts[0]
    question = {"int": "; did you mean `range(...)`?"}.get(kind, "")
    if (
        kind == case.node
        and case.fault.frames[-1:]
        and "__init__" in case.fault.frames[-1].function
    ):
        question = "; a tuple of one needs a comma: `(a,)`"
    question = "; are the parentheses of the call missing?" if kind in _CALLABLES else question
    return f"{_there(case)} loops over {with_article(kind)}{question}"


_CALLABLES = {"method", "function", "builtin_function_or_method"}


def _there(case: Case) -> str:
    """Return the learner's line that raised, as a subject."""
    return case.fault.frames[-1].place if case.fault.frames else "the code"


def _not_a_float(case: Case) -> str:
    if case.parts[0] != case.node:
        return ""
    return (
        f"{_there(case)} needs a plain number and gets a {case.node}; is a `.{case.words.data}`"
        f" missing, or does a {case.node} hold another {case.node}?"
    )


def _unbound(case: Case) -> str:
    name = case.parts[0]
    told = f"assigning to `{name}` inside a function makes it a new local variable"
    is_attribute = name in {case.words.data, case.words.gradient}
    return f"{told}; did you mean `self.{name}`?" if is_attribute else told


_Sentence = Union[str, Callable[[Case], str]]
_SENTENCES: dict[str, dict[str, _Sentence]] = {
    "AttributeError": {
        rf"'(float|int|NoneType|{_COLLECTION})' object has no attribute '(\w+)'": _number,
        r"type object '(\w+)' has no attribute '(\w+)'": _of_class,
    },
    "BdbQuit": {
        "": "a `breakpoint()` is left in your code, and nobody can answer it here; remove it"
    },
    "IndexError": {r"index out of range": _index},
    "NameError": {r"name 'self' is not defined": _no_self},
    "OverflowError": {r"math range error|too large": _overflow},
    "RecursionError": {"": _recursion},
    "TypeError": {
        r"unsupported operand type\(s\) for \^": (
            "in Python `^` is a bitwise operation; a power is `**`"
        ),
        r"must be real number, not (\w+)": _not_a_float,
        r"unsupported operand type\(s\) for (.+): '(.+)' and '(.+)'": _unsupported,
        r"bad operand type for unary -: '(\w+)'": _unary,
        r"'NoneType' object is not callable": _none_called,
        r"'NoneType' object is not (?:iterable|reversible|subscriptable)": _none,
        r"object of type 'NoneType' has no len": _none,
        r"not supported between instances of '(\w+)' and '(\w+)'": _not_ordered,
        r"unhashable type": (
            "objects of a class that defines `__eq__` but not `__hash__` cannot be put into a set;"
            " leave `__eq__` out (a dataclass writes one, unless it is `@dataclass(eq=False)`)"
        ),
        r"__init__\(\) should return None": (
            "`__init__` sets attributes and returns nothing; leave its `return` out"
        ),
        r"(__\w+__) returned non-string \(type (\w+)\)": _not_text,
        r"<locals>\.[\w<>]+\(\) missing 1 required": _inner_arguments,
        r"^<lambda>\(\) (?:takes|missing)": (
            "a function gets the wrong number of arguments; to pass on the items of a list one by"
            " one, write `f(*items)`"
        ),
        r"([\w.]+)\(\) (?:takes|missing|got)": _arguments,
        r"'(\w+)' object is not (?:iterable|reversible)": _not_iterable,
        r"'(\w+)' object is not callable": _not_callable,
        r"isinstance\(\) arg 2": "in `isinstance` the object comes first and the class second",
        r"can't multiply sequence by non-int": _sequence,
    },
    "UnboundLocalError": {r"local variable '(\w+)'": _unbound},
    "ValueError": {
        r"non-broadcastable output operand": (
            "the gradient that arrives is larger than this operand, so sum it over the axes along"
            " which the operand was broadcast"
        ),
        r"values to unpack": _unpacked,
        r"^matmul: ": _product_of_shapes,
        r"could not be broadcast together": _shapes,
    },
}
"""By exception: patterns of messages, the first match counts, and what to say about them."""
