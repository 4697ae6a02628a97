"""What the views in the terminal have in common."""

from __future__ import annotations

import re

from rich.console import Console
from rich.table import Table
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


def print_hanging(head: Text, body: Text, console: Console) -> None:
    """The body behind its head, and where it takes more than a line, below itself."""
    line = Table.grid()
    line.add_column(no_wrap=True)
    line.add_column()
    line.add_row(head, body)
    console.print(line)
