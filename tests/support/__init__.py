"""What the tests share: stand-ins, hostile code, a browser, a terminal, classes, notebooks."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"


def kit_folder(name: str) -> Path:
    """`exercises` or `solutions`."""
    return ROOT / name
