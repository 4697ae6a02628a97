"""A coverage-guided fuzzer for a worker's replies: any bytes must be a valid answer or be refused.

    python -m pip install -e ".[fuzz]"
    python tests/support/fuzz_frames.py FOLDER -max_total_time=600

The options are those of libFuzzer; FOLDER keeps interesting inputs from one run to the next. The
fuzzer ends with an error and saves the bytes if anything else is raised, or if an input takes more
than a second or 300 MB.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["grader"]):
    from grader.boundary import pipes
    from grader.boundary.isolation import Plan
    from grader.intake.submission import File, Submission
    from grader.judge import failures, session
    from grader.judge import replies as answers
    from grader.judge.script.steps import Read, Walk
    from grader.worker import protocol, wire
    from grader.worker.protocol import Ref

FORMS = ("number", "text", "callable", "ref", "document", "array", "refs", "graph", "value")
NAMES = ("Value", "Value.__add__")
SUBMISSION = Submission("here", (File("engine", "engine.py", b"class Value:\n    pass\n"),))


class Replies:
    """A worker that answers with these bytes."""

    isolation = None

    def __init__(self, reply: protocol.Wire) -> None:
        self._reply = reply

    def exchange(self, _request: protocol.Wire, _seconds: float, _limit: int) -> protocol.Wire:
        """Return the same reply to every request."""
        return self._reply

    def output(self) -> str:
        """Return no output."""
        return ""

    def close(self) -> None:
        """Close nothing."""


def greeting(value: protocol.Wire) -> None:
    """Decode a worker's first message."""
    assert 0 <= Plan(3, ()).isolation(value).level <= 3


def begun(reply: protocol.Wire) -> session.Session:
    """Return a session whose worker has already loaded the submission."""
    found = session.Session(lambda: Replies(reply), SUBMISSION, "engine", NAMES)  # type: ignore[arg-type, return-value]
    found._transport, found._loaded = Replies(reply), answers.Loaded({})  # type: ignore[assignment]
    return found


def loaded(value: protocol.Wire) -> None:
    """Decode what a worker reports after loading the submission."""
    found = session.Session(lambda: Replies(value), SUBMISSION, "engine", NAMES).load()  # type: ignore[arg-type, return-value]
    assert set(found.names) == set(NAMES)


def ran(value: protocol.Wire) -> None:
    """Decode the answer to a script with one read: the whole reply, or one answer in every form."""
    for form in FORMS:
        assert len(begun(value).run([Read(Ref(1), "", form)], fresh=True)) == 1
    begun(value).run([Walk(Ref(1), "_prev", "_backward", [])], fresh=True)


def answered(value: protocol.Wire) -> None:
    """Decode the same, for a value that is already in its place in a reply."""
    for form in FORMS:
        with suppress(failures.WorkerLost, failures.LearnerFault):
            (answer,) = begun(["done", [value]]).run([Read(Ref(1), "", form)], fresh=True)
            assert len(repr(answer)) < 4 << 20


def faulted(value: protocol.Wire) -> None:
    """Decode a fault and its place."""
    begun(["fault", 0, value]).run([Read(Ref(1), "", "number")], fresh=True)


def called(value: protocol.Wire) -> None:
    """Decode which functions were called."""
    assert set(begun(["done", value]).called([Read(Ref(1), "", "number")])) <= set(NAMES)


def framed(data: bytes) -> None:
    """Decode the length that a reply claims."""
    size = pipes._frame_size(bytearray(data), 1 << 16)
    assert size is None or 4 <= size <= (1 << 16) + 4


USES: tuple[Callable[[protocol.Wire], None], ...] = (
    greeting,
    loaded,
    ran,
    answered,
    faulted,
    called,
)


def one_input(data: bytes) -> None:
    """Treat the input as the kind of message that its first byte selects."""
    use = data[0] % (len(USES) + 1) if data else 0
    try:
        if use == len(USES):
            framed(data[1:])
            return
        USES[use](wire.decode(data[1:]))
    except (protocol.WireError, pipes.Garbled, failures.WorkerLost, failures.LearnerFault):
        return


RAISED = protocol.Raised(
    "raised",
    "ValueError",
    ["ValueError", "Exception"],
    "no",
    [protocol.Frame("engine.py", 2, "f", "")],
    "Value.__add__",
)
LOADED = protocol.Loaded(
    [protocol.NameState("present", 1, 2), protocol.NameState("stub", 3, 4)], ["matplotlib"], []
)
SEEDS: tuple[tuple[int, object], ...] = (
    (0, protocol.Ready(["limit: memory", "Landlock"], ["another user"], ["1 write a file"])),
    (1, protocol.Done(LOADED)),
    (1, protocol.Fault(0, RAISED._replace(how="syntax"))),
    (2, protocol.Done([3.0])),
    (2, protocol.Done([["str"]])),
    (2, protocol.Done([Ref(3)])),
    (3, [[2, 3], [1.0, 2, 3.0, 4.0, 5.0, 6.0]]),
    (3, [Ref(1), Ref(2)]),
    (3, [[Ref(1), [Ref(2)]], [Ref(2), []]]),
    (3, [1, 2.5, "a", None, True, [b"Value", []]]),
    (3, "Value(data=3.0, grad=0.0)"),
    (4, RAISED),
    (4, RAISED._replace(how="timeout", frames=[])),
    (5, [["Value.__add__"]]),
)

TEXTS = (
    "done",
    "fault",
    "loaded",
    "namestate",
    "frame",
    "ready",
    "raised",
    "exited",
    "memory",
    "syntax",
    "timeout",
    "present",
    "stub",
    "missing",
    "engine.py",
    "Value",
)
WORDS = [rf'"\"{text}\""' for text in (*TEXTS, "ref", "bytes")]
WORDS += [f'"{word}"' for word in ("NaN", "-Infinity", "null", "true")]


def main() -> None:
    """Fuzz, starting from a corpus of what honest workers send."""
    options = [word for word in sys.argv[1:] if word.startswith("-")]
    folders = [Path(word) for word in sys.argv[1:] if not word.startswith("-")]
    if len(folders) != 1:
        sys.exit("usage: python tests/fuzz/frames.py FOLDER [-max_total_time=SECONDS]")
    corpus = folders[0] / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, (use, value) in enumerate(SEEDS):
        (corpus / f"seed-{number}").write_bytes(bytes([use]) + wire.encode(value))
    words = folders[0] / "words"
    words.write_text("\n".join(WORDS) + "\n", encoding="ascii")
    limits = [
        "-timeout=1",
        "-rss_limit_mb=300",
        "-max_len=4096",
        "-len_control=20",
        f"-dict={words}",
        f"-artifact_prefix={folders[0]}/",
    ]
    atheris.Setup([sys.argv[0], *limits, *options, str(corpus)], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
