"""A small change that mends a mistake is found and proven, and nothing else is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.intake.submission import File, Submission
from grader.judge.explain import mend
from grader.model import Proof
from grader.worker.protocol import Candidate
from support import changed
from support.grading import by_id, grade

FORGETS = ("self.grad += (1 - out.data**2) * out.grad", "self.grad += 1 - out.data**2")


@pytest.mark.parametrize("isolation", [0, 3])
def test_a_change_is_proven_at_every_isolation(tmp_path: Path, isolation: int) -> None:
    (tmp_path / "engine.py").write_text(changed(FORGETS), encoding="utf-8")
    report = grade(tmp_path, "phase6", prove=1, isolation=isolation)
    diagnosis = by_id(report)["phase6.tanh-backward"].diagnosis
    assert diagnosis is not None
    assert diagnosis.mend is not None
    assert diagnosis.mend.place.source == FORGETS[1]
    assert diagnosis.proof.endswith("all of phase6 passes")


@pytest.mark.slow
@pytest.mark.parametrize(("prove", "phases"), [(1, ["phase3"]), (9, ["phase3", "phase6"])])
def test_the_first_failures_of_so_many_phases_are_proven(
    tmp_path: Path, prove: int, phases: list[str]
) -> None:
    times = "self.grad += other.data * out.grad"
    assigns = (times, times.replace("+=", "="))
    (tmp_path / "engine.py").write_text(changed(assigns, FORGETS), encoding="utf-8")
    report = grade(tmp_path, ["3", "6"], prove=prove, isolate=True)
    found = [one.diagnosis.mend for one in report.checkpoints if one.diagnosis]
    assert [proof.phase for proof in found if proof] == phases


def proof(folder: Path, source: str, checkpoint: str, file: str = "engine.py") -> Proof | None:
    """Return the change that is proven for a checkpoint which must fail."""
    (folder / file).write_text(source, encoding="utf-8")
    result = by_id(grade(folder, checkpoint.partition(".")[0], prove=1))[checkpoint]
    assert result.diagnosis is not None
    return result.diagnosis.mend


def test_a_class_with_slots_is_mended(tmp_path: Path) -> None:
    slots = (
        "class Value:\n",
        'class Value:\n    __slots__ = ("data", "grad", "_prev", "_op", "_backward")\n',
    )
    negative = ("return self * -1", "return self * 1")
    found = proof(tmp_path, changed(slots, negative), "phase3.negative")
    assert found is not None
    assert found.come.strip() == "return self * -1"


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


def test_a_class_is_mended_beside_one_of_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(changed(FORGETS), encoding="utf-8")
    source = changed(FORGETS).replace("import math\n", "import math\nimport old\n", 1)
    found = proof(tmp_path, source, "phase6.tanh-backward")
    assert found is not None
    assert Path(found.place.file).name == "engine.py"


def test_a_lambda_in_a_table_is_mended(tmp_path: Path) -> None:
    found = proof(tmp_path, changed() + TABLE, "phase6.tanh-backward")
    assert found is not None
    assert found.place.source == '"tanh": lambda x, y: 1 - y,'
    assert "1 - y ** 2" in found.come


def test_a_call_is_never_left_without_its_parentheses(tmp_path: Path) -> None:
    right = TABLE.replace("1 - y,", "1 - y * y,")
    stops = right.replace("    out = Value(", "    breakpoint()\n    out = Value(")
    found = proof(tmp_path, changed() + stops, "phase6.tanh")
    assert found is not None
    assert (found.gone.strip(), found.come) == ("breakpoint()", "")


def test_a_change_that_would_run_for_ever_is_given_up(tmp_path: Path) -> None:
    large = "    limit = 7 * 10**9\n    limit = 1 >> limit\n    out = Value("
    loops = "    while value != value:\n        value = 0.0\n" + large
    source = changed() + TABLE.replace("    out = Value(", loops)
    found = proof(tmp_path, source, "phase6.tanh-backward")
    assert found is not None
    assert "1 - y ** 2" in found.come


def test_the_same_slip_made_twice_is_mended_at_both_places(tmp_path: Path) -> None:
    shares = "self.grad += out.grad\n            other.grad += out.grad"
    halves = shares.replace("out.grad", "out.grad / 2")
    (tmp_path / "engine.py").write_text(changed((shares, halves)), encoding="utf-8")
    diagnosis = by_id(grade(tmp_path, "phase2", prove=1))["phase2.backward"].diagnosis
    assert diagnosis is not None
    assert diagnosis.proof == "with small changes in lines 28 and 29, all of phase2 passes"


def test_a_wrong_order_of_nodes_is_mended(tmp_path: Path) -> None:
    visits = "            if operands_done:\n                topo.append(node)"
    found = proof(
        tmp_path,
        changed((visits, visits.replace("append(node)", "insert(0, node)"))),
        "phase4.order",
    )
    assert found is not None
    assert "topo.append(node)" in found.come


@pytest.mark.slow
def test_code_that_never_ends_is_mended(tmp_path: Path) -> None:
    found = proof(tmp_path, changed(("= todo.pop()", "= todo[-1]")), "phase4.order")
    assert found is not None
    assert "todo.pop()" in found.come


@pytest.mark.slow
def test_an_endless_iterator_is_never_listed(tmp_path: Path) -> None:
    counted = "import itertools\n\nSERIAL = itertools.count()\n\n\nclass Value:\n"
    numbered = "self._op = _op\n        self.number = next(SERIAL)"
    source = changed(("class Value:\n", counted), ("self._op = _op", numbered), FORGETS)
    found = proof(tmp_path, source, "phase6.tanh-backward")
    assert found is not None
    assert "* out.grad" in found.come


def test_a_change_that_a_later_phase_refutes_is_not_said(tmp_path: Path) -> None:
    wrong = ("other.grad += out.grad", "other.grad += self.grad")
    found = proof(tmp_path, changed(wrong), "phase2.backward")
    assert found is not None
    assert found.come.strip() == "other.grad += out.grad"


@pytest.mark.parametrize(
    ("phase", "file"), [("by-hand", "by_hand.py"), ("predictions", "predictions.py")]
)
def test_answers_are_not_given_away(tmp_path: Path, phase: str, file: str) -> None:
    source = changed(file=file).replace("return ", "return 1 + ")
    (tmp_path / file).write_text(source, encoding="utf-8")
    found = [one for one in grade(tmp_path, phase, prove=9).checkpoints if one.diagnosis]
    assert [one.id for one in found if one.diagnosis and one.diagnosis.mend] == []


@pytest.mark.parametrize(
    ("file", "first", "last"),
    [("engine.py", 3, 9), ("other.py", 1, 1), ("engine.py", 0, 1), ("engine.py", 2, 1)],
)
def test_a_place_that_does_not_exist_is_not_changed(file: str, first: int, last: int) -> None:
    submission = Submission("mine", (File("engine", "engine.py", b"a = 1\nb = 2\nc = 3\n"),))
    candidate = Candidate(file, first, last, "x = 1\n")
    assert mend.changed(submission, candidate) is None


HOSTILE = """
import gc
(search,) = [one for one in gc.get_objects() if type(one) is type and one.__name__ == "Search"]
(record,) = [one for one in gc.get_objects() if type(one) is type and one.__name__ == "Candidate"]
lie = record("engine.py", 1, 1, "")
search.next = lambda self, trials: [lie]
"""


def test_a_worker_that_lies_proves_nothing(tmp_path: Path) -> None:
    assert proof(tmp_path, changed(FORGETS) + HOSTILE, "phase6.tanh-backward") is None
