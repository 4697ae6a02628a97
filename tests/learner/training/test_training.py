"""`grade show`: the learner's own network is trained, what is seen of it, and what becomes of code
that does not get to the end.
"""

from __future__ import annotations

import io
import re
import signal
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from grader.boundary.pool import ProcessHost
from grader.errors import CannotRun
from grader.judge.recorder import Recorder
from grader.learner.own_code import session_at
from grader.learner.training import training
from grader.learner.training.image import to_svg
from grader.learner.training.text import print_picture
from grader.learner.training.training import Training, load_show
from support import hand_in, kit_folder, there
from support.grading import COURSE
from support.mistakes import edited

pytestmark = pytest.mark.slow

STAGE = next(stage for stage in COURSE.stages if stage.show.is_file())
GO = 12
FLAT = """
from engine import Value


class MLP:
    def __init__(self, nin, nouts, activation, output):
        self.weight = Value(1.0)

    def __call__(self, x):
        return self.weight * x[1]

    def parameters(self):
        return [self.weight]

    def zero_grad(self):
        self.weight.grad = 0.0
"""


def shown(home: Path, steps: int = GO, seed: int = 0) -> Training:
    with (
        session_at(COURSE, home, STAGE.file, ProcessHost()) as session,
        pytest.MonkeyPatch.context() as patch,
    ):
        recorder = Recorder(session, seed=seed)
        patch.setattr(training, "COLUMNS", 28)
        patch.setattr(training, "ROWS", 20)
        done = Training(load_show(COURSE, STAGE, recorder), recorder, steps)
        done.run(lambda _training: True)
        return done


@pytest.fixture(scope="module")
def picture() -> Training:
    return shown(kit_folder("solutions"), 6 * GO)


def printed(picture: Training, width: int = 80, encoding: str = "utf-8") -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding)  # raises for what it cannot write
    print_picture(picture, Console(file=stream, width=width, highlight=False, _environ={}))
    stream.seek(0)
    return stream.read()


# --- what is trained ---


def rows_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.fullmatch(r"[#.Ox]+", line)]


def test_the_boundary_is_that_of_this_network(tmp_path: Path, picture: Training) -> None:
    home = hand_in(edited(tmp_path, "nn.py"), FLAT, "nn.py")
    rows = [set(line) & set("#.") for line in rows_of(printed(shown(home)))]
    turn = rows.index({"."})
    assert rows == [{"#"}] * turn + [{"."}] * (len(rows) - turn)  # y grows upwards
    assert 0.5 < turn / len(rows) < 0.63  # 1.7 of 3.0 are above 0


# --- what does not get to the end ---


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        pytest.param(
            "p.data -= rate * p.grad",
            "p.data = float('nan')",
            r"after step \d+ the network gives (nan|-?inf): training has diverged",
            id="numbers that are none, which relu hides from the loss",
        ),
        pytest.param(
            "p.data -= rate",
            "p.data += rate",
            r"the loss of step \d+ is \d\.\d+e\+\d+: training has diverged",
            id="a loss that only grows",
        ),
        pytest.param(
            "    losses, waiting = [], []\n",
            "    losses, waiting = [], []\n"
            "    if rate(0) < 0.9:\n"
            "        raise RuntimeError('enough \\x1b[31m')\n",
            r"training, step \d+ to \d+ raises RuntimeError: enough \\x1b",
            id="an exception",
        ),
        pytest.param(
            "    return total.data\n",
            "    return total.data if rate > 0.9 else float('nan')\n",
            r"the loss of step \d+ is nan",
            id="a loss that is no number",
        ),
    ],
)
def test_training_that_does_not_get_to_the_end_says_why(
    before: str, after: str, told: str, tmp_path: Path
) -> None:
    picture = shown(edited(tmp_path, "train.py", (before, after)), 20 * GO)
    assert re.match(told, picture.ended)
    assert 0 < max(picture.losses) < training.HUGE
    assert "loss" in printed(picture)
    ET.fromstring(to_svg(picture))


def test_a_training_that_hangs_is_ended_and_its_losses_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SECONDS", 1.0)
    zero = "    model.zero_grad()\n"
    endless = (
        f"{zero}    while random.random() < 0.04:\n"
        "        random.seed(1)\n"
        "        while True: pass\n"
    )
    picture = shown(edited(tmp_path, "train.py", (zero, endless)), 20 * GO)
    assert "does not end" in picture.ended
    assert picture.losses
    assert (picture.grid, picture.right) == ([], None)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            "    return losses\n",
            "    return [str(loss) for loss in losses]\n",
            "expected 12 plain numbers as the loss",
        ),
        ("    return losses\n", "    return losses[1:]\n", "expected 12 plain numbers as the loss"),
        ("    return total.data\n", "    return total\n", "expected 12 plain numbers as the loss"),
        (
            "    losses, waiting = [], []\n",
            "    raise NotImplementedError('phase 8: train')\n",
            "phase 8: train is not written yet",
        ),
        ("import random\n", "import random random\n", "not valid Python"),
    ],
)
def test_training_that_cannot_begin_is_refused(
    before: str, after: str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(CannotRun, match=re.escape(told)):
        shown(edited(tmp_path, "train.py", (before, after)))


# --- what is seen ---


def test_it_is_drawn_in_ascii_with_the_upper_moon_above(picture: Training) -> None:
    text = printed(picture, 80, "ascii")
    assert set("#.Ox81") <= set(text)
    assert picture.summary in text
    upper, lower = (
        [row for row, line in enumerate(rows_of(text)) for _ in range(line.count(sign))]
        for sign in "Ox"
    )
    assert sum(upper) / len(upper) + 2 < sum(lower) / len(lower)


def test_the_svg_shows_the_map_the_points_and_a_loss_that_falls(picture: Training) -> None:
    svg, name = ET.fromstring(to_svg(picture)), "{http://www.w3.org/2000/svg}"
    assert len(svg.findall(f"{name}circle")) == len(picture.show.points)
    assert picture.summary in "".join(svg.itertext())
    (line,) = svg.findall(f"{name}polyline")
    heights = [float(pair.split(",")[1]) for pair in line.get("points", "").split()]
    assert heights[-1] > heights[0]  # a loss that falls: y grows downwards
    assert there(picture.right) >= 100
    assert len(svg.findall(f"{name}g/{name}rect")) > len(picture.grid)


# --- the command ---


def test_in_a_terminal_the_loss_is_seen_and_ctrl_c_ends_the_training(home: Path) -> None:
    from support.terminal import Terminal

    with closing(Terminal(home, 80, "watch", STAGE.id)) as terminal:
        terminal.talk(("phase8 passes.*p picture.*q quit", "p"), (r"step [1-9]\d*/\d+ loss \d", ""))
        terminal.process.send_signal(signal.SIGINT)
        text = terminal.talk(("on the right side.*stopped after", ""))
        assert "step" not in text.partition("\n")[0]
        terminal.quit("q quit")
