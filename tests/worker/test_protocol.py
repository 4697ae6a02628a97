"""The frames between judge and worker: everything allowed crosses unchanged, and nothing else does."""  # noqa: E501

from __future__ import annotations

import math
import subprocess
import sys
import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.judge.script.steps import Read, Walk
from grader.worker import protocol
from grader.worker.protocol import MAX_DEPTH, Ref, Wire, WireError, decode, encode
from support import ROOT

INT64 = st.integers(-(2**63), 2**63 - 1)
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    INT64,
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.binary(),
    INT64.map(Ref),
)
VALUES = st.one_of(
    st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=4), max_leaves=30),
    st.lists(st.floats(allow_nan=False)),
    st.lists(INT64.map(Ref)),
)


def types_of(value: Wire) -> object:
    return [types_of(item) for item in value] if isinstance(value, list) else type(value)


@given(VALUES)
def test_a_value_comes_back_equal_and_of_the_same_types(value: Wire) -> None:
    back = decode(encode(value))
    assert back == value
    assert types_of(back) == types_of(value)


@pytest.mark.parametrize("number", [math.nan, -math.nan, math.inf, -math.inf, -0.0, 5e-324])
def test_every_float_crosses_with_its_bits(number: float) -> None:
    assert encode(decode(encode(number))) == encode(number)


def test_text_that_is_not_unicode_crosses_spelled_out() -> None:
    assert decode(encode("a\udc80b")) == "a\\udc80b"


def of_a_subclass(value: Any) -> Any:
    kind: Any = type("Sub", (type(value),), {})
    return kind(value)


@pytest.mark.parametrize(
    "value",
    [
        *map(of_a_subclass, (1.0, 1, "a", [1], Ref(1))),
        1j,
        Fraction(1),
        {1: 2},
        {1},
        object(),
        len,
        type,
        bytearray(b"a"),
        ...,
    ],
    ids=lambda value: type(value).__name__,
)
def test_no_other_type_and_no_subclass_crosses(value: object) -> None:
    with pytest.raises(WireError, match="may not cross"):
        encode(value)
    with pytest.raises(WireError, match="may not cross"):
        encode([1, [value]])


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**400])
def test_an_integer_of_more_than_64_bits_is_refused(number: int) -> None:
    with pytest.raises(WireError, match="64 bits"):
        encode(number)


def nested(depth: int) -> Wire:
    value: Wire = []
    for _ in range(depth - 1):
        value = [value]
    return value


