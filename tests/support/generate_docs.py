"""Write the parts of the documentation that show what the kit prints.

python tests/support/generate_docs.py
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from html import escape
from inspect import cleandoc
from pathlib import Path

import click
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from grader.cli.commands import LEARNING, TEACHING, load_command
from grader.curriculum.load import load_course

ROOT = Path(__file__).parents[2]
COLUMNS = 66  # so it can be read on a phone, too
ASSIGNS = "phase3.mul-assigns"
LETTER, LINE, MARGIN = 8.4, 19, 16
PICTURE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}">
<title>A run of grade phase4</title>
<style>
text {{ font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre;
  fill: #e6e9ec; }}
.bold {{ font-weight: bold; }}
.dim {{ fill: #9aa4ae; }}
.colour-1 {{ fill: #ff8b8f; }}
.colour-2 {{ fill: #4cc38a; }}
.colour-3 {{ fill: #e5c056; }}
.colour-6 {{ fill: #66ccd6; }}
</style>
<rect width="100%" height="100%" rx="8" fill="#15181c"/>
{rows}
</svg>
"""


def run(mistake: str, *arguments: str) -> str:
    """Return what `grade` prints, in colour, about the solution with one mistake in it."""
    course = load_course()
    (faulty,) = (one for one in course.stage_of(mistake).faulty if one.id == mistake)
    with tempfile.TemporaryDirectory() as folder:
        engine = Path(folder) / "engine.py"
        engine.write_bytes(faulty.engine((course.solutions / engine.name).read_bytes()))
        return subprocess.run(
            [sys.executable, "-m", "grader", *arguments],
            cwd=folder,
            env={
                **_plain_environment(),
                "PYTHONPATH": str(ROOT),
                "FORCE_COLOR": "1",
                "COLUMNS": str(COLUMNS),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            check=False,
            timeout=100,
        ).stdout


def _plain_environment() -> dict[str, str]:
    """Return the environment without the settings that change what is printed."""
    settings = ("GRADE_", "NO_COLOR", "COLORTERM", "TERM")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(settings)}
    return {**kept, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}


def report_picture() -> str:
    """Return a picture of a report in a terminal."""
    printed = run("phase4.operands-first", "phase4").rstrip().splitlines()
    lines = [Text("$ grade phase4", "dim"), *map(Text.from_ansi, printed)]
    console = Console(width=COLUMNS, file=io.StringIO())
    return PICTURE.format(
        width=COLUMNS * LETTER + 2 * MARGIN,
        height=len(lines) * LINE + 2 * MARGIN,
        rows="\n".join(
            text
            for number, line in enumerate(lines)
            for text in _row(line.render(console), MARGIN + (number + 0.75) * LINE)
        ),
    )


def _row(segments: Iterable[Segment], y: float) -> Iterator[str]:
    column = 0
    for segment in segments:
        text, style = segment.text, segment.style or Style()
        if text.strip():
            words = ["bold"] * bool(style.bold) + ["dim"] * bool(style.dim)
            if style.color is not None and not style.dim:
                words.append(f"colour-{style.color.number}")
            yield (
                f'<text class="{" ".join(words)}" x="{MARGIN + column * LETTER:.1f}" y="{y:.1f}"'
                f' textLength="{len(text) * LETTER:.1f}">{escape(text)}</text>'
            )
        column += len(text)


def trace_picture() -> str:
    """Return the picture of a trace."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace.svg"
        run(ASSIGNS, "trace", "(a*b + a) * b", "--svg", str(file))
        return file.read_text(encoding="utf-8")


def commands_page() -> str:
    """Return the reference of all commands."""
    described = "\n".join(line for path, found in every() for line in _describe(path, found))
    return (
        "# Commands\n\n"
        "<!-- written by python tests/support/generate_docs.py -->\n\n"
        "This page is generated from the help texts. `grade COMMAND --help` prints the same\n"
        f"text in your terminal.\n\n{described}"
    )


def every() -> Iterator[tuple[str, click.Command]]:
    """Yield all commands, each with the words that lead to it."""
    yield "grade", load_command("run")
    for name in (*LEARNING, *TEACHING):
        command = load_command(name)
        yield f"grade {name}", command
        if isinstance(command, click.Group):
            yield from (
                (f"grade {name} {inner}", found) for inner, found in command.commands.items()
            )


def _describe(path: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=path)
    yield f"## {path}\n"
    yield f"```text\n{' '.join(command.get_usage(context).split()).removeprefix('Usage: ')}\n```\n"
    yield f"{cleandoc(command.help or '')}\n"
    rows = [row for option in command.params if (row := option.get_help_record(context)) and row[1]]
    if rows:
        yield "| option | meaning |\n|---|---|"
        for option, text in rows:
            yield f"| <code>{_cell(option)}</code> | {_cell(text)} |"
        yield ""
    for paragraph in (command.epilog or "").split("\b\n")[1:]:
        title, _, lines = paragraph.strip().partition("\n")
        yield f"{title.capitalize()}:\n"
        yield f"```sh\n{re.sub('^  ', '', lines, flags=re.MULTILINE)}\n```\n"


def _cell(text: str) -> str:
    return escape(" ".join(text.split()), quote=False).replace("|", "&#124;")


GENERATED: dict[str, Callable[[], str]] = {
    "docs/pictures/report.svg": report_picture,
    "docs/pictures/trace.svg": trace_picture,
    "docs/commands.md": commands_page,
}

if __name__ == "__main__":
    for name, generate in GENERATED.items():
        (ROOT / name).parent.mkdir(exist_ok=True)
        (ROOT / name).write_text(generate(), encoding="utf-8", newline="\n")
        print(name)
