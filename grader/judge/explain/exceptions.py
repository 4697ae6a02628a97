"""Say what an exception means in the script that raised it: what was missing, and where to look.

The first rule that fits the exception, its message and the learner's line counts.
"""

from __future__ import annotations

from grader.judge.explain.raised import (
    Rule,
    backward_on_every_node,
    in_graph_file,
    in_operator,
    in_own_code,
    in_sum,
    is_asked_for,
    is_called,
    is_never_set,
    is_set,
)
from grader.judge.script.steps import Call, Walk

_CALLABLE = "method|function|builtin_function_or_method"
_COLLECTION = "list|tuple|set|dict|str|range|zip|generator"
_PLAIN = f"{_COLLECTION}|float|int"
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
    Rule("", "", "your own `raise` runs {where}; look at its condition", "^raise "),
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
        r"(?:\bin |[(+*/-] ?)[\w.]+\.(append|extend|insert|sort|reverse|shuffle|update|add)\(",
    ),
    Rule("", _HAS_NONE, "{where} something is None; is a `return` missing?"),
    Rule(
        "AttributeError",
        r"'(\w+Error)' object has no attribute '(\w+)'",
        "your code returns {a} where it should raise it",
    ),
    Rule("AttributeError", _HAS_NO, "a {0} has no method `{1}`", when=is_called),
    Rule(
        "AttributeError",
        _HAS_NO,
        "`getattr` looks for `{1}`, and a {0} has no attribute of that name",
        "getattr",
        lambda raised: raised.parts[1] not in raised.source and not is_asked_for(raised),
    ),
    Rule("AttributeError", _HAS_NO, "the `__slots__` of `{0}` lack `{1}`", when=is_set),
    Rule(
        "AttributeError",
        _HAS_NO,
        "`{0}.__init__` does not set `self.{1}` here",
        when=lambda raised: not is_asked_for(raised) and is_never_set(raised),
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
        when=in_own_code,
    ),
    Rule(
        "AttributeError",
        rf"'({_COLLECTION})' object has no attribute '(\w+)'",
        "{there} uses {a} like a {node}, but it has no `.{1}`",
        when=in_own_code,
    ),
    Rule("AttributeError", rf"'({_PLAIN})' object has", "`{owner}` is {a}; it must be a {node}"),
    Rule(
        "AttributeError", rf"'({_PLAIN})' object has", "your code gives {a} where a {node} belongs"
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
        "the graph is {depth} nodes deep and {caller} calls itself from node to node, but by"
        " default Python allows only about 1,000 nested calls. Use a loop and a list of the nodes"
        " still to visit",
    ),
    Rule(
        "RecursionError",
        "",
        "`{backward}` calls `{backward}()` on a node; did you mean `{step}()`, with an underscore?",
        when=backward_on_every_node,
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
        lambda raised: not in_graph_file(raised),
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
        when=in_own_code,
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
        when=in_own_code,
    ),
    Rule(
        "TypeError",
        "and 'NODE'",
        f"`sum` starts with 0, so Python first calls `{{node}}.__radd__`, {_UNHANDLED}",
        when=in_sum,
    ),
    Rule(
        "TypeError",
        "'(?:int|float)' and 'NODE'",
        f"a plain number is on the left, so Python calls `{{node}}.{{method}}`, {_UNHANDLED}",
        when=in_operator,
    ),
    Rule("TypeError", "", f"Python calls `{{node}}.{{method}}`, {_UNHANDLED}", when=in_operator),
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
        "{a} is not a list; convert it with `list(...)`",
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
        r"(\w+\.[\w<>]+)\(\) takes (?:from )?(\d+(?: to \d+)?) positional arguments? but (\d+) w",
        "`{0}` takes {1} and gets {2} arguments; the first is `self`",
    ),
    Rule(
        "TypeError",
        r"([\w.]+)\(\) got an unexpected keyword argument '(\w+)'",
        "callers pass `{1}` by name, so `{0}` must keep the names in the exercise",
        when=lambda raised: not in_own_code(raised),
    ),
    Rule(
        "TypeError",
        r"([\w.<>]+)\(\) missing",
        "the arguments do not fit the parameters of `{0}`: every parameter needs an argument"
        " or a default",
    ),
    Rule(
        "TypeError",
        r"([\w.<>]+)\(\) takes (?:from )?\d",
        "the arguments do not fit the parameters of `{0}`: it gets too many",
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
        "{there} loops over {a}; did you mean the tuple `(x,)`?",
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
    Rule("ZeroDivisionError", "", "{there} divides by 0, which must not happen for these numbers"),
    Rule(
        "UnboundLocalError",
        r"local variable '(\w+)'",
        "assigning to `{0}` inside a function makes it a new local variable; did you mean"
        " `self.{0}`?",
        when=lambda raised: raised.parts[0] in {raised.words.data, raised.words.gradient},
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
        "{there} needs as many names as there are values; to loop over two lists side by side, use"
        " `zip(one, other)`",
        "^for ",
    ),
    Rule("ValueError", "values to unpack", "{there} needs as many names as there are values"),
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
