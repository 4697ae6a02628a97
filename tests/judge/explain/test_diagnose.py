"""The diagnosis by its parts: what it says of right code (nothing), of one mistake, of mistakes
that look alike.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.judge.evidence import Reply
from grader.judge.explain.diagnose import Doctor
from grader.judge.explain.exceptions import RULES
from grader.judge.explain.raised import explain
from grader.judge.explain.recognise import same
from grader.judge.explain.sentences import Known, most_seen
from grader.judge.script.steps import Apply, Call, Make, Repeat, Step
from grader.judge.session import Session
from grader.model import Diagnosis, Fault, Frame, Kind
from grader.worker.protocol import Line, Lines, Ref, UnexpectedType
from support import kit_folder
from support.grading import COURSE, by_id, grade
from support.mistakes import graded

A, B, C = map(Ref, range(3))
assert COURSE.graph is not None
WORDS = COURSE.graph
MADE: list[Step] = [Make(A, "engine.Value", [2.0]), Make(B, "engine.Value", [-3.0])]


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (Reply([1.0, 2]), Reply([1.0 + 1e-12, 2.0]), True),
        (Reply([1.0]), Reply([1.0 + 1e-6]), False),
        (Reply([float("nan")]), Reply([float("nan")]), True),
        (Reply([float("inf")]), Reply([float("-inf")]), False),
        (Reply([UnexpectedType("list")]), Reply([UnexpectedType("list")]), True),
        (Reply([UnexpectedType("list")]), Reply([1.0]), False),
        (Reply([[C, [A, B]]]), Reply([[C, [A, B]]]), True),
        (Reply([[Ref(1 << 40)]]), Reply([[Ref((1 << 40) + 1)]]), False),
        (Reply([True]), Reply([1.0]), False),
        (Reply(["+"]), Reply(["*"]), False),
        (Reply([1.0]), Reply([1.0, 1.0]), False),
        (
            Reply((), Fault(Kind.RAISED, "TypeError", message="x"), 2),
            Reply((), Fault(Kind.RAISED, "TypeError", message="x"), 2),
            True,
        ),
        (
            Reply((), Fault(Kind.RAISED, "TypeError", message="x"), 2),
            Reply((), Fault(Kind.RAISED, "TypeError", message="x"), 1),
            False,
        ),
        (
            Reply((), Fault(Kind.RAISED, "TypeError", message="x"), 2),
            Reply((), Fault(Kind.RAISED, "TypeError", message="y"), 2),
            False,
        ),
        (Reply((), Fault(Kind.RAISED, "TypeError"), 0), Reply([1.0]), False),
    ],
)
def test_two_replies_are_the_same_down_to_the_last_digits(
    one: Reply, other: Reply, *, equal: bool
) -> None:
    assert same(one, other) is equal


@pytest.mark.slow
def test_right_code_gets_no_diagnosis() -> None:
    report = grade(kit_folder("solutions"), ["1-6"])
    assert [result.id for result in report.checkpoints if result.diagnosis] == []


MISTAKE = """
class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            {first}
            other.grad += self.data * out.grad

        out._backward = _backward
        return out
"""


def first_diagnosis(mistake: str, phase: str) -> Diagnosis:
    report = graded(mistake, "engine", phase)
    return next(result.diagnosis for result in report.checkpoints if result.diagnosis)


ROUNDED = """
class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = round(data * 800) / 800
        self.grad, self._prev, self._op = 0.0, set(_children), _op
        self._backward = lambda: None
