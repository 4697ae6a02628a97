"""How far a worker is walled off: every level that this machine offers, attacked; what a report
says; what is refused.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import sys
from contextlib import closing
from functools import cache
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest

import grader
from grader import grade
from grader.boundary import landlock, seccomp, syscalls
from grader.boundary.isolation import LIMITS, Plan
from grader.boundary.pool import ProcessHost
from grader.boundary.process import ProcessTransport
from grader.boundary.transport import Gone
from grader.conditions import Isolation
from grader.errors import IsolationError
from grader.model import Kind
from grader.worker import protocol
from support import ROOT, attacks, nobody, put
from support.workers import LOADED, load, printed

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
def attempts(*program: str, folder: Path = ROOT, as_nobody: bool = False) -> Attempts:
    """Return what worked at each level, in a process of its own: the one that is attacked."""
    code = Path(attacks.__file__).read_text(encoding="utf-8")
    found = subprocess.run(
        [*(program or [sys.executable]), "-B", "-c", code, "0", "1", "2", "3"],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(folder)},
        timeout=100,
        cwd="/",
        **(nobody.IS if as_nobody else {}),
    )
    assert found.returncode == 0, found.stderr
    return {
        level: (reached, missing, set(worked))
        for level, (reached, missing, worked) in json.loads(found.stdout).items()
    }


@needs_linux
def test_without_isolation_the_attacks_are_real_and_with_limits_nothing_starts_a_process() -> None:
    level, _, worked = attempts()["0"]
    assert (level, ANYWHERE - worked) == (0, set())
    level, _, worked = attempts()["1"]
    assert (level, worked & ANYWHERE) == (1, ANYWHERE - CHILDREN)


@needs_sandbox
def test_in_the_sandbox_no_attack_works() -> None:
    assert attempts()["2"] == (2, ["another user: not requested"], set())


@pytest.mark.slow
@needs_sandbox
@pytest.mark.needs_root
def test_for_root_and_for_a_user_without_rights_it_is_the_same(public: Path) -> None:
    program = nobody.python()  # root's own may lie where nobody else gets
    skipped = shutil.ignore_patterns("course", "__pycache__")
    shutil.copytree(GRADER, public / "grader", ignore=skipped)
    assert attempts(program, folder=public)["3"] == (3, [], set())
    found = attempts(program, folder=public, as_nobody=True)
    assert ANYWHERE - found["0"][2] == set()
    assert (found["1"][0], found["1"][2] & CHILDREN) == (1, set())
    assert found["2"][::2] == (2, set())
    assert found["3"] == (2, ["another user: the grader was not started as root"], set())


@needs_sandbox
@pytest.mark.parametrize("abi", range(1, landlock.abi() + 1))
def test_an_older_kernels_landlock_is_enough_with_seccomp(
    monkeypatch: pytest.MonkeyPatch, abi: int
) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: abi)
    found, worked = attacks.attempt(2)
    assert (found.level, worked) == (2, set())
    assert f"Landlock (ABI {abi})" in found.mechanisms


MACHINE_CODE = """\
import ctypes, mmap
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex({code!r}))
found = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
print(found)
"""
MOV_GETPID_INT80 = "53b814000000cd804863c05bc3"
MOV_GETPID_X32 = "b8270000400f05c3"


@needs_sandbox
@pytest.mark.skipif(
    seccomp.machine() != "x86_64", reason="calls of other ABIs are of this architecture"
)
def test_calls_of_another_abi_do_not_bypass_the_sandbox() -> None:
    with closing(ProcessTransport(most=2)) as transport:
        assert printed(transport, MACHINE_CODE.format(code=MOV_GETPID_X32)) == "-38"
        with pytest.raises(Gone, match="SIGSYS") as gone:
            load(transport, MACHINE_CODE.format(code=MOV_GETPID_INT80))
        assert gone.value.fault.kind is Kind.CRASHED


MODULES = """
array asyncio bisect cmath collections concurrent.futures contextlib copy ctypes dataclasses
datetime decimal enum fractions functools graphlib hashlib heapq inspect itertools json linecache
logging math multiprocessing numbers operator os pathlib pickle pprint random re statistics string
struct subprocess tempfile textwrap threading time traceback typing unittest uuid warnings weakref
"""
USES = """
thread = threading.Thread(target=print, args=("a thread",))
thread.start()
thread.join()
open(os.devnull, "w").write("x")
random.seed()
os.urandom(4)
datetime.datetime.now()
time.sleep(0.001)
assert "def" in "".join(linecache.getlines(random.__file__))
"""


@needs_sandbox
def test_the_standard_library_is_there() -> None:
    lines = "\n".join(f"import {name}" for name in MODULES.split())
    with closing(ProcessTransport()) as transport:
        assert load(transport, lines + USES) == LOADED
        assert transport.output() == "a thread\n"


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
def test_a_package_that_is_granted_can_be_read_and_its_neighbour_cannot(tmp_path: Path) -> None:
    for name in ("package", "neighbour"):
        put(tmp_path / name, {"__init__.py": "from . import part", "part.py": "x = 1"})
    granted, other = (str(tmp_path / name / "part.py") for name in ("package", "neighbour"))
    imports = IMPORTS.format(names=["package", "neighbour"], folder=str(tmp_path))
    with closing(ProcessTransport([str(tmp_path / "package")], 2)) as transport:
        assert transport.isolation.level == 2
        assert printed(transport, f"{imports}import package\nprint(package.part.x)") == "1"
        assert load(transport, f"import os; os.listdir(os.path.dirname({granted!r}))") == LOADED
        for attempt in (
            "import neighbour",
            f"open({other!r})",
            f"open({granted!r}, 'a')",
            f"import os; os.listdir({str(tmp_path)!r})",
        ):
            assert "PermissionError" in repr(load(transport, attempt)), attempt


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
    program, machine = seccomp.sandbox(kind, 1234), ARCHITECTURES[kind]
    listed = syscalls.allowed(kind), syscalls.checked(kind), syscalls.refused(kind)
    allowed, checked, refused = ({*calls.values()} for calls in listed)
    assert len(allowed | checked | refused) == sum(map(len, listed))
    for number in set(range(600)) - checked:
        expected = NOT_PERMITTED if number in refused else NO_SUCH_CALL
        expected = ALLOW if number in allowed else expected
        assert filtered(program, machine, number) == expected, number
        assert filtered(program, machine, number | 1 << 30) == NO_SUCH_CALL
        assert filtered(program, 0x40000003, number) == KILL


HIGH = 1 << 32


@pytest.mark.parametrize("kind", ["x86_64", "aarch64"])
@pytest.mark.parametrize(
    ("name", "arguments", "allowed"),
    [
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
    ],
)
def test_the_filter_looks_at_arguments(
    kind: str, name: str, arguments: tuple[int, ...], allowed: bool
) -> None:
    found = filtered(
        seccomp.sandbox(kind, 1234), ARCHITECTURES[kind], syscalls.checked(kind)[name], *arguments
    )
    assert (found == ALLOW) is allowed
    assert found == ALLOW or found >> 16 == 5


HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.mark.parametrize("kind", HEADERS)
def test_the_numbers_are_the_kernels(kind: str) -> None:
    if not HEADERS[kind].exists():
        pytest.skip("needs the kernel's headers (linux-libc-dev)")
    text = HEADERS[kind].read_text(encoding="utf-8")
    numbers = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)", text, re.MULTILINE)
    known = {name: int(number) for name, number in numbers}
    if kind == "aarch64":
        known["newfstatat"] = known["fstatat"]
    ours = {**syscalls.allowed(kind), **syscalls.checked(kind), **syscalls.refused(kind)}
    wrong = {name: number for name, number in ours.items() if known.get(name, number) != number}
    assert wrong == {}
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
import ctypes, os, sys, json
sys.path.insert(0, sys.argv[1])
from worker import confinement
print(json.dumps(confinement.holes(ctypes.CDLL(None), 3, os.getppid(), sys.argv[2], sys.argv[3])))
"""


