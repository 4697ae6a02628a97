"""Share helpers between the views in the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

LEAST = 8  # columns of a text, however long its head
GAP = "  "  # between the parts of a row
GLUE = "\ue000"  # a space that never breaks a line; shown text never contains this character

# These keys mean the same on every screen.
NEXT, HINT, LIST, QUIT = "n next", "h hint", "l list", "q quit"


def code_text(text: str, style: str = "") -> Text:
    """Return the text with `code` in bold."""
    result = Text(style=style)
    for index, part in enumerate(re.split(r"`([^`]*)`", text)):
        result.append(part.replace(" ", GLUE) if index % 2 else part, "bold" if index % 2 else "")
    return result


def has_unicode(console: Console) -> bool:
    """Return whether the terminal can show more than ASCII."""
    return (console.encoding or "").lower().startswith("utf")


def sign_text(signs: tuple[str, str, str], console: Console) -> Text:
    """Return a sign. `signs` are in Unicode and in ASCII, then the colour."""
    unicode, ascii, colour = signs
    return Text(unicode if has_unicode(console) else ascii, colour)


def wrapped(text: Text, console: Console, width: int) -> list[Text]:
    """Return the lines of a text, broken between words but not inside code that fits on a line."""
    width = max(LEAST, width)
    whole = text.copy()
    too_long = rf"\S{{{width + 1},}}"
    whole.plain = re.sub(too_long, lambda code: code[0].replace(GLUE, " "), text.plain)
    lines = list(whole.wrap(console, width))
    for line in lines:
        line.plain = line.plain.replace(GLUE, " ").rstrip()
    return lines or [Text()]


def hanging(head: Text, body: Text, console: Console, width: int = 0) -> list[Text]:
    """Return the lines of a body after its head. Further lines are aligned with the first."""
    indent = Text(" " * head.cell_len)
    lines = wrapped(body, console, (width or console.width) - head.cell_len)
    return [Text.assemble(indent if index else head, line) for index, line in enumerate(lines)]


def in_rows(
    parts: Iterable[Text], console: Console, head: Text | None = None, gap: str = GAP
) -> list[Text]:
    """Return lines with these parts in a row. They break between parts, never inside one."""
    glued = [part.copy() for part in parts]
    for part in glued:
        part.plain = part.plain.replace(" ", GLUE)
    return hanging(head or Text(), Text(gap).join(glued), console)


def print_lines(lines: Iterable[Text], console: Console) -> None:
    """Print lines of the final width."""
    for line in lines:
        console.print(line, soft_wrap=True)


def print_hanging(head: Text, body: Text, console: Console) -> None:
    """Print a body after its head. Further lines of the body are aligned with its first."""
    print_lines(hanging(head, body, console), console)


def print_text(text: Text, console: Console, indent: int = 0) -> None:
    """Print a paragraph with this indentation."""
    print_hanging(Text(" " * indent), text, console)


def print_parts(parts: Iterable[Text], console: Console, head: Text | None = None) -> None:
    """Print parts in a row. Lines break between parts, never inside one."""
    print_lines(in_rows(parts, console, head), console)


def print_keys(keys: Iterable[str], console: Console) -> None:
    """Print the keys that work here, but only in a terminal."""
    if console.is_terminal:
        print_parts((Text(key, style="dim") for key in keys), console)


def print_heading(name: str, title: str, console: Console, after: str = "") -> None:
    """Print the first line of a screen: its topic, and how far the learner has come."""
    print_hanging(
        Text(f"{name}  ", style="bold"), Text(title).append(f"  {after}" if after else ""), console
    )


def print_commands(commands: Iterable[tuple[str, str]], console: Console, style: str = "") -> None:
    """Print lines, each after its label if it has one, such as the last of a screen: what to type
    next, and why.
    """
    for label, command in commands:
        head = Text(f"{label}: ", style="dim") if label else Text()
        print_hanging(head, code_text(command, style), console)
