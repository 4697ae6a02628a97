"""Which of many names is meant."""

from __future__ import annotations

import pytest

from grader.errors import SubmissionError
from grader.intake.choose import choose

NAMES = ("engine.py", "nn.py", "train.py")


@pytest.mark.parametrize(
    ("paths", "chosen"),
    [
        (["engine.py", "nn.py", "notes.txt"], ["engine.py", "nn.py"]),
        (
            ["engine.py", "Nn.py", "doe_1_2_train.py", "hw/engine.py", "engine (1).py"],
            ["engine.py"],
        ),
        (["nn.py", "mine.py"], ["nn.py"]),
        (
            [
                "hw/engine.py",
                "hw/nn.py",
                "__MACOSX/hw/._engine.py",
                "hw/.ipynb_checkpoints/engine.py",
            ],
            ["hw/engine.py", "hw/nn.py"],
        ),
        (["a/b/engine.py", "README.md"], ["a/b/engine.py"]),
        (["mine/exercises/engine.py", "mine/solutions/engine.py"], ["mine/exercises/engine.py"]),
        (["solutions/engine.py"], ["solutions/engine.py"]),
        (["micrograd/engine.py", "nn.py"], ["micrograd/engine.py", "nn.py"]),
        (["a-main/b/engine.py", "a-main/nn.py"], ["a-main/b/engine.py", "a-main/nn.py"]),
        (["Engine.py", "NN.PY"], ["Engine.py", "NN.PY"]),
        (
            ["doe_12345_678901_engine.py", "doe_12345_678902_nn-1.py"],
            ["doe_12345_678901_engine.py", "doe_12345_678902_nn-1.py"],
        ),
        (["engine (2).py", "test_engine.py"], ["engine (2).py"]),
        (["Engine.py", "nn.py"], ["Engine.py", "nn.py"]),
        (["hw/doe_1_2_nn.py"], ["hw/doe_1_2_nn.py"]),
        (["hw/train.py"], ["hw/train.py"]),
        (["engine.py", "nn/__init__.py", "nn/mlp.py"], ["engine.py", "nn/__init__.py"]),
        (["engine/__init__.py", "engine/engine.py"], ["engine/engine.py"]),
        ([".engine.py", "venv/engine.py", "a/b/c/engine.py", "x\\engine.py.txt"], []),
    ],
)
def test_the_files_of_the_course_are_found(paths: list[str], chosen: list[str]) -> None:
    found = choose(paths, NAMES)
    assert list(found.files.values()) == chosen
    assert not found.only


@pytest.mark.parametrize(
    ("paths", "only"),
    [
        (["mygrad.py", "test_mygrad.py", "setup.py", "data.csv"], "mygrad.py"),
        (["hw/mine.ipynb", "hw/.ipynb_checkpoints/mine-checkpoint.ipynb"], "hw/mine.ipynb"),
        (["submission.tar.gz"], "submission.tar.gz"),
        (["test_only.py", "README.md"], ""),
        ([], ""),
    ],
)
def test_the_only_candidate_is_found(paths: list[str], only: str) -> None:
    found = choose(paths, NAMES)
    assert (found.only, found.files) == (only, {})


@pytest.mark.parametrize(
    ("paths", "several"),
    [
        (["a.py", "b.ipynb"], ["a.py", "b.ipynb"]),
        (["a/engine.py", "b/engine.py"], ["a/engine.py", "b/engine.py"]),
        (["doe_1_2_engine.py", "roe_3_4_engine.py"], ["doe_1_2_engine.py", "roe_3_4_engine.py"]),
        (["engine-1.py", "engine (2).py"], ["engine (2).py", "engine-1.py"]),
        (["train.py", "src/engine.py", "src/train.py"], ["src/engine.py", "train.py"]),
        (["train.py", "solutions/engine.py"], ["solutions/engine.py", "train.py"]),
        (["Engine.py", "nn-1.py", "nn (1).py"], ["nn (1).py", "nn-1.py"]),
        (["a/nn.py", "b/train.py"], ["a/nn.py", "b/train.py"]),
    ],
)
def test_an_ambiguous_submission_is_not_guessed(paths: list[str], several: list[str]) -> None:
    with pytest.raises(SubmissionError) as met:
        choose(paths, NAMES)
    assert met.value.message.endswith(": " + " or ".join(map(repr, several)))


@pytest.mark.parametrize(
    ("paths", "notes"),
    [
        ("hw/Engine.py hw/nn.py", ["'hw/Engine.py' is graded as engine.py"]),
        ("a/exercises/engine.py a/solutions/engine.py", ["'a/solutions/' is skipped"]),
        (
            "hw/engine.py hw/nn.py hw/nn(1).py",
            ["'hw/nn(1).py' is not graded, because nn.py is next to it"],
        ),
        (
            "engine.py engine(12).py old/engine(1).py",
            ["'engine(12).py' is not graded, because engine.py is next to it"],
        ),
        ("engine.py engine_2.py train(1).py", []),
    ],
)
def test_guesses_and_second_downloads_are_noted(paths: str, notes: list[str]) -> None:
    assert [*choose(paths.split(), NAMES).notes] == notes
