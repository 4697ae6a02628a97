"""How far a worker is walled off: every level that this machine offers, attacked; what a report
says; what is refused.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import struct
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import grader
from grader import grade
from grader.boundary import isolation, landlock, seccomp, syscalls
from grader.boundary.isolation import LIMITS, Plan, plan
from grader.boundary.pool import ProcessHost
from grader.boundary.process import ProcessTransport
from grader.boundary.transport import Gone
from grader.curriculum.load import load_course
from grader.errors import IsolationError
from grader.judge.job import Job
from grader.model import Isolation, Kind
from grader.worker import protocol
from support import ROOT, attacks, nobody
from support.fake import submission

SANDBOX = landlock.abi() > 0 and seccomp.machine() is not None
needs_sandbox = pytest.mark.skipif(not SANDBOX, reason="this machine has no Landlock or no seccomp")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own ways")

# --- attacks ---

CHILDREN = {name for name in attacks.NAMES if name.startswith(("start_a_", "clone_", "leave_"))}
ANYWHERE = (
    CHILDREN
    | {  # what works on any machine for anybody who is not walled off: the attacks are real
        "write_a_file",
        "make_a_folder",
        "change_a_files_mode",
        "truncate_a_file",
        "read_the_suite",
        "read_a_file_of_the_machine",
        "use_tcp",
        "use_a_local_socket",
        "read_the_graders_command_line",
        "have_the_kernel_signal_the_grader",
        "raise_a_limit",
    }
)

Attempts = dict[str, Any]

GRADER = Path(grader.__file__).parent


@cache
def as_this_user() -> Attempts:
    """What worked at each level, for the user who runs the tests."""
    return _run([sys.executable], {"PYTHONPATH": str(ROOT)})


def as_nobody(folder: Path) -> Attempts:
    """The same for a user without any rights."""
    return _run([*_program(folder)], {"PYTHONPATH": str(folder)}, user=nobody.USER)


def as_root(folder: Path) -> Attempts:
    """The same for root, by an interpreter that every user can run."""
    return _run([*_program(folder)], {"PYTHONPATH": str(folder)})


def _program(folder: Path) -> list[str]:
    """An interpreter and a copy of the grader that every user can read, while root's own may lie
    where nobody else gets.
    """
    program = nobody.python()
    shutil.copytree(
        GRADER, folder / "grader", ignore=shutil.ignore_patterns("course", "__pycache__")
    )
    return [program]


def _run(command: list[str], environment: dict[str, str], user: int | None = None) -> Attempts:
    """Attempts at all levels, in a process of its own: the one that is attacked."""
    found = subprocess.run(
        [
            *command,
            "-B",
            "-c",
            Path(attacks.__file__).read_text(encoding="utf-8"),
            "0",
            "1",
            "2",
            "3",
        ],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=100,
        cwd="/",
        **({} if user is None else nobody.IS),
    )
    assert found.returncode == 0, found.stderr
    return {
        level: (reached, missing, set(worked))
        for level, (reached, missing, worked) in json.loads(found.stdout).items()
    }


@needs_linux
def test_without_isolation_the_attacks_are_real() -> None:
    level, _, worked = as_this_user()["0"]
    assert level == 0
    assert ANYWHERE - worked == set()


@needs_linux
def test_with_limits_nothing_starts_a_process() -> None:
    level, _, worked = as_this_user()["1"]
    assert level == 1
    assert worked & CHILDREN == set()
    assert ANYWHERE - CHILDREN - worked == set()


@needs_sandbox
def test_in_the_sandbox_no_attack_works() -> None:
    assert as_this_user()["2"] == (2, ["another user: not requested"], set())


@needs_sandbox
@pytest.mark.needs_root
def test_another_user_in_the_sandbox_can_do_nothing_either(public: Path) -> None:
    level, missing, worked = as_root(public)["3"]
    assert worked == set()
    assert (level, missing) == (3, [])


@needs_sandbox
@pytest.mark.needs_root
def test_for_a_user_without_rights_it_is_the_same(public: Path) -> None:
    found = as_nobody(public)
    assert ANYWHERE - found["0"][2] == set()
    assert found["1"][0] == 1
    assert found["1"][2] & CHILDREN == set()
    assert found["2"][::2] == (2, set())
    assert found["3"] == (2, ["another user: the grader was not started as root"], set())


@needs_sandbox
@pytest.mark.parametrize("abi", range(1, landlock.abi() + 1))
def test_an_older_kernels_landlock_is_enough_with_seccomp(
    monkeypatch: pytest.MonkeyPatch, abi: int
) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: abi)
    found, worked = attacks.attempt(2)
    assert found.level == 2
    assert f"Landlock (ABI {abi})" in found.mechanisms
    assert worked == set()


MACHINE_CODE = """\
import ctypes, mmap
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex({code!r}))
found = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
print(found)
"""
MOV_GETPID_INT80 = "53b814000000cd804863c05bc3"
MOV_GETPID_X32 = "b8270000400f05c3"


def _load(transport: ProcessTransport, source: str) -> protocol.Wire:
    return transport.exchange(
        protocol.Load(0.0, [protocol.File("engine", "engine.py", source.encode())], "engine"),
        10,
        1 << 16,
    )


@needs_sandbox
@pytest.mark.skipif(
    seccomp.machine() != "x86_64", reason="calls of other ABIs are of this architecture"
)
def test_calls_of_another_abi_do_not_bypass_the_sandbox() -> None:
    transport = ProcessTransport(2)
    try:
        _load(transport, MACHINE_CODE.format(code=MOV_GETPID_X32))
        assert transport.output().strip() == "-38"
        with pytest.raises(Gone, match="SIGSYS") as gone:
            _load(transport, MACHINE_CODE.format(code=MOV_GETPID_INT80))
        assert gone.value.fault.kind is Kind.CRASHED
    finally:
        transport.close()


MODULES = [
    "array",
    "asyncio",
    "bisect",
    "cmath",
    "collections",
    "concurrent.futures",
    "contextlib",
    "copy",
    "ctypes",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "graphlib",
    "hashlib",
    "heapq",
    "inspect",
    "itertools",
    "json",
    "logging",
    "math",
    "multiprocessing",
    "numbers",
    "operator",
    "os",
    "pathlib",
    "pickle",
    "pprint",
    "random",
    "re",
    "statistics",
    "string",
    "struct",
    "subprocess",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "traceback",
    "typing",
    "unittest",
    "uuid",
    "warnings",
    "weakref",
]


@needs_sandbox
def test_the_standard_library_is_there() -> None:
    lines = [f"import {name}" for name in MODULES]
    lines += [
        "thread = threading.Thread(target=print, args=('a thread',))",
        "thread.start()",
        "thread.join()",
    ]
    lines += [
        "open(os.devnull, 'w').write('x')",
        "random.seed()",
        "os.urandom(4)",
        "datetime.datetime.now()",
        "time.sleep(0.001)",
    ]
    lines += ["import linecache", "assert 'def' in ''.join(linecache.getlines(random.__file__))"]
    transport = ProcessTransport()
    try:
        assert _load(transport, "\n".join(lines)) == ["ok", [[], [], []]]
        assert transport.output() == "a thread\n"
    finally:
        transport.close()


@needs_sandbox
def test_a_folder_that_is_granted_can_be_read_and_its_neighbour_cannot(tmp_path: Path) -> None:
    for name in ("granted", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file.py").write_text("x = 1")
    transport = ProcessTransport(2, [str(tmp_path / "granted")])
    try:
        assert transport.isolation.level == 2
        assert (
            _load(  # type: ignore[index]
                transport,
                "import"
                f" os\nopen({str(tmp_path / 'granted' / 'file.py')!r})\nos.listdir({str(tmp_path / 'granted')!r})",  # noqa: E501
            )[0]
            == "ok"
        )
        for attempt in (
            f"open({str(tmp_path / 'other' / 'file.py')!r})",
            f"import os; os.listdir({str(tmp_path)!r})",
        ):
            assert "PermissionError" in repr(_load(transport, attempt))
        assert "PermissionError" in repr(
            _load(transport, f"open({str(tmp_path / 'granted' / 'file.py')!r}, 'a')")
        )
    finally:
        transport.close()


IMPORTS = """\
import sys
from _frozen_importlib_external import PathFinder
class Packages:
    def find_spec(self, name, path=None, target=None):
        if path is None and name in {names!r}:
            return PathFinder.find_spec(name, [{folder!r}])
