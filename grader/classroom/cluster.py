"""Grade on a Dask cluster. Submissions are sent as bytes and entries come back as they are made; if
a worker dies, its submissions are graded elsewhere.

Every worker needs the same version of the kit. Each process grades one submission at a time.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator

from grader.classroom.entries import Entry
from grader.classroom.grading import GradingOptions, Task, course_digest, failed, grade_one
from grader.curriculum.packages import install_command
from grader.errors import GraderError, UsageError
from grader.judge.job import load

WAIT = 20.0  # seconds


def grade_on(
    address: str, tasks: Iterable[Task], how: GradingOptions, jobs: int
) -> Iterator[Entry]:
    """Yield entries as they are finished, graded on the cluster at `address`, or on a temporary one
    on this machine if `address` is `local`.

    Raise UsageError if there is no cluster or Dask is not installed.
    """
    here = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None}
    there = {"address": address, "timeout": WAIT}
    try:
        dask = importlib.import_module("distributed")
        client = dask.Client(**(here if address == "local" else there))
        client.wait_for_workers(1, timeout=WAIT)
    except ImportError as error:
        raise UsageError(
            "--dask needs Dask, which is not installed", install_command(["distributed"])
        ) from error
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        raise UsageError(
            f"there is no Dask scheduler with a worker at {address!r}: {error}",
            "start one with dask scheduler, and its workers with dask worker ADDRESS --nthreads 1",
        ) from error
    with client:
        given = {
            client.submit(grade_on_worker, task, how, pure=False, retries=3): task for task in tasks
        }
        for future in dask.as_completed([*given]):
            task = given.pop(future)
            if future.status == "finished":
                yield future.result()
            else:
                why = repr(getattr(future, "exception", str)())[:250]
                yield failed(task, f"no worker of the cluster could grade this submission: {why}")


def grade_on_worker(task: Task, how: GradingOptions) -> Entry:
    """Grade on a worker. Refuse if its course, suites or kit differ from the gradebook's."""
    try:
        if course_digest(load(how.course, how.suites)[0]) == task.key.course:
            return grade_one(task, how)
        reason = "a worker of the cluster has a different kit, course or private suites"
    except GraderError as error:
        reason = f"a worker of the cluster cannot grade: {error.message}"
    return failed(task, reason)
