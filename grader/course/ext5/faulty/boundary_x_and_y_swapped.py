"""The model is asked about [y, x] instead of [x, y].

A point is always [x, y]: x goes with the column, y with the row. Otherwise the picture is mirrored
along the diagonal.
"""

CAUGHT_BY = ("ext5.boundary",)


def boundary(model, window=WINDOW, columns=60, rows=21):
    left, right, bottom, top = window
    picture = []
    for row in range(rows):
        y = top - (row + 0.5) * (top - bottom) / rows
        points = [[y, left + (column + 0.5) * (right - left) / columns] for column in range(columns)]
        picture.append("".join("#" if model(point).data > 0 else "." for point in points))
    return picture
