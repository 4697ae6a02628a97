"""Every form of a submission: folders as they are, archives of all kinds, and everything that must
be refused with a reason.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import shutil
import signal
import stat
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.boundary.transport import Gone, Transport
from grader.errors import InternalError, SubmissionError
from grader.intake import read as handed_in
from grader.intake import reader_client as opening
from grader.intake.choose import choose
from grader.intake.read import read_submission
from grader.intake.submission import MAX_BYTES, Submission
from grader.model import Fault, Kind
from grader.worker import protocol
from support import put, zipped
from support.fake import Scripted
from support.grading import grade

NAMES = ("engine.py", "nn.py")
posix = pytest.mark.skipif(os.name != "posix", reason="there are none elsewhere")


def refuse_to_start() -> Transport:
    raise AssertionError("a process was started for a plain file")


def written(
    folder: Path, others: Mapping[str, bytes | str] | None = None, **files: bytes | str
) -> Path:
    return put(folder, {f"{name}.py": text for name, text in {**files, **(others or {})}.items()})


def modules(found: Submission) -> dict[str, bytes]:
    return {file.module: file.source for file in found.files}


# --- folders ---


LIMIT = "only 32 helpers are read"
HELPERS = {f"h{number}": "" for number in range(10, 56)}


@pytest.mark.parametrize(
    ("files", "expected", "notes"),
    [
        (
            {
                "hw/engine": "import h",
                "hw/h": "y",
                "__MACOSX/hw/engine": "no",
                "hw/deeper/nn": "no",
            },
            "engine h",
            [],
        ),
        (
            {"doe_123_456_engine": "import h", "doe_123_457_h": "y"},
            "engine h",
            ["'doe_123_456_engine.py' is graded as engine.py"],
        ),
        (
            {"mygrad": "x", "test_mygrad": "no"},
            "engine",
            ["'mygrad.py' is graded because it is the only candidate in the folder"],
        ),
        (
            {"engine": "from a import f\n# import b", "a": "import c", "b": "", "c": ""},
            "engine a c",
            [],
        ),
        (
            {
                "engine": "import m.ops\nimport s.one",
                "m/__init__": "",
                "m/ops": "",
                "m/x/no": "",
                "s/one": "",
            },
            "engine m m.ops m.x m.x.no s s.one",
            [],
        ),
        (
            {"engine": "import sys\nsys.path.append('lib')\nimport h", "lib/h": "", "lib/no": ""},
            "engine h",
            [],
        ),
        (
            {
                "engine": "import random, math",
                "random": "exit()",
                "math": "exit()",
                "json": "exit()",
            },
            "engine math random",
            [],
        ),
        (
            {"engine": "import " + ", ".join(HELPERS), **HELPERS},
            "engine " + " ".join([*HELPERS][:32]),
            [
                *(f"'h{number}' is skipped, because {LIMIT}" for number in range(42, 50)),
                "6 more modules are skipped",
            ],
        ),
    ],
)
def test_a_folder_is_read_with_the_helpers_that_it_imports(
    tmp_path: Path, files: dict[str, bytes | str], expected: str, notes: list[str]
) -> None:
    found = read_submission(written(tmp_path, files), NAMES, refuse_to_start)
    assert {*modules(found)} == {*expected.split()}
    assert sorted(found.notes) == sorted(notes)
    assert all(
        file.role == ("course" if file.module == "engine" else "helper") for file in found.files
    )
    assert all(file.shown.startswith(str(tmp_path)) or not file.source for file in found.files)


@posix
def test_a_file_whose_name_has_backslashes_is_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "hw\\engine.py").write_bytes(b"x")
    assert modules(read_submission(tmp_path, NAMES)) == {"engine": b"x"}


def test_ambiguity_lists_the_candidates(tmp_path: Path) -> None:
    written(tmp_path, {f"student{number}/engine": "x" for number in range(20)})
    with pytest.raises(
        SubmissionError, match=r"not clear .*'student0/engine.py' or .* or 12 more"
    ) as refused:
        read_submission(tmp_path, NAMES)
    assert refused.value.exit_code == 2
    assert refused.value.hint == "hand in only one of them, called engine.py"


@posix
def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    written(tmp_path / "elsewhere", engine="secret")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "hw").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SubmissionError, match=r"no engine\.py"):
        read_submission(tmp_path / "here", NAMES)


@posix
def test_a_folder_that_has_become_a_link_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "elsewhere", engine="secret")
    written(tmp_path / "here", {"hw/engine": "x"})

    def swap(*args: Any) -> Any:
        (tmp_path / "here" / "hw").rename(tmp_path / "before")
        (tmp_path / "here" / "hw").symlink_to(tmp_path / "elsewhere")
        return choose(*args)

    monkeypatch.setattr("grader.intake.read.choose", swap)
    with pytest.raises(SubmissionError, match="is a link"):
        read_submission(tmp_path / "here", NAMES)


@posix
def test_the_path_that_somebody_typed_may_be_a_link_to_a_folder(tmp_path: Path) -> None:
    written(tmp_path / "mine", {"hw/engine": "x"})
    (tmp_path / "link").symlink_to("mine")
    assert modules(read_submission(tmp_path / "link", NAMES)) == {"engine": b"x"}
    assert modules(read_submission(tmp_path / "link" / "hw" / "engine.py", NAMES)) == {
        "engine": b"x"
    }


def test_a_folder_of_thousands_is_not_searched_and_a_note_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handed_in, "_MAX_ENTRIES", 20)
    written(
        tmp_path,
        {f"data/n{number}": "" for number in range(30)},
        engine="import helpers",
        helpers="",
    )
    found = read_submission(tmp_path, NAMES)
    assert set(modules(found)) == {"engine", "helpers"}, "the folder itself has but a few"
    written(tmp_path, {f"n{number}": "" for number in range(30)})
    found = read_submission(tmp_path, NAMES)
    assert set(modules(found)) == {"engine"}
    assert "is not searched, because there are more than 20 files" in found.notes[0]


# --- helpers ---


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("import a, helper as h", True),
        ("    from helper.ops import f", True),
        ("from . import helper  # mine", True),
        ("try: import helper", True),
        ("x = 1  # import helper", False),
        ("import helpers", False),
        ("helper = 1", False),
        ("import a  # helper", False),
        ("important helper", False),
    ],
)
def test_a_helper_is_one_that_an_import_names(tmp_path: Path, line: str, taken: bool) -> None:
    written(tmp_path, engine=f"x = 1\r\n{line}\r\n", helper="")
    assert ("helper" in modules(read_submission(tmp_path, NAMES))) is taken


PACKAGE = {
    "__init__.py": "from .engine import Value",
    "engine.py": "",
    "nn.py": "from mine.engine import Value\nfrom . import tools",
    "tools.py": "",
    "other.py": "",
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("folder", ["", "mine/", "mine-main/"])
def test_a_package_is_read_whatever_it_is_called(
    tmp_path: Path, folder: str, *, packed: bool
) -> None:
    files = {folder + name: text for name, text in PACKAGE.items()} | {"train.py": ""}
    where = put(tmp_path / "in", files)
    if packed:
        where = Path(shutil.make_archive(str(tmp_path / "mine"), "zip", where))
    read = {"engine", "nn", "train", "tools", "__init__"}
    inside = {"mine", *(f"mine.{name}" for name in ("engine", "nn", "tools", "other"))}
    assert {*modules(read_submission(where, ["engine.py", "nn.py", "train.py"]))} == read | (
        inside if folder == "mine/" else set()
    )


def test_a_renamed_file_is_one_module_under_both_names(tmp_path: Path) -> None:
    written(tmp_path, my_engine="class Value: pass", nn="from my_engine import Value")
    found = modules(read_submission(tmp_path, NAMES))
    assert found["engine"] == b"class Value: pass"
    assert b"__init__.engine" in found["my_engine"]


def test_helpers_change_the_hash_of_every_phase(tmp_path: Path) -> None:
    written(tmp_path, engine="import helpers", nn="", helpers="x = 1")
    before = read_submission(tmp_path, NAMES)
    written(tmp_path, helpers="x = 2")
    after = read_submission(tmp_path, NAMES)
    for chosen in (["engine"], ["nn"]):
        assert before.hash_of(chosen) != after.hash_of(chosen)


def test_beside_a_single_file_nothing_is_read(tmp_path: Path) -> None:
    written(tmp_path, engine="import roe_1_2_engine", roe_1_2_engine="somebody else's")
    assert set(modules(read_submission(tmp_path / "engine.py", NAMES))) == {"engine"}


# --- archives ---


def tarred(*members: tuple[str | tarfile.TarInfo, bytes], mode: str = "w:gz") -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in members:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def entry(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def forged(at: int, value: int) -> bytes:
    """A zip with a changed byte in its file's header and in the list of its members."""
    data = bytearray(zipped(("engine.py", CODE)))
    for mark, offset in ((b"PK\3\4", at), (b"PK\1\2", at + 2)):
        data[data.index(mark) + offset] = value
    return bytes(data)


