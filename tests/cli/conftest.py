"""Terminals to work in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.terminal import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Yield what runs `grade` in a terminal, in the test's folder or in one inside it."""
    from support.terminal import Terminal

    with ExitStack() as stack:
        yield lambda *words, columns=80, folder="": stack.enter_context(
            closing(Terminal(tmp_path / folder, columns, *words))
        )
