"""The frames between judge and worker: everything allowed crosses unchanged, and nothing else does."""  # noqa: E501

from __future__ import annotations

import math
import pickle
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
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=4), max_leaves=30)


def types_of(value: Wire) -> object:
    return [types_of(item) for item in value] if isinstance(value, list) else type(value)


@given(VALUES)
def test_a_value_comes_back_equal_and_of_the_same_types(value: Wire) -> None:
    back = decode(encode(value))
    assert back == value
    assert types_of(back) == types_of(value)


def test_a_tuple_comes_back_as_a_list() -> None:
    assert decode(encode((1, (2.0,)))) == [1, [2.0]]


@pytest.mark.parametrize("number", [math.nan, -math.nan, math.inf, -math.inf, -0.0, 5e-324])
def test_every_float_crosses_with_its_bits(number: float) -> None:
    assert encode(decode(encode(number))) == encode(number)


def test_text_that_is_not_unicode_crosses_spelled_out() -> None:
    assert decode(encode("a\udc80b")) == "a\\udc80b"


class Float(float):
    pass


class Int(int):
    pass


class Text(str):
    __slots__ = ()


class List(list[int]):
    pass


class SubRef(Ref):
    __slots__ = ()


@pytest.mark.parametrize(
    "value",
    [
        Float(1.0),
        Int(1),
        Text("a"),
        List([1]),
        SubRef(1),
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


@pytest.mark.parametrize("numbers", [[1.0, -2.5, float("inf")], [Ref(1), Ref(-2), Ref(2**62)]])
def test_a_list_of_one_kind_of_number_is_refused_wherever_it_is_cut_short(numbers: Wire) -> None:
    frame = encode(numbers)
    assert decode(frame) == numbers
    assert types_of(decode(frame)) == types_of(numbers)
    for size in range(len(frame)):
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


def test_a_reference_is_shown_as_one() -> None:
    assert repr([Ref(7)]) == "[Ref(7)]"


def test_a_record_is_a_tuple_with_names_for_its_fields() -> None:
    patch = protocol.Patch("engine", source="x = 1")
    assert [*patch] == ["engine", "x = 1", ()]
    assert patch._replace(deletes=["y"]).deletes == ["y"]
    assert repr(patch) == "Patch(module='engine', source='x = 1', deletes=())"
    assert type(copied := pickle.loads(pickle.dumps(patch))) is protocol.Patch
    assert copied == patch
    for values, named in (([], {}), (["a"], {}), (["a", "b", [], 4], {}), (["a", "b"], {"c": 1})):
        with pytest.raises(TypeError):
            protocol.Patch(*values, **named)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        protocol.Patch("a", "b", module="c")  # type: ignore[misc]


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


def test_the_reply_to_a_request_is_checked_by_what_was_asked() -> None:
    take = protocol.Take(1.0, 0, 3)
    assert protocol.decode_reply(take, ["ok", b"four"]) == protocol.Done(b"four")
    assert protocol.decode_reply(take, ["refused", "no"]) == protocol.Refused("no")
    frames: Wire = [["engine.py", 3, "f", ""]]
    raised: Wire = ["raised", "NameError", ["NameError"], "no", frames, "", "data"]
    run = protocol.Run(1.0, True, [Walk(Ref(1), "_prev", "_backward", [])])
    fault = protocol.decode_reply(run, ["fault", 0, raised])
    assert isinstance(fault, protocol.Fault)
    assert fault.raised.frames == [protocol.Frame("engine.py", 3, "f", "")]
    assert fault.raised.meant == "data"
    describe = protocol.Describe(1.0, "engine", ["Value.__mul__"])
    function: Wire = ["engine.py", 3, [["#0.grad +=", 5]], ""]
    assert protocol.decode_reply(describe, ["ok", [function]]) == protocol.Done(
        [protocol.Function("engine.py", 3, [protocol.Fact("#0.grad +=", 5)], "")]
    )
    computed = protocol.Computed(
        1.0,
        [Read(Ref(1), "data", "number")],
        "Value",
        "data",
        "grad",
        "_prev",
        "backward",
        ["relu"],
    )
    leaf: Wire = ["leaf", [7, 0], 0.0, 0]
    assert protocol.decode_reply(
        computed, ["ok", [[leaf, ["relu", [0], 0.0, 0]]]]
    ) == protocol.Done([[protocol.Term("leaf", [7, 0], 0.0), protocol.Term("relu", [0], 0.0)]])
    wrong: list[tuple[protocol.Asked, Wire]] = [
        (computed, ["ok", []]),
        (computed, ["ok", [[["relu", [0], 0.0, 0]]]]),
        (computed, ["ok", [[leaf, ["+", [0], 0.0]]]]),
        (computed, ["ok", [[leaf, ["sigmoid", [0], 0.0]]]]),
        (computed, ["ok", [[leaf, ["+", [0, -1], 0.0]]]]),
        (computed, ["ok", [[["leaf", [7, 0], "0"]]]]),
        (computed, ["ok", [[leaf] * (protocol.MAX_TERMS + 1)]]),
        (take, ["ok", b"five."]),
        (take, ["ok", "four"]),
        (take, ["fault", 0, raised]),
        (take, ["refused", "n" * (6 * protocol.MAX_WHY + 1)]),
        (run, ["refused", "no"]),
        (run, ["fault", 1, raised]),
        (run, ["fault", True, raised]),
        (run, ["ok", []]),
        (run, ["ok", [True]]),
        (run, ["ok", [1, 2]]),
        (describe, ["ok", []]),
        (describe, ["ok", [["engine.py", -3, [], ""]]]),
        (describe, ["ok", [["engine.py", 3, [["f" * 1000, 5]], ""]]]),
        (describe, ["ok", [["engine.py", 3, [["f", 5]] * (protocol.MAX_FACTS + 1), ""]]]),
        (protocol.Members(1.0, b""), ["ok", [["engine.py"]]]),
        (protocol.Cells(1.0, b""), ["ok", [[2, "x = 1", [], 0]]]),
        (protocol.Provide(1.0, []), ["ok", [1]]),
    ]
    for request, reply in wrong:
        with pytest.raises(WireError):
            protocol.decode_reply(request, reply)


def test_reserved_numbers_do_not_meet() -> None:
    rounds = protocol.FIRST_ROUND + protocol.ROUNDS * (1 << 24)  # of a script of 16 million objects
    assert protocol.FIRST_TRIED < protocol.FIRST_TRANSLATED < protocol.FIRST_ROUND < rounds
    assert rounds < protocol.UNUSED < protocol.WATCHED < protocol.FIRST_FOUND


def test_a_frame_begins_with_its_length_in_four_bytes() -> None:
    assert protocol.HEADER.pack(258) == b"\0\0\1\2"


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
