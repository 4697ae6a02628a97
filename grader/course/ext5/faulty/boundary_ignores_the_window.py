"""The picture always shows the same part of the plane.

`WINDOW` is only the default of `window`. Use the argument.
"""

CAUGHT_BY = ("ext5.window",)


def boundary(model, window=WINDOW, columns=60, rows=21):
    left, right, bottom, top = WINDOW
    picture = []
    for row in range(rows):
        y = top - (row + 0.5) * (top - bottom) / rows
        points = [[left + (column + 0.5) * (right - left) / columns, y] for column in range(columns)]
        picture.append("".join("#" if model(point).data > 0 else "." for point in points))
    return picture
