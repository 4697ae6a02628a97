"""`grade show`: the learner's own network is trained, what is seen of it, and what becomes of code
that does not get to the end.
"""

from __future__ import annotations

import io
import re
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from grader.boundary.pool import ProcessHost
from grader.cli.screen import waiting
from grader.curriculum.load import load_course
from grader.judge.recorder import Recorder
from grader.learner.own_code import session_at
from grader.learner.training import training
from grader.learner.training.image import to_svg
from grader.learner.training.picture import COLUMNS, ROWS, Picture
from grader.learner.training.text import print_picture
from grader.learner.training.training import NotTrained, Training, load_show, paint, train
from support import ROOT, kit_folder
from support.command import run

pytestmark = pytest.mark.slow

COURSE = load_course()
STAGE = next(stage for stage in COURSE.stages if stage.shows)
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


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A learner's folder with everything finished."""
    return Path(
        shutil.copytree(kit_folder("solutions"), tmp_path_factory.mktemp("learner") / "work")
    )


@pytest.fixture
def broken(tmp_path: Path) -> Callable[..., Path]:
    """A learner's folder with one place changed."""

    def change(before: str, after: str, file: str = "train.py") -> Path:
        folder = Path(shutil.copytree(kit_folder("solutions"), tmp_path / "broken"))
        source = (folder / file).read_text(encoding="utf-8")
        assert before in source
        (folder / file).write_text(source.replace(before, after, 1), encoding="utf-8")
        return folder

    return change


def shown(home: Path, steps: int = GO, seed: int = 0) -> tuple[Picture, Training]:
    with (
        ProcessHost() as host,
        session_at(COURSE, home, STAGE.file, host) as session,
        pytest.MonkeyPatch.context() as patch,
    ):
        recorder = Recorder(session, STAGE.module, seed=seed)
        patch.setattr(training, "COLUMNS", 28)
        patch.setattr(training, "ROWS", 20)
        show = load_show(COURSE, STAGE, recorder)
        done = train(show, recorder, steps, lambda _training: True)
        return paint(show, recorder, done), done


@pytest.fixture(scope="module")
def picture(home: Path) -> Picture:
    return shown(home, 6 * GO)[0]


def printed(picture: Picture, width: int = 80, **options: object) -> str:
    console = Console(
        file=io.StringIO(),
        width=width,
        highlight=False,
        _environ={},
        **options,  # type: ignore[arg-type]
    )
    print_picture(picture, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


# --- what is trained ---


def test_the_loss_falls_and_the_points_come_to_their_sides(picture: Picture) -> None:
    assert len(picture.losses) == 6 * GO
    assert sum(picture.losses[-GO:]) < 0.7 * sum(picture.losses[:GO])
    assert picture.right is not None
    assert picture.right >= 100


def test_the_boundary_is_that_of_this_network(
    broken: Callable[..., Path], picture: Picture
) -> None:
    folder = broken("import random", "import random")
    (folder / "nn.py").write_text(FLAT, encoding="utf-8")
    picture_of_flat, _ = shown(folder)
    letters = printed(picture_of_flat).splitlines()
    rows = [set(line) & set("#.") for line in letters if re.fullmatch(r"[#.Ox]+", line)]
    turn = rows.index({"."})
    assert rows == [{"#"}] * turn + [{"."}] * (len(rows) - turn)  # y grows upwards
    assert 0.5 < turn / len(rows) < 0.63  # 1.7 of 3.0 are above 0
    assert printed(picture).splitlines()[: len(rows)] != letters[: len(rows)]


def test_other_weights_other_boundary_and_the_same_once_more(home: Path) -> None:
    first, again, other = (shown(home, GO, seed)[0] for seed in (3, 3, 4))
    assert first == again
    assert first.grid != other.grid


# --- what does not get to the end ---


def test_training_that_diverges_is_reported_with_the_step(broken: Callable[..., Path]) -> None:
    folder = broken("p.data -= rate * p.grad", "p.data = float('nan')")
    picture, done = shown(folder, 3 * GO)
    # its relu makes 0 of nan
    assert re.match(
        r"after step \d+ the network gives (nan|-?inf): training has diverged", done.ended
    )
    source = (folder / "engine.py").read_text(encoding="utf-8")
    (folder / "engine.py").write_text(
        source.replace("self.data if self.data > 0 else 0.0", "(self.data + abs(self.data)) / 2"),
        encoding="utf-8",
    )
    assert "abs" in (folder / "engine.py").read_text(encoding="utf-8")
    picture, done = shown(folder, 3 * GO)
    found = re.match(r"the loss of step (\d+) is (nan|inf)", done.ended)
    assert found is not None
    assert len(picture.losses) == int(found[1]) - 1
    assert picture.right is None
    assert "#" not in printed(picture)  # there is no boundary where scores are no numbers
    assert picture.losses
    to_svg(picture)


def test_a_training_that_hangs_is_ended_and_its_losses_are_shown(
    broken: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SECONDS", 1.0)
    picture, done = shown(
        broken(
            "    model.zero_grad()\n",
            "    model.zero_grad()\n"
            "    while random.random() < 0.04:\n"
            "        random.seed(1)\n"
            "        while True: pass\n",
        ),
        20 * GO,
    )
    assert "does not end" in done.ended
    assert done.losses
    assert len(done.losses) % GO == 0
    assert picture.grid == ()
    assert picture.right is None


def test_a_loss_that_only_grows_has_diverged_too(broken: Callable[..., Path]) -> None:
    picture, done = shown(broken("p.data -= rate", "p.data += rate"), 20 * GO)
    assert re.match(r"the loss of step \d+ is \d\.\d+e\+\d+: training has diverged", done.ended)
    assert max(picture.losses) < training.HUGE


def test_a_network_is_drawn_as_it_was_when_its_training_raised(broken: Callable[..., Path]) -> None:
    folder = broken(
        "    losses, waiting = [], []\n",
        "    losses, waiting = [], []\n"
        "    if rate(0) < 0.9:\n"
        "        raise RuntimeError('enough \\x1b[31m')\n",
    )
    picture, done = shown(folder, 3 * GO)
    assert re.match(r"training, step 1\d to \d\d raises RuntimeError: enough \\x1b", done.ended)
    assert picture.grid
    assert picture.losses


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
            "not written yet: phase 8: train",
        ),
        ("import random\n", "import random random\n", "not valid Python"),
    ],
)
def test_training_that_cannot_begin_is_refused(
    broken: Callable[..., Path], before: str, after: str, told: str
) -> None:
    with pytest.raises(NotTrained, match=re.escape(told)):
        shown(broken(before, after))


