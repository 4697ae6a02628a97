"""A small change that fixes a mistake is found and proven, and nothing else is said."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from grader.intake.submission import File, Submission
from grader.judge.explain import mend
from grader.model import Proof
from grader.worker.differences import BOUNDED, TICK, units_of
from grader.worker.edits import edits_of
from grader.worker.loaded import OutOfTicks, bounded, compiled
from grader.worker.observed import Observed
from grader.worker.parameters import for_a_new_import
from grader.worker.parts import Parts
from grader.worker.protocol import Candidate
from support import changed, hand_in, put, there
from support.grading import by_id, grade

FORGETS = ("self.grad += (1 - out.data**2) * out.grad", "self.grad += 1 - out.data**2")


WRAPS = "other = other if isinstance(other, Value) else Value(other)"
WRAPS_TEXT = WRAPS.replace("Value(other)", "Value(float(other))")
SLOTS = ("data", "grad", "_prev", "_op", "_backward")


@pytest.mark.slow
@pytest.mark.parametrize("isolation", [0, 3])
def test_a_change_is_proven_at_every_isolation(tmp_path: Path, isolation: int) -> None:
    report = grade(hand_in(tmp_path, changed(FORGETS)), "phase6", prove=1, isolation=isolation)
    diagnosis = there(by_id(report)["phase6.tanh-backward"].diagnosis)
    assert there(diagnosis.mend).place.source == FORGETS[1]
    assert diagnosis.proof.endswith("all of phase6 passes")


@pytest.mark.slow
@pytest.mark.parametrize(("prove", "phases"), [(1, ["phase3"]), (9, ["phase3", "phase6"])])
def test_the_first_failures_of_so_many_phases_are_proven(
    tmp_path: Path, prove: int, phases: list[str]
) -> None:
    times = "self.grad += other.data * out.grad"
    folder = hand_in(tmp_path, changed((times, times.replace("+=", "=")), FORGETS))
    report = grade(folder, ["3", "6"], prove=prove, isolate=True)
    found = [one.diagnosis.mend for one in report.checkpoints if one.diagnosis]
    assert [proof.phase for proof in found if proof] == phases


def proof(folder: Path, source: str, checkpoint: str) -> Proof | None:
    """Return the change that is proven for a checkpoint which must fail."""
    report = grade(hand_in(folder, source), checkpoint.partition(".")[0], prove=1)
    return there(by_id(report)[checkpoint].diagnosis).mend


TABLE = """

SLOPES = {
    "exp": lambda x, y: y,
    "tanh": lambda x, y: 1 - y,
}


def unary(a, name, value):
    out = Value(value, (a,), name)

    def _backward():
        a.grad += SLOPES[name](a.data, out.data) * out.grad

    out._backward = _backward
    return out


Value.tanh = lambda a: unary(a, "tanh", math.tanh(a.data))
"""


MATCH = """
def slope(name, x, y):
    match name, (x, y):
        case "exp", _:
            return y
        case "tanh", (_, float()):
            return 1 - y