"""
TWO_CHILDREN = MISTAKE.format(first="one, two = out._prev; self.grad += other.data * out.grad")


@pytest.mark.slow
def test_the_verdicts_remain_if_the_diagnosis_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("Ref(1)")

    right = graded(TWO_CHILDREN, "engine", "phase3")
    monkeypatch.setattr(Doctor, "diagnose", fail)
    report = graded(TWO_CHILDREN, "engine", "phase3")
    assert report.counts == right.counts
    assert "failed to explain" in report.notes[-1]
    monkeypatch.setenv("GRADE_DEBUG", "1")
    with pytest.raises(KeyError):
        graded(TWO_CHILDREN, "engine", "phase3")


@pytest.mark.slow
@pytest.mark.parametrize("line", [Line("other.py", 3, True), Line("engine.py", 900, True)])
def test_a_line_that_is_not_in_the_submission_is_not_believed(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(_session: Session, _request: Lines) -> list[Line]:
        return [line]

    monkeypatch.setattr(Session, "called", lambda *_: ["Value.__add__"])
    monkeypatch.setattr(Session, "repeated", answer)
    report = graded(MISTAKE.format(first="self.grad += 2.0"), "engine", "phase3")
    assert not any("failed to explain" in note for note in report.notes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mistake", "phase", "blamed"),
    [(ROUNDED, "phase3", "constructor"), (TWO_CHILDREN, "phase3", "*")],
    ids=["rounds in the constructor", "raises in a step"],
)
def test_the_wrong_function_underneath_is_blamed(mistake: str, phase: str, blamed: str) -> None:
    assert first_diagnosis(mistake, phase).blame == blamed


def fault(type_name: str, message: str, *bases: str) -> Fault:
    return Fault(Kind.RAISED, type_name, (type_name, *bases), message)


@pytest.mark.parametrize(
    ("raised", "last", "told"),
    [
        (
            fault("TypeError", "unsupported operand type(s) for -: 'int' and 'Value'"),
            Apply(C, "-", [3, A]),
            "`Value.__rsub__`",
        ),
        (
            fault("TypeError", "unsupported operand type(s) for ** or pow(): 'Value' and 'int'"),
            Apply(C, "**", [A, 2]),
            "`Value.__pow__`",
        ),
        (
            fault("TypeError", "unsupported operand type(s) for +: 'NoneType' and 'Value'"),
            Apply(C, "+", [A, B]),
            "`return`",
        ),
        (
            fault("TypeError", "bad operand type for unary -: 'Value'"),
            Apply(C, "neg", [A]),
            "`Value.__neg__`",
        ),
        (fault("TypeError", "unhashable type: 'Value'"), Call(C, A, "backward", []), "`__hash__`"),
        (fault("TypeError", "unhashable type: 'list'"), Call(C, A, "backward", []), "uses a list"),
        (
            fault("AttributeError", "'float' object has no attribute 'data'"),
            Apply(C, "+", [A, 1.0]),
            "your code gives a float where a Value belongs",
        ),
        (
            fault("AttributeError", "'NoneType' object has no attribute 'data'"),
            Apply(C, "+", [A, B]),
            "`return`",
        ),
        (
            fault("OverflowError", "math range error", "ArithmeticError"),
            Call(C, A, "exp", []),
            "`exp(710)`",
        ),
        (
            fault("RecursionError", "maximum recursion depth exceeded", "RuntimeError"),
            Repeat(C, 5000, "+", A, B),
            "5,000 nodes deep",
        ),
        (
            fault("ZeroDivisionError", "division by zero", "ArithmeticError"),
            Call(C, A, "f", [0, 1]),
            "divides by 0, which must not happen for these numbers",
        ),
        (fault("KeyError", "'x'", "LookupError"), Apply(C, "+", [A, B]), ""),
    ],
)
def test_frequent_exceptions_get_a_sentence_and_others_none(
    raised: Fault, last: Step, told: str
) -> None:
    sentence = explain(RULES, raised, [*MADE, last], WORDS, lambda _steps: Reply())
    assert told in sentence
    assert bool(told) is bool(sentence)


@pytest.mark.parametrize(
    ("source", "raised", "told"),
    [
        (
            "return getattr(total, self.activation)()",
            fault("AttributeError", "'Value' object has no attribute 'linear'"),
            "`getattr` looks for `linear`",
        ),
        (
            "return total.sigmoid()",
            fault("AttributeError", "'Value' object has no attribute 'sigmoid'"),
            "a Value has no method `sigmoid`",
        ),
        (
            "return sum(n.parameters() for n in self.neurons)",
            fault("TypeError", "unsupported operand type(s) for +: 'int' and 'list'"),
            "start with a list: `sum(..., [])`",
        ),
        (
            "total += math.pow(p - t, 2)",
            fault("TypeError", "must be real number, not Value"),
            "`math.pow` takes only plain numbers",
        ),
        (
            "losses += train_step(model, xs, ys, rate)",
            fault("TypeError", "'float' object is not iterable"),
            "use `append` instead of `+=`",
        ),
        (
            "node = todo.pop()",
            fault("IndexError", "pop from empty list", "LookupError"),
            "`todo` is empty when line 7 takes an item from it",
        ),
        (
            "random.shuffle(pairs)",
            fault("TypeError", "object of type 'zip' has no len()"),
            "a zip is not a list",
        ),
    ],
)
def test_the_line_that_raised_says_what_is_meant(source: str, raised: Fault, told: str) -> None:
    at_a_line = replace(raised, frames=(Frame("nn.py", 7, "Neuron.__call__", source),))
    assert told in explain(RULES, at_a_line, [Call(C, A, "f", [])], WORDS, lambda _steps: Reply())


LOOP = """
class Value:
    def tanh(self):
        i, n = 0, 3
        while i < n:
            {body}
        return self
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("self.data += 0", "nothing in this loop changes `i` or `n`, so it never ends"),
        ("i = 0", ""),
    ],
)
def test_an_endless_loop_is_explained_only_if_nothing_changes_its_condition(
    body: str, why: str
) -> None:
    assert first_diagnosis(LOOP.format(body=body), "phase6").why == why


EQUAL_NUMBERS = """
class Value:
    def __eq__(self, other):
        return isinstance(other, Value) and self.data == other.data

    def __hash__(self):
        return hash(self.data)
"""
NO_DUPLICATES = """
class Value:
    def build_topo(self):
        waiting, users = [self], {self: 0}
        while waiting:
            for child in waiting.pop()._prev:
                waiting += [] if child in users else [child]
                users[child] = users.get(child, 0) + 1
        order, ready = [], [self]
        while ready:
            order.append(ready.pop())
            for child in {*order[-1]._prev}:
                users[child] -= 1
                ready += [] if users[child] else [child]
        return order[::-1]

    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad, self._op = data, 0.0, _op
        self._prev, self._backward = tuple(_children), lambda: None
"""


@pytest.mark.slow
def test_a_picture_names_nodes_as_the_lines_to_paste_do() -> None:
    for result in graded(EQUAL_NUMBERS, "engine", "phase4").checkpoints:
        tree = result.diagnosis.tree if result.diagnosis else ()
        named = {node.expression for node in tree if " = " in node.expression}
        assert named <= {*result.reproduce.splitlines()}, result.id


@pytest.mark.slow
def test_what_is_infinite_is_not_explained() -> None:
    result = by_id(graded(NO_DUPLICATES, "engine", "phase5"))["phase5.zero-grad"]
    assert result.got == float("inf")
    assert result.diagnosis is None


@pytest.mark.parametrize("is_here", [True, False])
def test_two_known_mistakes_are_named_only_in_the_same_function(is_here: bool) -> None:
    first, *others = (Known(each) for each in COURSE.stage("phase3").faulty)
    two = [first, next(k for k in others if (k.faulty.changed == first.faulty.changed) is is_here)]
    assert most_seen({"phase3.times": two}) == {"phase3.times": two if is_here else []}
