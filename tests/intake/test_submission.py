"""Reading a submission: what is handed in is taken as bytes, and whatever cannot be read is refused
with a reason.
"""

from __future__ import annotations

import os
import socket
import sys
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


def test_a_missing_file_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "nn.py").touch()
    found = read_submission(tmp_path, NAMES)
    assert found.module("engine") is None
    assert found.module("nn") == File("nn", str(tmp_path / "nn.py"), b"")


def test_a_single_file_with_any_name_counts_as_the_first(tmp_path: Path) -> None:
    file = tmp_path / "my solution.txt"
    file.write_bytes(b"x")
    assert read_submission(str(file), NAMES).files == (File("engine", str(file), b"x"),)


def test_a_single_file_with_the_name_of_another_counts_as_that_one(tmp_path: Path) -> None:
    file = tmp_path / "nn.py"
    file.write_bytes(b"x")
    assert read_submission(file, NAMES).files == (File("nn", str(file), b"x"),)


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


@posix
def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "engine.py").symlink_to(tmp_path / "secret")
    for path in (tmp_path, tmp_path / "engine.py"):
        with pytest.raises(SubmissionError, match="is a link"):
            read_submission(path, NAMES)


@posix
def test_a_broken_link_counts_as_a_link_and_not_as_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "engine.py").symlink_to("nowhere")
    with pytest.raises(SubmissionError, match="is a link"):
        read_submission(tmp_path, NAMES)


@posix
def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "engine.py")
    with pytest.raises(SubmissionError, match="not a regular file"):
        read_submission(tmp_path, NAMES)


@posix
def test_a_folder_with_the_name_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "engine.py").mkdir()
    with pytest.raises(SubmissionError, match="not a regular file"):
        read_submission(tmp_path, NAMES)


@posix
def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("engine.py")
        with pytest.raises(SubmissionError, match="not a regular file"):
            read_submission(tmp_path, NAMES)


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


@posix
def test_every_file_is_closed(tmp_path: Path) -> None:
    (tmp_path / "engine.py").mkdir()
    before = descriptors()
    for _ in range(3):
        with pytest.raises(SubmissionError):
            read_submission(tmp_path, NAMES)
    assert descriptors() <= before


def test_the_hash_depends_on_names_and_contents_but_not_on_the_location() -> None:
    def digest(*files: tuple[str, str, bytes]) -> str:
        return Submission("here", tuple(File(*file) for file in files)).sha256

    one = digest(("engine", "a/engine.py", b"x"))
    assert one == digest(("engine", "b/engine.py", b"x"))
    assert (
        len(
            {
                one,
                digest(("nn", "a/nn.py", b"x")),
                digest(("engine", "a/engine.py", b"y")),
                digest(("engin", "", b"ex")),
            }
        )
        == 4
    )
    assert digest(("a", "", b"b"), ("c", "", b"d")) != digest(("a", "", b"bc"), ("", "", b"d"))


def test_the_hash_of_some_files_equals_that_of_a_submission_with_only_these() -> None:
    engine, nn = File("engine", "", b"x"), File("nn", "", b"y")
    both = Submission("here", (engine, nn))
    assert both.hash_of(["engine"]) == Submission("there", (engine,)).sha256
    assert both.hash_of(["nn", "engine"]) == both.sha256
