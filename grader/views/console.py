"""What the views in the terminal have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

LEAST_ROOM = 24  # columns for what stands behind a long head; with less it stands below
LONG_HEAD = 12

# Wherever keys are taken, these mean the same.
NEXT, HINT, LIST, QUIT = "n next", "h hint", "l list", "q quit"


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
    width = head.cell_len
    if console.width - width < LEAST_ROOM and width > LONG_HEAD:
        head.rstrip()
        if head:
            console.print(head, soft_wrap=True)
        head, width = Text(" " * 4), 4
    for index, line in enumerate(body.wrap(console, max(1, console.width - width)) or [Text()]):
        whole = Text.assemble(Text(" " * width) if index else head, line)
        whole.rstrip()
        console.print(whole, soft_wrap=True)


def print_text(text: Text, console: Console, indent: int = 0) -> None:
    """A paragraph, all of it as far from the left."""
    print_hanging(Text(" " * indent), text, console)


def print_parts(parts: Iterable[Text], console: Console, head: Text | None = None) -> None:
    """Parts in a row, which is broken between them and never inside one."""
    indent = Text() if head is None else Text(" " * head.cell_len)
    line, begun = indent if head is None else head, False
    for part in parts:
        if begun and line.cell_len + 2 + part.cell_len > console.width:
            console.print(line, soft_wrap=True)
            line, begun = indent, False
        line, begun = Text.assemble(line, "  " if begun else "", part), True
    console.print(line, soft_wrap=True)


def print_keys(keys: Iterable[str], console: Console) -> None:
    """The keys that are taken here; nothing where nobody sits at them."""
    if console.is_terminal:
        print_parts((Text(key, style="dim") for key in keys), console)


def print_heading(
    name: str, title: str, console: Console, after: str = "", style: str = "default"
) -> None:
    """The first line of a screen: what it is about, and how far one is."""
    print_hanging(
        Text(f"{name}  ", style="bold"),
        Text(title).append(f"  {after}" if after else "", style=style),
        console,
    )


def print_commands(commands: Iterable[tuple[str, str]], console: Console) -> None:
    """The last lines of a screen: what to type next, and what for."""
    for label, command in commands:
        print_hanging(Text(f"{label}: ", style="dim"), code_text(command, "dim"), console)
