"""What becomes of checkpoints: which one fails, which one waits for another, which one was not
started, and what is told of it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from grader.learner.editing import functions_in
from grader.model import CheckResult
from support import changed, kit_folder, put
from support.grading import COURSE, grade
from support.mistakes import splice

pytestmark = pytest.mark.slow

SOLUTIONS = {file.name: file.read_text("utf-8") for file in kit_folder("solutions").glob("*.py")}
ENGINE, NN = SOLUTIONS["engine.py"], SOLUTIONS["nn.py"]


class Case(NamedTuple):
    """What is handed in and graded, and how the line about each checkpoint must begin.

    The line is a pattern, and has the verdict, what blocks it, whom the diagnosis blames, what is
    said, and the lines to try. Instead of a checkpoint, the beginning of several ids is enough.
    """

    files: dict[str, str]
    phases: str
    lines: dict[str, str]
    swap: str = ""
    isolate: bool = False


def without(*phases: str) -> str:
    """Return the reference engine without the functions of these phases."""
    names = [n for stage in COURSE.stages if stage.id in phases for n in COURSE.functions(stage)]
    return splice(ENGINE, "", [name for name in names if name in functions_in(ENGINE.encode(), "")])


def with_changes(file: str, *pairs: tuple[str, str]) -> dict[str, str]:
    """Return all solutions, one of them with changes."""
    return {**SOLUTIONS, file: changed(*pairs, file=file)}


def line_of(result: CheckResult) -> str:
    found = result.diagnosis
    said = [result.message, found.why if found else "", result.reproduce]
    about = [
        result.verdict.value,
        f"by {result.blocked_by}" if result.blocked_by else "",
        f"blames {found.blame}" if found else "",
        result.kind.value if result.kind else "",
    ]
    return f"{' '.join(filter(None, about))}: {' '.join(filter(None, said))}"


CLEAR = """
def clear(root, name):
    if name != "zero_grad":
        raise AttributeError(name)
    return lambda: [setattr(node, "grad", 0.0) for node in root.build_topo()]
"""
BESIDE = """__init__(self, *args, **named):
        super().__init__(*args, **named)
        self.zero_grad = clear(self, "zero_grad")
"""
STATE = """
class Value:
    def build_topo(self, topo=[], visited=set()):
        if self not in visited:
            visited.add(self)
            for child in self._prev:
                child.build_topo(topo, visited)
            topo.append(self)
        return topo
"""
APPENDS_OUTSIDE = """
class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def build_topo(self):
        topo, visited = [], set()

        def build(node):
            if node not in visited:
                visited.add(node)
                for child in node._prev:
                    build(child)
            topo.append(node)

        build(self)
        return topo
"""
ORDER_ONLY = """
class Value:
    def build_topo(self):
        return [self]

    def backward(self):
        raise NotImplementedError("phase 4: Value.backward")
"""
TRAIN = """
def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses = []
    for step in {steps}:
        losses.append(train_step(model, xs, ys, rate(step) if callable(rate) else rate, loss))
    return losses{end}
"""
HANGS = """
class Value:
    def backward(self):
        while True:
            pass
"""
NEGATIVE = """
class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += {slope} * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __neg__(self):
        return self * {minus}

    def __sub__(self, other):
        return self + (-other)
"""
POWER_OF_NODES = """
class Value:
    def __pow__(self, exponent):
        if isinstance(exponent, (int, float)):
            exponent = Value(exponent)
        if not isinstance(exponent, Value):
            raise TypeError("the exponent must be a number or a Value")
        out = Value(self.data**exponent.data, (self, exponent), "**")

        def _backward():
            self.grad += exponent.data * self.data ** (exponent.data - 1) * out.grad
            exponent.grad += out.data * self.data * out.grad

        out._backward = _backward
        return out
"""
OWN_TANH = """
class Value:
    def tanh(self):
        out = Value(tanh(self.data), (self,), "tanh")
        def _backward():
            self.grad += (1 - out.data ** 2) * out.grad
        out._backward = _backward
        return out
