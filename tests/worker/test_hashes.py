"""The order of a set of the learner's objects."""

import sys
from types import ModuleType

import pytest

from grader.worker import hashes, protocol

SOURCE = """
class Value:
    pass

class Slotted:
    __slots__ = ()

class Named:
    def __hash__(self):
        return 1

class Equal:
    def __eq__(self, other):
        return True

registry = {Value()}
"""


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    made = ModuleType("engine_with_hashes")
    exec(SOURCE, made.__dict__)
    monkeypatch.setitem(sys.modules, made.__name__, made)
    hashes.scatter({made.__name__, "missing"})
    return made


def test_an_address_that_is_used_again_gets_a_new_hash(module: ModuleType) -> None:
    assert len({hash(module.Value()) for _ in range(100)}) == 100
    value = module.Value()
    assert hash(value) == hash(value)


def test_objects_keep_what_python_or_the_learner_says_about_equality(module: ModuleType) -> None:
    assert module.Value.__hash__ is module.Slotted.__hash__ is hashes.scattered
    assert hash(module.Slotted()) >= 0
    assert hash(module.Named()) == 1
    assert module.Equal.__hash__ is None
    # which is in a set already
    assert next(iter(module.registry)) in module.registry


@pytest.mark.parametrize("order", [protocol.USUAL, 5, 6])
def test_another_order_is_the_same_whatever_came_before(module: ModuleType, order: int) -> None:
    def hashes_of_new_objects() -> list[int]:
        hashes.choose(order)
        return [hash(each) for each in [module.Value() for _ in range(20)]]

    first, again = hashes_of_new_objects(), hashes_of_new_objects()
    hashes.choose(protocol.USUAL)
    assert len(set(first)) == 20
    assert (first == again) is (order != protocol.USUAL)


def test_a_set_keeps_the_order_of_insertion(module: ModuleType) -> None:
    hashes.choose(protocol.INSERTED)
    values = [module.Value() for _ in range(4)]
    found = list({*values})
    hashes.choose(protocol.USUAL)
    assert found == values
