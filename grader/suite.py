"""Everything that a course's suites and vocabulary import from the grader.

A suite is a file of pytest functions, one for each checkpoint. The first paragraph of the docstring
is the checkpoint's title, with at most 60 characters. Each function gets a `learner`:

    from grader.suite import Learner

    def test_twice(learner: Learner) -> None:
        \"\"\"`twice(3.0)` is 6.0\"\"\"
        for number in (3.0, -1.5):
            with learner.fresh():
                y = learner.call("twice", number, name="y")
                learner.expect(y.reading(), 2 * number, "the result must be twice the number")

The learner's code runs in another process. `learner.call("f", ...)` records `y = f(...)` and
returns a `Symbol`; operators on it, `symbol.call("method", ...)` and `symbol.put("attribute", 1.0)`
are recorded, too. `symbol.reading("attribute")` names an attribute to read, and `symbol.reading()`
the object itself.

    learner.expect(reading, wanted, why)     a number, a text, True, False, None, or a list of these
    learner.expect_all([(reading, wanted), Expected(reading, number, confirm), ...], why)
    with learner.raises(TypeError, why="..."): a ** b
    learner.fresh()                          start a new script; or `with learner.fresh():`
    learner.for_all(draw, check)             100 random examples; reports the smallest that fails
    learner.read([reading, ...])             the answers, to compare yourself; on failure
    raise Mismatch("why", expected=..., got=..., reading=reading)
    raise learner.wrong_type(reading, "why", expected="a list")

Do not use `assert`: a failed expectation is the learner's failure, but any other exception in a
suite is an error in the course.

A vocabulary names the objects of a course, with a class for each and a subclass of Learner:

    class Dual(Symbol):
        @property
        def slope(self) -> Reading:
            return self.reading("slope")

    class Learner(suite.Learner):
        def dual(self, value: float, slope: float, name: str = "") -> Dual:
            return self.make(Dual, "Dual", value, slope, name=name)

    @fixture
    def learner(recorder: Recorder) -> Learner:
        return Learner(recorder)

The judge computes the expected values: `gradients(learner.steps, of.ref, [x.ref])` differentiates
the recorded script, `evaluate` computes it, `finite_difference` confirms it by a second method, and
`programs` draws expressions on which correct code does not differ by rounding.

Anything that is not in `__all__` may change at any time.
"""

import pytest

from grader.errors import InternalError
from grader.judge import oracle
from grader.judge.expectations import RAISED, Confirm, Expected, Mismatch, Reading, kind_of
from grader.judge.failures import LearnerFault, NotAsked, NotInstalled, WorkerLost
from grader.judge.learner import Argument, Learner
from grader.judge.oracle import close, evaluate, finite_difference, gradients, programs
from grader.judge.oracle.functions import FUNCTIONS, apply_function
from grader.judge.oracle.paper import number_text, parse_program, work_backward
from grader.judge.oracle.programs import Choose, Form, InTurn, Program
from grader.judge.properties import for_all
from grader.judge.recorder import Recorder
from grader.judge.replies import Answer, Array
from grader.judge.script.operators import OPERATORS, Operators
from grader.judge.script.steps import Apply, Call, Make, Operand, Step
from grader.judge.symbols import Symbol
from grader.model import Kind
from grader.text import article
from grader.worker.protocol import Ref, UnexpectedType

fixture = pytest.fixture

__all__ = [
    "FUNCTIONS", "OPERATORS", "RAISED", "Answer", "Apply", "Argument", "Array",
    "Call", "Choose", "Confirm", "Expected", "Form", "InTurn",
    "InternalError", "Kind", "Learner", "LearnerFault", "Make", "Mismatch", "NotAsked",
    "NotInstalled", "Operand", "Operators", "Program", "Reading", "Recorder", "Ref", "Step",
    "Symbol", "UnexpectedType", "WorkerLost", "apply_function", "article", "close", "evaluate",
    "finite_difference", "fixture", "for_all", "gradients", "kind_of", "number_text", "oracle",
    "parse_program", "programs", "work_backward"
]  # fmt: skip
