"""Drive Debian's Firefox, headless, over WebDriver BiDi. It needs no geckodriver."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")

CONTROL = "\ue009"

needs_firefox = pytest.mark.skipif(
    FIREFOX is None or not importlib.util.find_spec("websocket"),
    reason="no firefox-esr and websocket-client here: apt-get install firefox-esr",
)


class Firefox:
    """One page, with the two methods of a Selenium driver that `Site` uses."""

    def __init__(self, address: str) -> None:
        import websocket

        self._socket = websocket.create_connection(f"{address}/session", suppress_origin=True)
        self._numbers = count(1)
        self._send("session.new", capabilities={})
        [context] = self._send("browsingContext.getTree")["contexts"]
        self._context = context["context"]

    def _send(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv())).get("id") != number:
            pass  # an event
        assert answer["type"] == "success", answer
        return answer["result"]

    def close(self) -> None:
        """Leave the browser to its process."""
        self._socket.close()

    def get(self, address: str) -> None:
        """Load a page."""
        self._send("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def execute_script(self, code: str) -> Any:
        """Return what the code returns."""
        answer = self._send(
            "script.evaluate",
            expression=f"JSON.stringify((function () {{ {code} }})() ?? null)",
            awaitPromise=False,
            target={"context": self._context},
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def press(self, *keys: str, control: bool = False) -> None:
        """Press and release these keys, one after another."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        if control:
            hold, leave = ({"type": kind, "value": CONTROL} for kind in ("keyDown", "keyUp"))
            actions = [hold, *actions, leave]
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self._send("input.performActions", context=self._context, actions=[keyboard])


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """Yield a browser with this profile."""
    profile.mkdir(exist_ok=True)
    command = [FIREFOX or "", "--headless", "--no-remote", "--profile", str(profile)]
    process = subprocess.Popen(
        [*command, "--remote-debugging-port", "0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with closing(Firefox(_address(profile / "WebDriverBiDiServer.json"))) as found:
            yield found
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(file: Path) -> str:
    """Return where the browser listens, which it writes into this file."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(FileNotFoundError, ValueError):
            found = json.loads(file.read_text(encoding="utf-8"))
            return f"ws://{found['ws_host']}:{found['ws_port']}"
        time.sleep(0.1)
    raise AssertionError("Firefox did not start")