# --- what is seen ---


@pytest.mark.parametrize("width", [40, 80, 200])
def test_it_fits_the_screen(picture: Picture, width: int) -> None:
    picture = replace(picture, grid=((1.0,) * COLUMNS,) * ROWS)
    lines = printed(picture, width).splitlines()
    assert max(map(len, lines)) <= width
    assert len(lines) < 24
    assert any("█" in line and "▁" in line for line in lines)


def test_it_is_drawn_in_ascii_if_need_be(picture: Picture) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")  # raises for anything else
    print_picture(picture, Console(file=stream, width=80, highlight=False, _environ={}))
    stream.seek(0)
    text = stream.read()
    for sign in "#.Ox81":
        assert sign in text
    assert picture.summary in text


def test_the_upper_moon_is_above(picture: Picture) -> None:
    rows = [line for line in printed(picture).splitlines() if re.fullmatch(r"[#.Ox]+", line)]
    upper, lower = (
        [row for row, line in enumerate(rows) for _ in range(line.count(sign))] for sign in "Ox"
    )
    assert sum(upper) / len(upper) + 2 < sum(lower) / len(lower)


def test_the_svg_shows_the_map_the_points_and_a_loss_that_falls(picture: Picture) -> None:
    svg = ET.fromstring(to_svg(picture))
    name = "{http://www.w3.org/2000/svg}"
    assert len(svg.findall(f"{name}circle")) == len(picture.points)
    line = svg.find(f"{name}polyline")
    assert line is not None
    heights = [float(pair.split(",")[1]) for pair in line.get("points", "").split()]
    assert heights[-1] > heights[0]  # a loss that falls: y grows downwards
    assert picture.summary in "".join(svg.itertext())
    cells = svg.findall(f"{name}g/{name}rect")
    colours = [tuple(bytes.fromhex(cell.get("fill", "")[1:])) for cell in cells]
    assert colours[0][0] > colours[0][2]  # orange in the upper left corner, blue in the lower right
    assert colours[-1][0] < colours[-1][2]
    covered = sum(float(cell.get("width", "0")) * float(cell.get("height", "0")) for cell in cells)
    assert covered == pytest.approx(640 * round(640 * 3.0 / 4.2), rel=1e-2)


# --- the command ---


@pytest.mark.usefixtures("nothing_left")
def test_the_command_in_a_pipe(home: Path, tmp_path: Path) -> None:
    done = run("show", "--at", str(home), "--steps", "6", "--save", str(tmp_path / "moons.svg"))
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr
    assert "points on the right side" in done.stdout
    assert done.stderr.splitlines() == [f"the picture is in {tmp_path / 'moons.svg'}"]
    ET.parse(tmp_path / "moons.svg")


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (["--at", str(kit_folder("exercises"))], 1, "not written yet: phase 7"),
        (["--at", str(kit_folder("solutions")), "--save", "moons.gif"], 2, "must end in .svg"),
        (
            ["--at", str(kit_folder("solutions")), "--save", "nowhere/moons.svg"],
            2,
            "folder does not exist",
        ),
        (["--at", str(kit_folder("solutions") / "engine.py")], 2, f"there is no {STAGE.file}"),
        (["phase1", "--at", str(kit_folder("solutions"))], 2, "has nothing to show"),
        (
            ["--course", str(ROOT / "examples" / "dual-numbers")],
            2,
            "this course has nothing to show",
        ),
    ],
)
def test_show_refuses_wrong_options(args: list[str], code: int, told: str) -> None:
    done = run("show", *args)
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr


def test_in_a_terminal_the_loss_is_seen_and_ctrl_c_ends_the_training(home: Path) -> None:
    from support.terminal import WAIT, Terminal

    terminal = Terminal(home, 80, "watch", STAGE.id)
    try:
        assert "p trains" in terminal.until(lambda text: "q quit" in text)
        terminal.press("p")
        terminal.until(
            lambda text: re.search(r"step [1-9]\d*/\d+ loss \d.*% right", text) is not None
        )
        terminal.process.send_signal(signal.SIGINT)
        text = terminal.until(lambda text: "stopped after" in text)
        assert "on the right side" in text
        assert "% right" not in text  # the line has gone
        terminal.press("q")
        assert terminal.process.wait(WAIT) == 0
    finally:
        terminal.close()


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_grading_names_the_running_check_only_in_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with waiting() as tell:
        assert tell is None
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", Screen())
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    with waiting(wanted=False) as tell:
        assert tell is None
    with waiting() as tell:
        assert tell is not None
        tell("a long check")
    assert "a long check" in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[2K")
