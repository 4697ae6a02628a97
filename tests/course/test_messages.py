"""What a failed check says: it names what was read, and every sentence is true."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grader.model import Verdict
from support.grading import COURSE, by_id, grade
from support.mistakes import edited


def test_a_check_that_says_what_it_expected_says_what_it_got() -> None:
    """Without `got`, a report would say "got None"."""
    given = {
        f"{file.name}:{node.lineno}": {keyword.arg for keyword in node.keywords}
        for file in COURSE.folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Mismatch"
    }
    assert len(given) > 30
    assert [place for place, keys in given.items() if ("expected" in keys) != ("got" in keys)] == []


# a mistake in a solution, and what its first failure must say
CASES = {
    "a layer that holds one neuron three times": (
        "nn.py",
        "[Neuron(nin, activation) for _ in range(nout)]",
        "[Neuron(nin, activation)] * nout",
        "phase7",
        "`layer.neurons` must hold 2 different objects",
        2,
        1,
        "print(len(set(map(id, layer.neurons))))  # gives 1, should give 2",
    ),
    "parameters that are None": (
        "nn.py",
        "return [*self.w, self.b]",
        "return self.w.append(self.b)",
        "phase7",
        "`parameters()` must return a list",
        "a list",
        "None",
        "print(c)  # should be a list, is None",
    ),
    "parameters that are copies": (
        "nn.py",
        "return [*self.w, self.b]",
        "return [Value(p.data) for p in (*self.w, self.b)]",
        "phase7",
        "`parameters()` leaves out `w[0]`, `b`",
        "these 2 parameters",
        "0 of them",
        "",
    ),
    "a network that returns a list of one": (
        "nn.py",
        "return x[0] if len(x) == 1 else x",
        "return x",
        "phase7",
        "`y` must be one Value, not a list",
        "a Value",
        "a list with one Value",
        "",
    ),
    "a network that returns a tuple of one": (
        "nn.py",
        "return x[0] if len(x) == 1 else x",
        "return tuple(x)",
        "phase7",
        "`y` must be one Value, not a list",
        "a Value",
        "a tuple with one Value",
        "",
    ),
    "a layer that returns nothing": (
        "nn.py",
        "return [neuron(x) for neuron in self.neurons]",
        "[neuron(x) for neuron in self.neurons]",
        "phase7",
        "1 neuron must give a list with one Value",
        "a list with one Value",
        "None",
        "",
    ),
    "a bias of 0": (
        "nn.py",
        "self.b = Value(random.uniform(-1, 1))",
        "self.b = Value(0.0)",
        "phase7",
        "all neurons start with the same biases: draw a new number for each",
        "different numbers",
        0.0,
        "",
    ),
    "a step uphill": (
        "train.py",
        "p.data -= rate * p.grad",
        "p.data += rate * p.grad",
        "phase8",
        (
            "after one step, `model.layers[0].neurons[0].w[0].data` should have moved"
            " from 0.5 to 0.45; it moved the wrong way, to 0.55"
        ),
        None,
        None,
        "",
    ),
    "a step of twice the rate": (
        "train.py",
        "p.data -= rate * p.grad",
        "p.data -= 2 * rate * p.grad",
        "phase8",
        (
            "after one step, `model.layers[0].neurons[0].w[0].data` should have moved"
            " from 0.5 to 0.45; it moved too far, to 0.4"
        ),
        None,
        None,
        "",
    ),
    "batches of pairs": (
        "train.py",
        "return [([xs[i] for i in part], [ys[i] for i in part]) for part in parts]",
        "return [[(xs[i], ys[i]) for i in part] for part in parts]",
        "phase8",
        "`batches` must return a list of pairs (xs, ys)",
        "pairs (xs, ys)",
        "a batch with 3 items",
        "",
    ),
    "batches with other targets": (
        "train.py",
        "[ys[i] for i in part])",
        "[ys[i - 1] for i in part])",
        "phase8",
        "every example must appear once, with its own target",
        "all 5",
        "0 of the 5 pairs",
        "",
    ),
    "points that are not learned in two rounds": (
        "train.py",
        "    losses, waiting = [], []\n",
        "    losses, waiting = [], []\n    rate = 0.0 if len(xs) == 120 else rate\n",
        "phase8",
        "after 72 steps, too few points are on the right side",
        "114 of 120",
        "60 of 120",
        "",
    ),
    "no step": (
        "train.py",
        "p.data -= rate * p.grad",
        "p.data - rate * p.grad",
        "phase8",
        (
            "after one step, `model.layers[0].neurons[0].w[0].data` should have moved"
            " from 0.5 to 0.45; it did not move"
        ),
        None,
        None,
        "",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "phase", "message", "expected", "got", "last_line"),
    CASES.values(),
    ids=CASES,
)
def test_a_failure_says_what_the_code_gives(
    tmp_path: Path,
    file: str,
    old: str,
    new: str,
    phase: str,
    message: str,
    expected: object,
    got: object,
    last_line: str,
) -> None:
    results = grade(edited(tmp_path, file, (old, new)), [phase]).checkpoints
    failure = next(result for result in results if result.verdict is Verdict.FAILED)
    assert failure.message == message
    assert expected is None or (failure.expected, failure.got) == (expected, got)
    listing = failure.reproduce.splitlines()
    assert len(listing) <= 9, "the smallest case that fails has few numbers"
    assert max(map(len, listing), default=0) <= 80
    assert failure.reproduce.endswith(last_line)


@pytest.mark.slow
@pytest.mark.parametrize(("step", "is_told"), [("= out.grad", True), ("+= self.grad", False)])
def test_code_that_adds_is_not_told_to_add(tmp_path: Path, step: str, is_told: bool) -> None:
    folder = edited(tmp_path, "engine.py", ("other.grad += out.grad", f"other.grad {step}"))
    found = by_id(grade(folder, ["phase2"]))["phase2.backward"].message
    assert ("must add to the gradient" in found) == is_told
