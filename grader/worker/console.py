"""A Python prompt with the learner's files, for the page: `python -i engine.py`.

It answers the page itself and not the judge, so its requests are JSON.
"""

from __future__ import annotations

import code
import json
import os
import sys
from pathlib import Path

FOLDER = Path("/home/prompt")


class Console:
    """One prompt. The first request brings the files and names the one to run; each further request
    brings one line.
    """

    def __init__(self) -> None:
        self.shell = code.InteractiveConsole({"__name__": "__main__"})

    def reply(self, request: bytes) -> bytes:
        """Return whether the statement is incomplete and whether it raised something, or that it
        ended the prompt.
        """
        asked, before = json.loads(request), _last_raised()
        try:
            more = self.begin(**asked) if "files" in asked else self.shell.push(asked["line"])
        except SystemExit:
            return json.dumps({"ended": True}).encode()
        return json.dumps({"more": more, "failed": _last_raised() is not before}).encode()

    def begin(self, files: dict[str, str], run: str) -> bool:
        """Write the files and run one of them. It uses the names of the prompt."""
        for name, text in files.items():
            place = FOLDER / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        os.chdir(FOLDER)
        sys.path.insert(0, "")
        try:
            self.shell.runcode(compile(files.get(run, ""), run, "exec"))
        except (SyntaxError, ValueError):
            self.shell.showsyntaxerror(run)
        return False


def _last_raised() -> object:
    """Return the last exception that the prompt showed, which Python keeps for debuggers."""
    return getattr(sys, "last_value", None)
