"""A picture of a trained network as a file: SVG, or PNG without words. Both need no library."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence

from jinja2 import Environment

from grader.reports.picture_colours import CURVE, POINTS, RGB, hexadecimal, shade
from grader.showing.picture import Picture

WIDTH = 640
CURVE_HEIGHT, MARGIN = 120, 16
FINE = 3  # pixels of the map for each cell of the grid, in the SVG
RADIUS = 4.0

Rows = Sequence[Sequence[RGB]]
Line = list[tuple[float, float]]


def to_png(picture: Picture) -> bytes:
    """The map with its points, and the losses below."""
    pixels = _shades(picture, WIDTH, _height(picture))
    for x, y, positive in _places(picture, RADIUS):
        _disc(pixels, x, y, POINTS[positive])
    if picture.losses:
        band = [[(255, 255, 255)] * WIDTH for _ in range(CURVE_HEIGHT + 2 * MARGIN)]
        _stroke(band, _line(picture, 0.0))
        pixels += band
    return encode_png(pixels)


def to_svg(picture: Picture) -> str:
    """The same, with words; the map in it is a PNG."""
    height = _height(picture)
    shades = encode_png(_shades(picture, len(picture.grid[0]) * FINE, len(picture.grid) * FINE)) if picture.grid else b""
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in _line(picture, height + 24.0))
    places = [(f"{x:.1f}", f"{y:.1f}", hexadecimal(POINTS[positive])) for x, y, positive in _places(picture, 0.0)]
    curve = picture.curve(min(len(picture.losses), WIDTH // 4)) or [0.0]
    return Environment(autoescape=True).from_string(_SVG).render(
        width=WIDTH, height=height, whole=height + 24 + CURVE_HEIGHT + 2 * MARGIN + 20, shades=base64.b64encode(shades).decode(), places=places, line=line,
        colour=hexadecimal(CURVE), told=picture.told, count=len(picture.losses), radius=RADIUS, margin=MARGIN,
        base=height + 24 + MARGIN + CURVE_HEIGHT, high=f"{max(curve):.3g}",
    )  # fmt: skip


_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}" height="{{ whole }}" viewBox="0 0 {{ width }} {{ whole }}" font-family="sans-serif" font-size="13">
<title>{{ told }}</title>
<rect width="{{ width }}" height="{{ whole }}" fill="#ffffff"/>
{% if shades %}<image width="{{ width }}" height="{{ height }}" preserveAspectRatio="none" href="data:image/png;base64,{{ shades }}"/>
{% endif %}{% for x, y, fill in places %}<circle cx="{{ x }}" cy="{{ y }}" r="{{ radius }}" fill="{{ fill }}" stroke="#ffffff" stroke-width="1"/>
{% endfor %}{% if line %}<line x1="{{ margin }}" y1="{{ base }}" x2="{{ width - margin }}" y2="{{ base }}" stroke="#bbbbbb"/>
<polyline fill="none" stroke="{{ colour }}" stroke-width="2" stroke-linejoin="round" points="{{ line }}"/>
<text x="{{ width - margin }}" y="{{ height + 42 }}" text-anchor="end" fill="#555555">the loss, at most {{ high }}, in {{ count }} steps</text>
{% endif %}<text x="{{ margin }}" y="{{ whole - 14 }}">{{ told }}</text>
</svg>
"""


def _height(picture: Picture) -> int:
    return round(WIDTH * picture.window.shape)


def _shades(picture: Picture, width: int, height: int) -> list[list[RGB]]:
    """The map alone, so many pixels; grey where nothing is known."""
    if not picture.grid:
        return [[(221, 221, 221)] * width for _ in range(height)]
    return [[shade(picture.score((x + 0.5) / width, (y + 0.5) / height)) for x in range(width)] for y in range(height)]


def _places(picture: Picture, edge: float) -> list[tuple[float, float, bool]]:
    """Where the points are in the picture: those that lie in it, so far from its edge."""
    height = _height(picture)
    found = [(picture.window.across(x) * WIDTH, picture.window.down(y) * height, positive) for x, y, positive in picture.points]
    return [(x, y, positive) for x, y, positive in found if edge <= x < WIDTH - edge and edge <= y < height - edge]


def _line(picture: Picture, top: float) -> Line:
    """The losses as a line of points, in a band that begins at `top`."""
    if not picture.losses:
        return []
    values = picture.curve(min(len(picture.losses), WIDTH // 4))
    low, high = min(0.0, *values), max(values)
    size, wide = high - low or 1.0, (WIDTH - 2 * MARGIN) / max(1, len(values) - 1)
    return [(MARGIN + index * wide, top + MARGIN + (high - value) / size * CURVE_HEIGHT) for index, value in enumerate(values)]


# --- pixels ---


def encode_png(rows: Rows) -> bytes:
    """The pixels as a PNG file: https://www.w3.org/TR/png/."""
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)  # 8 bits of each of three colours
    content = b"".join(b"\0" + bytes(part for pixel in row for part in pixel) for row in rows)  # no filter
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(content, 9)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _disc(rows: list[list[RGB]], x: float, y: float, colour: RGB, radius: float = RADIUS) -> None:
    """A disc with a soft edge."""
    reach = int(radius) + 2
    for row in range(max(0, int(y) - reach), min(len(rows), int(y) + reach)):
        for column in range(max(0, int(x) - reach), min(len(rows[0]), int(x) + reach)):
            distance = ((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2) ** 0.5
            _mix(rows, row, column, colour, radius + 0.5 - distance)


def _stroke(rows: list[list[RGB]], line: Line) -> None:
    """A line, made of discs that overlap."""
    for (x, y), (to_x, to_y) in zip(line, line[1:] or line):
        steps = max(1, round(max(abs(to_x - x), abs(to_y - y))))
        for step in range(steps + 1):
            _disc(rows, x + (to_x - x) * step / steps, y + (to_y - y) * step / steps, CURVE, 1.0)


def _mix(rows: list[list[RGB]], row: int, column: int, colour: RGB, part: float) -> None:
    part = min(1.0, max(0.0, part))
    red, green, blue = (round(below + part * (above - below)) for below, above in zip(rows[row][column], colour))
    rows[row][column] = red, green, blue
