"""The engines that the diagnosis is measured on. How well it does is the benchmark's business;
here, that they are what they say.
"""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.curriculum.load import load_course

sys.path.append(str(Path(__file__).parents[1] / "benchmarks" / "diagnosis"))

from engines import BENCHMARKS, mistaken, mistakes, styles

STYLE = (
    "class Value:\n"
    "    def tanh(self):\n"
    "        return 1 - t\n"
    "    def exp(self):\n"
    "        return 1 - t\n"
)


@pytest.mark.slow
def test_every_mistake_turns_its_style_into_a_different_engine() -> None:
    correct, found = styles(), mistakes()
    assert len(found) > 50
    assert sorted(file.stem for file in (BENCHMARKS / "mistakes").iterdir()) == sorted(correct)
    for name, mistake in found.items():
        compile(mistake.source, name, "exec")
        assert mistake.source != correct[mistake.style], name
        assert mistake.blame, name
    assert len({mistake.source for mistake in found.values()}) == len(found)


@pytest.mark.slow
def test_a_mistake_is_known_only_if_the_course_has_it_as_a_faulty_engine() -> None:
    ids = {faulty.id for stage in load_course().stages for faulty in stage.faulty}
    assert {known for mistake in mistakes().values() for known in mistake.known} <= ids


def test_a_change_is_made_in_the_part_that_it_names() -> None:
    changed = mistaken("a", STYLE, {"in": {"exp": ["1 - t", "t"]}})
    assert changed == STYLE.replace(
        "exp(self):\n        return 1 - t", "exp(self):\n        return t"
    )


@pytest.mark.parametrize("change", [{"in": {"tanh": ["2 - t", "t"]}}, {"anywhere": ["1 - t", "t"]}])
def test_a_text_that_does_not_occur_exactly_once_is_an_error(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be there once"):
        mistaken("a", STYLE, change)


@pytest.mark.parametrize(
    "name", ["classroom", "class_growth", "failing", "start_up", "watch", "peers/peers"]
)
def test_a_benchmark_finds_everything_that_it_imports(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    spec = importlib.util.spec_from_file_location("a_benchmark", BENCHMARKS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert callable(vars(module)["main"])
