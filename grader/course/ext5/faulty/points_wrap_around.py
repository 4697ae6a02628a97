"""Points outside the window reappear on the other side.

`int(-0.4)` is 0 and `rows[-1]` is the last row, so there is no error. Check first whether the point
is in the window.
"""

CAUGHT_BY = ("ext5.points",)


def with_points(rows, xs, ys, window=WINDOW):
    left, right, bottom, top = window
    signs = [list(row) for row in rows]
    for (x, y), label in zip(xs, ys):
        row = int((top - y) / (top - bottom) * len(rows))
        column = int((x - left) / (right - left) * len(rows[0]))
        if row < len(rows) and column < len(rows[0]):
            signs[row][column] = "O" if label > 0 else "x"
    return ["".join(row) for row in signs]
