"""Share an engine's source and a trace of it between the tests of traces."""

from __future__ import annotations

from grader.boundary.pool import ProcessHost
from grader.judge.oracle.expressions import parse
from grader.judge.session import Session
from grader.learner.tracing.model import Trace
from grader.learner.tracing.trace import trace_expression
from support import changed, there
from support.fake import submission
from support.grading import COURSE

RIGHT = changed()


OPERANDS_FIRST = changed(("for node in reversed(topo):", "for node in topo:"))
PRODUCT_ASSIGNS = changed(
    ("self.grad += other.data * out.grad", "self.grad = other.data * out.grad")
)
WRONG_DERIVATIVE = changed(("(1 - out.data**2) * out.grad", "(1 - out.data) * out.grad"))
NO_VISITED = changed(("elif node not in visited:", "else:"))
WRONG_SUM = changed(("Value(self.data + other.data,", "Value(self.data - other.data,"))
RAISES = changed(("self.grad += other.data * out.grad", 'raise RuntimeError("<b>no</b>\\x1b[31m")'))
HANGS = changed(("        self.grad = 1.0\n", "        while True:\n            pass\n"))
TAPE = """
tape = []


class Value:
    def __init__(self, data, parts=()):
        self.data, self.grad, self.parts = data, 0.0, parts
        tape.append(self)

    def __add__(self, other):
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def backward(self):
        self.grad = 1.0
        for node in reversed(tape):
            for part, slope in node.parts:
                part.grad += slope * node.grad
"""


def traced(source: str, expression: str, **given: float) -> Trace:
    """Return the trace of an expression on an engine, in a separate process."""
    graph = there(COURSE.graph)
    session = Session(
        ProcessHost().worker,
        submission(source),
        "engine",
        COURSE.names("engine.py"),
        COURSE.modules,
    )
    try:
        session.load()
        return trace_expression(parse(expression, given, graph.make), session, graph, "engine")
    finally:
        session.close()


def problems(trace: Trace) -> list[str]:
    """Return all problems in a trace."""
    return [problem for step in trace.steps for problem in step.problems]