@needs_linux
def test_every_canary_sings_without_a_sandbox(tmp_path: Path) -> None:
    (tmp_path / "secret").touch()
    places = [GRADER, tmp_path / "secret", tmp_path / "spare"]
    printed = subprocess.check_output([sys.executable, "-c", HOLES, *map(str, places)], timeout=30)
    expected = {
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
    }
    if nobody.AM_ROOT:
        expected |= {
            "1 read the grader's memory",
            "1 read the grader's environment",
            "2 become root again",
        }
    assert expected <= set(json.loads(printed))
    assert not (tmp_path / "spare").exists()


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
def test_a_level_is_planned_needs_all_below_it_and_is_lowered_by_every_hole(
    in_force: list[str], holes: list[str], level: int
) -> None:
    plans = [Plan(most, ()) for most in range(4)]
    *lower, found = [one.isolation(["ready", list(in_force), [], list(holes)]) for one in plans]
    assert [one.level for one in (*lower, found)] == [min(most, level) for most in range(4)]
    assert all(any(hole[2:] in missing for missing in found.missing) for hole in holes)


@pytest.mark.parametrize(
    "greeting",
    [None, [], ["ready"], ["ready", []], ["ready", [], [], 3], ["hello", [], [], []], 3.5],
)
def test_another_greeting_is_none(greeting: protocol.Wire) -> None:
    with pytest.raises(protocol.WireError):
        Plan(3, ()).isolation(greeting)


