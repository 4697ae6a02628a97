"""What a wrong number is explained by: no guess is right, and no two are the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from grader.curriculum.imports import files_of
from grader.curriculum.load import load_course
from grader.suite import Mismatch
from support import kit_folder
from support.grading import grade

with files_of(load_course()):
    import network_guesses as net
    import training_guesses as training
    from guesses import Guesses, explanation, noticing_cuts

Right = Callable[..., float]
WEIGHTS: list[tuple[net.Weights, list[float]]] = [
    ([[([0.31, -0.42], 0.23), ([0.57, 0.64], -0.35)], [([-0.71, 0.83], 0.19)]], [0.5, 1.25]),
    ([[([-0.91, 0.28], 0.43), ([0.37, -0.54], 0.25)], [([0.61, 0.47], -0.29)]], [-0.5, 0.75]),
]


def _rate(step: int) -> float:
    return 0.1 / (1 + step)


REPORTED = [(step, _rate) for step in range(training.REPORTED)]
TABLES: dict[str, tuple[Guesses, Sequence[Sequence[object]], Right]] = {
    "squared": (
        training.SQUARED,
        training.PREDICTIONS,
        lambda ps, ts: sum(training._squares(ps, ts)),
    ),
    "margin": (
        training.MARGIN,
        training.SCORES,
        lambda ss, ls: sum(training._hinges(ss, ls)) / len(ss),
    ),
    "schedule": (
        training.SCHEDULE,
        training.SCHEDULES,
        lambda step, steps, start, end: start + (end - start) * step / (steps - 1),
    ),
    "loss": (
        training.LOSSES,
        training.EXAMPLE_STEPS,
        lambda xs, ys, _: training._loss(training.START, xs, ys),
    ),
    "moves": (
        training.MOVES,
        training.EXAMPLE_MOVES,
        lambda xs, ys, rate, which: training._after(xs, ys, rate)[which],
    ),
    "scheduled": (
        training.SCHEDULED,
        REPORTED,
        lambda step, rate: training._losses(rate, training.REPORTED)[step],
    ),
    "reports": (
        training.REPORTS,
        [(step, lambda _: 0.05) for step in range(training.REPORTED)],
        lambda step, rate: training._losses(rate, training.REPORTED)[step],
    ),
    **{
        f"{hidden} {output}": (
            net.network_guesses(hidden, output, 2),
            WEIGHTS,
            lambda layers, x, kinds=(hidden, output): net.forward(layers, kinds, x)[0],
        )
        for hidden, output in (("tanh", "linear"), ("linear", "tanh"), ("tanh", "tanh"))
    },
    "w": (net.COUNTS["w"], [(1,), (2,), (3,), (5,)], lambda n: n),
    "neurons": (net.COUNTS["neurons"], net.LAYERS, lambda nin, nout: nout),
    "outputs": (net.COUNTS["outputs"], net.LAYERS, lambda nin, nout: nout),
    "layers": (net.COUNTS["layers"], net.NETWORKS, lambda nin, nouts: len(nouts)),
}


@pytest.mark.parametrize("name", TABLES)
def test_correct_code_gets_no_explanation(name: str) -> None:
    guesses, tries, right = TABLES[name]
    answers = [right(*each) for each in tries]
    assert not any(
        [number(*each) for each in tries] == pytest.approx(answers) for number in guesses.values()
    )


@pytest.mark.parametrize("name", TABLES)
def test_every_guess_differs_from_all_others(name: str) -> None:
    guesses, tries, _ = TABLES[name]
    found = {
        sentence: explanation(guesses, tries, [number(*each) for each in tries])
        for sentence, number in guesses.items()
    }
    assert {sentence: told for sentence, told in found.items() if told != sentence} == {}


def test_numbers_that_no_guess_gives_are_not_explained() -> None:
    assert explanation(training.SQUARED, training.PREDICTIONS, [1.0, 2.0, 3.0]) == ""
    assert explanation(training.SQUARED, training.PREDICTIONS, []) == ""


def _message(got: float) -> str:
    with pytest.raises(Mismatch) as caught, noticing_cuts():
        raise Mismatch("`n.b.grad` is wrong", expected=1.5, got=got)
    return caught.value.message


def test_only_a_gradient_of_zero_asks_for_a_cut() -> None:
    assert "no gradient reaches `n.b`; is the result" in _message(0.0)
    assert _message(0.5) == "`n.b.grad` is wrong"


OUTPUTS = "return [neuron(x) for neuron in self.neurons]"


def test_an_experiment_adds_nothing_to_what_the_learner_printed(tmp_path: Path) -> None:
    for name in ("engine.py", "nn.py"):
        shutil.copy(kit_folder("solutions") / name, tmp_path)
    source = (tmp_path / "nn.py").read_text(encoding="utf-8")
    wrong = source.replace(OUTPUTS, f"print('called')\n        {OUTPUTS}[:1]")
    assert wrong != source
    (tmp_path / "nn.py").write_text(wrong, encoding="utf-8")
    failed = next(result for result in grade(tmp_path, ["phase7"]).checkpoints if result.message)
    assert "there is only one output, however many neurons there are" in failed.message
    assert failed.output == "called\n" * 3  # two right calls before the wrong one


def test_an_experiment_that_ends_the_worker_adds_nothing_either(tmp_path: Path) -> None:
    end = "print('called'); Calls.count += 1; Calls.count < 4 or os._exit(1)"
    for name in ("engine.py", "nn.py"):
        shutil.copy(kit_folder("solutions") / name, tmp_path)
    source = (tmp_path / "nn.py").read_text(encoding="utf-8")
    wrong = source.replace(OUTPUTS, f"{end}\n        {OUTPUTS}[:1]")
    wrong = wrong.replace(
        "class Neuron", "import os\nclass Calls:\n    count = 0\n\n\nclass Neuron", 1
    )
    (tmp_path / "nn.py").write_text(wrong, encoding="utf-8")
    failed = next(result for result in grade(tmp_path, ["phase7"]).checkpoints if result.message)
    assert failed.output == "called\n" * 3  # two right calls before the wrong one
