"""What the command line says to a clumsy hand, in the wrong folder, and of files that are there."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from shlex import quote

import pytest

from support import EXAMPLE, kit_folder
from support.golden import unpacked
from support.story import Holds, Ran, Story, each, play

QUOTED = quote(str(EXAMPLE))
SOLUTIONS = quote(str(kit_folder("solutions")))

STORIES: dict[str, Story] = {
    "wrong usage is refused with a hint": [
        Ran(f"--at {SOLUTIONS} {words}", ["error: ", "hint: "], ["0/6", "6/6"], 2)
        for words in (
            *("phase9", "0", "4-1", "1-", "-", "''", "phase1,phase2", "1 phase9", "--nonsense"),
            *("1 --seed -1", "1 --seed many", "1 --seed 99999999999999999999"),
            *("1 --format xml", "1 --format", "1 --at"),
            *("1 --swap 9", "1 --swap all-but", "1 --swap 4-2"),
        )
    ],
    "the exit code says whether all checkpoints that were asked for pass": [
        Ran(f"phase1 --at {SOLUTIONS}", ["phase1"], code=0),
        Ran(f"phase1 --at {SOLUTIONS}/engine.py", ["phase1"], code=0),
        Ran(
            f"phase1 --at {quote(str(unpacked('submissions') / 'untouched_stubs'))}",
            ["phase1"],
            code=1,
        ),
    ],
    "a phase can be named in several ways": [
        Ran(f"{words} --at {SOLUTIONS}", ["phase1", "6/6"], ["phase2"], 0)
        for words in ("PHASE1", "1", "1-1", "phase1 1 phase1-phase1")
    ],
    "a typo gets the command that was meant": [
        Path("engine.py").touch,
        Ran("wach", ["'wach'", "did you mean grade watch?"], code=2),
        Ran("hnt", ["'hnt'", "did you mean grade hint?"], code=2),
        Ran("help", ["'help'", "grade --help"], code=2),
        Ran("phse4", ["'phse4'", "did you mean phase4?"], code=2),
        Ran("9", ["'9'", "the phases are phase1"], code=2),
        Ran("phase4.sed", ["'phase4.sed'", "did you mean phase4.seed?"], code=2),
        Ran("zzz", ["'zzz'", "the phases are phase1"], code=2),
        Path(".grade").mkdir,  # nothing was graded before
    ],
    "a missing argument leads to the command's own help": [
        Ran("reset", ["error: Missing argument 'PHASE'. hint: see grade reset --help"], code=2)
    ],
    **{
        f"in the wrong folder the hint names what to do: {file} in mine, seen from {here}": [
            partial(Path("mine/deep/er").mkdir, parents=True),
            Path("mine", file).touch,
            Ran("phase1", [told], code=2, folder=here),
        ]
        for here, file, told in (
            (".", "engine.py", "hint: cd mine"),
            ("mine/deep/er", "notes.txt", "grade init my-engine"),
            ("mine", "my engine.ipynb", 'grade all --at "my engine.ipynb"'),
        )
    },
    "without an engine in reach the command says where to go": [Ran("", ["--at PATH"], code=2)],
    "a folder with a space is quoted for the shell": [
        Ran("init 'my engine'", ['next: cd "my engine", then grade']),
        Ran("phase1", ['hint: cd "my engine"']),
    ],
    **{
        f"init overwrites nothing: {name}": [
            partial(Path(name).write_text, "mine"),
            Ran("init .", [name], code=2),
            Holds(name, ["mine"], ["\n"]),
            *(Path(other).mkdir for other in ("nn.py", "train.py")),  # nor writes another file
        ]
        for name in ("engine.py", "README.md", "two_moons.py")
    },
    "a path called json does not ask for JSON": [Ran("phase9 --at json", ["error: "], ["{"])],
    "a failing bonus does not change the exit code": [
        Ran(f"phase4 --at {quote(str(unpacked('submissions') / 'recursive_build_topo'))}", code=0)
    ],
    "a notebook is written once and never over anything": [
        Ran("notebook init", code=0),
        Holds("engine.ipynb", ["%grade phase1", "class Value"], ["GRADE_COURSE"]),
        partial(Path("gone.ipynb").symlink_to, "nowhere"),
        Ran("notebook init engine.ipynb", ["already exists"], code=2),
        Ran("notebook init gone.ipynb", ["already exists"], code=2),
        Ran("notebook init mine.py", ["did you mean mine.ipynb?"], code=2),
        Ran("notebook init no/folder.ipynb", ["cannot be written"], code=2),
        Ran(f"notebook init dual.ipynb --course {QUOTED}", code=0),
        Holds("dual.ipynb", [f"%env GRADE_COURSE={EXAMPLE}"]),
        Path("nowhere").mkdir,  # nothing was written through the link
    ],
}


@each(STORIES, "a failing bonus does not change the exit code")
def test_a_command_says_what_to_do(
    story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    play(story)
