"""The report in a notebook uses the theme of the notebook, whatever the system prefers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.views.html import as_plain, page
from support import kit_folder
from support.browser import needs_browser, open_page
from support.grading import grade

pytestmark = [needs_browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]

DARK, LIGHT = ["rgb(230, 233, 236)", "rgb(21, 24, 28)"], ["rgb(27, 31, 36)", "rgb(255, 255, 255)"]


@pytest.fixture(scope="module")
def fragment() -> str:
    report = grade(kit_folder("exercises"), ["phase1"])
    return page("fragment.html", report=as_plain(report), standing=False)


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize(
    ("html", "body", "expected"),
    [
        ("", 'data-jp-theme-light="false"', DARK),
        ("", 'data-jp-theme-light="true"', LIGHT),
        ("", 'class="vscode-dark"', DARK),
        ('theme="dark"', "", DARK),
        ("", "", None),
    ],
)
def test_a_report_in_a_notebook_has_the_colours_of_its_theme(
    driver: Any,
    tmp_path: Path,
    fragment: str,
    system: str,
    html: str,
    body: str,
    expected: list[str] | None,
) -> None:
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": system}]},
    )
    open_page(driver, f"<!doctype html><html {html}><body {body}>{fragment}", tmp_path)
    colours = driver.execute_script(
        "const style = getComputedStyle(document.querySelector('.grade-report'));"
        " return [style.color, style.backgroundColor]"
    )
    assert colours == (expected or {"light": LIGHT, "dark": DARK}[system])
