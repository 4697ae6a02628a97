"""Reading a submission: what is handed in is taken as bytes, and whatever cannot be read is refused
with a reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import SubmissionError
from grader.intake.read import read_submission
from grader.intake.submission import File, Submission

NAMES = ("engine.py", "nn.py")


@pytest.mark.parametrize(
    ("name", "module"), [("my solution.txt", "engine"), ("nn.py", "nn"), ("doe_1_2_nn-1.py", "nn")]
)
def test_a_single_file_counts_as_the_one_it_is_named_after_or_the_first(
    tmp_path: Path, name: str, module: str
) -> None:
    (tmp_path / name).write_bytes(b"x")
    found = read_submission(str(tmp_path / name), NAMES)
    assert found.files == (File(module, str(tmp_path / name), b"x"),)


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


def test_the_hash_depends_on_names_and_contents_but_not_on_the_location() -> None:
    def digest(*files: tuple[str, str, bytes]) -> str:
        return Submission("here", tuple(File(*file) for file in files)).sha256

    one = digest(("engine", "a/engine.py", b"x"))
    others = (("nn", "", b"x"), ("engine", "", b"y"), ("engin", "", b"ex"))
    assert one == digest(("engine", "b/engine.py", b"x"))
    assert len({one, *map(digest, others)}) == 4
    assert digest(("a", "", b"b"), ("c", "", b"d")) != digest(("a", "", b"bc"), ("", "", b"d"))
