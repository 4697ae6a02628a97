"""Try what hostile code would try, at an isolation level, as this user or a different one.

`ATTACKS` is the source of a submission: each function does its harm or raises. `attempt(level)`
runs them all in one worker and returns which of them worked. As a program, `python
tests/support/attacks.py LEVEL...` prints that as JSON, so a test can run it as a different user
with a different Python. It needs only the standard library.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from grader.boundary.process import ProcessTransport
from grader.conditions import Isolation
from grader.worker import protocol, wire

ATTACKS = r"""
import ctypes, fcntl, os, resource, signal, socket, subprocess, threading, time

libc = ctypes.CDLL(None, use_errno=True)
ARM = os.uname().machine == "aarch64"

def call(x86, arm, *args):
    found = libc.syscall(ctypes.c_long(arm if ARM else x86), *(ctypes.c_long(a) if isinstance(a, int) else a for a in args))
    if found == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return found

def read_the_suite(): open(SECRET).read(1)
def list_the_suites(): os.listdir(os.path.dirname(SECRET))
def read_a_file_of_the_machine(): open("/etc/passwd").read(1)
def read_the_graders_environment(): open(f"/proc/{JUDGE}/environ", "rb").read(1)
def read_the_graders_command_line(): open(f"/proc/{JUDGE}/cmdline", "rb").read(1)
def open_the_graders_memory(): os.close(os.open(f"/proc/{JUDGE}/mem", os.O_RDWR))
def write_its_own_memory_as_a_file(): os.close(os.open("/proc/self/mem", os.O_RDWR))
def find_the_graders_pipes(): os.listdir(f"/proc/{JUDGE}/fd")

class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]

def memory_of_the_grader(name):
    kept = ctypes.create_string_buffer(16)
    local, remote = Vector(ctypes.addressof(kept), 16), Vector(MEMORY, 16)
    done = getattr(libc, name)(JUDGE, ctypes.byref(local), ctypes.c_ulong(1), ctypes.byref(remote), ctypes.c_ulong(1), ctypes.c_ulong(0))
    if done != 16:
        raise OSError(ctypes.get_errno(), "no memory of the grader")

def read_the_graders_memory(): memory_of_the_grader("process_vm_readv")
def overwrite_the_graders_memory(): memory_of_the_grader("process_vm_writev")
def trace_the_grader():
    call(101, 117, 0x4206, JUDGE, 0, 0)  # SEIZE, INTERRUPT, DETACH
    call(101, 117, 0x4207, JUDGE, 0, 0)
    call(61, 260, JUDGE, 0, 0x40000000, 0)
    call(101, 117, 17, JUDGE, 0, 0)
def signal_the_grader(): os.kill(JUDGE, 0)
def signal_the_graders_group(): os.killpg(os.getpgid(JUDGE), 0)
def signal_a_thread_of_the_grader(): call(234, 131, JUDGE, JUDGE, 0)
def signal_everybody(): os.kill(-1, 0)
def hold_the_grader(): os.close(call(434, 434, JUDGE, 0))  # pidfd_open
def have_the_kernel_signal_the_grader():
    ours, other = os.pipe()
    fcntl.fcntl(ours, fcntl.F_SETOWN, JUDGE)
def choose_a_deadly_signal():
    ours, other = os.pipe()
    fcntl.fcntl(ours, fcntl.F_SETSIG if hasattr(fcntl, "F_SETSIG") else 10, signal.SIGKILL)
def limit_the_grader(): resource.prlimit(JUDGE, resource.RLIMIT_CORE, (0, 0))
def slow_the_grader_down(): os.sched_setaffinity(JUDGE, os.sched_getaffinity(0))

def start_a_child():
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
def leave_a_child_in_a_session_of_its_own():
    if not os.fork():
        os.setsid()
        time.sleep(60)
def start_a_program(): subprocess.run(["/bin/true"], check=True)
def start_a_program_another_way(): os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
def clone_with_the_old_call():
    child = call(56, 220, 17, 0, 0, 0, 0)
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
def clone_with_the_new_call():
    arguments = (ctypes.c_uint64 * 8)(0, 0, 0, 0, 17, 0, 0, 0)
    child = call(435, 435, arguments, 64)
    if not child:
        os._exit(0)
    os.waitpid(child, 0)

