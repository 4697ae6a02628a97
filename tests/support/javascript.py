"""Run a module of the landing page: in node, or else in headless Chromium."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from grader.authoring.site import LANDING
from support.browser import browser, needs_browser
from support.site import served

NODE = shutil.which("node")


def run_module(name: str, call: str, given: Any) -> Any:
    """Return what this call of an imported `module` returns for the values in `given`."""
    if NODE:
        return _in_node(name, call, given)
    if needs_browser.args[0]:
        pytest.skip("neither node nor chromium with chromedriver here: JavaScript is not tested")
    with browser() as driver, served(LANDING) as address:
        driver.get(f"{address}/{name}")
        driver.set_script_timeout(60)
        return driver.execute_async_script(
            f"const [given, done] = arguments; import('./{name}').then((module) => done({call}));",
            given,
        )


def _in_node(name: str, call: str, given: Any) -> Any:
    address = (LANDING / name).as_uri()
    code = f"""import * as module from {json.dumps(address)};
    const given = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
    console.log(JSON.stringify({call}));"""
    done = subprocess.run(
        [NODE or "node", "--input-type=module", "--eval", code],
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
