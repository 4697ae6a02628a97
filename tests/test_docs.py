"""The documentation shows what the kit prints, and its links lead somewhere."""

from __future__ import annotations

import re
import runpy
from inspect import signature
from pathlib import Path

import pytest

from grader import __version__
from grader.intake.adapter import Adapter, read_adapter
from support import ROOT, changed, hand_in, tells, there
from support.command import run
from support.generate_docs import GENERATED


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATED)
def test_the_generated_documents_are_up_to_date(name: str) -> None:
    written = (ROOT / name).read_text(encoding="utf-8")
    assert GENERATED[name]() == written, "run: python tests/support/generate_docs.py"


@pytest.mark.slow
def test_the_failure_in_the_learners_guide_is_a_real_one(tmp_path: Path) -> None:
    wrong = changed(("return other + (-self)", "return self - other"))
    shown = run("phase3", cwd=hand_in(tmp_path, wrong), COLUMNS="80").stdout
    lines = [line.rstrip() for line in shown.rstrip().splitlines()]
    transcript = re.search(
        r"<!-- transcript: grade phase3 -->\n```text\n(.*?)```",
        (ROOT / "docs" / "learner.md").read_text(encoding="utf-8"),
        re.DOTALL,
    )
    assert lines == there(transcript)[1].splitlines()


def test_the_adapter_in_the_documentation_can_be_read_and_has_every_key(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
    (toml,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "adapter.toml").write_text(toml, encoding="utf-8")
    assert read_adapter(tmp_path / "adapter.toml").owner == "Tensor"
    for key in sorted({*signature(Adapter).parameters, "class"} - {"where", "owner"}):
        assert re.search(rf"^\[?{key}\b", toml, re.MULTILINE), key


@pytest.mark.parametrize(
    "document", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]), ids=lambda path: path.name
)
def test_every_link_leads_to_a_file_and_to_a_heading_in_it(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", _without_code(document)):
        path, _, anchor = "".join(target).partition("#")
        if path.startswith("https://"):
            continue
        file = document.parent / path if path else document
        assert file.exists(), target
        if anchor:
            assert anchor in _anchors(file), target


@pytest.mark.parametrize(
    "document", sorted((ROOT / "docs").glob("**/*.md")), ids=lambda path: path.name
)
def test_the_site_links_to_nothing_outside_of_it(document: Path) -> None:
    assert "](../" not in _without_code(document)


@pytest.mark.needs("hatchling")
def test_the_readme_of_the_package_has_no_link_that_leads_nowhere() -> None:
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))
    absolute, unlinked = hook["absolute"], hook["unlinked"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    relative = r'\]\((?!https://)|src="(?!https://)'
    assert re.search(relative, readme)
    for shown in (absolute(readme, "https://example.org/kit"), unlinked(readme)):
        assert not re.search(relative, shown)
    assert "](https://example.org/kit/blob/main/docs/learner.md)" in absolute(
        readme, "https://example.org/kit"
    )
    tells(unlinked(readme), "| Learner's guide |", "*Picture: grade phase4 in a terminal.")


def test_the_version_is_the_same_everywhere() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    listed = re.findall(r'= "([\w-]+\.md)"', (ROOT / "zensical.toml").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))


def _without_code(document: Path) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)


def _anchors(document: Path) -> set[str]:
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    return {
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    }