CODE = b"".join(b"x%d = 1\n" % number for number in range(500))
WHOLE = zipped(("engine.py", CODE))


MAC = (
    ("hw/engine.py", b"x"),
    ("__MACOSX/hw/._engine.py", b"no"),
    ("hw/._engine.py", b"no"),
    ("hw/.DS_Store", b"no"),
    ("hw/nn.py", b"y"),
)
ARCHIVES = {
    "hw.zip": zipped(("engine.py", b"x"), ("nn.py", b"y")),
    "mac.zip": zipped(*MAC),
    "windows.zip": zipped(("hw\\engine.py", b"x"), ("hw\\nn.py", b"y"), ("hw\\", b"")),
    "case.ZIP": zipped(("Engine.py", b"x"), ("NN.py", b"y")),
    "canvas.zip": zipped(("doe_12_34_engine-1.py", b"x"), ("doe_12_35_nn.py", b"y")),
    "dots.zip": zipped(("./hw/./engine.py", b"x"), ("./hw/nn.py", b"y")),
    "top.zip": zipped(("hw/src/mine/engine.py", b"x"), ("hw/src/mine/nn.py", b"y")),
    "hw.tar": tarred(*MAC, mode="w"),
    "hw.tgz": tarred(*MAC),
    "hw.tar.bz2": tarred(*MAC, mode="w:bz2"),
    "hw.tar.xz": tarred(*MAC, mode="w:xz"),
    "dots.tar": tarred(("./engine.py", b"x"), ("./nn.py", b"y"), mode="w"),
    "download": zipped(("engine.py", b"x"), ("nn.py", b"y")),
    "download2": tarred(("engine.py", b"x"), ("nn.py", b"y"), mode="w"),
    "self-extracting.zip": b"#!/bin/sh\n" + zipped(("engine.py", b"x"), ("nn.py", b"y")),
    "other-evil.zip": zipped(
        ("engine.py", b"x"),
        ("nn.py", b"y"),
        ("../../etc/evil.py", b"no"),
        ("/abs.py", b"no"),
        ("C:\\x.py", b"no"),
    ),
    "other-link.tgz": tarred(
        ("engine.py", b"x"),
        ("nn.py", b"y"),
        (special("data.py", tarfile.SYMTYPE, "/etc/passwd"), b""),
    ),
    "video.zip": zipped(
        ("engine.py", b"x"), ("nn.py", b"y"), ("demo.mp4", os.urandom(1 << 20) * 20)
    ),
    "large-neighbour.zip": zipped(
        ("engine.py", b"x"), ("nn.py", b"y"), ("data.py", b"0" * (30 << 20))
    ),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_archives_are_read_as_students_hand_them_in(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(ARCHIVES[name])
    found = read_submission(tmp_path / name, NAMES)
    assert modules(found) == {"engine": b"x", "nn": b"y"}
    assert found.origin == str(tmp_path / name)
    assert list(tmp_path.iterdir()) == [tmp_path / name]
    evil = ("../../etc/evil.py", "/abs.py", "C:\\x.py") if "evil" in name else ()
    skipped = [note for note in found.notes if "leads out of the archive" in note]
    assert skipped == [f"{name!r} is skipped, because it leads out of the archive" for name in evil]


BAD = {
    "traversal.zip": (
        zipped(("../engine.py", b"x")),
        r"no engine\.py .*'\.\./engine\.py' is skipped, because it leads out",
    ),
    "traversal.tgz": (
        tarred(("hw/../../engine.py", b"x")),
        r"no engine\.py .*is skipped, because it leads out",
    ),
    "absolute.zip": (zipped(("/engine.py", b"x")), r"no engine\.py .*'/engine\.py' is skipped"),
    "windows.zip": (zipped(("C:\\hw\\engine.py", b"x")), r"no engine\.py .*is skipped"),
    "link.zip": (
        zipped((entry("engine.py", stat.S_IFLNK | 0o777), b"/etc/passwd")),
        r"'engine\.py' in .* is not a regular file",
    ),
    "device.zip": (
        zipped((entry("engine.py", stat.S_IFCHR | 0o666), b"")),
        r"'engine\.py' in .* is not a regular file",
    ),
    "symlink.tgz": (
        tarred((special("engine.py", tarfile.SYMTYPE, "/etc/passwd"), b"")),
        r"'engine\.py' in .* is not a regular file",
    ),
    "hardlink.tgz": (
        tarred((special("engine.py", tarfile.LNKTYPE, "/etc/passwd"), b"")),
        r"'engine\.py' in .* is not a regular file",
    ),
    "device.tgz": (
        tarred((special("engine.py", tarfile.CHRTYPE), b"")),
        r"'engine\.py' in .* is not a regular file",
    ),
    "pipe.tgz": (
        tarred((special("engine.py", tarfile.FIFOTYPE), b"")),
        r"'engine\.py' in .* is not a regular file",
    ),
    "twice.tgz": (
        tarred(("engine.py", b"x"), ("./engine.py", b"y")),
        r"'\./engine\.py' in .* occurs more than once",
    ),
    "twice.zip": (
        zipped(("hw/engine.py", b"x"), ("hw\\engine.py", b"y")),
        r"engine\.py' in .* occurs more than once",
    ),
    "encrypted.zip": (forged(6, 1), r"'engine\.py' in .* is encrypted"),
    "bomb.zip": (zipped(("engine.py", b"0" * (64 << 20))), r"engine\.py' is larger than 256 KiB"),
    "bomb.ipynb.zip": (zipped(("mine.ipynb", b" " * (20 << 20))), r"is larger than 16 MiB"),
    "folders.zip": (
        zipped(*((f"env/m{number}.py", b"") for number in range(2_001)), ("engine.py", b"x")),
        r"more than 2000 code files",
    ),
    "modules.zip": (
        zipped(*((f"m{number}.py", b"") for number in range(2_001))),
        r"more than 2000 code files",
    ),
    "nested.zip": (
        zipped(("inner.zip", zipped(("engine.py", b"x")))),
        r"inner\.zip' is an archive inside an archive",
    ),
    "hidden.zip": (
        zipped(("mine.py", zipped(("engine.py", b"x")))),
        r"mine\.py' is an archive inside an archive",
    ),
    "several.zip": (zipped(("a.py", b""), ("b.py", b"")), r"not clear .*'a\.py' or 'b\.py'"),
    "nothing.zip": (zipped(("README.md", b"")), r"no engine\.py or nn\.py in the archive"),
    "empty.zip": (zipped(), r"no engine\.py or nn\.py in the archive"),
    "empty.tar": (b"", r"may be damaged"),
    "text.zip": (b"this is no zip", r"may be damaged"),
    "cut.zip": (ARCHIVES["hw.zip"][:-30], r"may be damaged"),
    "cut.tgz": (ARCHIVES["hw.tgz"][:-30], r"may be damaged"),
    "inside.zip": (WHOLE[:90] + b"\0\0\0" + WHOLE[93:], r"engine\.py' cannot be read"),
    "method.zip": (forged(8, 0x63), r"engine\.py' cannot be read"),
    "text.tar": (b"hello" * 500, r"may be damaged"),
    "cut.tar.gz": (gzip.compress(CODE, mtime=0)[:40], r"may be damaged"),
    "text.tar.gz": (b"\x1f\x8bhello", r"may be damaged"),
    "cut.tar.xz": (lzma.compress(CODE)[:60], r"may be damaged"),
    "hw.rar": (b"Rar!\x1a\x07\x01\x00", r"is a RAR archive, not Python"),
    "hw.pdf": (b"%PDF-1.7", r"is a PDF document, not Python"),
    "large.zip": (b"PK" + b"0" * (65 << 20), r"is larger than 64 MiB"),
}


def _crowd(folder: str) -> list[tuple[str, bytes]]:
    return [(f"{folder}/m{number}.py", b"no") for number in range(2_400)]


PRUNED = {
    "venv": [*_crowd("hw/venv/lib/python3.13/site-packages/pip"), ("hw/venv/setup.py", b"no")],
    ".venv": [("hw/.venv/pyvenv.cfg", b""), *_crowd("hw/.venv/bin")],
    "site-packages": _crowd("hw\\env\\Lib\\site-packages"),
    "node_modules": [*_crowd("hw/node_modules"), ("hw/__pycache__/engine.py", b"no")],
    ".git": _crowd("hw/.git/hooks"),
    "": [*_crowd("hw/a/b/c/d"), *_crowd("hw/__pycache__")],
}


@pytest.mark.parametrize("folder", PRUNED)
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_folders_of_tools_are_skipped_with_one_note(
    tmp_path: Path, folder: str, pack: Callable[..., bytes]
) -> None:
    members = (("hw/engine.py", b"x"), ("hw/nn.py", b"y"), *PRUNED[folder])
    (tmp_path / "hw.zip").write_bytes(pack(*members))
    found = read_submission(tmp_path / "hw.zip", NAMES)
    assert [file.source for file in found.files] == [b"x", b"y"]
    assert found.notes == ((f"not searched: {folder}/",) if folder else ())


@pytest.mark.parametrize("name", BAD)
def test_bad_archives_are_refused_with_the_name_of_the_bad_member(
    tmp_path: Path, name: str
) -> None:
    data, message = BAD[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(SubmissionError, match=f"(?s){message}") as refused:
        read_submission(tmp_path / name, NAMES)
    assert (refused.value.exit_code, bool(refused.value.hint)) == (2, True)
    assert name in refused.value.message
    assert not re.search("BadZip|ReadError|EOFError|LZMA|zlib|Error:", refused.value.message)


def test_an_archive_alone_in_a_folder_is_opened(tmp_path: Path) -> None:
    folder = put(tmp_path, {"Doe_assignsubmission_file/hw.zip": ARCHIVES["mac.zip"]})
    found = read_submission(folder, NAMES)
    assert modules(found) == {"engine": b"x", "nn": b"y"}
    assert "hw.zip' is graded because it is the only candidate" in found.notes[0]


# --- the reader ---


MEMBERS: protocol.Wire = ["ok", [["engine.py", ""]]]
TOO_MUCH: protocol.Wire = ["ok", b"x" * (MAX_BYTES + 2)]


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("hw.zip", [None]),
        ("hw.zip", ["ok"]),
        ("hw.zip", [["ok", None]]),
        ("hw.zip", [["ok", [["engine.py"]]]]),
        ("hw.zip", [["ok", [["engine.py", 1]]]]),
        ("hw.zip", [["ok", [["e", "", ""]]]]),
        ("hw.zip", [["ok", [["x.py", ""]] * 3_000]]),
        ("hw.zip", [["refused", "x" * 10_000]]),
        ("hw.zip", [["refused", 1]]),
        ("hw.zip", [["ok", [["x" * 5000, ""]]]]),
        ("hw.zip", [MEMBERS, ["ok", "text"]]),
        ("hw.zip", [MEMBERS, TOO_MUCH]),
        ("mine.ipynb", [["ok", None]]),
        ("mine.ipynb", [["ok", [["x"]]]]),
        ("mine.ipynb", [["ok", [[1, "x", [], "1"]]]]),
        ("mine.ipynb", [["ok", [[2, "x", [], 0]]]]),
        ("mine.ipynb", [["ok", [[1, b"x", [], 0]]]]),
        ("mine.ipynb", [["ok", [[1, "x", [[1]], 0]]]]),
        ("mine.ipynb", [["ok", [[1, "x", [["1", "y"]], 0]]]]),
        ("mine.ipynb", [["ok", [[True, "x", [], True]]]]),
        ("mine.ipynb", [["ok", [[1, "x" * (5 * MAX_BYTES), [], 0]]]]),
    ],
)
def test_a_reader_that_lies_is_not_believed(
    tmp_path: Path, name: str, answers: list[protocol.Wire]
) -> None:
    (tmp_path / name).write_bytes(b"PK")
    with pytest.raises(InternalError, match="the reader sent an invalid answer"):
        read_submission(tmp_path / name, NAMES, lambda: Scripted(answers))


def test_a_reader_that_dies_is_the_files_fault(tmp_path: Path) -> None:
    (tmp_path / "hw.zip").write_bytes(b"PK")
    gone = Gone(Fault(Kind.MEMORY, message="the system killed the interpreter"))
    with pytest.raises(SubmissionError, match=r"hw\.zip' cannot be read: the system killed"):
        read_submission(tmp_path / "hw.zip", NAMES, lambda: Scripted([gone]))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the reader has no clock of its own")
@pytest.mark.parametrize(
    ("limit", "seconds", "told"),
    [
        ("READ_SECONDS", 0.001, r"crowd\.zip' takes too long to read"),
        ("ALL_SECONDS", -1.0, "reading the submission took longer"),
    ],
)
def test_a_submission_that_takes_too_long_to_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, seconds: float, told: str
) -> None:
    monkeypatch.setattr(opening, limit, seconds)
    crowd = zipped(*((f"{number}.txt", b"") for number in range(50_001)))
    (tmp_path / "crowd.zip").write_bytes(crowd)
    with pytest.raises(SubmissionError, match=told):
        read_submission(tmp_path / "crowd.zip", NAMES)


