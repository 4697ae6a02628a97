"""The warm parent: its workers find the same memory, share nothing, and die with the judge."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from grader.boundary import isolation, warm
from grader.boundary.process import ProcessTransport
from grader.errors import InternalError
from support.workers import is_gone, load, printed, within

pytestmark = pytest.mark.skipif(
    not isolation.plan(2).is_sandboxed, reason="workers are not forked without a sandbox"
)


def workers(count: int) -> list[ProcessTransport]:
    return [ProcessTransport(2) for _ in range(count)]


ADDRESSES = """\
print(hash(str([id(x) for n in range(1, 2000, 8) for x in ([bytes(n) for _ in range(20)], {n}, object(),
                                                           tuple(range(n % 30)))])))
"""  # noqa: E501


def test_every_worker_finds_the_same_memory_whatever_came_before() -> None:
    """Sets of objects are walked in the order of addresses, and verdicts may hang on that."""
    found, alive = set(), workers(2)
    for number in range(20):
        alive.append(ProcessTransport(2))
        found.add(printed(alive[-1], ADDRESSES))
        alive.pop(number % len(alive)).close()
    for transport in alive:
        transport.close()
    assert len(found) == 1


def test_two_workers_share_no_descriptor() -> None:
    kinds = "import os\nprint(*(f'{(s := os.fstat(fd)).st_dev}.{s.st_ino}' for fd in range(64) if can(fd)))"  # noqa: E501
    can = "def can(fd):\n  try: return os.fstat(fd)\n  except OSError: return False\n"
    one, other = workers(2)
    with closing(one), closing(other):
        found, theirs = (set(printed(each, can + kinds).split()) for each in (one, other))
    null = Path(os.devnull).stat()
    assert found & theirs == {f"{null.st_dev}.{null.st_ino}"}
    assert len(found) <= 5  # requests, replies, output, nothing to read, its waiting time


def test_after_the_parent_was_killed_its_workers_are_gone_and_others_start() -> None:
    warm.end()
    with closing(ProcessTransport(2)) as transport:
        assert printed(transport, "print(1)") == "1"
        os.kill(warm._warm_parent()._process.pid, signal.SIGKILL)
        assert within(30, lambda: is_gone(transport._process.pid))
        with pytest.raises(InternalError, match="lost"):
            load(transport, "")
    with closing(ProcessTransport(2)) as transport:
        assert printed(transport, "print(3)") == "3"


JUDGE = """\
import os, signal, sys
from grader.boundary import warm
from grader.boundary.process import ProcessTransport
made = [ProcessTransport(2) for _ in range(2)]
for transport in made:
    transport.isolation
print(warm._warm_parent()._process.pid, *[t._process.pid for t in made], *[t._process.parent for t in made],
      flush=True)
if sys.argv[1] == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
"""  # noqa: E501


@pytest.mark.parametrize("how", ["killed", "ended"])
def test_nothing_outlives_the_judge(how: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", JUDGE, how], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == ""
    numbers = [int(word) for word in done.stdout.split()]
    assert len(numbers) == 5
    assert within(30, lambda: all(map(is_gone, numbers)))