"""
MENDED_TABLE = "SLOPES = {'exp': lambda x, y: y, 'tanh': lambda x, y: 1 - y ** 2}"
ENDLESS = """\
    while value != value:
        value = 0.0
    limit = 7 * 10**9
    limit = 1 >> limit
    out = Value("""
BOTH_SHARES = "self.grad += other.data * out.grad\n            other.grad += self.data * out.grad"
SUM_SHARES = "self.grad += out.grad\n            other.grad += out.grad"
HELPER = """def give(a, b, shares):
    mine, theirs = shares
    a.grad += mine
    b.grad += theirs


class Value:"""
IN_PLACE = """    def __iadd__(self, other):
        self.data += other.data
        return self

"""
VISITS = "            if operands_done:\n                topo.append(node)"
IN_ORDER = "for node in reversed(topo):\n            node._backward()"
RECURSION = """
        def visit(node):
            node._backward()
            for child in node._prev:
                visit(child)

        visit(self)"""
OWN_DEFAULT = "def build_topo(self, topo=None):\n        topo = [] if topo is None else topo"
MENDED = {
    "a sum that is lost": (
        changed((FORGETS[0], FORGETS[0].replace("+=", "+"))),
        "phase6.tanh-backward",
        (FORGETS[0].replace("+=", "+"), FORGETS[0].replace("**", " ** ")),
    ),
    "a comparison in place of an assignment": (
        changed(("self.grad = 1.0", "self.grad == 1.0")),
        "phase4.seed",
        ("self.grad == 1.0", "self.grad = 1.0"),
    ),
    "in a class with slots": (
        changed(
            ("class Value:\n", f"class Value:\n    __slots__ = {SLOTS}\n"),
            ("return self * -1", "return self * 1"),
        ),
        "phase3.negative",
        ("return self * 1", "return self * -1"),
    ),
    "in a lambda of a table": (
        changed() + TABLE,
        "phase6.tanh-backward",
        ('"tanh": lambda x, y: 1 - y,', MENDED_TABLE),
    ),
    "in one branch of many": (
        changed() + TABLE.replace("SLOPES[name](", "slope(name, ") + MATCH,
        "phase6.tanh-backward",
        ("return 1 - y", "return 1 - y ** 2"),
    ),
    "beside a change that would run for ever, which is given up": (
        changed() + TABLE.replace("    out = Value(", ENDLESS),
        "phase6.tanh-backward",
        ('"tanh": lambda x, y: 1 - y,', MENDED_TABLE),
    ),
    "a call, never without its parentheses": (
        changed()
        + TABLE.replace("1 - y,", "1 - y * y,").replace(
            "    out = Value(", "    breakpoint()\n    out = Value("
        ),
        "phase6.tanh",
        ("breakpoint()", ""),
    ),
    "a wrong order of nodes": (
        changed((VISITS, VISITS.replace("append(node)", "insert(0, node)"))),
        "phase4.order",
        ("topo.insert(0, node)", "topo.append(node)"),
    ),
    "code that never ends": (
        changed(("= todo.pop()", "= todo[-1]")),
        "phase4.order",
        ("node, operands_done = todo[-1]", "node, operands_done = todo.pop()"),
    ),
    "beside an endless iterator, which is never listed": (
        changed(
            ("import math\n", "import itertools\nimport math\n\nSERIAL = itertools.count()\n"),
            ("self._op = _op", "self._op = _op\n        self.number = next(SERIAL)"),
            FORGETS,
        ),
        "phase6.tanh-backward",
        (FORGETS[1], "self.grad += (1 - out.data ** 2) * out.grad"),
    ),
    "a parameter too many": (
        changed(
            (
                "def _backward():\n            self.grad += (1",
                "def _backward(self):\n            self.grad += (1",
            )
        ),
        "phase6.tanh-backward",
        ("def _backward(self):", "def _backward():"),
    ),
    "a default that all calls share": (
        changed(
            ("def build_topo(self):", "def build_topo(self, topo=[]):"),
            ("topo, visited, todo = [], set(),", "visited, todo = set(),"),
        ),
        "phase4.order",
        ("def build_topo(self, topo=[]):", OWN_DEFAULT),
    ),
    "where an exception is missing": (
        changed(
            (
                f"{WRAPS}\n        out = Value(self.data +",
                f"{WRAPS_TEXT}\n        out = Value(self.data +",
            )
        ),
        "phase2.refuses-non-numbers",
        (WRAPS_TEXT, WRAPS),
    ),
    "in a lambda, with the reference's operands": (
        changed(
            (
                "def __neg__(self):\n        return self * -1",
                '__neg__ = lambda a: Value(-a.data, (a,), "neg")',
            )
        ),
        "phase3.negative",
        ('__neg__ = lambda a: Value(-a.data, (a,), "neg")', "__neg__ = lambda a: a * -1"),
    ),
    "without a method that Python can do without": (
        changed().replace("    def __radd__", f"{IN_PLACE}    def __radd__", 1),
        "phase2.operands-untouched",
        ("def __iadd__(self, other):", ""),
    ),
    "not in a helper that right functions use, too": (
        changed(
            (SUM_SHARES, "give(self, other, (out.grad, out.grad))"),
            (BOTH_SHARES, "give(self, other, (self.data * out.grad, other.data * out.grad))"),
            ("class Value:", HELPER),
        ),
        "phase3.times-backward",
        (
            "give(self, other, (self.data * out.grad, other.data * out.grad))",
            "give(self, other, (other.data * out.grad, self.data * out.grad))",
        ),
    ),
    "a walk without the order": (
        changed(("        topo = self.build_topo()\n", ""), (IN_ORDER, RECURSION)),
        "phase4.reused-intermediate",
        ("visit(self)", IN_ORDER.replace("topo)", "self.build_topo())")),
    ),
    "not as a later phase would refute it": (
        changed(("other.grad += out.grad", "other.grad += self.grad")),
        "phase2.backward",
        ("other.grad += self.grad", "other.grad += out.grad"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("source", "checkpoint", "change"), MENDED.values(), ids=MENDED)
def test_a_slip_is_mended(
    tmp_path: Path, source: str, checkpoint: str, change: tuple[str, str]
) -> None:
    found = there(proof(tmp_path, source, checkpoint))
    assert (found.place.source, found.come.strip()) == change


@pytest.mark.slow
def test_a_class_is_mended_beside_one_of_the_same_name(tmp_path: Path) -> None:
    hand_in(tmp_path, changed(FORGETS), "old.py")
    source = changed(FORGETS).replace("import math\n", "import math\nimport old\n", 1)
    found = there(proof(tmp_path, source, "phase6.tanh-backward"))
    assert Path(found.place.file).name == "engine.py"


MAKES = "shares = [lambda: out.grad * factor for factor in (other.data, self.data)]"
PRODUCT = 'out = Value(self.data * other.data, (self, other), "*")'
SUM = """        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
"""
INSIDE = f"""        if not isinstance(other, Value):
            other = Value(other)
{indent(SUM, "    ")}"""
EXPLAINED = {
    "a function that keeps the last round of a loop": (
        {
            "engine.py": changed(
                (BOTH_SHARES, "self.grad += shares[0]()\n            other.grad += shares[1]()"),
                (PRODUCT, f"{PRODUCT}\n        {MAKES}"),
            )
        },
        "phase3.times-backward",
        "line 42 makes a function that looks up `factor` only when",
        "with one small change in line 42, all of phase3 passes",
    ),
    "code that belongs outside an if": (
        {"engine.py": changed((f"        {WRAPS}\n{SUM}", INSIDE))},
        "phase2.forward",
        "lines 26 to 33 are inside the `if` of line 24, but should be outside",
        "with this changed in lines 26 to 33, all of phase2 passes",
    ),
    "code that shuffles": (
        {
            "engine.py": changed(),
            "nn.py": changed(file="nn.py"),
            "train.py": changed(
                ("[ys[i] for i in part]", "[ys[i] for i in range(len(part))]"), file="train.py"
            ),
        },
        "phase8.batches",
        "",
        "with one small change in line 33, all of phase8 passes",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("files", "checkpoint", "why", "proof"), EXPLAINED.values(), ids=EXPLAINED)
def test_a_mended_mistake_says_why_and_what_was_tried(
    tmp_path: Path, files: dict[str, str], checkpoint: str, why: str, proof: str
) -> None:
    found = by_id(grade(put(tmp_path, files), checkpoint.partition(".")[0], prove=1))[
        checkpoint
    ].diagnosis
    assert there(found).why.startswith(why)
    assert there(found).proof == proof


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    sizes.insert(0, n)", "    sizes = list(sizes)\n    sizes.insert(0, n)"),
        ("    return isinstance(n, int)", "    return isinstance(n, (int, float))"),
        ("    return n // 2", "    return -(-n // 2)"),
        ("    n = sizes.pop()", "    if not n:\n        n = sizes.pop()"),
        ("    return [f()] * n", "    return [f() for _ in range(n)]"),
        (
            "    return [f(each) for each in n]",
            "    return [item for each in n for item in f(each)]",
        ),
        ("    return n.f(sizes())", "    return n.f(lambda: sizes())"),
        ("    return f(min(n, 700))", "    return f(n)"),
        ("    return random.randint(-n, n)", "    return random.uniform(-n, n)"),
        ("    return sizes.reverse()", "    return sizes[::-1]"),
        ("    n = {sizes}", "    n = set(sizes)"),
        ("    for n in sizes:\n        n -= n.g", "    for n in sizes:\n        n.g -= n.g"),
        ("    for n in sizes:\n        f(n)", "    for n in sizes:\n        f(n)\n        break"),
        (
            "    for one in sizes:\n        f(n)",
            "    for one in sizes:\n        f(n)\n        n = one",
        ),
        ("    n.g += n.f(sizes)", "    n.g += n.f(sizes) * sizes.g"),
        (
            "    for one in sizes:\n        n = n.f(one)",
            "    for one in sizes:\n        own_n = n\n        own_n = own_n.f(one)",
        ),
        ("    total = 0.0\n    Value(n)", "    total = Value(0.0)\n    Value(n)"),
        ("    return 1 - (n * 2).f()", "    return (1 - n * 2).f()"),
        ("    return (n + sizes).f()", "    return n + sizes.f()"),
        ("    last = sizes.pop()", "    sizes = list(sizes)\n    last = sizes.pop()"),
        ("    yield n\n    shape(sizes)", "    yield n\n    yield from shape(sizes)"),
        ("    f(n, sizes)\n    f(n)", "    f(n, sizes)\n    f(n, sizes)"),
        ("    a = list(n)\n    a.g(a)", "    a = list(n)\n    a.g(list(n))"),
        (
            "    total = 0\n    for one in sizes:\n        total += one * 2 + n\n    return total",
            "    total = 0\n    for one in sizes:\n        total += one * 2\n    return total + n",
        ),
        ("    f(n)\n    n.clear()", "    f(n)\n    n = []"),
        (
            "    some = {a: b for a, b in n}\n    return some.items(), dict(n).items()",
            "    some = [(a, b) for a, b in n]\n    return some, list(n)",
        ),
        (
            "    if n not in sizes:\n        sizes[n] = 1",
            "    if n not in sizes:\n        sizes[n] = 0\n    sizes[n] += 1",
        ),
    ],
)
def test_a_usual_slip_is_tried(old: str, new: str) -> None:
    (unit,) = units_of("engine.py", tree := ast.parse(f"def shape(n, sizes):\n{old}\n"))
    versions = set()
    for edit in edits_of(unit.node, Parts(unit, tree, None, Observed([])), range(9)):
        with edit.made():
            versions.add(ast.unparse(unit.node))
    assert ast.unparse(ast.parse(f"def shape(n, sizes):\n{new}")) in versions


def test_nothing_is_tried_that_no_object_there_could_survive() -> None:
    (unit,) = units_of("engine.py", tree := ast.parse("def shape(n):\n    return abs(n)"))
    names: dict[str, Any] = {}
    exec(compile(tree, "engine.py", "exec"), names)
    (observed := Observed(["engine.py"])).run(lambda: names["shape"](1))
    edits = edits_of(unit.node, Parts(unit, tree, None, observed), range(9))
    tried = {ast.unparse(edit.new) for edit in edits if isinstance(edit.new, ast.expr)}
    assert {"float(n)", "len(abs(n))"} <= tried
    assert "len(n)" not in tried


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def __str__(self): pass", "def __repr__(self):\n    pass"),
        (
            "def f(a, *, b=Box()): pass",
            "def f(a, *, b=None):\n    b = Box() if b is None else b\n    pass",
        ),
        ("for op in ops: put(lambda a: op(a))", "for op in ops:\n    put(lambda a, op=op: op(a))"),
    ],
)
def test_what_an_import_decides_is_changed(old: str, new: str) -> None:
    (unit,) = units_of("engine.py", ast.parse(old))
    names = ["__repr__"] if "__str__" in old else []
    assert [*map(ast.unparse, for_a_new_import(unit.node, names))] == [new]


@pytest.mark.parametrize(
    ("one", "other", "sign"),
    [
        ("a", 10**9, "*"),
        (10**9, [0], "*"),
        (2**600, 2**600, "*"),
        (2, 10**9, "**"),
        (1, 10**9, "<<"),
        ([0] * 10**6, 1, ""),
    ],
)
def test_a_candidate_computes_nothing_very_large(one: Any, other: Any, sign: str) -> None:
    with pytest.raises(OutOfTicks):
        bounded(one, other, sign)
    assert bounded(1.5, 1e9, "*") == 1.5e9


@pytest.mark.parametrize(
    "line", ["for each in n: n += n", "for _ in range(40): n = [f'{n}{n!r:>{len(n)}}']"]
)
def test_a_candidate_makes_no_list_and_no_text_very_long(line: str) -> None:
    (unit,) = units_of("engine.py", ast.parse(f"def f(n):\n    {line}"))
    names: dict[str, Any] = {BOUNDED: bounded, TICK: bool}
    exec(compiled(unit, unit.node), names)
    with pytest.raises(OutOfTicks):
        names["f"]([0])


@pytest.mark.parametrize(
    ("phase", "file"), [("by-hand", "by_hand.py"), ("predictions", "predictions.py")]
)
def test_answers_are_not_given_away(tmp_path: Path, phase: str, file: str) -> None:
    source = changed(file=file).replace("return ", "return 1 + ")
    report = grade(hand_in(tmp_path, source, file), phase, prove=9)
    found = [one for one in report.checkpoints if one.diagnosis]
    assert [one.id for one in found if one.diagnosis and one.diagnosis.mend] == []


@pytest.mark.parametrize(
    ("file", "first", "last"),
    [("engine.py", 3, 9), ("other.py", 1, 1), ("engine.py", 0, 1), ("engine.py", 2, 1)],
)
def test_a_place_that_does_not_exist_is_not_changed(file: str, first: int, last: int) -> None:
    submission = Submission("mine", (File("engine", "engine.py", b"a = 1\nb = 2\nc = 3\n"),))
    assert mend.changed(submission, Candidate(file, first, last, "x = 1\n")) is None


HOSTILE = """
import gc
(search,) = [one for one in gc.get_objects() if type(one) is type and one.__name__ == "Search"]
(record,) = [one for one in gc.get_objects() if type(one) is type and one.__name__ == "Candidate"]
lie = record("engine.py", 1, 1, "")
search.next = lambda self, trials: [lie]
"""


def test_a_worker_that_lies_proves_nothing(tmp_path: Path) -> None:
    assert proof(tmp_path, changed(FORGETS) + HOSTILE, "phase6.tanh-backward") is None
