"""A grader for engines that learners build: `from grader import grade; report = grade("exercises", phases=["phase4"])`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.grading import grade
    from grader.model import Report

__version__ = "0.1.0"
__all__ = ["Report", "__version__", "grade"]


def __getattr__(name: str) -> Any:
    """Import on first use: `grade --help` must not pay for what it does not need."""
    if name == "grade":
        from grader.grading import grade

        return grade
    if name == "Report":
        from grader.model import Report

        return Report
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(ipython: Any) -> None:
    """`%load_ext grader` makes `%grade` known."""
    import_module("grader.magic").register(ipython)


def unload_ipython_extension(ipython: Any) -> None:
    """`%unload_ext grader` takes it back."""
    import_module("grader.magic").unregister(ipython)
