"""Say what an exception means in the script that raised it: what Python lacked, and where to look.

The first rule counts that fits the exception, its message and the learner's line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from string import Formatter
from typing import NamedTuple

from grader.curriculum.model import Graph
from grader.judge.evidence import Run
from grader.judge.script.operators import OPERATORS
from grader.judge.script.steps import Apply, Builtin, Call, Make, Read, Repeat, Step, Walk
from grader.model import Fault, Kind
from grader.text import with_article
from grader.worker.protocol import Ref

DEEP = 200


def explain(fault: Fault, steps: Sequence[Step], words: Graph | None, run: Run) -> str:
    """Explain the exception in the script that raised it; return an empty text if no rule fits."""
    if fault.kind is not Kind.RAISED:
        return ""
    raised = Raised(fault, steps, words, run)
    return next(filter(None, (rule.says_of(raised) for rule in RULES)), "")


class Raised:
    """An exception, with the parts of its text and of the learner's line that matter."""

    def __init__(self, fault: Fault, steps: Sequence[Step], words: Graph | None, run: Run) -> None:
        self.fault, self.steps, self.words, self.run = fault, steps, words, run
        made = (step.names() for step in steps if isinstance(step, Make))
        classes = [name for names in made for name in names if name[:1].isupper()]
        self.node = words.node if words else next(iter(classes), "")
        self.step = words.step if words else ""
        self.last = steps[-1] if steps else None
        self.frame = fault.frames[-1] if fault.frames else None
        self.source = self.frame.source if self.frame else ""
        self.parts: Sequence[str] = ()
        nested = Counter(frame.function for frame in fault.frames)
        most = max(nested.values(), default=0)  # the innermost may only be what is called last
        self.nested = [f"`{name}`" for name, count in nested.items() if count > 1 or most == 1]

    def fields(self) -> dict[str, str]:
        """Return the names that a sentence may use; an empty text for missing ones."""
        last, words, place = self.last, self.words, self.fault.place
        depth = max((step.count for step in self.steps if isinstance(step, Repeat)), default=0)
        operands = last.args if isinstance(last, Apply) else []
        other = (repr(each) for each in operands if each is None or isinstance(each, (str, list)))
        own = {words.step, words.backward} if words else set()  # neither is the other, misspelt
        return {
            "there": place or "the code",
            "where": f"in {place}" if place else "here",
            "node": self.node,
            "step": self.step,
            "data": words.data if words else "",
            "backward": words.backward if words else "",
            "line": self.source,
            "function": self.frame.function if self.frame else "this method",
            "caller": self.nested[-1] if self.nested else "the code",
            "cycle": " and ".join(self.nested) if len(self.nested) > 1 else "",
            "depth": f"{depth:,}" if depth >= DEEP else "",
            "method": self.method,
            "called": last.method if isinstance(last, Call) else "",
            "owner": last.attribute.rpartition(".")[0] if isinstance(last, Read) else "",
            "meant": self.fault.meant if self.fault.meant not in own else "",
            "operand": next(other, ""),
            "a": with_article(self.parts[0]) if self.parts else "",
        }

    @property
    def method(self) -> str:
        """Return the method that Python calls for an operator which it does not support."""
        found = re.match(r"unsupported operand type\(s\) for (\S+?)=?[: ]", self.fault.message)
        asked = OPERATORS.get(found[1]) if found else None
        if asked is None:
            return ""
        left = re.search(rf"'{self.node}' and '", self.fault.message)
        return asked.method if left else asked.reflected


