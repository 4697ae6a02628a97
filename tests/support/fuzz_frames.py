"""A coverage-guided fuzzer for a worker's replies: any bytes must be a valid answer or be refused.

    python -m pip install -e ".[fuzz]"
    python tests/support/fuzz_frames.py FOLDER -max_total_time=600

The options are those of libFuzzer; FOLDER keeps interesting inputs from one run to the next. The
fuzzer ends with an error and saves the bytes if anything else is raised, or if an input takes more
than a second or 300 MB.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["grader"]):
    from grader.boundary.isolation import Plan
    from grader.boundary.replies import decode_reply
    from grader.judge.script.steps import Read, Walk
    from grader.worker import protocol, wire
    from grader.worker.protocol import Ref

FORMS = ("number", "text", "callable", "ref", "document", "array", "refs", "graph", "value")
NAMES = ["Value", "Value.__add__"]
REQUESTS: tuple[protocol.Asked, ...] = (
    protocol.Load(1.0, [], "engine", NAMES),
    protocol.Run(1.0, True, [Walk(Ref(1), "_prev", "_backward", [])]),
    *(protocol.Run(1.0, True, [Read(Ref(1), "", form)]) for form in FORMS),
    protocol.Lines(1.0, [], 0, Ref(0), ""),
    protocol.Propose(1.0, []),
    protocol.Members(1.0, b""),
    protocol.Take(1.0, 0, 100),
    protocol.Cells(1.0, b""),
    protocol.Provide(1.0, []),
)
FAULT = protocol.Fault(
    0,
    protocol.Raised(
        "raised",
        "ValueError",
        ["ValueError", "Exception"],
        "no",
        [protocol.Frame("engine.py", 2, "f", "")],
        "Value.__add__",
    ),
)
SEEDS = (
    protocol.Ready(["limit: memory", "Landlock"], ["another user"], ["1 write a file"]),
    protocol.Done(
        protocol.Loaded(
            [protocol.NameState("present", 1, 2), protocol.NameState("stub", 3, 4)],
            ["matplotlib"],
            [],
        )
    ),
    FAULT,
    *map(
        protocol.Done,
        (
            [3.0],
            [["str"]],
            [Ref(3)],
            [[[2, 3], [1.0, 2, 3.0, 4.0, 5.0, 6.0]]],
            [[Ref(1), Ref(2)]],
            [[[Ref(1), [Ref(2)]], [Ref(2), []]]],
            [[1, 2.5, "a", None, True, [b"Value", []]]],
            ["Value(data=3.0, grad=0.0)"],
            [["Value.__add__"]],
            b"x = 1",
        ),
    ),
)
TEXTS = (
    "done fault loaded namestate frame ready raised timeout present stub missing engine.py Value"
)
WORDS = [rf'"\"{text}\""' for text in (*TEXTS.split(), "ref", "type", "bytes")]
WORDS += [f'"{word}"' for word in ("NaN", "-Infinity", "null", "true")]


def one_input(data: bytes) -> None:
    """Read the input as the reply to the request that its first byte selects, or a greeting."""
    with suppress(protocol.WireError):
        reply = wire.decode(data[1:])
        if (use := data[0] % (len(REQUESTS) + 1)) == len(REQUESTS):
            Plan(3, ()).isolation(reply)
        else:
            decode_reply(REQUESTS[use], reply)


def main() -> None:
    """Fuzz, starting from a corpus of what honest workers send."""
    folder = Path(sys.argv[1])
    corpus, words = folder / "corpus", folder / "words"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, reply in enumerate(SEEDS):
        for use in range(len(REQUESTS) + 1):
            (corpus / f"seed-{number}-{use}").write_bytes(bytes([use]) + wire.encode(reply))
    words.write_text("\n".join(WORDS) + "\n", encoding="ascii")
    limits = ["-timeout=1", "-rss_limit_mb=300", "-max_len=4096", "-len_control=20"]
    named = [f"-dict={words}", f"-artifact_prefix={folder}/", *sys.argv[2:], str(corpus)]
    atheris.Setup([sys.argv[0], *limits, *named], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
