"""`with_points` changes the caller's list of rows.

The caller may still need the picture without points. Make a new list: `rows = list(rows)`.
"""

CAUGHT_BY = ("ext5.points",)


def with_points(rows, xs, ys, window=WINDOW):
    left, right, bottom, top = window
    for (x, y), label in zip(xs, ys):
        if left <= x < right and bottom < y <= top:
            row = int((top - y) / (top - bottom) * len(rows))
            column = int((x - left) / (right - left) * len(rows[0]))
            sign = "O" if label > 0 else "x"
            rows[row] = rows[row][:column] + sign + rows[row][column + 1 :]
    return rows
