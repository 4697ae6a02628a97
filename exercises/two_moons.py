"""The capstone: a network of your own tells two moons apart, and you see what it has learnt.

Two half circles, one turned over, each reaching into the other: no straight line parts them. Your engine, your neurons and
your training loop do, in a few seconds, and a picture shows where the network draws its line.

    grade ext5                  # while you write
    python two_moons.py         # when it is written: trains, prints the picture, writes two_moons.svg

Nothing but Python is needed. `moons`, `show` and `main` are written already.
"""

import math
import os
import random
import sys
from pathlib import Path

from nn import MLP
from train import learning_rate, max_margin_loss, train

WINDOW = (-1.6, 2.6, -1.3, 1.7)  # what is shown of the plane: left, right, bottom, top
COLOURS = {
    "#": "#fbdcb2",
    ".": "#cfe6f1",
    1: "#c4521a",
    -1: "#1c6a8f",
}  # of the two sides, and of the points of each label


def moons(count, noise=0.1):
    """Given. `count` points of two moons, drawn at random, and their labels: a list of [x, y], and a list of 1 and -1.

    The upper moon comes first, with the label 1, then the lower one, with -1.
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


# --- Ext 5: the two moons -------------------------------------------------------------------------------------------------


def accuracy(model, xs, ys):
    """Ext 5. The share of the points that the model puts on the right side: a plain number from 0.0 to 1.0.

    `model(x)` is a Value, the score of the point x. A score above 0 says 1, one below 0 says -1, however far from 0 it is.

    >>> from engine import Value
    >>> accuracy(lambda x: Value(x[0]), [[3.0, 0.0], [0.1, 0.0], [-2.0, 0.0], [5.0, 0.0]], [1, 1, -1, -1])
    0.75
    """
    raise NotImplementedError("ext5: accuracy")


def train_moons(xs, ys):
    """Ext 5. Train a new network on these points. Return two things: the network, and its accuracy on these points.

    The network is an `MLP` of yours with two inputs and one output, as large as you like. How many steps? Nobody knows
    before. Train for some, print the loss, and go on until it is small; and give up some time, or you may wait for ever.

    Something that works: 16 neurons in one layer, "relu", and a "linear" output; `max_margin_loss`, batches of 10; rounds
    of 40 steps, with a rate that falls from 1.0 to 0.1 within 40 rounds (your `learning_rate`); an end when the mean loss
    of a round is below 0.02. Other ways are as good.

    The judge brings points of its own, 200 like those of `moons`, with the two labels the other way round: it must be
    learnt, not known. Then it reads your weights and finds the scores of 1000 new points by itself. 95 % of them must be
    right, after at most 20 seconds of processor time. Networks get stuck now and then; yours has two tries.
    """
    raise NotImplementedError("ext5: train_moons")


def boundary(model, window=WINDOW, columns=60, rows=21):
    """Ext 5. What the model says everywhere in the window: a list of `rows` strings with `columns` characters each.

    The window is (left, right, bottom, top). Cut it into equal cells, and ask the model in the centre of each: "#" where
    the score is above 0, "." where it is not. Where the one meets the other is the decision boundary.

    As on any map, x grows to the right and y grows upwards: the first string is the top row, where y is largest.

    >>> from engine import Value
    >>> boundary(lambda x: Value(x[1]), (0.0, 4.0, -1.0, 1.0), 4, 2)
    ['####', '....']
    """
    raise NotImplementedError("ext5: boundary")


def with_points(rows, xs, ys, window=WINDOW):
    """Ext 5. The rows of a picture once more, with the points on it: a new list of strings.

    An "O" takes the place of the character in whose cell a point with label 1 lies, an "x" that of a point with label -1.
    Points outside of the window are left out. (In Python `rows[-1]` is the last row, and no error.)

    >>> with_points(["....", "...."], [[0.5, 0.5], [3.5, -0.5], [9.0, 0.5]], [1, -1, 1], (0.0, 4.0, -1.0, 1.0))
    ['O...', '...x']
    """
    raise NotImplementedError("ext5: with_points")


def to_svg(rows, xs, ys, window=WINDOW):
    """Ext 5. The same as a picture for a web browser: the text of an SVG file. Nothing is written to a file here.

    SVG is text: one shape after the other, later ones on top of earlier ones. Lengths are plain numbers. This shows two
    rows of two characters, "#." over "..", and a point:

        <svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" shape-rendering="crispEdges">
        <rect x="0" y="0" width="10" height="10" fill="#fbdcb2"/>
        <rect x="10" y="0" width="10" height="10" fill="#cfe6f1"/>
        <rect x="0" y="10" width="10" height="10" fill="#cfe6f1"/>
        <rect x="10" y="10" width="10" height="10" fill="#cfe6f1"/>
        <circle cx="12.5" cy="3.1" r="3" fill="#c4521a"/>
        </svg>

    - Every character is a square of 10 by 10 in the colour of its side, `COLOURS["#"]` or `COLOURS["."]`.
    - Every point in the window is a circle in the colour of its label, where it lies exactly, not in the centre of a cell.
    - x and y of SVG are counted from the upper left corner. y grows *downwards*.
    - The colours may be others, if they are four. Without the `xmlns` a browser shows text.
    """
    raise NotImplementedError("ext5: to_svg")


# --- given: all of it at once ---------------------------------------------------------------------------------------------


def show(rows):
    """Given. Print the rows, in colour where a terminal shows it and NO_COLOR does not forbid it."""
    colours = {"#": "33", "O": "1;33", ".": "36", "x": "1;36"}
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR")
    for row in rows:
        print(
            row
            if plain
            else "".join(f"\033[{colours.get(sign, '0')}m{sign}\033[0m" for sign in row)
        )


def main():
    """Given. Train, tell, draw."""
    xs, ys = moons(200)
    model, share = train_moons(xs, ys)
    print(f"right: {share:.1%} of the {len(xs)} points that it was trained on, "
          f"{accuracy(model, *moons(1000)):.1%} of 1000 new ones")  # fmt: skip
    show(with_points(boundary(model), xs, ys))
    print("# and O: label 1, . and x: label -1")
    Path("two_moons.svg").write_text(
        to_svg(boundary(model, WINDOW, 84, 60), xs, ys), encoding="utf-8"
    )
    print("two_moons.svg shows it in more detail: open it in a web browser")


if __name__ == "__main__":
    main()
