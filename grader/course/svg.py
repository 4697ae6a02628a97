"""A small SVG reader: the rectangles and circles of a picture, in the order of painting.

It knows the part of https://www.w3.org/TR/SVG11/ that the course needs, and raises NoSvgError for
anything else that would matter. Time and memory grow no faster than the text: it builds no tree and
expands no namespaces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, NoReturn
from xml.parsers import expat

NAMESPACE = "http://www.w3.org/2000/svg"
_LONGEST = 1_500_000  # characters
# elements: each circle is compared with each rectangle above it
_MOST, _MOST_CIRCLES = (20_000, 1_000)
_DEEPEST = 100


class NoSvgError(Exception):
    """A browser would not show this, or not as intended."""


class Rectangle(NamedTuple):
    """A rectangle whose top left corner is (x, y)."""

    x: float
    y: float
    width: float
    height: float
    fill: str

    def covers(self, x: float, y: float) -> bool:
        """Return whether a point is inside."""
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


class Circle(NamedTuple):
    """A circle around (x, y)."""

    x: float
    y: float
    radius: float
    fill: str


class Picture:
    """A picture's size and its shapes, later ones on top."""

    def __init__(self, text: str) -> None:
        """Read an SVG. Raises NoSvgError."""
        if len(text) > _LONGEST:
            raise NoSvgError(f"it is longer than {_LONGEST} characters")
        self.width = self.height = 0.0
        self.shapes: list[Rectangle | Circle] = []
        self._count = self._circles = 0
        self._fills = ["black"]  # of the elements that enclose the next one
        # the prefixes of the SVG namespace and of any other
        self._svg: set[str] = set()
        self._declared = {"xml", "xmlns"}
        parser = expat.ParserCreate("utf-8")
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = lambda _tag: self._fills.pop()
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)  # noqa: FBT003 - the end of the text
        except expat.ExpatError as error:
            raise NoSvgError(f"it is not well-formed XML: {error}") from None

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._count += 1
        if self._count > _MOST:
            raise NoSvgError(f"there are more than {_MOST} elements")
        if len(self._fills) > _DEEPEST:
            raise NoSvgError(f"elements are nested more than {_DEEPEST} deep")
        self._note_prefixes(tag, attributes)
        prefix, _, name = tag.rpartition(":")
        if self._count == 1:
            self._begin_picture(prefix, name, attributes)
        elif "viewBox" in attributes:
            raise NoSvgError("only the first element may have a viewBox")
        if "transform" in attributes:
            raise NoSvgError("transform is not supported: use the units of the picture")
        if name == "style":
            raise NoSvgError("style sheets are not supported: give each shape its fill")
        self._fills.append(_fill(attributes, self._fills[-1]))
        if prefix in self._svg and (shape := self._shape(name, attributes)) is not None:
            self.shapes.append(shape)
            self._circles += isinstance(shape, Circle)
            if self._circles > _MOST_CIRCLES:
                raise NoSvgError(f"there are more than {_MOST_CIRCLES} circles")

    def _begin_picture(self, prefix: str, name: str, attributes: Mapping[str, str]) -> None:
        """Read the size in the units of the shapes, no matter how large a browser shows it."""
        if name != "svg":
            raise NoSvgError(f"the first element must be svg; it is {name}")
        if prefix not in self._svg:
            raise NoSvgError(
                f'the first element needs xmlns="{NAMESPACE}"; without it, a browser shows text'
            )
        if box := attributes.get("viewBox", "").replace(",", " ").split():
            if len(box) != 4 or box[:2] != ["0", "0"]:
                raise NoSvgError("the viewBox must be `0 0 width height`")
            attributes = dict(zip(("x", "y", "width", "height"), box))
        self.width = _number("svg", attributes, "width")
        self.height = _number("svg", attributes, "height")

    def _shape(self, name: str, attributes: Mapping[str, str]) -> Rectangle | Circle | None:
        """Return the rectangle or circle that an element draws; None if it draws neither."""
        fill = self._fills[-1]
        if fill in {"none", "transparent"}:
            return None
        if name == "rect":
            return Rectangle(
                _number(name, attributes, "x", 0.0),
                _number(name, attributes, "y", 0.0),
                _number(name, attributes, "width", whole=self.width),
                _number(name, attributes, "height", whole=self.height),
                fill,
            )
        if name == "circle":
            x, y = _number(name, attributes, "cx", 0.0), _number(name, attributes, "cy", 0.0)
            return Circle(x, y, _number(name, attributes, "r"), fill)
        return None

    def _note_prefixes(self, tag: str, attributes: Mapping[str, str]) -> None:
        declared = {
            name[6:]: value
            for name, value in attributes.items()
            if name.partition(":")[0] == "xmlns"
        }
        self._declared.update(declared)
        self._svg.update(prefix for prefix, value in declared.items() if value == NAMESPACE)
        for name in (tag, *attributes):
            if ":" in name and name.partition(":")[0] not in self._declared:
                raise NoSvgError(f"it is not well-formed XML: unbound prefix in {name:.40}")

    @property
    def circles(self) -> list[Circle]:
        """The visible circles: inside the picture and not covered by a rectangle."""
        found: list[Circle] = []
        above: list[Rectangle] = []
        for shape in reversed(self.shapes):
            if isinstance(shape, Rectangle):
                above.append(shape)
            elif (
                shape.radius > 0
                and 0 <= shape.x <= self.width
                and 0 <= shape.y <= self.height
                and not any(other.covers(shape.x, shape.y) for other in above)
            ):
                found.append(shape)
        return found[::-1]

    def colour(self, x: float, y: float) -> str:
        """Return the fill of the topmost rectangle at a point; '' if there is none."""
        covering = (
            shape
            for shape in reversed(self.shapes)
            if isinstance(shape, Rectangle) and shape.covers(x, y)
        )
        return next((shape.fill for shape in covering), "")


def _refuse_doctype(*_: object) -> NoReturn:
    # entities can expand without limit
    raise NoSvgError("DOCTYPE is not supported: leave it out")


def _fill(attributes: Mapping[str, str], inherited: str) -> str:
    """Return the colour of an element: `style` wins over `fill`, and both over the enclosing
    elements.
    """
    found = _STYLED.search(attributes.get("style", ""))
    return (found[1] if found else attributes.get("fill", inherited)).strip().lower() or inherited


_STYLED = re.compile(r"(?:^|;)\s*fill\s*:\s*([^;]+)")
_NUMBER = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)(?:px)?\s*", re.IGNORECASE)


def _number(
    name: str,
    attributes: Mapping[str, str],
    key: str,
    default: float | None = None,
    whole: float = 0.0,
) -> float:
    """Return the length in an attribute; `whole` is what 100% means."""
    text = attributes.get(key)
    if text is None and default is not None:
        return default
    if whole and text == "100%":
        return whole
    found = _NUMBER.fullmatch(text or "")
    if found is None:
        if text is None:
            raise NoSvgError(f"a {name} has no `{key}`")
        raise NoSvgError(f"`{key}` of a {name} must be a number; it is {text!r:.40}")
    return float(found[1])