def test_lists_may_be_as_deep_as_the_limit_and_no_deeper() -> None:
    assert decode(encode(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    with pytest.raises(WireError, match="too deep"):
        encode(nested(MAX_DEPTH + 1))
    with pytest.raises(WireError, match="cannot be"):
        decode(b"l\0\0\0\1" * MAX_DEPTH + b"l\0\0\0\0")


def test_a_list_that_holds_itself_is_refused() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(WireError, match="too deep"):
        encode(loop)


@given(VALUES, st.data())
def test_a_frame_that_is_cut_short_is_refused(value: Wire, data: st.DataObject) -> None:
    frame = encode(value)
    size = data.draw(st.integers(0, len(frame) - 1))
    with pytest.raises(WireError):
        decode(frame[:size])


@given(VALUES, st.binary(min_size=1, max_size=9))
def test_a_frame_with_something_after_its_value_is_refused(value: Wire, more: bytes) -> None:
    with pytest.raises(WireError):
        decode(encode(value) + more)


@given(
    st.one_of(
        st.binary(max_size=64),
        st.lists(st.sampled_from(b"ntfdirslb\0\1\2\xff"), max_size=64).map(bytes),
    )
)
@example(b"")
@example(b"s\xff\xff\xff\xff")
@example(b"l\xff\xff\xff\xff")
@example(b"s\0\0\0\1\xff")
def test_any_bytes_are_a_value_or_a_wire_error(data: bytes) -> None:
    try:
        value = decode(data)
    except WireError:
        return
    assert decode(encode(value)) == value or "nan" in repr(value)


@given(VALUES, st.data())
def test_a_frame_with_one_changed_byte_is_a_value_or_a_wire_error(
    value: Wire, data: st.DataObject
) -> None:
    frame = bytearray(encode(value))
    frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    try:
        decode(bytes(frame))
    except WireError:
        return


@pytest.mark.parametrize(
    "frame",
    [
        b"l\xff\xff\xff\xff" + b"n" * 100,
        b"s\xff\xff\xff\xff" + b"n" * 100,
        b"b\x7f\xff\xff\xff",
        b"l\0\xff\xff\xff" * 2000,
    ],
    ids=["list", "text", "bytes", "lists in lists"],
)
def test_a_length_that_the_frame_does_not_hold_takes_no_memory(frame: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(WireError):
            decode(frame)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


REQUESTS = [
    protocol.Confine(2, 77, 78, 0, ["os.py"], 5, True, b"program", ["secret", "spare"]),
    protocol.Provide(1.0, [protocol.Package("numpy", "/site-packages")]),
    protocol.Load(
        1.5,
        [protocol.File("engine", "engine.py", b"x = 1")],
        "engine",
        ["Value"],
        ["engine"],
        ["Value.relu"],
        [protocol.Patch("engine", "y = 2", [])],
        [protocol.Cell("cell 1", b"z = 3")],
        [protocol.Place("cell 1", 1)],
    ),
    protocol.Run(1.0, True, [["read", (1,), "data", "number"]]),  # type: ignore[list-item]
    protocol.Patched(1.0, [protocol.Patch("engine", "y = 2", ["z"])], []),
    protocol.Computed(1.0, [], "engine.Value", "data", "grad", "_prev", "backward", ["exp"]),
    protocol.Called(1.0, []),
    protocol.Describe(1.0, "engine", ["Value.__mul__"], "class Value: ..."),
    protocol.Members(1.0, b"PK"),
    protocol.Take(1.0, 0, 100),
    protocol.Cells(1.0, b"{}"),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: type(request).__name__)
def test_a_request_is_decoded_as_what_it_was_and_nothing_else_is(request_: Any) -> None:
    if not isinstance(request_, protocol.Run):
        assert protocol.decode_request(protocol.pack(request_)) == _as_lists(request_)
    whole: Any = protocol.unpack(protocol.pack(request_))
    name, *fields = whole
    for wrong in (fields[:-1], [*fields, 1], [None, *fields[1:]], [*fields[:-1], None]):
        with pytest.raises(WireError):
            protocol.decode_request(protocol.pack([name, *wrong]))
    with pytest.raises(WireError):
        protocol.decode_request(protocol.pack([name.upper(), *fields]))


def _as_lists(value: Any) -> Any:
    """With lists for the tuples that only the sender may use."""
    if type(value) in {list, tuple}:
        return [_as_lists(item) for item in value]
    return type(value)(*map(_as_lists, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    "step", [["make", (1,), "f", []], ["make", (1,), "f", [], [], 1], ["import", "os"], [], 5]
)
def test_a_step_of_another_name_or_length_is_refused(step: Any) -> None:
    with pytest.raises(WireError, match="not a script"):
        protocol.decode_request(protocol.pack(["run", 1.0, True, [step]]))


TAKE = protocol.Take(1.0, 0, 3)
RUN = protocol.Run(1.0, True, [Walk(Ref(1), "_prev", "_backward", [])])
DESCRIBE = protocol.Describe(1.0, "engine", ["Value.__mul__"])
READ = [Read(Ref(1), "data", "number")]
COMPUTED = protocol.Computed(1.0, READ, "Value", "data", "grad", "_prev", "backward", ["relu"])
LEAF: Wire = ["leaf", [7, 0], 0.0, 0]
RAISED: Wire = ["raised", "NameError", ["NameError"], "no", [["engine.py", 3, "f", ""]], "", "data"]
REPLIES: list[tuple[protocol.Asked, Wire, object]] = [
    (TAKE, ["ok", b"four"], protocol.Done(b"four")),
    (TAKE, ["refused", "no"], protocol.Refused("no")),
    (
        RUN,
        ["fault", 0, RAISED],
        protocol.Fault(
            0,
            protocol.Raised(
                "raised",
                "NameError",
                ["NameError"],
                "no",
                [protocol.Frame("engine.py", 3, "f", "")],
                "",
                "data",
            ),
        ),
    ),
    (
        DESCRIBE,
        ["ok", [["engine.py", 3, [["#0.grad +=", 5]], ""]]],
        protocol.Done([protocol.Function("engine.py", 3, [protocol.Fact("#0.grad +=", 5)], "")]),
    ),
    (
        COMPUTED,
        ["ok", [[LEAF, ["relu", [0], 0.0, 0]]]],
        protocol.Done([[protocol.Term("leaf", [7, 0], 0.0), protocol.Term("relu", [0], 0.0)]]),
    ),
]


@pytest.mark.parametrize(("request_", "reply", "decoded"), REPLIES)
def test_the_reply_to_a_request_is_decoded(
    request_: protocol.Asked, reply: Wire, decoded: object
) -> None:
    assert protocol.decode_reply(request_, reply) == decoded


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (COMPUTED, ["ok", []]),
        (COMPUTED, ["ok", [[["relu", [0], 0.0, 0]]]]),
        (COMPUTED, ["ok", [[LEAF, ["+", [0], 0.0]]]]),
        (COMPUTED, ["ok", [[LEAF, ["sigmoid", [0], 0.0]]]]),
        (COMPUTED, ["ok", [[LEAF, ["+", [0, -1], 0.0]]]]),
        (COMPUTED, ["ok", [[["leaf", [7, 0], "0"]]]]),
        (COMPUTED, ["ok", [[LEAF] * (protocol.MAX_TERMS + 1)]]),
        (TAKE, ["ok", b"five."]),
        (TAKE, ["ok", "four"]),
        (TAKE, ["fault", 0, RAISED]),
        (TAKE, ["refused", "n" * (6 * protocol.MAX_WHY + 1)]),
        (RUN, ["refused", "no"]),
        (RUN, ["fault", 1, RAISED]),
        (RUN, ["fault", True, RAISED]),
        (RUN, ["ok", []]),
        (RUN, ["ok", [True]]),
        (RUN, ["ok", [1, 2]]),
        (DESCRIBE, ["ok", []]),
        (DESCRIBE, ["ok", [["engine.py", -3, [], ""]]]),
        (DESCRIBE, ["ok", [["engine.py", 3, [["f" * 1000, 5]], ""]]]),
        (DESCRIBE, ["ok", [["engine.py", 3, [["f", 5]] * (protocol.MAX_FACTS + 1), ""]]]),
        (protocol.Members(1.0, b""), ["ok", [["engine.py"]]]),
        (protocol.Cells(1.0, b""), ["ok", [[2, "x = 1", [], 0]]]),
        (protocol.Provide(1.0, []), ["ok", [1]]),
    ],
    ids=lambda given: repr(given)[:60],
)
def test_any_other_reply_is_refused(request_: protocol.Asked, reply: Wire) -> None:
    with pytest.raises(WireError):
        protocol.decode_reply(request_, reply)


def test_reserved_numbers_do_not_meet() -> None:
    rounds = protocol.FIRST_ROUND + protocol.ROUNDS * (1 << 24)  # of a script of 16 million objects
    assert protocol.FIRST_TRIED < protocol.FIRST_TRANSLATED < protocol.FIRST_ROUND < rounds
    assert rounds < protocol.UNUSED < protocol.WATCHED < protocol.FIRST_FOUND


PEAK = """\
from pathlib import Path
from grader.worker import protocol
from grader.judge.script.steps import Read
from grader.worker.protocol import Ref
size = protocol.room_for(protocol.Run(1.0, True, [Read(Ref(1), "", "graph")] * 10))
chain = b"l\\0\\0\\0\\1" * 9 + b"l\\0\\0\\0\\0"
protocol.decode(b"l" + (size // len(chain)).to_bytes(4, "big") + chain * (size // len(chain)))
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1024)
"""  # noqa: E501


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks into /proc")
def test_the_largest_reply_takes_less_than_200_megabytes() -> None:
    """Lists in lists are what grows most by being read."""
    found = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, text=True, check=True)
    assert 50 < int(found.stdout) < 200


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
