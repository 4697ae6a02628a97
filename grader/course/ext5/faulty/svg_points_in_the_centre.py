"""Points are painted in the centre of their cell.

Text can do no better, but a picture can show exactly where a point is. Use the fraction, not the
number of the cell.
"""

CAUGHT_BY = ("ext5.svg-points",)


def to_svg(rows, xs, ys, window=WINDOW):
    left, right, bottom, top = window
    width, height = 10 * len(rows[0]), 10 * len(rows)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" shape-rendering="crispEdges">']
    squares, circles = [], []
    for row, signs in enumerate(rows):
        for column, sign in enumerate(signs):
            squares.append(f'<rect x="{10 * column}" y="{10 * row}" width="10" height="10" fill="{COLOURS[sign]}"/>')
    for (x, y), label in zip(xs, ys):
        if left <= x <= right and bottom <= y <= top:
            cx = 10 * int((x - left) / (right - left) * len(rows[0])) + 5
            cy = 10 * int((top - y) / (top - bottom) * len(rows)) + 5
            circles.append(f'<circle cx="{cx:.2f}" cy="{cy:.2f}" r="3" fill="{COLOURS[label]}"/>')
    return "\n".join([*lines, *squares, *circles, "</svg>"])
