"""The picture in the SVG is mirrored along the diagonal.

The row number says how far down a square is, which is its y; the column number says how far to the
right, which is its x.
"""

CAUGHT_BY = ("ext5.svg",)


def to_svg(rows, xs, ys, window=WINDOW):
    left, right, bottom, top = window
    width, height = 10 * len(rows[0]), 10 * len(rows)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" shape-rendering="crispEdges">']
    squares, circles = [], []
    for row, signs in enumerate(rows):
        for column, sign in enumerate(signs):
            squares.append(f'<rect x="{10 * row}" y="{10 * column}" width="10" height="10" fill="{COLOURS[sign]}"/>')
    for (x, y), label in zip(xs, ys):
        if left <= x <= right and bottom <= y <= top:
            cx, cy = (x - left) / (right - left) * width, (top - y) / (top - bottom) * height
            circles.append(f'<circle cx="{cx:.2f}" cy="{cy:.2f}" r="3" fill="{COLOURS[label]}"/>')
    return "\n".join([*lines, *squares, *circles, "</svg>"])