class Rule(NamedTuple):
    """An explanation for exceptions of a kind whose message, and the learner's line, fit a pattern.

    `NODE` in a pattern is the class of a node. In the sentence, numbers are groups of both patterns
    and names are the fields of `Raised`. Without one of them, the rule does not fit.
    """

    kind: str
    message: str
    says: str
    line: str = ""
    when: Callable[[Raised], object] = lambda _raised: True

    def says_of(self, raised: Raised) -> str:
        """Return the sentence for an exception, or an empty text."""
        if self.kind and self.kind not in raised.fault.types:
            return ""
        message, line = (
            re.search(pattern.replace("NODE", raised.node or "(?!)"), text)
            for pattern, text in ((self.message, raised.fault.message), (self.line, raised.source))
        )
        if message is None or line is None:
            return ""
        raised.parts = (*message.groups(), *line.groups())
        fields = raised.fields()
        named = {name for _, name, _, _ in Formatter().parse(self.says) if name}
        if not self.when(raised) or not all(fields.get(name, "0") for name in named):
            return ""
        return self.says.format(*raised.parts, **fields)


# --- when a rule fits ---


def _in_own_code(raised: Raised) -> bool:
    return raised.frame is not None


def _in_sum(raised: Raised) -> bool:
    return isinstance(raised.last, Builtin)


def _in_operator(raised: Raised) -> bool:
    return raised.frame is None and isinstance(raised.last, (Apply, Repeat))


def _in_graph_file(raised: Raised) -> bool:
    module = raised.words.module if raised.words else ""
    return raised.frame is None or raised.frame.file.endswith(f"{module}.py")


def _is_never_set(raised: Raised) -> bool:
    """Return whether a new object lacks this attribute, too."""
    owner, attribute = raised.parts
    if owner != raised.node or raised.words is None:
        return False
    asked: list[Step] = [Make(Ref(0), raised.words.make, [2.0]), Read(Ref(0), attribute, "value")]
    new = raised.run(asked).fault
    return new is not None and new.message == raised.fault.message


def _is_called(raised: Raised) -> bool:
    return f".{raised.parts[1]}(" in raised.source


def _is_asked_for(raised: Raised) -> bool:
    return raised.parts[1] in {step.calls.rpartition(".")[2] for step in raised.steps}


def _has_zero(raised: Raised) -> bool:
    """Return whether the script gives a zero to the learner's own code."""
    last, frame = raised.last, raised.frame
    steps: Sequence[Step] = raised.steps if isinstance(last, Walk) else raised.steps[-1:]
    given = [each for step in steps if isinstance(step, (Make, Call)) for each in step.args]
    return frame is not None and any(type(each) in {int, float} and each == 0 for each in given)


def _backward_on_every_node(raised: Raised) -> bool:
    backward = raised.words.backward if raised.words else ""
    nested = [each for each in raised.fault.frames if each.function == backward]
    return len(nested) > 1 and f".{backward}()" in nested[0].source


_CALLABLE = "method|function|builtin_function_or_method"
_COLLECTION = "list|tuple|set|dict|str|range|zip|generator"
_ONCE = "zip|map|filter|generator|enumerate|reversed"  # which can be looped over only once
_HAS_NONE = (
    r"'NoneType' object (?:has no attribute|is not (?:iterable|reversible|subscriptable))"
    r"|'NoneType' has no len|unsupported operand .*'NoneType'"
)
_HAS_NO = r"'(\w+)' object has no attribute '(\w+)'"
_UNHANDLED = "which is missing or returns `NotImplemented`"
_PARENTHESES = "are the parentheses of its call missing?"

