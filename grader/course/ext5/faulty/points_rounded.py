"""Points go into the cell whose top left corner is nearest.

Round down to find a point's cell: 2.7 cells from the left is still in cell 2, but `round` says 3.
"""

CAUGHT_BY = ("ext5.points",)


def with_points(rows, xs, ys, window=WINDOW):
    left, right, bottom, top = window
    signs = [list(row) for row in rows]
    for (x, y), label in zip(xs, ys):
        if left <= x < right and bottom < y <= top:
            row = min(round((top - y) / (top - bottom) * len(rows)), len(rows) - 1)
            column = min(round((x - left) / (right - left) * len(rows[0])), len(rows[0]) - 1)
            signs[row][column] = "O" if label > 0 else "x"
    return ["".join(row) for row in signs]
