"""`with_points` without points returns no rows.

Without points, the picture is the same as before.
"""

CAUGHT_BY = ("ext5.points",)


def with_points(rows, xs, ys, window=WINDOW):
    if not xs:
        return []
    left, right, bottom, top = window
    signs = [list(row) for row in rows]
    for (x, y), label in zip(xs, ys):
        if left <= x < right and bottom < y <= top:
            row = int((top - y) / (top - bottom) * len(rows))
            column = int((x - left) / (right - left) * len(rows[0]))
            signs[row][column] = "O" if label > 0 else "x"
    return ["".join(row) for row in signs]
