"""Share helpers between tests: stand-ins, hostile code, browser, terminal, classes, notebooks."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"


def kit_folder(name: str) -> Path:
    """Return the path of `exercises` or `solutions`."""
    return ROOT / name


def changed(*pairs: tuple[str, str], file: str = "engine.py") -> str:
    """Return a file of the solutions with each text replaced once. Fail if one is missing."""
    source = (ROOT / "solutions" / file).read_text(encoding="utf-8")
    for before, after in pairs:
        assert before in source, before
        source = source.replace(before, after, 1)
    return source
