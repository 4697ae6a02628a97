"""A small engine for tests of the worker, with steps on it and reads from it."""

from __future__ import annotations

from grader.judge.replies import Answer
from grader.judge.script.steps import Make, Read, Step
from grader.judge.session import Session
from grader.worker.protocol import Ref

ENGINE = """\
class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0
        self._prev = set(_prev)

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other))

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other))

    def __neg__(self):
        return Value(-self.data, (self,))

    def __repr__(self):
        return f"<{self.data}>"

    def _backward(self):
        self.grad += 1

    def backward(self):
        order = []
        def visit(node):
            if node not in order:
                for child in node._prev:
                    visit(child)
                order.append(node)
        visit(self)
        for node in reversed(order):
            node._backward()
        return order

def pair(*values):
    return list(values)
"""
A, B, C, D, E, F = map(Ref, range(6))
MADE: list[Step] = [Make(A, "Value", [2.0]), Make(B, "Value", [-3.0])]
NAMED = """\
class Value:
    def __add__(self, other):
        raise NotImplementedError("write me")
    backward = None
"""


def number(on: Ref, attribute: str = "data") -> Read:
    return Read(on, attribute, "number")


def answers(session: Session, *steps: Step) -> list[Answer]:
    return session.run(steps, fresh=True)
