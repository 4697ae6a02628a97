"""Reading a submission: what is handed in is taken as bytes, and whatever cannot be read is refused
with a reason.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.errors import SubmissionError
from grader.intake.read import read_submission
from grader.intake.submission import MAX_BYTES, File, Submission
from support.start import descriptors

posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are none elsewhere")
NAMES = ("engine.py", "nn.py")


def test_a_folder_gives_only_the_files_of_the_course(tmp_path: Path) -> None:
    for name in ("nn.py", "engine.py", "wire.py", "notes.txt"):
        (tmp_path / name).write_text(name)
    found = read_submission(tmp_path, NAMES)
    assert [(file.module, file.shown, file.source) for file in found.files] == [
        ("engine", str(tmp_path / "engine.py"), b"engine.py"),
        ("nn", str(tmp_path / "nn.py"), b"nn.py"),
    ]
    assert found.origin == str(tmp_path)


@pytest.mark.parametrize(("name", "module"), [("my solution.txt", "engine"), ("nn.py", "nn")])
def test_a_single_file_counts_as_the_one_it_is_named_after_or_the_first(
    tmp_path: Path, name: str, module: str
) -> None:
    (tmp_path / name).write_bytes(b"x")
    found = read_submission(str(tmp_path / name), NAMES)
    assert found.files == (File(module, str(tmp_path / name), b"x"),)


def test_bytes_are_kept_unchanged(tmp_path: Path) -> None:
    source = b"\xef\xbb\xbf# \xff\x00\r\n\r"
    (tmp_path / "engine.py").write_bytes(source)
    assert read_submission(tmp_path, NAMES).files[0].source == source


def test_a_file_of_the_largest_size_is_accepted_and_a_larger_one_is_not(tmp_path: Path) -> None:
    file = tmp_path / "engine.py"
    file.write_bytes(b"#" * MAX_BYTES)
    assert len(read_submission(tmp_path, NAMES).files[0].source) == MAX_BYTES
    file.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(SubmissionError, match="larger than 256 KiB"):
        read_submission(tmp_path, NAMES)


def bind(file: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(file.name)  # in the current folder, because the name must be short


@posix
@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda file: file.symlink_to(__file__), "is a link"),
        (lambda file: file.symlink_to("nowhere"), "is a link"),
        (getattr(os, "mkfifo", Path.mkdir), "not a regular file"),
        (Path.mkdir, "not a regular file"),
        (bind, "not a regular file"),
    ],
)
def test_only_a_regular_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], object], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "engine.py")
    before = descriptors()
    for path in (tmp_path, tmp_path / "engine.py", tmp_path):
        if path == tmp_path or not path.is_dir():
            with pytest.raises(SubmissionError, match=why):
                read_submission(path, NAMES)
    assert descriptors() <= before


@posix
def test_a_device_is_refused() -> None:
    with pytest.raises(SubmissionError, match="not a regular file"):
        read_submission("/dev/zero", NAMES)


def test_an_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engine.py").touch()

    def forbidden(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("grader.intake.submission.os.open", forbidden)
    with pytest.raises(SubmissionError, match=r"cannot be read: Permission denied"):
        read_submission(tmp_path, NAMES)


@pytest.mark.parametrize(
    "path", ["nowhere", "nowhere/engine.py", "x" * 5000, "a\0b", "/dev/null/engine.py"]
)
def test_a_missing_path_is_refused(path: str) -> None:
    with pytest.raises(SubmissionError, match="no file or folder"):
        read_submission(path, NAMES)


def test_a_folder_without_any_file_of_the_course_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match=r"no engine\.py or nn\.py") as refused:
        read_submission(tmp_path, NAMES)
    assert refused.value.hint


@pytest.mark.skipif(sys.platform != "linux", reason="where names are bytes")
def test_a_path_that_is_not_utf8_is_shown_in_characters_that_every_report_allows(
    tmp_path: Path,
) -> None:
    folder = tmp_path / os.fsdecode(b"na\xefve")
    folder.mkdir()
    (folder / "engine.py").write_bytes(b"x = 1")
    found = read_submission(folder, NAMES)
    assert found.origin == f"{tmp_path}/na\\udcefve"
    assert found.files[0].shown == f"{tmp_path}/na\\udcefve/engine.py"
    assert found.files[0].source == b"x = 1"


def test_the_hash_depends_on_names_and_contents_but_not_on_the_location() -> None:
    def digest(*files: tuple[str, str, bytes]) -> str:
        return Submission("here", tuple(File(*file) for file in files)).sha256

    one = digest(("engine", "a/engine.py", b"x"))
    others = (("nn", "", b"x"), ("engine", "", b"y"), ("engin", "", b"ex"))
    assert one == digest(("engine", "b/engine.py", b"x"))
    assert len({one, *map(digest, others)}) == 4
    assert digest(("a", "", b"b"), ("c", "", b"d")) != digest(("a", "", b"bc"), ("", "", b"d"))


def test_the_hash_of_some_files_equals_that_of_a_submission_with_only_these() -> None:
    engine, nn = File("engine", "", b"x"), File("nn", "", b"y")
    both = Submission("here", (engine, nn))
    assert both.hash_of(["engine"]) == Submission("there", (engine,)).sha256
    assert both.hash_of(["nn", "engine"]) == both.sha256
