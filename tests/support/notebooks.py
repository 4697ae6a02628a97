"""Build notebooks as Colab, VS Code and Jupyter save them, in both formats in use."""

from __future__ import annotations

import json
import re
from typing import Any

from support import kit_folder

ENGINE = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
NN = (kit_folder("solutions") / "nn.py").read_text(encoding="utf-8")
PNG = "iVBORw0KGgo" * 1000

Cell = dict[str, Any]


def code(
    source: str | list[str],
    count: int | None = None,
    outputs: list[Cell] | None = None,
    **more: Any,
) -> Cell:
    return {
        "cell_type": "code",
        "metadata": {},
        "execution_count": count,
        "source": source,
        "outputs": outputs or [],
        **more,
    }


def text(source: str, kind: str = "markdown") -> Cell:
    return {"cell_type": kind, "metadata": {}, "source": source}


def notebook(
    *cells: Cell | str, metadata: Cell | None = None, ids: bool = False, lines: bool = True
) -> Cell:
    """Return a notebook in format 4.

    A source is a list of lines, as Jupyter saves it, or a text.
    """
    made = [code(cell) if isinstance(cell, str) else cell for cell in cells]
    for number, cell in enumerate(made):
        if lines and isinstance(cell["source"], str):
            cell["source"] = cell["source"].splitlines(keepends=True)
        if ids:
            cell["id"] = f"cell{number:08}"
    python = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python", "version": "3.11.4"},
    }
    return {
        "cells": made,
        "metadata": python | (metadata or {}),
        "nbformat": 4,
        "nbformat_minor": 5 if ids else 4,
    }


def version_3(*sources: str) -> Cell:
    """Return a notebook in format 3: worksheets, `input`, `prompt_number`, headings."""
    cells = [
        {
            "cell_type": "code",
            "collapsed": False,
            "input": source,
            "language": "python",
            "metadata": {},
            "outputs": [],
            "prompt_number": number,
        }
        for number, source in enumerate(sources, 1)
    ]
    heading = {"cell_type": "heading", "level": 1, "metadata": {}, "source": "My engine"}
    return {
        "metadata": {"name": "mine"},
        "nbformat": 3,
        "nbformat_minor": 0,
        "worksheets": [{"cells": [heading, *cells], "metadata": {}}],
    }


def in_pieces() -> list[str]:
    """Return the engine as a lesson develops it: the class, then a cell that adds each method."""
    head, *methods = re.split(r"\n(?:    @staticmethod\n)?    def ", ENGINE)
    cells = [f"{head}\n    def {methods[0]}"]
    for method in methods[1:]:
        name = method.partition("(")[0]
        source = "\n".join(line.removeprefix("    ") for line in f"    def {method}".splitlines())
        cells.append(f"{source.rstrip()}\n\nValue.{name} = {name}")
    return cells


def saved(made: Cell | str) -> bytes:
    """Return the content of the file."""
    return (made if isinstance(made, str) else json.dumps(made, indent=1)).encode()


def output(size: int) -> Cell:
    return {
        "output_type": "display_data",
        "metadata": {},
        "data": {"image/png": PNG * (size // len(PNG)), "text/plain": ["<Figure>"]},
    }


STREAM = {"output_type": "stream", "name": "stdout", "text": ["Value(data=3.0)\n"] * 100}
ERROR = {
    "output_type": "error",
    "ename": "ZeroDivisionError",
    "evalue": "division by zero",
    "traceback": ["\u001b[0;31m---"],
}
COLAB = {
    "colab": {"provenance": [], "toc_visible": True},
    "accelerator": "GPU",
    "kernelspec": {"name": "python3", "display_name": "Python 3"},
}
WIDGETS = {
    "widgets": {
        "application/vnd.jupyter.widget-state+json": {
            "state": {"a1": {"model_name": "IntSliderModel"}},
            "version_major": 2,
        }
    }
}
