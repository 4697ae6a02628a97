"""The links of the package: its URLs, and those of the README where it is shown on its own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

URLS = {
    "Homepage": "",
    "Documentation": "/tree/main/docs",
    "Changelog": "/blob/main/CHANGELOG.md",
    "Issues": "/issues",
}


class RepositoryLinks(MetadataHookInterface):
    """Fills in `readme` and `urls` from `repository` in pyproject.toml."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set both keys; without an address there are no URLs."""
        repository = self.config["repository"]
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(text, repository) if repository else unlinked(text),
        }
        if repository:
            metadata["urls"] = {name: repository + path for name, path in URLS.items()}


def absolute(text: str, repository: str) -> str:
    """Let relative links and pictures lead into the repository."""
    text = re.sub(r"\]\((?!https?:|#)", f"]({repository}/blob/main/", text)
    return re.sub(r'src="(?!https?:)', f'src="{repository}/raw/main/', text)


def unlinked(text: str) -> str:
    """Leave out relative links, and describe pictures: they lead nowhere without a repository."""
    text = re.sub(r'<img src="(?!https?:)[^>]*? alt="([^"]*)">', r"*Picture: \1*", text)
    return re.sub(r"\[([^\]]*)\]\((?!https?:|#)[^)]*\)", r"\1", text)
