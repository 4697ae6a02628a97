"""The order of a set of the learner's objects."""

import sys
from types import ModuleType

import pytest

from grader.worker import hashes

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

class Counted:
    pass

registry = {Counted()}
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