RULES = (
    Rule(
        "",
        "",
        "the operand is `{operand}` here, on purpose: raise a TypeError if it is neither a {node}"
        " nor a number",
        when=lambda raised: "TypeError" not in raised.fault.types,
    ),
    Rule(
        "", "", "`==` compares, and nothing uses the result; did you mean `=`?", r"^[\w.\[\]]+ == "
    ),
    Rule("", "", "your own `raise` runs here; look at its condition", "^raise "),
    Rule(
        "",
        "",
        "put `{meant}` at the top of the file",
        when=lambda raised: raised.fault.meant.startswith("import "),
    ),
    Rule("", "", "did you mean `{meant}`?"),
    Rule(
        "",
        _HAS_NONE,
        "`{0}()` changes the list itself and returns None",
        r"\w\.(append|extend|insert|sort|reverse|shuffle|update|add)\(",
    ),
    Rule("", _HAS_NONE, "{where} something is None; is a `return` missing?"),
    Rule("AttributeError", _HAS_NO, "a {0} has no method `{1}`", when=_is_called),
    Rule(
        "AttributeError",
        _HAS_NO,
        "`getattr` looks for `{1}`, and a {0} has no attribute of that name",
        "getattr",
        lambda raised: raised.parts[1] not in raised.source and not _is_asked_for(raised),
    ),
    Rule(
        "AttributeError",
        _HAS_NO,
        "`{0}.__init__` never sets `self.{1}`",
        when=lambda raised: not _is_asked_for(raised) and _is_never_set(raised),
    ),
    Rule(
        "AttributeError",
        "'(list)' object has no attribute '(add|push)'",
        "a {0} has no `{1}`; did you mean `append`?",
    ),
    Rule(
        "AttributeError",
        "'(set)' object has no attribute '(append)'",
        "a {0} has no `{1}`; did you mean `add`?",
    ),
    Rule(
        "AttributeError",
        "'(set)' object has no attribute '(extend)'",
        "a {0} has no `{1}`; did you mean `update`?",
    ),
    Rule(
        "AttributeError",
        rf"'({_CALLABLE})' object has",
        f"{{there}} uses a function like a {{node}}; {_PARENTHESES}",
    ),
    Rule(
        "AttributeError",
        r"'(float|int)' object has no attribute '(\w+)'",
        "{there} uses a plain number ({0}) like a {node}, but it has no `.{1}`",
    ),
    Rule(
        "AttributeError",
        rf"'({_COLLECTION})' object has no attribute '(\w+)'",
        "{there} uses {a} like a {node}, but it has no `.{1}`",
        when=_in_own_code,
    ),
    Rule(
        "AttributeError", rf"'({_COLLECTION})' object has", "`{owner}` is {a}; it must be a {node}"
    ),
    Rule(
        "AttributeError",
        rf"'({_COLLECTION})' object has",
        "your code gives {a} where a {node} belongs",
    ),
    Rule(
        "AttributeError",
        r"type object '(\w+)' has no attribute '(\w+)'",
        "`{0}` is the class itself, which has no `.{1}`; use one of its objects, or make one"
        " with `{0}(...)`",
    ),
    Rule(
        "BdbQuit",
        "",
        "a `breakpoint()` is left in your code, and nobody can answer it here; remove it",
    ),
    Rule(
        "IndexError",
        "pop from (?:an )?empty",
        "`{0}` is empty when {there} takes an item from it; stop when there is none left",
        r"(\w+)\.pop(?:left)?\(",
    ),
    Rule(
        "NameError",
        "name 'self' is not defined",
        "`{function}` needs `self` as its first parameter",
    ),
    Rule(
        "OverflowError",
        "math range error|too large",
        "{where} a number gets too large for a float, as `exp(710)` does",
    ),
    Rule(
        "RecursionError",
        "",
        "the graph is {depth} nodes deep and {caller} calls itself once for each node, but"
        " Python allows only about"
        " 1,000 nested calls. Use a loop and a list of the nodes still to visit",
    ),
    Rule(
        "RecursionError",
        "",
        "`{backward}` calls `{backward}()` on every node; did you mean `{step}()`, with an"
        " underscore?",
        when=_backward_on_every_node,
    ),
    Rule(
        "RecursionError", "", "{cycle} call each other forever; one of them must do the work itself"
    ),
    Rule(
        "RecursionError",
        "",
        "to run `{line}`, Python calls `{function}` again, and so on forever; build it from"
        " other operations",
        when=lambda raised: raised.frame and raised.frame.function.startswith("__"),
    ),
    Rule("RecursionError", "", "{caller} calls itself forever"),
    Rule("TypeError", r"for \^", "in Python `^` is a bitwise operation; a power is `**`"),
    Rule("TypeError", r"for //=?: .*'NODE'", "a {node} has no `//`; did you mean `/`?"),
    Rule(
        "TypeError",
        "must be real number, not NODE",
        "`{0}` takes only plain numbers; use the operators and methods of a {node}, which"
        " build the graph",
        r"\b(math\.\w+)",
        lambda raised: not _in_graph_file(raised),
    ),
    Rule(
        "TypeError",
        "must be real number, not NODE",
        "{there} needs a plain number and gets a {node}; is a `.{data}` missing, or does a"
        " {node} hold another {node}?",
    ),
    Rule(
        "TypeError",
        "'int' and 'list'",
        "`sum` starts with 0, and `0 + [...]` fails; start with a list: `sum(..., [])`",
        r"sum\(",
    ),
    Rule(
        "TypeError",
        r"for \*\*.*: '(?:int|float)' and 'NODE'",
        "{there} has a {node} as its exponent; is a `.{data}` missing? Raise the plain"
        " number to a power, and make a new {node} from the result",
        when=_in_own_code,
    ),
    Rule(
        "TypeError",
        rf"unsupported operand .*'(?:{_CALLABLE})'",
        f"{{there}} uses a function instead of its result; {_PARENTHESES}",
    ),
    Rule(
        "TypeError",
        rf"unsupported operand .*'({_COLLECTION})'",
        "{there} uses {a} where a number or a {node} belongs",
    ),
    Rule(
        "TypeError",
        "unsupported operand .*'(?:int|float|NODE)' and '(?:int|float|NODE)'",
        "{there} combines a plain number with a {node}; is a `.{data}` missing, or is"
        " `{node}.{method}`?",
        when=_in_own_code,
    ),
    Rule(
        "TypeError",
        "and 'NODE'",
        f"`sum` starts with 0, so Python first calls `{{node}}.__radd__`, {_UNHANDLED}",
        when=_in_sum,
    ),
    Rule(
        "TypeError",
        "'(?:int|float)' and 'NODE'",
        f"a plain number is on the left, so Python calls `{{node}}.{{method}}`, {_UNHANDLED}",
        when=_in_operator,
    ),
    Rule("TypeError", "", f"Python calls `{{node}}.{{method}}`, {_UNHANDLED}", when=_in_operator),
    Rule("TypeError", "unary -: 'NODE'", "Python calls `{node}.__neg__`, which is not defined"),
    Rule("TypeError", r"unary -: '(\w+)'", "{there} gets {a} where a number or a {node} belongs"),
    Rule(
        "TypeError",
        "'NoneType' object is not callable",
        "something that should be a function is None; did you write `{step}()` where"
        " `{step}` should be stored?",
    ),
    Rule(
        "TypeError",
        rf"'({_ONCE})' (?:has no len|object is not subscriptable)",
        "{a} is not a list; make one of it, with `list(...)`",
    ),
    Rule(
        "TypeError",
        "not supported between instances of .*'NODE'",
        "a {node} cannot be compared like a number; compare its `.{data}`",
    ),
    Rule(
        "TypeError",
        r"<locals>\.[\w<>]+\(\) missing 1 required",
        "`{step}()` is called without arguments, so the function must have no parameters",
        when=lambda raised: isinstance(raised.last, (Call, Walk)),
    ),
    Rule(
        "TypeError",
        r"unhashable type: '(list|set|dict)'",
        "{there} uses {a} as an item of a set or a key of a dict",
    ),
    Rule(
        "TypeError",
        "unhashable type",
        "objects of a class that defines `__eq__` but not `__hash__` cannot be put into a"
        " set; leave `__eq__` out"
        " (a dataclass writes one, unless it is `@dataclass(eq=False)`)",
    ),
    Rule(
        "TypeError",
        r"__init__\(\) should return None",
        "`__init__` sets attributes and returns nothing; leave its `return` out",
    ),
    Rule(
        "TypeError",
        r"(__\w+__) returned non-string \(type NoneType\)",
        "`{0}` must return a string; is its `return` missing?",
    ),
    Rule("TypeError", r"(__\w+__) returned non-string", "`{0}` must return a string"),
    Rule(
        "TypeError",
        r"^<lambda>\(\) (?:takes|missing)",
        "a function gets the wrong number of arguments; to pass the items of a list as"
        " separate arguments, write `f(*items)`",
    ),
    Rule(
        "TypeError",
        r"(\w+)\(\) takes no arguments",
        "`{0}` has no `__init__`; is its name misspelt?",
    ),
    Rule(
        "TypeError",
        r"(\w+\.[\w<>]+)\(\) takes (\d+) positional arguments? but (\d+) w",
        "`{0}` takes {1} and gets {2} arguments; the first is `self`",
    ),
    Rule(
        "TypeError",
        r"([\w.]+)\(\) (?:takes|missing)",
        "the arguments do not fit the parameters of `{0}`: every parameter needs an argument"
        " or a default",
    ),
    Rule(
        "TypeError",
        rf"'({_CALLABLE})' object is not (?:iterable|reversible)",
        "{there} loops over {a}; are the parentheses of the call missing?",
    ),
    Rule(
        "TypeError",
        r"'(int)' object is not iterable",
        "{there} loops over {a}; did you mean `range(...)`?",
    ),
    Rule(
        "TypeError",
        r"'(\w+)' object is not iterable",
        "{there} loops over {a}; to add one item to a list, use `append` instead of `+=`",
        r" \+= ",
    ),
    Rule(
        "TypeError",
        r"'(float)' object is not iterable",
        "{there} loops over {a}; is it a tuple of one without its comma, `(x,)`?",
    ),
    Rule(
        "TypeError",
        "'(NODE)' object is not iterable",
        "{there} loops over {a}; a tuple of one needs a comma: `(a,)`",
        when=lambda raised: raised.frame and "__init__" in raised.frame.function,
    ),
    Rule("TypeError", r"'(\w+)' object is not (?:iterable|reversible)", "{there} loops over {a}"),
    Rule(
        "TypeError",
        r"'(\w+)' object is not callable",
        "`{called}` is {a}, so `{called}()` fails; define it with `def`, without `@property`",
        when=lambda raised: raised.frame is None,
    ),
    Rule(
        "TypeError", r"'(\w+)' object is not callable", "{there} calls {a}, which is not a function"
    ),
    Rule(
        "TypeError",
        r"isinstance\(\) arg 2",
        "in `isinstance` the object comes first and the class second",
    ),
    Rule(
        "TypeError",
        "can't multiply sequence by non-int",
        "{there} uses a list where a number or a {node} belongs",
    ),
    Rule(
        "ZeroDivisionError",
        "",
        "{there} divides by 0, because it is given a 0 here; 0 must work, too",
        when=_has_zero,
    ),
    Rule(
        "UnboundLocalError",
        r"local variable '(\w+)'",
        "assigning to `{0}` inside a function makes it a new local variable; did you mean"
        " `self.{0}`?",
        when=lambda raised: (
            raised.words and raised.parts[0] in {raised.words.data, raised.words.gradient}
        ),
    ),
    Rule(
        "UnboundLocalError",
        r"local variable '(\w+)'",
        "assigning to `{0}` inside a function makes it a new local variable",
    ),
    Rule(
        "ValueError",
        "non-broadcastable output operand",
        "this share is larger than the gradient that it is added to; after broadcasting, the"
        " share itself must be summed",
    ),
    Rule(
        "ValueError",
        "values to unpack",
        "{there} unpacks the wrong number of items; to loop over two lists side by side, use"
        " `zip(one, other)`",
    ),
    Rule(
        "ValueError",
        "^matmul: ",
        "{where} the shapes do not fit: `x @ y` needs as many columns in `x` as rows in `y`",
    ),
    Rule(
        "ValueError",
        "could not be broadcast together",
        "{where} the shapes do not fit together; print both shapes there and compare them",
    ),
)
"""The first rule that fits is used."""
