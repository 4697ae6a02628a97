"""The course as a site: built once, served with or without isolation, driven from Python."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.site import site
from grader.curriculum.load import load_course
from grader.errors import InternalError
from support import put

CACHE = Path.home() / ".cache" / "autograd-kit"  # of downloads, kept between runs
TRY = """<!doctype html><meta charset="utf-8"><title>try</title>
<script type="module">
import { start } from "./kit.js";
window.printed = [];
window.asked = [];
window.answers = [];
const seen = { onOutput(text) { printed.push(text); },
  async onAsk(prompt, { keys }) { asked.push([prompt, keys]); return answers.shift() ?? null; } };
window.begin = async () => { window.kit = await start(seen); return kit.isolated; };
</script>"""
CALL = """window.job = null;
const end = (found) => { window.job = found; };
(async () => {%s})().then((value) => end({ value }), (error) => end({ error: `${error}` }));
"""


def build(folder: Path, course: Path | None = None) -> Path:
    """Write the site and return the course's folder in it. Skip the test if something cannot be
    downloaded.
    """
    try:
        files = site(load_course(course) if course else load_course(), CACHE)
    except InternalError as error:
        pytest.skip(f"{error.message}")
    put(folder, files)
    inside = folder if course else folder / "course"
    put(inside, {"try.html": TRY.encode()})
    return inside


class _Handler(SimpleHTTPRequestHandler):
    headers_: Mapping[str, str]
    protocol_version = "HTTP/1.1"

    def end_headers(self) -> None:
        for name, value in self.headers_.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


FRESH = {"Cache-Control": "no-store"}
ISOLATED = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}


@contextmanager
def served(folder: Path, *, isolated: bool = True) -> Iterator[str]:
    """Yield the address of a server for this folder."""
    headers = FRESH | (ISOLATED if isolated else {})
    handler = partial(type("Handler", (_Handler,), {"headers_": headers}), directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


class Site:
    """The kit in a browser's page."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver = driver
        driver.get(f"{address}/try.html")
        self.js("while (!window.begin) await new Promise((done) => setTimeout(done, 20));")

    def js(self, code: str, *given: Any) -> Any:
        """Return what this asynchronous code returns. What it is given is `given0` and so on."""
        names = "".join(f"const given{n} = {json.dumps(value)};" for n, value in enumerate(given))
        self.driver.execute_script(CALL % (names + code))
        answer = self.wait_for("return window.job;")
        assert "error" not in answer, answer["error"]
        return answer.get("value")

    def wait_for(self, code: str, seconds: float = 300) -> Any:
        """Return what this code returns, as soon as that is not null."""
        until, pauses = time.monotonic() + seconds, _pauses()
        while (answer := self.driver.execute_script(code)) is None:
            assert time.monotonic() < until, f"nothing within {seconds:g} s: {code}"
            time.sleep(next(pauses))
        return answer

    def begin(self) -> bool:
        """Start the kit. Return whether the page is isolated."""
        return bool(self.js("return await begin();"))

    def put(self, files: Mapping[str, str]) -> None:
        """Replace all of the learner's files."""
        self.js(
            """for (const name of Object.keys(await kit.read())) await kit.write(name, null);
            for (const [name, text] of Object.entries(given0)) await kit.write(name, text);""",
            dict(files),
        )

    def grade(self, files: Mapping[str, str], *words: str, **options: Any) -> dict[str, Any]:
        """Grade these files, which replace all of the learner's."""
        self.put(files)
        return self.run("grade", *words, **options)

    def run(self, *words: str, **options: Any) -> dict[str, Any]:
        """Run a command."""
        code = "return await kit.run(given0, given1);"
        found: dict[str, Any] = self.js(code, list(words), options)
        return found


def wait(driver: Any, condition: str, seconds: float = 30.0) -> None:
    """Wait until a condition in JavaScript holds."""
    end, pauses = time.monotonic() + seconds, _pauses()
    while not driver.execute_script(f"return Boolean({condition})"):
        if time.monotonic() > end:
            shown = driver.execute_script("return document.body.innerText")
            raise AssertionError(f"not true: {condition}\n{shown}")
        time.sleep(next(pauses))


def _pauses() -> Iterator[float]:
    """Yield ever longer pauses: who asks a busy browser often keeps it busy."""
    yield from (0.01, 0.02, 0.04, 0.08)
    yield from repeat(0.15)


def texts(folder: Path) -> dict[str, str]:
    """Return the Python files of a folder."""
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.py"))}
