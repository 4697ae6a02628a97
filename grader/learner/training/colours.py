"""The colours of a trained network's picture: orange where its score is above 0, blue where it is
below, deeper where it is far.
"""

from __future__ import annotations

RGB = tuple[int, int, int]
PALE = {True: (253, 236, 214), False: (220, 238, 247)}
DEEP = {True: (240, 158, 84), False: (94, 166, 204)}
POINTS: dict[bool, RGB] = {True: (134, 41, 4), False: (6, 46, 84)}
CURVE: RGB = (22, 128, 84)
FAR = 3.0  # a score that is as deep as can be


def shade(score: float) -> RGB:
    """The colour of a score."""
    part, positive = min(1.0, abs(score) / FAR), score > 0
    red, green, blue = (
        round(pale + part * (deep - pale)) for pale, deep in zip(PALE[positive], DEEP[positive])
    )
    return red, green, blue


def hexadecimal(colour: RGB) -> str:
    """As style sheets and terminals write it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
