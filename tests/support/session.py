"""A small engine that misbehaves, for tests of a session, with steps on it."""

from __future__ import annotations

from grader.judge.memory import Memory
from grader.judge.script.steps import Apply, Make, Read, Step
from grader.judge.session import Session
from grader.worker.protocol import Ref

A, B, C, D, E = map(Ref, range(5))
ENGINE = """\
import os, sys, signal, time

class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0

    def __add__(self, other):
        return Value(self.data + other.data)

    def __mul__(self, other):
        {lines}

    def backward(self):
        {lines}

def write_everywhere():
    for fd in range(3, 20):
        try:
            os.write(fd, b"rubbish, and a lot of it")
        except OSError:
            pass
"""
MADE: list[Step] = [Make(A, "Value", [2.0]), Make(B, "Value", [-3.0]), Apply(C, "+", [A, B])]
READ = Read(C, "data", "number")


def loaded(session: Session) -> Memory:
    """Load the submission and return what the session knows of it."""
    session.load()
    return session.memory
