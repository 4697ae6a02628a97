"""The picture is drawn once and kept.

A network changes while it learns, and the next call may be about a different network. Draw the
picture again in every call.
"""

CAUGHT_BY = ("ext5.boundary",)


def boundary(model, window=WINDOW, columns=60, rows=21, known={}):
    left, right, bottom, top = window
    if (columns, rows) not in known:
        picture = []
        for row in range(rows):
            y = top - (row + 0.5) * (top - bottom) / rows
            points = [[left + (column + 0.5) * (right - left) / columns, y] for column in range(columns)]
            picture.append("".join("#" if model(point).data > 0 else "." for point in points))
        known[columns, rows] = picture
    return known[columns, rows]
