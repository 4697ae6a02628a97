"""A small reader of SVG: the rectangles and circles of a picture, in the order in which they are painted.

Of https://www.w3.org/TR/SVG11/ it knows what the course asks for. What it does not know, it says.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree import ElementTree as ET

NAMESPACE = "{http://www.w3.org/2000/svg}"


class NoSvgError(Exception):
    """Why a browser would not show this, or not as it was meant."""


class Rectangle(NamedTuple):
    """From (x, y), to the right and downwards."""

    x: float
    y: float
    width: float
    height: float
    fill: str

    def covers(self, x: float, y: float) -> bool:
        """Whether a place lies in it."""
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


class Circle(NamedTuple):
    """Around (x, y)."""

    x: float
    y: float
    radius: float
    fill: str


class Picture:
    """How large it is, and its shapes, later ones on top."""

    def __init__(self, text: str) -> None:
        """Raises NoSvgError."""
        root = _parsed(text)
        self.width, self.height = _number(root, "width"), _number(root, "height")
        self.shapes = [shape for element in root.iter() if (shape := _shape(element)) is not None]

    @property
    def circles(self) -> list[Circle]:
        """All circles that can be seen: in the picture, and not painted over."""
        found = []
        for place, shape in enumerate(self.shapes):
            if isinstance(shape, Circle) and 0 <= shape.x <= self.width and 0 <= shape.y <= self.height:
                later = (other for other in self.shapes[place + 1 :] if isinstance(other, Rectangle))
                if not any(other.covers(shape.x, shape.y) for other in later):
                    found.append(shape)
        return found

    def colour(self, x: float, y: float) -> str:
        """The fill of the topmost rectangle there; nothing where there is none."""
        covering = (shape for shape in reversed(self.shapes) if isinstance(shape, Rectangle) and shape.covers(x, y))
        return next((shape.fill for shape in covering), "")


def _parsed(text: str) -> ET.Element:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:  # entities can be made to grow without bounds
        raise NoSvgError("no DOCTYPE is needed, and none is read here")
    try:
        root = ET.fromstring(text)  # noqa: S314 - bounded, and without entities
    except ET.ParseError as error:
        raise NoSvgError(f"this is no well-formed XML: {error}") from None
    if root.tag == "svg":
        raise NoSvgError('the first line needs xmlns="http://www.w3.org/2000/svg", or a browser shows text')
    if root.tag != f"{NAMESPACE}svg":
        raise NoSvgError(f"the first element must be svg, and is {root.tag.rpartition('}')[2]}")
    if any("transform" in element.attrib or "viewBox" in element.attrib for element in root.iter()):
        raise NoSvgError("transform and viewBox are not read here: count in the units of width and height")
    return root


def _shape(element: ET.Element) -> Rectangle | Circle | None:
    if element.tag == f"{NAMESPACE}rect":
        x, y = _number(element, "x", 0.0), _number(element, "y", 0.0)
        return Rectangle(x, y, _number(element, "width"), _number(element, "height"), _fill(element))
    if element.tag == f"{NAMESPACE}circle":
        x, y = _number(element, "cx", 0.0), _number(element, "cy", 0.0)
        return Circle(x, y, _number(element, "r"), _fill(element))
    return None


def _fill(element: ET.Element) -> str:
    fill = element.get("fill", "").strip().lower()
    if not fill:
        raise NoSvgError(f"a {element.tag.rpartition('}')[2]} has no fill, and would be black")
    return fill


_NUMBER = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)(?:px)?\s*", re.IGNORECASE)


def _number(element: ET.Element, name: str, otherwise: float | None = None) -> float:
    text = element.get(name)
    if text is None and otherwise is not None:
        return otherwise
    found = _NUMBER.fullmatch(text or "")
    if found is None:
        raise NoSvgError(f"`{name}` of a {element.tag.rpartition('}')[2]} must be a number, and is {text!r:.40}")
    return float(found[1])
