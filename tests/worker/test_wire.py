"""The frames between judge and worker: everything allowed crosses unchanged, and nothing else does."""  # noqa: E501

import json
import math
import subprocess
import sys
import time
import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, Union

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.judge.script.steps import (
    FIRST_ROUND,
    FIRST_TRANSLATED,
    FIRST_TRIED,
    ROUNDS,
    UNUSED,
    WATCHED,
    Read,
)
from grader.worker import bounds, protocol
from grader.worker.protocol import Ref, WireError
from grader.worker.wire import decode, decode_request, encode, read

INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = st.one_of(st.none(), st.booleans(), INT64, st.floats(allow_nan=False), TEXT)
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=4), max_leaves=30)


def types_of(value: object) -> object:
    return [types_of(item) for item in value] if isinstance(value, list) else type(value)


@given(VALUES)
def test_a_value_comes_back_equal_and_of_the_same_types(value: Any) -> None:
    back = read(Any, decode(encode(value)))
    assert back == value
    assert types_of(back) == types_of(value)


@given(st.binary(), INT64.map(Ref))
def test_bytes_and_references_come_back_where_they_are_expected(data: bytes, ref: Ref) -> None:
    assert read(bytes, decode(encode(data))) == data
    back = read(list[Ref], decode(encode([ref, ref])))
    assert back == [ref, ref]
    assert types_of(back) == [Ref, Ref]


def test_a_tuple_comes_back_as_a_list() -> None:
    assert decode(encode((1, (2.0,)))) == [1, [2.0]]


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, -0.0, 5e-324, 0.1 + 0.2])
def test_every_float_crosses(number: float) -> None:
    assert repr(read(float, decode(encode(number)))) == repr(number)


def test_half_of_a_surrogate_pair_reaches_the_judge_spelled_out() -> None:
    back = read(str, decode(encode("a\udc80b")))
    assert back == "a\\udc80b"
    assert back.encode()


def of_a_subclass(value: Any) -> Any:
    kind: Any = type("Sub", (type(value),), {})
    return kind(value)


@pytest.mark.parametrize(
    "value",
    [
        *map(of_a_subclass, (1.0, 1, "a", [1], Ref(1))),
        1j,
        Fraction(1),
        {"ref": 2},
        {1},
        object(),
        len,
        type,
        bytearray(b"a"),
        ...,
        2**63,
        -(2**63) - 1,
        10**400,
    ],
    ids=lambda value: type(value).__name__,
)
def test_no_other_type_no_subclass_and_no_huge_integer_crosses(value: object) -> None:
    with pytest.raises(WireError, match="may not cross"):
        encode(value)
    with pytest.raises(WireError, match="may not cross"):
        encode([1, [value]])


# --- hostile bytes ---


@given(VALUES, st.data())
def test_a_message_that_is_cut_short_is_refused(value: Any, data: st.DataObject) -> None:
    message = encode([value])
    with pytest.raises(WireError):
        decode(message[: data.draw(st.integers(0, len(message) - 1))])


@given(VALUES, TEXT.filter(str.strip))
def test_a_message_with_something_after_its_value_is_refused(value: Any, more: str) -> None:
    with pytest.raises(WireError):
        decode(encode([value]) + more.encode())


@given(
    st.one_of(
        st.binary(max_size=64),
        st.lists(st.sampled_from(b'[]{}",:\\u0\xff-eIN1 '), max_size=64).map(bytes),
    )
)
@example(b"")
@example(b"\xff\xfe[\0]\0")
@example(b"NaN")
def test_any_bytes_are_a_value_or_a_wire_error(data: bytes) -> None:
    try:
        value = decode(data)
    except WireError:
        return
    assert value is None or type(value) in {bool, int, float, str, list, dict}


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 1_000_000,
        b"[" * 400_000 + b"]" * 400_000,
        b'{"":' * 1_000_000,
        b"[" + b"[]," * 600_000 + b"[]]",
        b"[" + b"{}," * 600_000 + b"{}]",
    ],
    ids=["open", "deep", "objects", "lists", "empty objects"],
)
def test_lists_in_lists_and_too_many_lists_take_no_memory(data: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(WireError):
            decode(data)
        # Python 3.14 nests deeper before it gives up.
        assert tracemalloc.get_traced_memory()[1] < 5 * len(data) + 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("digits", ["9" * 1_000_000, "-" + "1" * 5000, "9" * 19])
def test_an_integer_of_more_than_64_bits_is_refused_at_once(digits: str) -> None:
    begun = time.process_time()
    for kind in (int, float):
        with pytest.raises(WireError):
            read(kind, decode(digits.encode()))
    assert time.process_time() - begun < 1


class Inner(NamedTuple):
    number: float
    names: list[str]


class Outer(NamedTuple):
    inner: Inner
    ref: Ref | None
    data: bytes
    state: bounds.Natural


OUTER = ["outer", ["inner", 1, ["a"]], {"ref": 3}, {"bytes": "0102"}, 4]


def test_a_record_is_read_as_its_annotations_say() -> None:
    assert read(Outer, OUTER) == Outer(Inner(1, ["a"]), Ref(3), b"\1\2", 4)
    assert decode(encode(read(Outer, OUTER))) == OUTER
    assert read(Union[Inner, Outer], OUTER) == read(Outer, OUTER)


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        (0, "Outer"),
        (0, "inner"),
        (1, ["inner", True, ["a"]]),
        (1, ["inner", "1", ["a"]]),
        (1, ["inner", 1, ["a"], 2]),
        (1, ["inner", 1]),
        (1, [1, ["a"]]),
        (1, ["inner", 1, "a"]),
        (1, ["inner", 1, [None]]),
        (2, 3),
        (2, {"ref": "3"}),
        (2, {"ref": 3.0}),
        (2, {"ref": 2**63}),
        (2, {"ref": 3, "more": 4}),
        (2, {}),
        (3, "0102"),
        (3, {"bytes": "A"}),
        (3, {"bytes": 5}),
        (4, -1),
        (4, 2**63),
        (4, False),
        (4, None),
    ],
)
def test_a_record_with_a_wrong_field_is_refused(place: int, wrong: object) -> None:
    with pytest.raises(WireError):
        read(Outer, [*OUTER[:place], wrong, *OUTER[place + 1 :]])