def write_a_file(): write_at(SPARE)
def write_at(path):
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    os.unlink(path)
def make_a_folder(): os.mkdir(SPARE); os.rmdir(SPARE)
def make_a_link(): os.symlink("/etc", SPARE); os.unlink(SPARE)
def make_a_pipe_with_a_name(): os.mkfifo(SPARE); os.unlink(SPARE)
def change_a_files_mode(): os.chmod(VICTIM, 0o644)
def change_a_files_times(): os.utime(VICTIM, (1, 1))
def change_a_files_owner(): os.chown(VICTIM, -1, -1)
def mark_a_file(): os.setxattr(VICTIM, "user.grade", b"x")
def lock_a_file(): fcntl.flock(os.open(VICTIM, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
def truncate_a_file(): os.truncate(VICTIM, 0)
def rename_a_file(): os.rename(VICTIM, VICTIM + "2"); os.rename(VICTIM + "2", VICTIM)
def use_shared_memory(): write_at("/dev/shm/grade-attack-%d" % os.getpid())
def use_shared_memory_of_old(): call(31, 195, call(29, 194, 0, 4096, 0o600), 0, 0)  # shmget, and remove it
def hide_memory_in_a_file(): os.close(call(319, 279, b"x", 0))  # memfd_create: outside the limit on memory

def use_tcp(): socket.socket().close()
def use_udp(): socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()
def use_ipv6(): socket.socket(socket.AF_INET6).close()
def use_a_local_socket(): socket.socket(socket.AF_UNIX).close()
def use_a_pair_of_sockets(): [end.close() for end in socket.socketpair()]
def use_netlink(): socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()

def raise_a_limit():
    resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE))
def raise_a_limit_another_way():
    resource.prlimit(0, resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE))
def outlive_the_grader():
    if libc.prctl(1, 0, 0, 0, 0): raise OSError
def become_readable():
    if libc.prctl(4, 1, 0, 0, 0): raise OSError
def become_root(): os.setuid(0)
def become_somebody(): os.setgid(os.getgid())
def change_priority(): os.nice(1)
def keep_a_key(): call(248, 217, b"user", b"grade", b"x", 1, -1)
def use_a_ring(): os.close(call(425, 425, 1, ctypes.create_string_buffer(120)))  # io_uring
def trace_the_kernel(): os.close(call(298, 241, ctypes.create_string_buffer(struct_of(112)), 0, -1, -1, 0))  # perf_event_open
def struct_of(size): return (1).to_bytes(4, "little") + size.to_bytes(4, "little") + bytes(size - 8)
def program_the_kernel(): os.close(call(321, 280, 0, ctypes.create_string_buffer((2).to_bytes(4, "little") + (4).to_bytes(4, "little") * 2 + (1).to_bytes(4, "little") + bytes(104)), 120))
def handle_faults(): os.close(call(323, 282, 1))  # userfaultfd
def change_how_addresses_are_chosen(): call(135, 92, 0xFFFFFFFF)
"""  # noqa: E501

CALLED = [
    line.split("(")[0].removeprefix("def ")
    for line in ATTACKS.splitlines()
    if line.startswith("def ")
]
HELPERS = {"call", "memory_of_the_grader", "write_at", "struct_of"}
NAMES = [name for name in CALLED if name not in HELPERS]

_ALL = """
for name in NAMES:
    try:
        globals()[name]()
        print(name, flush=True)
    except (OSError, ValueError, PermissionError, subprocess.SubprocessError):
        pass
print("end")
"""


def attempt(level: int) -> tuple[Isolation, set[str]]:
    """Return the isolation that a worker proved, and the attacks that worked nevertheless."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        secret, victim = folder / "hidden" / "suite.py", folder / "victim"
        secret.parent.mkdir()
        secret.write_text("expected = 3.5")
        victim.write_text("x")
        victim.chmod(0o666)
        held = bytearray(16)
        import ctypes

        known = {
            "SECRET": str(secret),
            "VICTIM": str(victim),
            "SPARE": str(folder / "spare"),
            "JUDGE": os.getpid(),
            "NAMES": NAMES,
            "MEMORY": ctypes.addressof((ctypes.c_char * 16).from_buffer(held)),
        }
        source = "\n".join([*(f"{key} = {value!r}" for key, value in known.items()), ATTACKS, _ALL])
        transport = ProcessTransport((), level, str(secret))
        try:
            isolation = transport.isolation
            files = [protocol.File("engine", "engine.py", source.encode())]
            request = wire.encode(protocol.Load(0.0, files, "engine"))
            reply = wire.decode(transport.exchange(request, 30, 1 << 20))
            assert isinstance(reply, list), reply
            assert reply[0] == "done", reply
            done = transport.output().split()
            assert done[-1] == "end", done
        finally:
            transport.close()
        return isolation, set(done[:-1])


def main() -> None:
    found = {}
    for level in map(int, sys.argv[1:]):
        isolation, worked = attempt(level)
        found[level] = [isolation.level, isolation.missing, sorted(worked)]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
