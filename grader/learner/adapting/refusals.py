"""Explain why no adapter was found, with the cause, its line and what to do."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from grader.curriculum import packages
from grader.errors import UsageError
from grader.judge.newer_syntax import needed_python, this_python
from grader.judge.session import LOAD_SECONDS
from grader.learner.tracing.words import described, place_of
from grader.model import Fault, Kind

BY_HAND = (
    "write adapter.toml by hand, with class, make, data, gradient, backward and [files];"
    " docs/adapters.md shows one"
)
NO_BACKWARD = (
    "if the engine has no backward pass yet, write it first; if it has one under another name, "
    f"{BY_HAND}"
)
_CORRECT = "an adapter cannot help here; fix the engine, then run grade adapt again"
_GUARD = "move everything but the engine below: if __name__ == '__main__':"
_NOTEBOOK_ONLY = (
    "get_ipython exists only in a notebook; delete that line, or name the notebook itself: grade"
    " adapt engine.ipynb"
)


class Refused(UsageError):
    """No engine was found.

    `far` is how far the search came; the refusal that came furthest is the one to show.
    """

    def __init__(self, message: str, hint: str, far: int = 0, fault: Fault | None = None) -> None:
        super().__init__(message, hint)
        self.far = far
        self.fault = fault

    def extended(self, more: Sequence[str], hint: str = "") -> Refused:
        """Return the same with more reasons, and perhaps with a different hint."""
        message = "; ".join([self.message, *more])
        return Refused(message, hint or self.hint, self.far, self.fault)


def package_in(fault: Fault) -> str:
    """Return the package that is missing according to this exception, or an empty text."""
    found = re.search(
        r"\b([^\W\d]\w*)[\w.]* is not available while grading|No module named '([^\W\d]\w*)",
        fault.message,
    )
    name = (found[1] or found[2]) if found else ""
    return "" if name in sys.stdlib_module_names else name


def install(missing: Sequence[str]) -> str:
    """Return the hint that says how to install packages."""
    return f"{packages.install_command(missing)}, then run grade adapt again"


def own_module(name: str) -> str:
    """Return the hint for a file next to the engine that cannot be imported with it."""
    return (
        f"{name} is a file or folder near the engine; name the folder that all imports start from"
    )


def hint_after(fault: Fault) -> str:
    """Return the hint for an exception in an engine that could be imported."""
    package = package_in(fault)
    return install([package]) if package and packages.absent([package]) else _CORRECT


def not_imported(path: str, fault: Fault) -> Refused:
    """Return the refusal for a file that cannot be imported."""
    if fault.kind is Kind.SYNTAX:
        return Refused(
            f"{path} cannot be imported: SyntaxError: {fault.message}{place_of(fault)}",
            _version_hint(needed_python(fault)),
            fault=fault,
        )
    if fault.kind is Kind.TIMEOUT:
        message = f"importing {path} takes longer than {LOAD_SECONDS:g} s{place_of(fault)}"
        return Refused(message, f"does it train or download something? {_GUARD}", fault=fault)
    package = package_in(fault)
    if package and packages.absent([package]):
        hint = install([package])
    elif "get_ipython" in fault.message:
        hint = _NOTEBOOK_ONLY
    elif {"ImportError", "NameError", "AttributeError"} & set(fault.types):
        hint = _version_hint()
    else:
        hint = f"fix that line; or, if it is not part of the engine, {_GUARD}"
    return Refused(f"importing {path} {described(fault)}", hint, fault=fault)


def _version_hint(wanted: str = "") -> str:
    """Return the hint for a line that needs the Python that is `wanted`, or perhaps a newer one."""
    here = f"this is Python {this_python()}"
    if wanted:
        return f"{here}, but that syntax needs {wanted}; install the kit in a newer Python"
    return f"fix that line; {here}, so if the engine needs a newer one, install the kit in that"
