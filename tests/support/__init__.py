"""Share helpers between tests: stand-ins, hostile code, browser, terminal, classes, notebooks."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"


def kit_folder(name: str) -> Path:
    """Return the path of `exercises` or `solutions`."""
    return ROOT / name
