"""Third-party packages that a stage is built on: where they are installed. Found, never imported.

The learner's code runs in an interpreter that sees no installed package. What is located here is all that it gets beside
Python itself, and all that a sandbox has to let it read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path


def locate(names: Iterable[str]) -> dict[str, tuple[Path, ...]]:
    """For each of these packages that is installed: its own folder or file first, then the shared libraries beside it.

    Wheels keep what they link against in a folder such as `numpy.libs`; the system's own libraries are not listed.
    """
    return {name: places for name in names if (places := _places(name))}


def readable(located: Mapping[str, Sequence[Path]]) -> tuple[str, ...]:
    """All that a sandbox has to let somebody read who uses these packages."""
    return tuple(str(place) for places in located.values() for place in places)


def absent(names: Iterable[str]) -> tuple[str, ...]:
    """Those of the packages that are not installed in this environment."""
    return tuple(name for name in names if not _places(name))


def advice(names: Iterable[str], extra: str) -> str:
    """What to tell a person where these packages are missing: which, and the command that installs them, by the kit's extra or by name."""
    missing = list(names)
    wanted = f'"autograd-kit[{extra}]"' if extra else " ".join(missing)
    verb = "is" if len(missing) == 1 else "are"
    return f'{" and ".join(missing)} {verb} not installed here: python -m pip install {wanted}'


def _places(name: str) -> tuple[Path, ...]:
    spec = find_spec(name)
    if spec is None or spec.origin is None:  # a folder that happens to have that name has no origin
        return ()
    file = Path(spec.origin)
    place = file.parent if spec.submodule_search_locations else file
    libraries = place.with_name(f"{name}.libs")
    return (place, libraries) if libraries.is_dir() else (place,)
