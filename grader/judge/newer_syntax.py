"""Recognise syntax that only a newer Python understands."""

from __future__ import annotations

import re
import sys

from grader.model import Fault

_NEWER = (
    ((3, 11), r"except\s*\*"),
    ((3, 12), r"type\s+\w+\b.*=|(class|def|async\s+def)\s+\w+\s*\["),
    ((3, 14), r"except\s+[\w.]+\s*,"),
)
_IN_F_STRINGS = r"f-string.*(backslash|'#'|unmatched '[(\[{]')"  # since 3.12


def needed_python(fault: Fault) -> str:
    """Return the version that this syntax error needs, such as `3.12`, if it is newer than this
    one.
    """
    line = fault.frames[-1].source if fault.frames else ""
    wanted = next((version for version, pattern in _NEWER if re.match(pattern, line)), (0, 0))
    if re.match(_IN_F_STRINGS, fault.message):
        wanted = (3, 12)
    return "{}.{}".format(*wanted) if wanted > sys.version_info[:2] else ""


def this_python() -> str:
    """Return the version of this Python."""
    return "{}.{}".format(*sys.version_info)
