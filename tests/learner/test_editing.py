"""The learner's own file: edited function by function, saved first, never half written."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli.commands import COMMANDS
from grader.cli.streams import save
from grader.errors import SubmissionError
from grader.learner.editing import functions_in, is_stub, replace_functions, reset
from grader.learner.files import write_whole
from support import hand_in, kit_folder
from support.command import run
from support.grading import COURSE

PLAIN = b"""import math  # mine

class Value:
    '''Mine.'''
    x = 1

    def __add__(self, other):
        return 1  # the sum

    # about the product
    def __mul__(self, other): return 2

    @property
    def half(self):
        return self.data / 2


print("demo")
"""
STUB = b"    def __add__(self, other):\n        '''Add.'''\n        raise NotImplementedError\n"


@pytest.mark.parametrize(
    "change_of_form",
    [
        pytest.param(lambda s: s.replace(b"\n", b"\r\n"), id="Windows line ends"),
        pytest.param(lambda s: s.replace(b"    ", b"\t"), id="tabs"),
        pytest.param(lambda s: s.replace(b"    ", b"  "), id="two blanks"),
        pytest.param(lambda s: b"\xef\xbb\xbf" + s, id="byte order mark"),
        pytest.param(
            lambda s: b"# -*- coding: latin-1 -*-\n" + s.replace(b"mine", b"\xe9"), id="Latin 1"
        ),
        pytest.param(lambda s: s.replace(b'\n\nprint("demo")\n', b""), id="no line end at the end"),
    ],
)
def test_a_function_is_replaced_and_the_rest_stays_byte_for_byte(
    change_of_form: Callable[[bytes], bytes],
) -> None:
    source = change_of_form(PLAIN)
    edited = replace_functions(source, {"Value.__add__": STUB}, "engine.py")
    mine, theirs = (
        functions_in(text, "engine.py").pop("Value.__add__") for text in (source, edited)
    )
    assert is_stub(theirs)
    assert edited == source.replace(mine, theirs)
    assert (b"\r\n" in source) == (b"\r\n" in theirs)
    assert theirs.count(b"\n") == STUB.count(b"\n")


def test_missing_functions_come_at_the_end_of_their_class_or_file() -> None:
    power, free = STUB.replace(b"add", b"pow"), b"def free():\n    pass\n"
    edited = replace_functions(PLAIN, {"Value.__pow__": power, "free": free}, "engine.py")
    assert {*functions_in(edited, "engine.py")} == {
        *functions_in(PLAIN, "engine.py"),
        "Value.__pow__",
        "free",
    }
    assert edited.startswith(PLAIN.partition(b"\n\nprint")[0])


# --- saved, and back ---


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe")
def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    save(tmp_path / "pipe", b"x")
    assert os.read(reader, 10) == b"x"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()
    assert [entry.name for entry in tmp_path.iterdir()] == ["pipe"]


def test_a_file_keeps_its_permissions_and_a_new_one_gets_the_usual_ones(tmp_path: Path) -> None:
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_bytes(b"")
    usual = old.stat().st_mode
    old.chmod(0o640)
    for file in (old, new):
        write_whole(file, b"x = 1\n")
    assert (old.stat().st_mode & 0o777, new.stat().st_mode) == (0o640, usual)


# --- a folder to begin with ---


def test_a_new_folder_has_the_exercises_and_gives_nothing_away(tmp_path: Path) -> None:
    assert run("init", "mine", cwd=tmp_path).returncode == 0
    found = {file.name: file.read_bytes() for file in (tmp_path / "mine").iterdir()}
    readme = found.pop("README.md").decode()
    assert found == {file: (kit_folder("exercises") / file).read_bytes() for file in COURSE.files}
    listed = re.findall(r"(?m)^    grade (\S+)", readme)
    assert {"hint"} < set(listed) <= {*COMMANDS, *(stage.id for stage in COURSE.stages)}


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
@pytest.mark.parametrize("inside", [(), ("saved",)], ids=str)
def test_nothing_is_saved_through_a_link(inside: tuple[str, ...], tmp_path: Path) -> None:
    home, victim = hand_in(tmp_path / "home", "class Value: ...\n"), tmp_path / "victim"
    victim.mkdir()
    link = home.joinpath(".grade", *inside)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(victim)
    with pytest.raises(SubmissionError, match="is a link"):
        reset(COURSE, home, COURSE.stage("phase1"))
    assert list(victim.iterdir()) == []
    assert (home / "engine.py").read_bytes() == b"class Value: ...\n"
