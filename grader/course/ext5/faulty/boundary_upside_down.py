"""The picture is upside down.

The first string is printed first, so it is at the top, where y is largest. Count down from `top`,
not up from `bottom`.
"""

CAUGHT_BY = ("ext5.boundary",)


def boundary(model, window=WINDOW, columns=60, rows=21):
    left, right, bottom, top = window
    picture = []
    for row in range(rows):
        y = bottom + (row + 0.5) * (top - bottom) / rows
        points = [[left + (column + 0.5) * (right - left) / columns, y] for column in range(columns)]
        picture.append("".join("#" if model(point).data > 0 else "." for point in points))
    return picture
