"""Run tests as on a system that is neither Linux nor POSIX: `pytest -p support.elsewhere`.

All tests are collected, and the fast ones of some folders run. The modules, functions and signals
of POSIX are missing there, in every Python that a test starts, and in every worker.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from support.elsewhere.sitecustomize import hide

hide()

CHOSEN = tuple(
    f"tests/{name}"
    for name in (
        "boundary/test_pipes",
        "cli/test_cli",
        "curriculum",
        "intake",
        "learner/test_",
        "views",
        "worker/test_modules",
    )
)
_ROOT = Path(__file__).parents[3]


def pytest_configure() -> None:
    platform, sys.platform = sys.platform, "elsewhere"
    from grader.boundary import pipes

    sys.platform = platform
    pipes.NEEDS_SOCKETS = True  # as on Windows
    folders = (Path(__file__).parent, _ROOT, os.environ.get("PYTHONPATH", ""))
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, folders))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        is_fast = item.get_closest_marker("slow") is None
        (chosen if is_fast and item.nodeid.startswith(CHOSEN) else others).append(item)
    config.hook.pytest_deselected(items=others)
    items[:] = chosen
