"""Two moons: a network learns to tell them apart, and pictures show what it has learnt."""

import math
import os
import random
import sys
from pathlib import Path

from nn import MLP
from train import learning_rate, max_margin_loss, train

WINDOW = (-1.6, 2.6, -1.3, 1.7)  # the visible part of the plane: left, right, bottom, top
# one colour for each side, and one for the points of each label
COLOURS = {"#": "#fbdcb2", ".": "#cfe6f1", 1: "#c4521a", -1: "#1c6a8f"}
ROUNDS, STEPS, ENOUGH = 40, 40, 0.02


def moons(count, noise=0.1):
    xs, ys = [], []
    for number in range(count):
        angle = random.uniform(0, math.pi)
        upper = number < count / 2
        x, y = (
            (math.cos(angle), math.sin(angle))
            if upper
            else (1 - math.cos(angle), 0.5 - math.sin(angle))
        )
        xs.append([x + random.gauss(0, noise), y + random.gauss(0, noise)])
        ys.append(1 if upper else -1)
    return xs, ys


def accuracy(model, xs, ys):
    right = [(model(x).data > 0) == (y > 0) for x, y in zip(xs, ys)]
    return sum(right) / len(right)


def train_moons(xs, ys):
    model = MLP(2, [16, 1], activation="relu", output="linear")
    for number in range(ROUNDS):
        losses = train(
            model,
            xs,
            ys,
            STEPS,
            learning_rate(number, ROUNDS, 1.0, 0.1),
            max_margin_loss,
            batch_size=10,
        )
        mean = sum(losses) / len(losses)
        print(f"{STEPS * (number + 1):5} steps   loss {mean:.3f}")
        if mean < ENOUGH:
            break
    return model, accuracy(model, xs, ys)


def boundary(model, window=WINDOW, columns=60, rows=21):
    left, right, bottom, top = window
    picture = []
    for row in range(rows):
        y = top - (row + 0.5) * (top - bottom) / rows
        points = [
            [left + (column + 0.5) * (right - left) / columns, y] for column in range(columns)
        ]
        picture.append("".join("#" if model(point).data > 0 else "." for point in points))
    return picture


def with_points(rows, xs, ys, window=WINDOW):
    left, right, bottom, top = window
    signs = [list(row) for row in rows]
    for (x, y), label in zip(xs, ys):
        if left <= x < right and bottom < y <= top:
            row = int((top - y) / (top - bottom) * len(rows))
            column = int((x - left) / (right - left) * len(rows[0]))
            signs[row][column] = "O" if label > 0 else "x"
    return ["".join(row) for row in signs]


def to_svg(rows, xs, ys, window=WINDOW):
    left, right, bottom, top = window
    width, height = 10 * len(rows[0]), 10 * len(rows)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" shape-rendering="crispEdges">'  # noqa: E501
    ]
    for row, signs in enumerate(rows):
        for column, sign in enumerate(signs):
            lines.append(
                f'<rect x="{10 * column}" y="{10 * row}" width="10" height="10" fill="{COLOURS[sign]}"/>'  # noqa: E501
            )
    for (x, y), label in zip(xs, ys):
        if left <= x <= right and bottom <= y <= top:
            cx, cy = (x - left) / (right - left) * width, (top - y) / (top - bottom) * height
            lines.append(f'<circle cx="{cx:.2f}" cy="{cy:.2f}" r="3" fill="{COLOURS[label]}"/>')
    return "\n".join([*lines, "</svg>"])


def show(rows):
    colours = {"#": "33", "O": "1;33", ".": "36", "x": "1;36"}
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR")
    for row in rows:
        print(
            row
            if plain
            else "".join(f"\033[{colours.get(sign, '0')}m{sign}\033[0m" for sign in row)
        )


def main():
    xs, ys = moons(200)
    model, share = train_moons(xs, ys)
    unseen = accuracy(model, *moons(1000))
    print(f"right: {share:.1%} of the {len(xs)} training points, {unseen:.1%} of 1000 new points")
    show(with_points(boundary(model), xs, ys))
    print("# and O: label 1, . and x: label -1")
    Path("two_moons.svg").write_text(
        to_svg(boundary(model, WINDOW, 84, 60), xs, ys), encoding="utf-8"
    )
    print("two_moons.svg shows more detail: open it in a web browser")


if __name__ == "__main__":
    main()