@needs_sandbox
@pytest.mark.parametrize(
    ("what", "place", "found", "level"),
    [
        ("Landlock", "grader.boundary.landlock.abi", 0, 1),
        ("seccomp", "grader.boundary.seccomp.machine", None, 0),
    ],
)
def test_a_kernel_without_one_of_them_gives_less_and_says_so(
    monkeypatch: pytest.MonkeyPatch, temporary: Path, what: str, place: str, found: None, level: int
) -> None:
    monkeypatch.setattr(place, lambda: found)
    with closing(ProcessTransport()) as transport:
        told = transport.isolation
        assert (told.level, what in str(told.missing), what in str(told.mechanisms)) == (
            level,
            True,
            False,
        )
        assert "canary" in str(told.missing)
        assert load(transport, "") == LOADED
    assert list(temporary.iterdir()) == []


@needs_sandbox
def test_a_hidden_file_that_can_be_read_lowers_the_level() -> None:
    with closing(ProcessTransport(secret=os.__file__)) as transport:
        assert transport.isolation.level == 1
        assert "a canary: it could read a hidden file" in transport.isolation.missing


@needs_linux
@pytest.mark.needs_root
def test_a_python_that_only_root_can_read_stays_with_root(tmp_path: Path) -> None:
    (tmp_path / "mine").touch(mode=0o600)
    with closing(ProcessTransport(readable=[str(tmp_path / "mine")])) as transport:
        assert transport.isolation.level == 2
        assert "another user: it could not read" in str(transport.isolation.missing)
        assert printed(transport, "import os\nprint(os.getuid())") == "0"


# --- what is asked for ---


@pytest.mark.parametrize("most", range(4))
def test_the_verdicts_are_the_same_at_every_level(most: int) -> None:
    report = grade(ROOT / "solutions", ["phase2"], isolation=most)
    assert report.exit_code == 0
    assert min(most, 2) * SANDBOX <= report.isolation.level <= most


def test_grading_with_less_than_required_is_refused() -> None:
    told = "isolation 2 is required, but this machine offers only 1"
    with pytest.raises(IsolationError, match=told) as refused:
        grade(ROOT / "solutions", ["phase2"], isolation=1, require_isolation=2)
    assert "sandbox: not requested" in refused.value.hint


@needs_sandbox
def test_a_later_worker_with_less_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    host = ProcessHost(grader.__file__, required=2)
    with closing(host.worker()) as worker:
        assert worker.isolation.level >= 2
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    with closing(host.worker()) as worker, pytest.raises(IsolationError):
        worker.exchange(b"", 9.0, 9)


def test_a_report_states_the_level_of_its_weakest_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = map(Isolation, chain([2, 1], repeat(2)))
    monkeypatch.setattr(Plan, "isolation", lambda *_: next(levels))
    assert grade(ROOT / "solutions", ["phase1", "phase2"], isolation=0).isolation.level == 1