# --- what is not code, and what is nearly right ---

DOCX = b"PK\3\4" + b"\0" * 26 + b"word/document.xml"


@pytest.mark.parametrize(
    ("name", "content", "alone", "beside"),
    [
        ("engine.pdf", b"%PDF-1.7", "a PDF document", "a PDF document"),
        ("engine.docx", DOCX, "a Word document", "a Word document"),
        ("engine.doc", b"\xd0\xcf\x11\xe0", "an Office document", "a Word document"),
        ("engine.rtf", b"{\\rtf1", "an RTF document", "an RTF document"),
        ("engine.py", DOCX, "a Word document", "a Word document"),
        ("Engine.java", b"class Engine {}", "Java code", "Java code"),
        ("doe_1_2_engine.CPP", b"int x;", "C\\+\\+ code", "C\\+\\+ code"),
        ("engine.mp4", b"\0", "a video", "a video"),
        ("engine.jpg", b"x = 1", "", "a picture"),
    ],
)
def test_a_document_is_named_by_its_format(
    tmp_path: Path, name: str, content: bytes, alone: str, beside: str
) -> None:
    (tmp_path / name).write_bytes(content)
    for path, kind in ((tmp_path / name, alone), (tmp_path, beside)):
        if kind:
            with pytest.raises(SubmissionError, match=f"{name}' is {kind}, not Python"):
                read_submission(path, NAMES, refuse_to_start)


def test_a_missing_file_is_named_for_the_phases_that_were_asked_for(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match=r"^no engine\.py in the folder") as refused:
        grade(tmp_path, "phase1")
    assert refused.value.hint == "put the code into a file called engine.py"
    with pytest.raises(SubmissionError, match=r"^no engine\.py or operations\.py in the folder"):
        grade(tmp_path, ["phase1", "ext1"])


@pytest.mark.parametrize(
    ("source", "notes"),
    [
        (b"", ["engine.py is empty"]),
        (b"class value: pass", []),  # its failures say so
    ],
)
def test_a_file_that_is_empty_gets_a_note(tmp_path: Path, source: bytes, notes: list[str]) -> None:
    (tmp_path / "engine.py").write_bytes(source)
    assert [*grade(tmp_path, "phase1").notes] == notes