"""
RETURNED = "return model, accuracy(model, xs, ys)"
USE_TRAIN = ("phase8.scheduled-loop", "phase8.batched-loop", "phase8.four-points", "phase8.moons")
BROKEN = {"engine.py": "class Value(:\n", "nn.py": NN}

CASES = {
    # not started, forgotten, or in the wrong place
    "a phase that is missing blocks the ones that use it": Case(
        {"engine.py": without("phase3")},
        "phase4",
        {"phase4.first-graph": r"blocked by phase3\.", "phase4.": "(?!failed)"},
    ),
    **{
        f"an attempt in the wrong place is a failure: {where}": Case(
            {"engine.py": f"{without('phase3')}\n\n{attempt}"},
            "phase3",
            {"phase3.times:": "failed.*missing_name"},
        )
        for where, attempt in (
            ("outside", "def __mul__(self, other):\n    return Value(self.data * other.data)\n"),
            ("misspelt", "class Value(Value):\n    def __mull__(self, other):\n        return 1\n"),
        )
    },
    **{
        f"a method that the class does not have itself still counts: {method[:11]}": Case(
            {"engine.py": f"{without('phase5')}\n{CLEAR}\nclass Value(Value):\n    def {method}\n"},
            "phase5",
            {"phase5.zero-grad": "passed", "phase5.begin-anew": "passed"},
        )
        for method in ("__getattr__(self, name):\n        return clear(self, name)", BESIDE)
    },
    "a failure of an earlier phase is not blamed on unstarted code": Case(
        {"engine.py": splice(ENGINE, HANGS, ["Value.tanh", "Value.relu", "Value.exp"])},
        "phase6",
        {
            "phase6.inside": "not_started",  # though it needs backward
            "phase6.random-graphs": r"blocked by phase4\.seed",
        },
    ),
    "a missing function is missed in the file that it belongs to": Case(
        {"engine.py": ENGINE, "nn.py": splice(NN, "", ["Neuron.parameters"])},
        "phase7",
        {
            "phase7.neuron-parameters": (
                "failed .*: nn.py does not define `Neuron.parameters`: AttributeError"
            )
        },
    ),
    **{
        f"a name below a line that raises is not reached: {line[:9]}": Case(
            {"engine.py": line.replace("SOLVED", ENGINE)}, "phase1", {"phase1.": told}
        )
        for line, told in (
            ("1 / 0\nSOLVED", "failed.*: engine.py, line 1 raises ZeroDivisionError"),
            ("SOLVED\n1 / 0", "passed"),
            ("Value()\n", "not_started.*: engine.py has no class `Value` yet"),  # nowhere defined
        )
    },
    # blocked by what is wrong
    "a missing reflected addition blocks sum and not backward": Case(
        {"engine.py": splice(ENGINE, "", ["Value.__radd__"])},
        "phase2 phase4",
        {
            "phase2.number-left": "failed.*missing_name",
            "phase2.sum": r"blocked by phase2\.number-left",
            "phase4.first-graph": "passed",
            "phase4.reused-intermediate": "passed",
        },
    ),
    # `-a` and `a - b` are made of `*`, which is wrong, and say nothing of it
    "a checkpoint that uses a wrong method is blocked by it": Case(
        {"engine.py": splice(ENGINE, NEGATIVE.format(slope=1, minus=-1))},
        "phase3",
        {
            "phase3.times-backward": "failed",
            **dict.fromkeys(
                ("phase3.negative", "phase3.minus-backward", "phase3.number-minus"),
                r"blocked by phase3\.times-backward",
            ),
            "phase3.minus:": "passed",
        },
    ),
    "a checkpoint that is wrong itself fails": Case(
        {"engine.py": splice(ENGINE, NEGATIVE.format(slope="other.data", minus=-2))},
        "phase3",
        {
            "phase3.times-backward": "passed",
            "phase3.negative": "failed",
            "phase3.minus:": r"blocked by phase3\.negative",
        },
    ),
    # whatever uses several functions twice fails by the one that is wrong
    **{
        f"a function blocks only the checkpoints that fail inside it: {wrong}": Case(
            with_changes("operations.py", (old, new)),
            "ext1",
            {
                f"ext1.{wrong}-backward": "failed",
                "ext1.used-twice": rf"blocked by ext1\.{wrong}-backward",
            },
        )
        for wrong, old, new in (
            ("log", "out.grad / x.data", "out.grad * x.data"),
            ("sigmoid", "out.data * (1 - out.data) * out", "out"),
        )
    },
    **{
        f"a broken engine blocks what uses it: {checkpoint}": Case(
            with_changes(
                "engine.py", ("self.grad += other.data * out.grad", "self.grad += out.grad")
            ),
            checkpoint.partition(".")[0],
            {checkpoint: r"blocked by phase3\.times-backward"},
        )
        for checkpoint in ("ext6.gradients", "phase7.neuron-backward")
    },
    **{
        f"a function that is known to work is not blamed for a hang: {steps}": Case(
            {
                **SOLUTIONS,
                "train.py": splice(SOLUTIONS["train.py"], TRAIN.format(steps=steps, end=end)),
            },
            "phase8",
            {
                "phase8.loop": "failed",
                **dict.fromkeys(USE_TRAIN, "blocked.*: this one uses `train`, "),
            },
        )
        for steps, end in (("range(steps)", "[-1]"), ("iter(int, 1)", ""))
    },
    "a stage that is alone is not blocked by another one": Case(
        {
            "engine.py": changed(("self.data + other.data", "self.data")),
            "tensor.py": changed(("self.data + other.data", "self.data"), file="tensor.py"),
        },
        "phase2 ext4",
        {"phase2.forward": "failed", "ext4.add:": "failed", "ext4.": r"(?!blocked by (?!ext4\.))"},
    ),
    # what is told of a failure
    "a listing says what it gives in a fresh Python where state is kept between calls": Case(
        {"engine.py": splice(ENGINE, STATE)},
        "phase4",
        {
            "phase4.random-graphs": (
                "failed.*the first call is right; something is kept between calls"
                ".*as it should; after other scripts it gave"
            )
        },
    ),
    "a script with a long loop gives the same number again": Case(
        {"engine.py": splice(ENGINE, APPENDS_OUTSIDE)},
        "phase4",
        {"phase4.wide": "failed.*# gives ", "phase4.": "(?!.*other numbers)"},
    ),
    "a stub is not said to be right": Case(
        {"engine.py": splice(ENGINE, ORDER_ONLY)},
        "phase4",
        {"phase4.order": "failed(?!.*is right)"},
    ),
    "a wrong gradient of an exponent is diagnosed": Case(
        {"engine.py": splice(ENGINE, POWER_OF_NODES)},
        "phase3",
        {"phase3.power-refuses": r"failed blames \*\* .*`b` gets"},
    ),
    **{
        f"a network of another form is refused with what is asked for: {new}": Case(
            with_changes(
                "two_moons.py",
                ("ROUNDS, STEPS, ENOUGH = 40, 40", "ROUNDS, STEPS, ENOUGH = 1, 1"),
                (old, new),
            ),
            "ext5",
            {"ext5.learns": f"failed.*{told}"},
        )
        for old, new, told in (
            (RETURNED, "return model", "two things"),
            (RETURNED, "return model.parameters, 1.0", "an MLP from your nn.py"),
            ("MLP(2, [16, 1]", "MLP(2, [3, 2]", ""),
            ("model = MLP(", "model = MPL(", "NameError.*\npoints = moons"),
        )
    },
    # swapped
    **{
        f"functions keep the imports of the file that they come from: {place}": Case(
            {"engine.py": source}, "phase6.tanh", {"phase6.tanh:": "passed"}, swap
        )
        for place, (swap, source) in enumerate(
            (
                ("6", ENGINE.replace("import math\n", "")),
                ("6", f"math = None\n{ENGINE.replace('import math', '')}"),
                ("6", ENGINE.replace("import math\n", "from math import tanh, exp\n")),
                (
                    "1-5",
                    splice(ENGINE, OWN_TANH).replace("import math\n", "from math import tanh\n"),
                ),
            )
        )
    },
    "a file that is swapped as a whole need not be there": Case(
        {"nn.py": NN}, "4-5", {"phase4.": "passed", "phase5.": "not_started|passed|blocked"}, "1-4"
    ),
    "a file that does not load fails the phases that use it": Case(
        BROKEN, "phase7", {"phase7.": "(?!passed)"}
    ),
    "a file that is swapped as a whole need not load": Case(
        BROKEN, "phase7", {"phase7.": "passed"}, "1-6"
    ),
    "a file of other phases need not load if each is isolated": Case(
        BROKEN, "phase7", {"phase7.": "passed"}, isolate=True
    ),
}


def marked(name: str, case: Case) -> object:
    needs = [pytest.mark.needs("numpy")] if "ext4" in case.phases else []
    return pytest.param(case, id=name, marks=needs)


@pytest.mark.parametrize("case", [marked(name, case) for name, case in CASES.items()])
def test_a_checkpoint_ends_as_the_code_deserves(tmp_path: Path, case: Case) -> None:
    report = grade(
        put(tmp_path, case.files), case.phases.split(), swap=case.swap, isolate=case.isolate
    )
    lines = {f"{result.id}:": line_of(result) for result in report.checkpoints}
    for begin, pattern in case.lines.items():
        about = [line for id, line in lines.items() if id.startswith(begin)]
        assert about
        assert [line for line in about if not re.match(pattern, line, re.DOTALL)] == []