@pytest.mark.parametrize("wrong", [None, "outer", {}, [], OUTER[1:], [*OUTER, 1], [OUTER]])
def test_anything_else_than_a_record_is_refused(wrong: object) -> None:
    with pytest.raises(WireError):
        read(Outer, wrong)


# --- requests ---


@pytest.mark.parametrize(
    "request_",
    [
        protocol.Confine(2, 77, 0, ["os.py"], 5, True, b"program", ["secret", "spare"]),
        protocol.Provide(1.0, [("numpy", "/site-packages")]),
        protocol.Load(
            1.5,
            [
                protocol.File("engine", "engine.py", b"x = 1"),
                protocol.File("cell 1", "cell 1", b"z = 3", is_cell=True),
            ],
            "engine",
            ["Value"],
            ["engine"],
            ["Value.relu"],
            [protocol.Patch("engine", "y = 2", [])],
            [("cell 1", 1)],
        ),
        protocol.Run(1.0, True, [], [protocol.Patch("engine", "y = 2", ["z"])]),
        protocol.Mend(1.0, ["def f(): ..."], ["Value.relu"], [], [protocol.Trial([], [None, 1.0])]),
        protocol.Propose(1.0, []),
        protocol.Members(1.0, b"PK"),
        protocol.Take(1.0, 0, 100),
        protocol.Cells(1.0, b"{}"),
    ],
    ids=lambda request: type(request).__name__,
)
def test_a_request_arrives_as_it_was_sent(request_: Any) -> None:
    assert decode_request(encode(request_)) == request_


def test_a_worker_gets_the_steps_as_lists() -> None:
    arrived = decode_request(encode(protocol.Run(1.0, True, [Read(Ref(1), "data", "number")])))
    assert arrived.steps == [["read", {"ref": 1}, "data", "number"]]


@pytest.mark.parametrize("wrong", [["nothing", 1.0], ["called", 1.0], ["called"], [], None, 3])
def test_anything_else_is_not_a_request(wrong: object) -> None:
    with pytest.raises(WireError):
        decode_request(json.dumps(wrong).encode())


def test_reserved_numbers_do_not_meet() -> None:
    rounds = FIRST_ROUND + ROUNDS * (1 << 24)  # of a script of 16 million objects
    assert FIRST_TRIED < FIRST_TRANSLATED < FIRST_ROUND < rounds
    assert rounds < UNUSED < WATCHED < protocol.FIRST_FOUND


# --- memory ---

PEAK = """\
import sys
from pathlib import Path
from grader.boundary.replies import room_for
from grader.worker import protocol, wire
from grader.judge.script.steps import Read
from grader.worker.protocol import Ref
size = room_for(protocol.Run(1.0, True, [Read(Ref(1), "", "graph")] * 10))
lists = wire.MAX_LISTS // 10 - 10
unit = sys.argv[1].encode()
data = b"[" + unit * (lists if unit[:1] in b"[{" else (size - 9) // len(unit)) + b"0]"
assert len(data) <= size
wire.decode(data)
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1024)
"""  # noqa: E501


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks into /proc")
@pytest.mark.parametrize(
    "unit",
    ["[" * 10 + "]" * 10 + ",", '{"":' * 10 + "0" + "}" * 10 + ",", "-9,", '"\u0101\u0102",'],
)
def test_the_largest_reply_takes_less_than_200_megabytes(unit: str) -> None:
    """Lists in lists, objects and small numbers are what grows most by being read."""
    command = [sys.executable, "-c", PEAK, unit]
    assert int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) < 200
