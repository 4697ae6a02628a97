"""Numbers of the system calls that a sandboxed worker may use, on x86_64 and aarch64.

For the worker, any call that is not listed here does not exist (ENOSYS). So libraries that try a
new call fall back to an older one, and calls that future kernels add are not available either.
"""

from __future__ import annotations

from functools import partial

# the kernel's number of each architecture, in the order of the numbers below
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# Each entry: name, number on x86_64, number on aarch64; a dash if the call does not exist there.
_ALLOWED = """
    # bytes of open files
    read 0 63, readv 19 65, pread64 17 67, preadv 295 69, write 1 64, writev 20 66, pwrite64 18 68, pwritev 296 70,
    lseek 8 62, close 3 57, close_range 436 436, dup 32 23, dup2 33 -, dup3 292 24, pipe 22 -, pipe2 293 59, fsync 74 82, fdatasync 75 83,
    ftruncate 77 46,
    # files by name, within what Landlock leaves
    open 2 -, openat 257 56, stat 4 -, fstat 5 80, lstat 6 -, newfstatat 262 79, statx 332 291, statfs 137 43, fstatfs 138 44, access 21 -,
    faccessat 269 48, faccessat2 439 439, readlink 89 -, readlinkat 267 78, getdents 78 -, getdents64 217 61, getcwd 79 17, chdir 80 49, fchdir 81 50,
    umask 95 166,
    # memory
    mmap 9 222, munmap 11 215, mremap 25 216, mprotect 10 226, brk 12 214, msync 26 227, membarrier 324 283,
    # signals to itself, time limits
    rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136, rt_sigtimedwait 128 137, rt_sigsuspend 130 133,
    sigaltstack 131 132, restart_syscall 219 128, pause 34 -, alarm 37 -, setitimer 38 103, getitimer 36 102,
    # threads, and the one processor that runs them
    futex 202 98, set_robust_list 273 99, rseq 334 293, set_tid_address 218 96, sched_yield 24 124,
    sched_getaffinity 204 123, sched_getscheduler 145 120, sched_getparam 143 121, sched_get_priority_max 146 125, sched_get_priority_min 147 126,
    getcpu 309 168,
    # clocks
    nanosleep 35 101, clock_nanosleep 230 115, clock_gettime 228 113, clock_getres 229 114, gettimeofday 96 169, time 201 -, times 100 153,
    getrusage 98 165,
    # waiting
    poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, epoll_create 213 -, epoll_create1 291 20, epoll_ctl 233 21, epoll_wait 232 -,
    epoll_pwait 281 22, eventfd 284 -, eventfd2 290 19,
    # asking about itself, ending
    getpid 39 172, getppid 110 173, gettid 186 178, getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177, getresuid 118 148,
    getresgid 120 150, getgroups 115 158, getpgrp 111 -, getpgid 121 155, getsid 124 156, getpriority 140 141, getrlimit 97 163, uname 63 160,
    sysinfo 99 179, getrandom 318 278, arch_prctl 158 -, wait4 61 260, waitid 247 95, exit 60 93, exit_group 231 94
"""  # noqa: E501

# Allowed with some arguments only; see grader.boundary.seccomp.
_CHECKED = """
    clone 56 220, kill 62 129, tgkill 234 131, fcntl 72 25, ioctl 16 29, prctl 157 167, prlimit64 302 261, madvise 28 233
"""  # noqa: E501

# Refused with EPERM, because learners' programs may try them and should get the usual error.
_REFUSED = """
    # processes and programs
    fork 57 -, vfork 58 -, execve 59 221, execveat 322 281, tkill 200 130, setrlimit 160 164,
    # the network
    socket 41 198, socketpair 53 199, connect 42 203,
    bind 49 200, listen 50 201, accept 43 202, accept4 288 242, sendto 44 206, sendmsg 46 211, recvfrom 45 207, recvmsg 47 212,
    # what Landlock covers in part, or only in newer kernels
    mkdir 83 -, mkdirat 258 34, rmdir 84 -, unlink 87 -, unlinkat 263 35, rename 82 -, renameat 264 38, renameat2 316 276, link 86 -, linkat 265 37,
    symlink 88 -, symlinkat 266 36, mknod 133 -, mknodat 259 33, creat 85 -, truncate 76 45,
    chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -, fchown 93 55, lchown 94 -, fchownat 260 54, utime 132 -, utimes 235 -,
    utimensat 280 88, futimesat 261 -, setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7, flock 73 32,
    # who it is, and how it is scheduled
    setuid 105 146, setgid 106 144, setresuid 117 147, setresgid 119 149, setreuid 113 145, setregid 114 143, setgroups 116 159, setfsuid 122 151,
    setfsgid 123 152, setsid 112 157, setpgid 109 154, setpriority 141 140, sched_setaffinity 203 122, sched_setscheduler 144 119,
    sched_setparam 142 118,
    # other processes
    ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, pidfd_open 434 434, pidfd_send_signal 424 424, pidfd_getfd 438 438,
    rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240,
    # the machine
    mount 165 40, umount2 166 39, unshare 272 97, setns 308 268, chroot 161 51, pivot_root 155 41, memfd_create 319 279,
    # what others have read
    fadvise64 221 223, mincore 27 232
"""  # noqa: E501


def numbers(table: str, machine: str) -> dict[str, int]:
    """Return the number of each call in a table that exists on this kind of machine, by name."""
    column = [*MACHINES].index(machine)
    lines = [line for line in table.splitlines() if not line.strip().startswith("#")]
    rows = [entry.split() for entry in " ".join(lines).split(",") if entry.strip()]
    return {name: int(both[column]) for name, *both in rows if both[column] != "-"}


allowed = partial(numbers, _ALLOWED)  # harmless with any arguments
checked = partial(numbers, _CHECKED)  # harmless with some arguments
refused = partial(numbers, _REFUSED)  # these fail with EPERM
