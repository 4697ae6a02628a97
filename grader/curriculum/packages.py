"""Find the installed packages that a stage needs, without importing them.

The learner's code runs in an interpreter that sees no installed package. Besides Python itself, it
gets only the packages located here, and a sandbox must let it read all of them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import PathFinder
from pathlib import Path

from grader.errors import GraderError, UsageError

DISTRIBUTION = "autograd-kit"
REINSTALL = "install the kit again, as its README says"


def locate(names: Iterable[str]) -> dict[str, tuple[Path, ...]]:
    """Return the paths of each of these packages, if installed: its folder or file, then its shared
    libraries.

    Wheels keep the libraries they link against in a folder such as `numpy.libs`. The system's own
    libraries are not included.
    """
    return {name: places for name in names if (places := _places(name))}


def readable(located: Mapping[str, Sequence[Path]]) -> tuple[str, ...]:
    """Return the paths that a sandbox must let code read if it uses these packages."""
    return tuple(str(place) for places in located.values() for place in places)


def absent(names: Iterable[str]) -> tuple[str, ...]:
    """Return the packages missing here."""
    return tuple(name for name in names if not _places(name))


def advice(names: Iterable[str]) -> str:
    """Return a message about missing packages, with the command that installs them."""
    missing = list(names)
    verb = "is" if len(missing) == 1 else "are"
    return f"{' and '.join(missing)} {verb} not installed here: {install_command(missing)}"


def install_command(requirements: Iterable[str]) -> str:
    """Return the command that installs these in this environment."""
    python = "python" if os.environ.get("VIRTUAL_ENV") == sys.prefix else for_shell(sys.executable)
    return f"{python} -m pip install {' '.join(map(for_shell, requirements))}"


def for_shell(word: str) -> str:
    """Return the word as every shell reads it."""
    return word if re.fullmatch(r"[\w./\\:-]+", word) else f'"{word}"'


def refuse_unfit(names: Iterable[str], where: str, refused: type[GraderError] = UsageError) -> None:
    """Raise an error for a name that cannot be a package for the learner's code."""
    for name in names:
        if not _is_fit(name):
            raise refused(
                f"{where}: {name!r} is not a package that can be added: one word, and neither"
                " Python's own nor the grader",
                "name a third-party package that the code imports, such as numpy",
            )


def require(names: Sequence[str]) -> None:
    """Raise UsageError unless `--package` may name these and they are installed here."""
    refuse_unfit(names, "--package")
    if missing := absent(names):
        raise UsageError(advice(missing), "install it next to the kit, or leave out --package")


def _is_fit(name: str) -> bool:
    is_ours = name.casefold() == __name__.partition(".")[0]
    is_name = name.isidentifier() and not name.startswith("__")
    return is_name and not is_ours and name not in sys.stdlib_module_names


def _places(name: str) -> tuple[Path, ...]:
    """Return where a package is installed, or nothing. Only top-level names are looked up: to find
    `a.b`, Python would import `a` in the judge.
    """
    spec = PathFinder.find_spec(name, _installed()) if _is_fit(name) else None
    if spec is None or spec.origin is None:  # a folder that happens to have that name has no origin
        return ()
    file = Path(spec.origin)
    place = file.parent if spec.submodule_search_locations else file
    libraries = place.with_name(f"{name}.libs")
    return (place, libraries) if libraries.is_dir() else (place,)


def _installed() -> list[str]:
    """Return the folders that installers put packages into, never the current one."""
    here, kinds = os.path.realpath(os.curdir), ("*.dist-info", "*.egg-info")
    return [
        folder
        for folder in sys.path
        if os.path.realpath(folder) != here
        and any(next(Path(folder).glob(kind), None) for kind in kinds)
    ]
