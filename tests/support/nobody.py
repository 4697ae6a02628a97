"""Run the grader as a user without rights if root runs the tests.

That takes a Python and packages that everybody can read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

AM_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
USER = 65534
IS: dict[str, Any] = {"user": USER, "group": USER, "extra_groups": []}
"""Arguments for `subprocess`."""

_TRIED = "import os, sys; open(os.__file__).close(); sys.exit(sys.version_info < (3, 10))"
_SAME = (
    "import os, sys; open(os.__file__).close(); sys.exit(list(sys.version_info[:2]) != {version})"
)


def python(*, same_version: bool = False) -> str:
    """Return an interpreter that every user can run, or skip the test if there is none.

    Other users may not be able to reach root's own.
    """
    code = _SAME.format(version=list(sys.version_info[:2])) if same_version else _TRIED
    for found in (sys.executable, shutil.which("python3", path="/usr/local/bin:/usr/bin")):
        if found is not None and _runs(found, code):
            return found
    wanted = (
        f"Python {sys.version_info[0]}.{sys.version_info[1]}"
        if same_version
        else "Python of at least 3.10"
    )
    pytest.skip(f"no {wanted} that every user can run")


def _runs(program: str, code: str) -> bool:
    try:
        return (
            subprocess.run(
                [program, "-c", code], env={}, check=False, capture_output=True, **IS
            ).returncode
            == 0
        )
    except OSError:
        return False


def copy_packages(folder: Path) -> None:
    """Copy the packages imported here, so that everybody can import them from the folder."""
    files = [
        Path(file)
        for module in list(sys.modules.values())
        if (file := getattr(module, "__file__", None))
    ]
    for place in {
        Path(entry) for entry in sys.path if Path(entry).name in {"site-packages", "dist-packages"}
    }:
        for name in {
            file.relative_to(place).parts[0] for file in files if file.is_relative_to(place)
        }:
            if (place / name).is_dir():
                shutil.copytree(
                    place / name,
                    folder / name,
                    ignore=shutil.ignore_patterns("__pycache__", "tests"),
                    dirs_exist_ok=True,
                )
            else:
                shutil.copy(place / name, folder / name)
