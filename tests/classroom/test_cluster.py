"""A class graded on a Dask cluster."""

from __future__ import annotations

import os
import re
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom.cluster import grade_on_worker
from grader.classroom.entries import Entry
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import Task
from grader.classroom.layout import find_handed_in
from grader.classroom.round import Round
from grader.errors import UsageError
from support import changed, touch
from support.classroom import HOW, tasks
from support.grading import COURSE


@pytest.mark.slow
def test_a_cluster_whose_worker_is_killed_gives_the_same_gradebook(tmp_path: Path) -> None:
    distributed = pytest.importorskip(
        "distributed", reason='Dask is not installed here: python -m pip install -e ".[cluster]"'
    )
    folder, count = tmp_path / "in", int(os.environ.get("CLUSTER_SUBMISSIONS", "30"))
    for number in range(count):
        wrong = changed(("self.grad = 0.0", f"self.grad = {number}.0"))
        own = wrong if number % 3 else f"{changed()}# {number}\n"
        touch(folder / f"l{number:03}" / "engine.py", text=own)
    handed = find_handed_in(folder)[1]
    with Gradebook(tmp_path / "here") as here:
        Round(COURSE, HOW, here).grade(handed, 2)
        assert len(here.entries()) == count
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Gradebook(tmp_path / "there") as there,
    ):
        outcomes: list[str] = []

        def tell(outcome: str, _: str) -> None:
            outcomes.append(outcome)
            if len(outcomes) == count // 3:
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)

        Round(COURSE, HOW, there, tell=tell).grade(handed, 2, cluster.scheduler_address)
        assert len(outcomes) == count  # none is lost, and none is graded twice
    with Gradebook(tmp_path / "here") as here, Gradebook(tmp_path / "there") as there:
        assert [_timeless(one) for one in here.entries(reports=True)] == [
            _timeless(one) for one in there.entries(reports=True)
        ]


def _timeless(one: Entry) -> Entry:
    return replace(one, report=re.sub(r'"duration_s": [\d.e-]+', "", one.report))


def test_a_worker_with_a_different_course_grades_nothing(handed_in: Path) -> None:
    task = next(task for task in tasks(handed_in) if isinstance(task, Task))
    other = replace(task, key=task.key._replace(course="a different one"))
    assert "different kit, course" in grade_on_worker(other, HOW).message
    away = grade_on_worker(task, replace(HOW, suites=handed_in / "nowhere"))
    assert (away.outcome, "nowhere" in away.message) == ("error", True)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense"])
def test_a_missing_cluster_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    pytest.importorskip(
        "distributed", reason='Dask is not installed here: python -m pip install -e ".[cluster]"'
    )
    monkeypatch.setattr("grader.classroom.cluster.WAIT", 0.5)
    with Gradebook(tmp_path / "book") as book, pytest.raises(UsageError, match="no Dask scheduler"):
        Round(COURSE, HOW, book).grade([], 1, address)
