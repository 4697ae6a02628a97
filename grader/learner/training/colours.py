"""Choose the colours of a trained network's picture.

Scores above 0 are orange and scores below it are blue. The farther from 0, the deeper.
"""

from __future__ import annotations

RGB = tuple[int, int, int]
PALE = {True: (253, 236, 214), False: (220, 238, 247)}
DEEP = {True: (240, 158, 84), False: (94, 166, 204)}
POINTS: dict[bool, RGB] = {True: (134, 41, 4), False: (6, 46, 84)}
CURVE: RGB = (22, 128, 84)
FAR = 3.0  # the score with the deepest colour


def shade(score: float) -> RGB:
    """Return the colour of a score."""
    part, positive = min(1.0, abs(score) / FAR), score > 0
    red, green, blue = (
        round(pale + part * (deep - pale)) for pale, deep in zip(PALE[positive], DEEP[positive])
    )
    return red, green, blue


def hexadecimal(colour: RGB) -> str:
    """Return a colour as style sheets and terminals write it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
