"""What a worker sends must answer the request, byte by byte; anything else is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.boundary.replies import decode_reply, room_for
from grader.judge.script.steps import Read, Walk
from grader.worker import protocol
from grader.worker.bounds import MAX_CODE, MAX_EDGES, MAX_ITEMS
from grader.worker.protocol import Done, Fault, Ref, UnexpectedType, Wire, WireError
from grader.worker.wire import decode, encode
from support import ROOT

LINES = protocol.Lines(1.0, [], 0, Ref(0), "")
TAKE = protocol.Take(1.0, 0, 3)
RUN = protocol.Run(1.0, True, [Walk(Ref(1), "_prev", "_backward", [])])
LOAD = protocol.Load(1.0, [], "engine", ["Value"])
PROPOSE = protocol.Propose(1.0, [])
CANDIDATE = protocol.Candidate("engine.py", 3, 3, "    x")
STATE = ["namestate", "present", 1, 2, ""]
RAISED = ["raised", "raised", "NameError", ["NameError"], "no", [], "", "data"]
CELL = ["cellsource", "x = 1", [["skipped", 2, "%pip"]], 0]


def received(request: protocol.Asked, reply: object) -> object:
    """Return the reply as the judge decodes it from its bytes."""
    return decode_reply(request, decode(json.dumps(reply).encode()))


def asked(form: str) -> protocol.Run:
    return protocol.Run(1.0, True, [Read(Ref(1), "", form)])


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (TAKE, Done(b"four")),
        (TAKE, Fault(0, protocol.Raised("raised", "Refused", [], "is damaged", [], ""))),
        (RUN, Done([3])),
        (RUN, Fault(0, protocol.Raised("memory", "MemoryError", [], "", [], ""))),
        (LOAD, Done(protocol.Loaded([protocol.NameState("stub", 1, 2)], ["numpy"], []))),
        (LINES, Done([protocol.Line("engine.py", 3, True)])),
        (protocol.Members(1.0, b""), Done([protocol.Member("engine.py", "")])),
        (
            protocol.Cells(1.0, b""),
            Done([protocol.CellSource("x", [protocol.Skipped(2, "%pip")], 0)]),
        ),
        (protocol.Provide(1.0, []), Done([])),
        (PROPOSE, Done([])),
        (PROPOSE, Done([CANDIDATE])),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_reply_arrives_as_it_was_sent(request_: protocol.Asked, reply: Done | Fault) -> None:
    assert decode_reply(request_, decode(encode(reply))) == _with_lists(reply)


def _with_lists(value: Any) -> Any:
    """With lists for the tuples that are the defaults of some fields."""
    if isinstance(value, (tuple, list)):
        made = map(_with_lists, value)
        return type(value)(*made) if hasattr(value, "_fields") else [*made]
    return value


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (TAKE, ["done", {"bytes": "666976652e"}]),
        (TAKE, ["done", "four"]),
        (RUN, ["refused", "no"]),
        (RUN, ["fault", 1, RAISED]),
        (RUN, ["fault", True, RAISED]),
        (RUN, ["fault", 0, RAISED[1:]]),
        (RUN, ["done", []]),
        (RUN, ["done", [True]]),
        (RUN, ["done", [1, 2]]),
        (RUN, ["ready", [], [], []]),
        (LOAD, ["done", ["loaded", [], [], []]]),
        (LOAD, ["done", ["loaded", [["namestate", "passed", 1, 2, ""]], [], []]]),
        (LOAD, ["done", ["loaded", [STATE], ["x"] * 13, []]]),
        (LOAD, ["done", [[STATE], [], []]]),
        (protocol.Members(1.0, b""), ["done", [["member", "engine.py"]]]),
        (protocol.Cells(1.0, b""), ["done", [CELL[:-1]]]),
        (protocol.Cells(1.0, b""), ["done", [["cellsource", "x" * (4 * MAX_CODE + 1), [], 0]]]),
        (LINES, ["done", [["line", "engine.py", -1, True]]]),
        (protocol.Provide(1.0, []), ["done", [1]]),
        (PROPOSE, decode(encode(Done([CANDIDATE] * 2)))),
        (PROPOSE, decode(encode(Done([CANDIDATE._replace(first=-1)])))),
        (PROPOSE, decode(encode(Done([CANDIDATE._replace(text="x" * (6 * MAX_CODE + 1))])))),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, list) else type(value).__name__,
)
def test_a_reply_that_answers_another_question_is_refused(
    request_: protocol.Asked, reply: Wire
) -> None:
    with pytest.raises(WireError):
        received(request_, reply)


@pytest.mark.parametrize(
    ("form", "answer", "means"),
    [
        ("number", 1.5, 1.5),
        ("number", 3, 3),
        ("number", {"type": "str"}, UnexpectedType("str")),
        ("text", "a", "a"),
        ("text", {"type": "int"}, UnexpectedType("int")),
        ("document", "a" * 65536, "a" * 65536),
        ("callable", True, True),
        ("ref", {"ref": 7}, Ref(7)),
        ("refs", {"type": "no collection"}, UnexpectedType("no collection")),
        ("refs", [{"ref": 7}], [Ref(7)]),
        ("array", [[], [1.0]], ([], [1.0])),
        ("array", [[2, 1], [1.0, 2]], ([2, 1], [1.0, 2])),
        ("array", {"type": "list"}, UnexpectedType("list")),
        ("graph", [[{"ref": 2}, []], [{"ref": 1}, [{"ref": 2}]]], [(2, []), (1, [2])]),
        ("value", [1, [None, "a"], {"type": "Value"}], [1, [None, "a"], UnexpectedType("Value")]),
    ],
)
def test_an_answer_in_the_form_that_was_asked_for_is_taken(
    form: str, answer: Wire, means: object
) -> None:
    assert received(asked(form), ["done", [answer]]) == Done([means])


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("number", True),
        ("number", None),
        ("number", "1"),
        ("number", 2**64),
        ("number", [1.0]),
        ("number", {"type": 5}),
        ("number", {"ref": 7}),
        ("text", 5),
        ("text", "a" * 2401),
        ("document", "a" * (6 * 65536 + 1)),
        ("callable", 1),
        ("ref", 7),
        ("ref", None),
        ("refs", [7]),
        ("refs", None),
        ("refs", [{"ref": 7}] * (MAX_ITEMS + 1)),
        ("array", [[2], [1.0]]),
        ("array", [[-1], []]),
        ("array", [[1] * 9, [1.0]]),
        ("array", [[1], ["1"]]),
        ("array", [[MAX_ITEMS + 1], [0] * (MAX_ITEMS + 1)]),
        ("graph", [[{"ref": 1}, []], [{"ref": 1}, []]]),
        ("graph", [[{"ref": 1}]]),
        ("graph", [[1, []]]),
        ("graph", [[{"ref": 1}, [{"ref": 1}] * (MAX_EDGES + 1)]]),
        ("graph", None),
        ("value", [0] * (MAX_ITEMS + 1)),
        ("value", [[[[[[1]]]]]]),
        ("value", "a" * 2401),
        ("value", {"ref": 1}),
        ("value", {"type": "a" * 2401}),
        ("graph", [[{"ref": 1}, [{"ref": 2}]]]),
    ],
    ids=lambda value: str(value)[:60],
)
def test_an_answer_in_another_form_is_refused(form: str, answer: Wire) -> None:
    with pytest.raises(WireError):
        received(asked(form), ["done", [answer]])


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("number", UnexpectedType("\0" * 400)),
        ("text", "\udcff" * 400),
        ("document", "\0" * 65536),
        ("array", [[MAX_ITEMS], [-1.2345678901234567e-300] * MAX_ITEMS]),
        ("callable", False),
        ("ref", Ref(-(2**63))),
        ("refs", [Ref(-(2**63))] * MAX_ITEMS),
        ("graph", [[Ref(n), [Ref(1 << 40)] * 20] for n in range(MAX_ITEMS)]),
    ],
)
def test_there_is_room_for_the_largest_answer(form: str, answer: object) -> None:
    assert len(encode(answer)) <= room_for(asked(form)) <= 7 << 20


def test_there_is_room_for_the_largest_member_of_an_archive() -> None:
    assert len(encode(Done(bytes(4)))) <= room_for(TAKE)
    large = protocol.Take(1.0, 0, 1 << 20)
    assert len(encode(Done(bytes((1 << 20) + 1)))) <= room_for(large)


@pytest.mark.slow
def test_a_fuzzer_guided_by_coverage_finds_nothing(tmp_path: Path) -> None:
    """A short run of what `tests/support/fuzz_frames.py` does for as long as one likes."""
    pytest.importorskip(
        "atheris", reason='the fuzzer is not installed: python -m pip install -e ".[fuzz]"'
    )
    command = [
        sys.executable,
        str(ROOT / "tests" / "support" / "fuzz_frames.py"),
        str(tmp_path),
        "-runs=50000",
        "-seed=1",
    ]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert found.returncode == 0, found.stderr[-3000:]
    assert "Done 50000 runs" in found.stderr
