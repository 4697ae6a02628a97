"""Share helpers between the views in the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

LEAST_ROOM = 24  # columns next to a long head; with fewer the body begins on its own line
LONG_HEAD = 12
MAX_GLUED = 72
GLUE = "\ue000"  # a space where no line breaks; shown text never contains this character

# These keys mean the same on every screen.
NEXT, HINT, LIST, QUIT = "n next", "h hint", "l list", "q quit"


def code_text(text: str, style: str = "") -> Text:
    """Return the text with `code` in bold."""
    result = Text(style=style)
    for index, part in enumerate(re.split(r"`([^`]*)`", text)):
        result.append(part, style="bold" if index % 2 else "")
    return result


def has_unicode(console: Console) -> bool:
    """Return whether the terminal can show more than ASCII."""
    return (console.encoding or "").lower().startswith("utf")


def sign_text(signs: tuple[str, str, str], console: Console) -> Text:
    """Return the sign before a line. `signs` are in Unicode and in ASCII, then the colour."""
    unicode, ascii, colour = signs
    return Text(f"  {unicode if has_unicode(console) else ascii} ", style=colour)


def wrapped(text: Text, console: Console, width: int) -> list[Text]:
    """Return the lines of a text, broken between words but not inside short code."""
    glued = text.copy()
    plain = text.plain
    for span in text.spans:
        part = plain[span.start : span.end]
        inner = part.strip()
        if inner and span.style and len(inner) <= min(MAX_GLUED, width):
            part = part.replace(inner, inner.replace(" ", GLUE))
            plain = plain[: span.start] + part + plain[span.end :]
    glued.plain = plain
    lines = list(glued.wrap(console, max(1, width)))
    for line in lines:
        line.plain = line.plain.replace(GLUE, " ")
    return lines or [Text()]


def print_hanging(head: Text, body: Text, console: Console) -> None:
    """Print a body after its head. Further lines of the body are aligned with its first."""
    width = head.cell_len
    if console.width - width < LEAST_ROOM and width > LONG_HEAD:
        head.rstrip()
        if head:
            console.print(head, soft_wrap=True)
        head, width = Text(" " * 4), 4
    for index, line in enumerate(wrapped(body, console, console.width - width)):
        whole = Text.assemble(Text(" " * width) if index else head, line)
        whole.rstrip()
        console.print(whole, soft_wrap=True)


def print_text(text: Text, console: Console, indent: int = 0) -> None:
    """Print a paragraph with this indentation, and its own if it begins with spaces."""
    own = len(text.plain) - len(text.plain.lstrip())
    print_hanging(Text(" " * (indent + own)), text[own:] if own else text, console)


def print_parts(parts: Iterable[Text], console: Console, head: Text | None = None) -> None:
    """Print parts in a row. Lines break between parts, never inside one."""
    indent = Text() if head is None else Text(" " * head.cell_len)
    line, begun = indent if head is None else head, False
    for part in parts:
        if begun and line.cell_len + 2 + part.cell_len > console.width:
            console.print(line, soft_wrap=True)
            line, begun = indent, False
        line, begun = Text.assemble(line, "  " if begun else "", part), True
    console.print(line, soft_wrap=True)


def print_keys(keys: Iterable[str], console: Console) -> None:
    """Print the keys that work here, but only in a terminal."""
    if console.is_terminal:
        print_parts((Text(key, style="dim") for key in keys), console)


def print_heading(
    name: str, title: str, console: Console, after: str = "", style: str = "default"
) -> None:
    """Print the first line of a screen: its topic, and how far the learner has come."""
    print_hanging(
        Text(f"{name}  ", style="bold"),
        Text(title).append(f"  {after}" if after else "", style=style),
        console,
    )


def print_commands(commands: Iterable[tuple[str, str]], console: Console) -> None:
    """Print lines with a label, such as the last of a screen: what to type next, and why."""
    for label, command in commands:
        print_hanging(Text(f"{label}: ", style="dim"), code_text(command, "dim"), console)
