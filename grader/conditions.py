"""The conditions of a grading: how far the worker was isolated."""

from __future__ import annotations

from dataclasses import dataclass

BROWSER = "own Web Worker"


@dataclass(frozen=True)
class Isolation:
    """The isolation of the worker: the level, its mechanisms, and what the next level needs."""

    level: int
    mechanisms: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the level in words."""
        if BROWSER in self.mechanisms:  # whose isolation has no levels
            return BROWSER
        return ("own process", "own process with limits", "sandbox", "sandbox and another user")[
            self.level
        ]

    @property
    def warning(self) -> str:
        """Name the gaps of the level in a sentence; return an empty string from level 2 on."""
        if self.level > 1:
            return ""
        if BROWSER in self.mechanisms:  # whose isolation has no levels
            return (
                "right for learning; whoever owns the browser can change what it shows, so to give"
                " marks, export the zip and grade it with the grade command"
            )
        more = "use up this machine's memory, leave processes behind, " if self.level < 1 else ""
        return (
            f"right for honest code, but hostile code could {more}read this machine's files, use"
            " its network or disturb the grader: give no marks by it"
        )
