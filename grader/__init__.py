"""Grade engines that learners build.

For example: `from grader import grade; report = grade("exercises", phases=["phase4"])`.
"""

# `python -m grader` runs this before it leaves out the current folder, so it imports nothing
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from grader.judge.grade import grade
    from grader.model import Report

__version__ = "1.0.0"
__all__ = ["Report", "__version__", "grade"]


def __getattr__(name: str) -> "Any":
    """Import on first use to keep `grade --help` fast."""
    if name not in {"Report", "grade"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from grader.judge import grade

    return getattr(grade, name)


def load_ipython_extension(ipython: "Any") -> None:
    """Register `%grade` when a notebook runs `%load_ext grader`."""
    from importlib import import_module

    import_module("grader.cli.ipython").register(ipython)
