"""The capstone: your own network tells two moons apart, and you see what it has learnt.

The moons are two half circles, one upside down, and each reaches into the other, so no straight
line separates them. Your engine, your neurons and your training loop do it in a few seconds, and a
picture shows where the network draws its line.

    grade ext5                  # while you write
    python two_moons.py         # at the end: trains, prints the picture, writes two_moons.svg

You need nothing but Python. `moons`, `show` and `main` are already written.
"""

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


def moons(count, noise=0.1):
    """Given. Draw `count` random points from two moons; return a list of [x, y] and one of labels.

    The upper moon's points come first, with label 1; the lower moon's follow, with label -1.
    """
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


# --- Ext 5: the two moons -------------------------------------------------------------------------


def accuracy(model, xs, ys):
    """Ext 5. Return the share of the points that the model gets right, from 0.0 to 1.0.

    `model(x)` is a Value, the score of the point x. A score above 0 means 1, a score below 0 means
    -1, however far from 0 it is.

    >>> from engine import Value
    >>> points = [[3.0, 0.0], [0.1, 0.0], [-2.0, 0.0], [5.0, 0.0]]
    >>> accuracy(lambda x: Value(x[0]), points, [1, 1, -1, -1])
    0.75
    """
    raise NotImplementedError("ext5: accuracy")


def train_moons(xs, ys):
    """Ext 5. Train a new network on these points; return it and its accuracy on the same points.

    The network is your `MLP` with two inputs and one output, as large as you like. Nobody knows in
    advance how many steps it needs. Train for some, print the loss, and go on until it is small;
    but set a limit, or training may never stop.

    Here is a recipe that works: 16 neurons in one layer with "relu", and a "linear" output;
    `max_margin_loss` and batches of 10; at most 40 rounds of 40 steps, with a rate that falls from
    1.0 to 0.1 (your `learning_rate`); stop as soon as the mean loss of a round is below 0.02. Other
    ways work just as well.

    The judge uses its own points: 200, made like yours by `moons` but with the two labels swapped,
    so the network has to learn them. The judge then reads your weights and computes the scores of
    1000 new points itself. At least 95 % of them must be right, after at most 20 seconds of
    processor time. Networks get stuck now and then, so yours gets two tries.
    """
    raise NotImplementedError("ext5: train_moons")


def boundary(model, window=WINDOW, columns=60, rows=21):
    """Ext 5. Draw what the model says about every part of the window.

    Return a list of `rows` strings with `columns` characters each. The window is (left, right,
    bottom, top). Cut it into equal cells and ask the model about the centre of each: write "#" if
    the score is above 0, and "." otherwise. The line where "#" meets "." is the decision boundary.

    As on a map, x grows to the right and y grows upwards: the first string is the top row, where y
    is largest.

    >>> from engine import Value
    >>> boundary(lambda x: Value(x[1]), (0.0, 4.0, -1.0, 1.0), 4, 2)
    ['####', '....']
    """
    raise NotImplementedError("ext5: boundary")


def with_points(rows, xs, ys, window=WINDOW):
    """Ext 5. Return the rows of a picture with the points drawn on it, as a new list of strings.

    In each point's cell, replace the character with "O" if its label is 1, or with "x" if it is -1.
    Skip points outside the window. (In Python `rows[-1]` is the last row, not an error.)

    >>> window = (0.0, 4.0, -1.0, 1.0)
    >>> with_points(["....", "...."], [[0.5, 0.5], [3.5, -0.5], [9.0, 0.5]], [1, -1, 1], window)
    ['O...', '...x']
    """
    raise NotImplementedError("ext5: with_points")


def to_svg(rows, xs, ys, window=WINDOW):
    """Ext 5. Return the same picture for a web browser: the text of an SVG file. Write no file.

    SVG is text. It lists one shape after the other, and later ones cover earlier ones. Lengths are
    plain numbers. This example shows two rows of two characters, "#." over "..", and a point:

        <svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" shape-rendering="crispEdges">
        <rect x="0" y="0" width="10" height="10" fill="#fbdcb2"/>
        <rect x="10" y="0" width="10" height="10" fill="#cfe6f1"/>
        <rect x="0" y="10" width="10" height="10" fill="#cfe6f1"/>
        <rect x="10" y="10" width="10" height="10" fill="#cfe6f1"/>
        <circle cx="12.5" cy="3.1" r="3" fill="#c4521a"/>
        </svg>

    - Draw every character as a square of 10 by 10 in the colour of its side, `COLOURS["#"]` or
      `COLOURS["."]`.
    - Draw every point in the window as a circle in the colour of its label, at its exact position
      rather than in the centre of a cell.
    - SVG measures x and y from the top left corner, and y grows *downwards*.
    - You may choose other colours, as long as there are four of them. Keep the `xmlns`: without it,
      a browser shows text.
    """
    raise NotImplementedError("ext5: to_svg")


# --- given: all of it at once ---------------------------------------------------------------------


def show(rows):
    """Given. Print the rows, in colour if the output is a terminal and NO_COLOR is not set."""
    colours = {"#": "33", "O": "1;33", ".": "36", "x": "1;36"}
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR")
    for row in rows:
        print(
            row
            if plain
            else "".join(f"\033[{colours.get(sign, '0')}m{sign}\033[0m" for sign in row)
        )


def main():
    """Given. Train a network, print its accuracy, and draw what it has learnt."""
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