sys.meta_path.insert(0, Packages())
"""


@needs_sandbox
def test_a_package_that_is_granted_can_be_imported_and_its_neighbour_cannot(tmp_path: Path) -> None:
    for name in ("package", "neighbour"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("from . import part")
        (tmp_path / name / "part.py").write_text("x = 1")
    transport = ProcessTransport(2, [str(tmp_path / "package")])
    try:
        source = (
            IMPORTS.format(names=["package", "neighbour"], folder=str(tmp_path))
            + "import package\nprint(package.part.x)"
        )
        assert _load(transport, source) == ["ok", [[], [], []]]
        assert transport.output() == "1\n"
        assert "PermissionError" in repr(_load(transport, "import neighbour"))
    finally:
        transport.close()


@needs_sandbox
def test_numpy_computes_in_the_sandbox() -> None:
    origin = importlib.util.find_spec("numpy")
    if origin is None or origin.origin is None:
        pytest.skip("needs numpy")
    site = Path(origin.origin).parent.parent
    transport = ProcessTransport(
        2, [str(site / name) for name in ("numpy", "numpy.libs") if (site / name).exists()]
    )
    try:
        source = (
            IMPORTS.format(names=["numpy"], folder=str(site))
            + "import numpy\nprint(numpy.linalg.inv(numpy.eye(50) * 2)[0, 0])"
        )
        assert _load(transport, source) == ["ok", [[], [], []]]
        assert transport.output() == "0.5\n"
    finally:
        transport.close()


@needs_sandbox
def test_packages_installed_next_to_the_standard_library_are_not_granted() -> None:
    granted = {Path(path) for path, _ in landlock.standard_library()}
    assert not [path for path in granted if path.name in {"site-packages", "dist-packages"}]
    installed = [
        Path(entry) for entry in sys.path if Path(entry).name in {"site-packages", "dist-packages"}
    ]
    assert not [
        entry for entry in installed for path in granted if path == entry or path in entry.parents
    ]


# --- the filter, without a kernel ---

ALLOW, KILL, NOT_PERMITTED, NO_SUCH_CALL = 0x7FFF0000, 0x80000000, 0x50001, 0x50026
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def filtered(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What the program says to a call, done by hand."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    value = at = 0
    while True:
        code, true, false, k = struct.unpack_from("=HBBI", program, 8 * at)
        at += 1
        if code == 0x20:
            (value,) = struct.unpack_from("=I", data, k)
        elif code == 0x54:
            value &= k
        elif code in {0x15, 0x35}:
            at += true if (value == k if code == 0x15 else value >= k) else false
        else:
            assert code == 0x06
            return int(k)


@pytest.mark.parametrize("kind", ["x86_64", "aarch64"])
def test_the_filter_allows_what_is_listed_and_nothing_else(kind: str) -> None:
    program = seccomp.sandbox(kind, 1234)
    allowed, checked, refused = (
        syscalls.allowed(kind),
        syscalls.checked(kind),
        syscalls.refused(kind),
    )
    assert len({*allowed, *checked, *refused}) == len(allowed) + len(checked) + len(refused)
    expected = dict.fromkeys(allowed.values(), ALLOW) | dict.fromkeys(
        refused.values(), NOT_PERMITTED
    )
    for number in set(range(600)) - set(checked.values()):
        assert filtered(program, ARCHITECTURES[kind], number) == expected.get(
            number, NO_SUCH_CALL
        ), number
        assert filtered(program, ARCHITECTURES[kind], number | 1 << 30) == NO_SUCH_CALL
        assert filtered(program, 0x40000003, number) == KILL


HIGH = 1 << 32
CHECKED: list[tuple[str, tuple[int, ...], bool]] = [
    ("kill", (1234, 9), True),
    ("kill", (1, 0), False),
    ("kill", (0xFFFFFFFF, 9), False),
    ("kill", (0, 9), False),
    ("tgkill", (1234, 77), True),
    ("tgkill", (1, 77), False),
    ("clone", (0x3D0F00,), True),
    ("clone", (17,), False),
    ("clone", (0,), False),
    ("clone", (0x3D0F00 | 0x40000000,), False),
    ("clone", (0x3D0F00 | 0x10000000,), False),
    ("clone", (0x10080,), False),
    ("fcntl", (3, 3), True),
    ("fcntl", (3, 8), False),
    ("fcntl", (3, 10), False),
    ("fcntl", (3, 1031), False),
    ("ioctl", (1, 0x5401), True),
    ("ioctl", (1, 0x5412), False),
    ("prctl", (15,), True),
    ("prctl", (1,), False),
    ("prctl", (4,), False),
    ("prlimit64", (0, 4, 0), True),
    ("prlimit64", (0, 4, 1), False),
    ("prlimit64", (0, 4, HIGH), False),
    ("madvise", (0, 1, 4), True),
    ("madvise", (0, 1, 100), False),
]


@pytest.mark.parametrize("kind", ["x86_64", "aarch64"])
@pytest.mark.parametrize(("name", "arguments", "allowed"), CHECKED)
def test_the_filter_looks_at_arguments(
    kind: str, name: str, arguments: tuple[int, ...], allowed: bool
) -> None:
    found = filtered(
        seccomp.sandbox(kind, 1234), ARCHITECTURES[kind], syscalls.checked(kind)[name], *arguments
    )
    assert (found == ALLOW) is allowed
    assert found == ALLOW or found >> 16 == 5


@pytest.mark.parametrize("kind", ["x86_64", "aarch64"])
def test_the_filter_of_level_1_refuses_processes_only(kind: str) -> None:
    program = seccomp.no_children(kind)
    numbers = syscalls.refused(kind)
    refused = {numbers[name] for name in ("fork", "vfork", "execve", "execveat") if name in numbers}
    clone = syscalls.checked(kind)["clone"]
    for number in range(600):
        expected = (
            NOT_PERMITTED
            if number in {*refused, clone}
            else NO_SUCH_CALL
            if number == 435
            else ALLOW
        )
        assert filtered(program, ARCHITECTURES[kind], number) == expected
    assert filtered(program, ARCHITECTURES[kind], clone, 0x3D0F00) == ALLOW


HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.mark.parametrize("kind", HEADERS)
def test_the_numbers_are_the_kernels(kind: str) -> None:
    if not HEADERS[kind].exists():
        pytest.skip("needs the kernel's headers (linux-libc-dev)")
    words = [
        line.split()
        for line in HEADERS[kind].read_text(encoding="utf-8").splitlines()
        if line.startswith("#define __NR")
    ]
    known = {
        word[1].removeprefix("__NR3264_").removeprefix("__NR_"): int(word[2])
        for word in words
        if word[2].isdigit()
    }
    if kind == "aarch64":
        known["newfstatat"] = known["fstatat"]
    ours = {**syscalls.allowed(kind), **syscalls.checked(kind), **syscalls.refused(kind)}
    assert {
        name: number for name, number in ours.items() if known.get(name, number) != number
    } == {}
    # fchmodat2 is younger than many headers
    assert len(ours.keys() & known.keys()) >= len(ours) - 1


# --- canaries and levels ---

ALL = [
    *(f"limit: {name}" for name in LIMITS),
    "limit: processes",
    "Landlock",
    "seccomp",
    "another user",
]
HOLES = """\
import os, sys, json
sys.path.insert(0, sys.argv[1])
from worker import confinement
print(json.dumps(confinement.holes(confinement.System(), 3, [os.getppid()], sys.argv[2], sys.argv[3])))
"""  # noqa: E501


@needs_linux
def test_every_canary_sings_without_a_sandbox(tmp_path: Path) -> None:
    (tmp_path / "secret").touch()
    command = [
        sys.executable,
        "-c",
        HOLES,
        str(GRADER),
        str(tmp_path / "secret"),
        str(tmp_path / "spare"),
    ]
    found = set(
        json.loads(
            subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout
        )
    )
    assert not (tmp_path / "spare").exists()
    assert {
        "0 start a process",
        "0 run a program",
        "1 read a hidden file",
        "1 list a hidden folder",
        "1 write a file",
        "1 change a file's mode",
        "1 use the network",
        "1 signal the grader",
        "1 change its limits",
        "1 ask for the grader's memory",
    } <= found
    if nobody.AM_ROOT:
        assert {
            "1 read the grader's memory",
            "1 read the grader's environment",
            "2 become root again",
        } <= found


@pytest.mark.parametrize(
    ("in_force", "holes", "level"),
    [
        (ALL, [], 3),
        (ALL[:-1], [], 2),
        (ALL[:-2], [], 1),
        ([*ALL[:-3], "seccomp"], [], 1),
        (ALL[:-4], [], 0),
        (ALL[1:], [], 0),
        ([], [], 0),
        ([*ALL[:5], "another user"], [], 1),
        (ALL, ["2 become root again"], 2),
        (ALL, ["1 use the network"], 1),
        (ALL, ["1 use the network", "0 start a process"], 0),
        (ALL, ["anything else"], 0),
        (ALL, [""], 0),
        (ALL[:5], ["2 become root again"], 1),
        (["Landlock", "Landlock", "more", *ALL], [], 3),
    ],
)
def test_a_level_needs_all_below_it_and_every_hole_lowers_it(
    in_force: list[str], holes: list[str], level: int
) -> None:
    found = Plan(3, ()).isolation(["ready", list(in_force), [], list(holes)])
    assert found.level == level
    assert all(any(hole[2:] in missing for missing in found.missing) for hole in holes)


@pytest.mark.parametrize("most", [0, 1, 2])
def test_no_worker_says_itself_above_what_was_planned(most: int) -> None:
    assert Plan(most, ()).isolation(["ready", list(ALL), [], []]).level == most


@pytest.mark.parametrize(
    "greeting",
    [None, [], ["ready"], ["ready", []], ["ready", [], [], 3], ["hello", [], [], []], 3.5],
)
def test_another_greeting_is_none(greeting: protocol.Wire) -> None:
    with pytest.raises(protocol.WireError):
        Plan(3, ()).isolation(greeting)


def _without(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    if what == "Landlock":
        monkeypatch.setattr(landlock, "abi", lambda: 0)
    elif what == "seccomp":
        monkeypatch.setattr(seccomp, "machine", lambda: None)


@needs_sandbox
@pytest.mark.parametrize(("what", "level"), [("Landlock", 1), ("seccomp", 0)])
def test_a_kernel_without_one_of_them_gives_less_and_says_so(
    monkeypatch: pytest.MonkeyPatch, temporary: Path, what: str, level: int
) -> None:
    _without(monkeypatch, what)
    transport = ProcessTransport()
    try:
        assert transport.isolation.level == level
        assert any(what in missing for missing in transport.isolation.missing)
        assert not any(what in mechanism for mechanism in transport.isolation.mechanisms)
        assert any("canary" in missing for missing in transport.isolation.missing)
        assert list(temporary.iterdir()) == []
        assert _load(transport, "") == ["ok", [[], [], []]]
    finally:
        transport.close()


@needs_sandbox
def test_a_worker_that_is_never_asked_leaves_no_canary(
    monkeypatch: pytest.MonkeyPatch, temporary: Path
) -> None:
    _without(monkeypatch, "Landlock")
    # at level 3 the worker becomes a user who cannot write into the folder of the test
    transport = ProcessTransport(most=2)
    until = time.monotonic() + 30
    while not list(temporary.iterdir()) and time.monotonic() < until:
        time.sleep(0.01)
    assert list(temporary.iterdir()) != []
    transport.close()
    assert list(temporary.iterdir()) == []


@needs_sandbox
def test_a_hidden_file_that_can_be_read_lowers_the_level(monkeypatch: pytest.MonkeyPatch) -> None:
    transport = ProcessTransport(secret=os.__file__)
    try:
        assert transport.isolation.level == 1
        assert "a canary: it could read a hidden file" in transport.isolation.missing
    finally:
        transport.close()


@needs_linux
@pytest.mark.needs_root
def test_a_python_that_only_root_can_read_stays_with_root(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "mine").touch(mode=0o600)
    transport = ProcessTransport(readable=[str(tmp_path / "mine")])
    try:
        assert transport.isolation.level == 2
        assert any(
            missing.startswith("another user: it could not read")
            for missing in transport.isolation.missing
        )
        assert _load(transport, "import os\nprint(os.getuid())") == ["ok", [[], [], []]]
        assert transport.output() == "0\n"
    finally:
        transport.close()


def test_every_level_has_a_name_and_the_weak_ones_a_warning() -> None:
    names = [Isolation(level).name for level in range(4)]
    assert len(set(names)) == 4
    warnings = [Isolation(level).warning for level in range(4)]
    assert [bool(warning) for warning in warnings] == [True, True, False, False]
    assert "memory" in warnings[0]
    assert "memory" not in warnings[1]
    assert all("network" in warning for warning in warnings[:2])


# --- what is asked for ---


@pytest.mark.parametrize("most", range(4))
def test_the_verdicts_are_the_same_at_every_level(most: int) -> None:
    report = grade(ROOT / "solutions", ["phase2"], isolation=most)
    assert report.exit_code == 0
    assert report.isolation.level <= most
    if SANDBOX:
        assert report.isolation.level >= min(most, 2)


def test_grading_with_less_than_required_is_refused() -> None:
    with pytest.raises(
        IsolationError, match="isolation 2 is required, but this machine offers only 1"
    ) as refused:
        grade(ROOT / "solutions", ["phase2"], isolation=1, require_isolation=2)
    assert "sandbox: not requested" in refused.value.hint
    assert refused.value.exit_code == 3


@needs_sandbox
def test_a_later_worker_with_less_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with ProcessHost(grader.__file__, required=2) as host:
        host.worker().close()
        monkeypatch.setattr(landlock, "abi", lambda: 0)
        with pytest.raises(IsolationError):
            host.worker()


def test_a_report_states_the_level_of_its_weakest_worker() -> None:
    from grader.judge.grade import grade_submission
    from support.fake import InProcess, OneThing

    levels = iter([2, 1, 2, 2, 2, 2])

    def worker() -> InProcess:
        transport = InProcess()
        transport.isolation = Isolation(next(levels))
        return transport

    course = load_course()
    report = grade_submission(
        Job(course, submission("class Value: pass"), OneThing(worker)),
        course.select(["phase1", "phase2"]),
    )
    assert report.isolation.level == 1


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grader", *arguments, "--at", str(ROOT / "solutions")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_command_refuses_with_exit_code_3_and_a_document() -> None:
    found = command("phase1", "--isolation", "0", "--require-isolation", "1", "--format", "json")
    assert found.returncode == 3
    assert (
        "isolation 1 is required, but this machine offers only 0"
        in json.loads(found.stdout)["error"]["message"]
    )


@pytest.mark.slow
def test_the_command_says_what_a_low_level_does_not_protect() -> None:
    found = command("phase1", "--isolation", "0")
    assert found.returncode == 0
    assert "isolation 0: own process;" in found.stdout
    assert "hostile code could" in " ".join(found.stdout.split())
    document = json.loads(command("phase1", "--isolation", "1", "--format", "json").stdout)
    assert document["grader"]["isolation"]["warning"]


@pytest.mark.skipif(not landlock.abi(), reason="this kernel has no Landlock")
def test_without_proc_the_plan_says_why_there_is_no_sandbox(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unmounted() -> list[tuple[str, int]]:
        raise FileNotFoundError(2, "No such file or directory", "/proc/self/maps")

    monkeypatch.setattr(isolation, "_standard_library", unmounted)
    isolation._ruleset.cache_clear()
    plan = isolation.plan(2)
    assert not plan.is_sandboxed
    assert "Landlock: /proc/self/maps cannot be read" in plan.missing
    isolation._ruleset.cache_clear()


def test_a_plan_without_a_sandbox_makes_no_ruleset() -> None:
    assert plan(1).descriptors == ()
    assert isolation.plan(0).descriptors == ()
