"""The points lie from one edge of the window to the other.

With `columns - 1` gaps between the points, the first and the last lie on the edges of the window. A
cell shows what the model says at its centre, half a cell from its edges: `left + (column + 0.5) *
(right - left) / columns`.
"""

CAUGHT_BY = ("ext5.boundary",)


def boundary(model, window=WINDOW, columns=60, rows=21):
    left, right, bottom, top = window
    picture = []
    for row in range(rows):
        y = top - row * (top - bottom) / (rows - 1)
        points = [[left + column * (right - left) / (columns - 1), y] for column in range(columns)]
        picture.append("".join("#" if model(point).data > 0 else "." for point in points))
    return picture
