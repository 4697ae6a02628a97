"""Golden cases: tables in `tests/golden/KIND/*.toml`, most of which hold what somebody hands in.

The text of a case is its `source`, or that of its `base` (`KIND/NAME` of another case,
`solutions/FILE`, or else the kind's `plain.py`) with edits: `old`, which occurs once, becomes
`new`, and `before` and `after` are put around it. If there are several edits, each is a table in
`edits`. As in `mistakes.toml`, `old` and `new` lack the indentation of the place. The `title` says
what a case is about.
"""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from grader.curriculum.source import replace_once
from support import GOLDEN, ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Case = dict[str, Any]
TEXT = {"source", "encoding", "base", "before", "after", "old", "new", "edits"}


@cache
def read_cases(kind: str) -> dict[str, Case]:
    """Return the cases of a folder, by name. Each knows the `theme` that its file is about."""
    cases: dict[str, Case] = {}
    for file in sorted((GOLDEN / kind).glob("*.toml")):
        for name, case in tomllib.loads(file.read_text(encoding="utf-8")).items():
            assert name not in cases, f"{name} is there twice"
            cases[name] = {"theme": file.stem, **case}
    return dict(sorted(cases.items()))


def text_of(kind: str, name: str) -> str:
    """Return what is handed in. Cases may begin with a solution, or with the kind's `plain.py`."""
    if kind == "solutions" or name == "plain.py":
        return ((ROOT if kind == "solutions" else GOLDEN) / kind / name).read_text(encoding="utf-8")
    case = read_cases(kind)[name]
    if "source" in case:
        return str(case["source"])
    text = text_of(*case.get("base", f"{kind}/plain.py").split("/", 1))
    for edit in case.get("edits", [case] if "old" in case else []):
        text = replace_once(text, edit["old"].strip("\n"), edit["new"].strip("\n"))
    return f"{case.get('before', '')}{text}{case.get('after', '')}"


@cache
def unpacked(kind: str) -> Path:
    """Return a folder with the files of all cases. A case that is no file is a folder with an
    `engine.py`.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"golden-{kind}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, case in read_cases(kind).items():
        file = folder / name if name.endswith(".py") else folder / name / "engine.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text_of(kind, name).encode(case.get("encoding", "utf-8")))
    return folder
