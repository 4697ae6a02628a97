"""What the views in the terminal have in common."""

from __future__ import annotations

import re

from rich.console import Console
from rich.text import Text


def code_text(text: str, style: str = "") -> Text:
    """Text in which `code` stands out."""
    result = Text(style=style)
    for index, part in enumerate(re.split(r"`([^`]*)`", text)):
        result.append(part, style="bold" if index % 2 else "")
    return result


def has_unicode(console: Console) -> bool:
    """Whether the terminal can show more than ASCII."""
    return (console.encoding or "").lower().startswith("utf")
