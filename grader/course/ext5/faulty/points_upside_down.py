"""The points are upside down in the text.

y grows upwards, but rows are counted downwards: compute the row of a point from `top - y`.
"""

CAUGHT_BY = ("ext5.points",)


def with_points(rows, xs, ys, window=WINDOW):
    left, right, bottom, top = window
    signs = [list(row) for row in rows]
    for (x, y), label in zip(xs, ys):
        if left <= x < right and bottom <= y < top:
            row = int((y - bottom) / (top - bottom) * len(rows))
            column = int((x - left) / (right - left) * len(rows[0]))
            signs[row][column] = "O" if label > 0 else "x"
    return ["".join(row) for row in signs]
