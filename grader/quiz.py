"""Questions for the understanding, and symptoms with their causes: read from the course, drawn anew for every session.

Nothing here asks or prints. A right number is never written down: it is computed for the numbers that were just drawn.
"""

from __future__ import annotations

import ast
import math
import random
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, cast

from grader.courses import HINT_LEVELS, Course, read_toml
from grader.dual import Dual
from grader.errors import CourseError, UsageError
from grader.functions import FUNCTIONS
from grader.oracle import Operation, evaluate, gradients, operations
from grader.programs import Program
from grader.script import Operand
from grader.wire import Ref

LETTERS = "abcd"
QUESTIONS, SYMPTOMS = "quiz.toml", "symptoms.toml"
TOLERANCE = 1e-3
MOST_PASSES = 3
HARDEST = 3

_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
# One node in every engine. `a - b` may be one or three, and each node on the way counts in a second pass.
_ONE_NODE = {"+", "*", "**", *FUNCTIONS}


@dataclass(frozen=True)
class Wording:
    """What the learner's code calls things: the class, the method that sends gradients, the number, the gradient."""

    make: str
    backward: str
    value: str
    gradient: str


@dataclass(frozen=True)
class Question:
    """What every question has: where it belongs, which checklist item it supports, its level from 1 (easy) to 3."""

    id: str
    phase: str
    level: int
    checklist: str
    text: str
    explanation: str


@dataclass(frozen=True)
class Choice(Question):
    """One right answer among three wrong ones, each a misconception that people have; `code` is shown as it stands."""

    right: str
    wrong: tuple[str, ...]
    code: str


@dataclass(frozen=True)
class Number(Question):
    """A number to be found: the value of `node`, or its gradient after so many calls of backward (0: the value).

    The last name of `program` is the result; `leaves` has the numbers that each leaf may become. Where it is `hidden`,
    the program only computes the answer, and the text tells the leaves in its `{placeholders}`.
    """

    program: str
    leaves: tuple[tuple[str, tuple[float, ...]], ...]
    node: str
    backward: int
    hidden: bool


@dataclass(frozen=True)
class Cause:
    """What may be behind a symptom, and where to look: a checkpoint, and a level of the hints of its phase."""

    text: str
    phase: str
    checkpoint: str
    hint: str


@dataclass(frozen=True)
class Symptom:
    """What a learner sees, in the learner's words; the likeliest cause comes first."""

    id: str
    says: str
    words: tuple[str, ...]
    causes: tuple[Cause, ...]


@dataclass(frozen=True)
class Quiz:
    """Everything in the two files. `checklist` has the items of the course and those that only questions support."""

    wording: Wording
    checklist: dict[str, str]
    questions: tuple[Question, ...]
    symptoms: tuple[Symptom, ...]


@dataclass(frozen=True)
class Written:
    """A program that was read: its steps, the nodes that have names, and for each node what a person calls it."""

    program: Program
    names: dict[str, Ref]
    labels: dict[Ref, str]


@dataclass(frozen=True)
class Share:
    """What one use of a node sends back to it: the local derivative times the gradient of the result of that use."""

    through: str
    slope: float
    upstream: float


@dataclass(frozen=True)
class Worked:
    """One node in the worked solution. In pass `run` it held `before`, got `shares`, and then held `gradient`.

    Where a value is asked for, there is no pass and no gradient (None).
    """

    run: int
    node: str
    value: float
    before: float = 0.0
    shares: tuple[Share, ...] = ()
    gradient: float | None = None

    @property
    def line(self) -> str:
        """The node in one line: `a = 2, gradient 31 = 3 * 7 through a * b + 1 * 10 through a + d`."""
        start = f"{self.node} = {number_text(self.value)}"
        if self.gradient is None:
            return start
        start += f", gradient {number_text(self.gradient)}"
        if not self.shares:
            return start
        parts = [f"{number_text(self.before)} from before"] if self.run > 1 else []
        parts += [f"{_factor(share.slope)} * {_factor(share.upstream)} through {share.through}" for share in self.shares]
        return f"{start} = {' + '.join(parts)}"


@dataclass(frozen=True)
class Asked:
    """A question as it is put this time. `options` is empty where a number is asked for; `right` is a letter or a number."""

    question: Question
    text: str
    code: str
    options: tuple[str, ...]
    right: str
    number: float | None
    worked: tuple[Worked, ...]


# --- asking and judging ---


def draw_session(
    quiz: Quiz, chance: random.Random, count: int | None = None, phases: Collection[str] = ()
) -> tuple[Asked, ...]:
    """So many questions of these phases (all, if none are given), from easy to hard, with new numbers and a new order.

    Raises UsageError where no question fits.
    """
    fitting = [question for question in quiz.questions if not phases or question.phase in phases]
    if not fitting or (count is not None and count < 1):
        raise UsageError("there is no question to ask", "leave the phase out, and ask for one question or more")
    chosen = chance.sample(fitting, len(fitting) if count is None else min(count, len(fitting)))
    return tuple(ask(question, quiz.wording, chance) for question in sorted(chosen, key=lambda question: question.level))


def ask(question: Question, wording: Wording, chance: random.Random) -> Asked:
    """The question with its options shuffled, or its numbers drawn and its answer computed."""
    if isinstance(question, Number):
        return ask_number(question, wording, _draw_leaves(question, chance))
    assert isinstance(question, Choice)
    options = [question.right, *question.wrong]
    chance.shuffle(options)
    right = LETTERS[options.index(question.right)]
    return Asked(question, question.text, question.code, tuple(options), right, None, ())


def _draw_leaves(question: Number, chance: random.Random) -> dict[str, float]:
    """A number for each leaf, a different one for each where that can be: equal numbers hide which is which."""
    drawn: dict[str, float] = {}
    for name, numbers in question.leaves:
        drawn[name] = chance.choice([number for number in numbers if number not in drawn.values()] or list(numbers))
    return drawn


def ask_number(question: Number, wording: Wording, leaves: Mapping[str, float]) -> Asked:
    """The question about these leaves."""
    written = parse_program(question.program, leaves, wording.make)
    steps, node, root = written.program.steps, written.names[question.node], written.program.root
    if question.backward == 0:
        values = evaluate(steps)
        worked = tuple(Worked(0, written.labels[ref], values[ref]) for ref in values)
        number = values[node]
    else:
        worked = work_backward(written, question.backward)
        number = gradients(steps, root, [node])[node]
    if question.backward > 1:
        number = next(cast(float, step.gradient) for step in reversed(worked) if step.node == question.node)
    text, code = question.text, ""
    if question.hidden:
        for name, drawn in leaves.items():
            text = text.replace(f"{{{name}}}", number_text(drawn))
    else:
        code = _code(question, wording, leaves, written.labels[root])
    return Asked(question, text, code, (), number_text(number), float(number), worked)


def _code(question: Number, wording: Wording, leaves: Mapping[str, float], root: str) -> str:
    """The lines that a learner could paste to see the answer."""
    made = ", ".join(f"{wording.make}({number})" for number in leaves.values())
    ends = [f"{root}.{wording.backward}()"] * question.backward
    attribute = wording.gradient if question.backward else wording.value
    return "\n".join([f"{', '.join(leaves)} = {made}", question.program.strip(), *ends, f"{question.node}.{attribute}  # ?"])


def judge(asked: Asked, answer: str) -> bool:
    """Whether an answer is right: a letter or an option's text; a number within 0.1 %, also as a fraction such as -1/3.

    Raises UsageError for what is no answer at all, so that a slip of the keys can be asked again.
    """
    text = answer.strip().casefold()
    if asked.number is not None:
        return math.isclose(_read_number(text), asked.number, rel_tol=TOLERANCE, abs_tol=1e-9)
    options = [option.strip().casefold() for option in asked.options]
    if text in options:
        return LETTERS[options.index(text)] == asked.right
    letter = text.strip(" ().:")
    if len(letter) != 1 or letter not in LETTERS[: len(options)]:
        raise UsageError(f"{answer!r} is none of the answers", f"answer with one letter, a to {LETTERS[len(options) - 1]}")
    return letter == asked.right


def _read_number(text: str) -> float:
    above, bar, below = text.replace("\N{MINUS SIGN}", "-").partition("/")
    try:
        number = float(above) / (float(below) if bar else 1.0)
    except (ValueError, ZeroDivisionError):
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"{text!r} is not a number", "write it as 3, -0.25, 1e-3 or 1/3")
    return number


def number_text(number: float) -> str:
    """A number as a person writes it, with five digits."""
    return f"{number + 0.0:.5g}"


def _factor(number: float) -> str:
    return f"({number_text(number)})" if number < 0 else number_text(number)


def find_symptoms(quiz: Quiz, text: str) -> tuple[Symptom, ...]:
    """The symptoms that share words with what a learner types or pastes, the best first. A rare word says more."""
    known = [(symptom, _words(" ".join([symptom.says, *symptom.words]))) for symptom in quiz.symptoms]
    frequency = Counter(word for _, words in known for word in words)
    scores = [(sum(1 / frequency[word] ** 2 for word in words & _words(text)), symptom) for symptom, words in known]
    return tuple(symptom for score, symptom in sorted(scores, key=lambda pair: -pair[0]) if score > 0)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


# --- programs: read without running them, and worked through by hand ---


def parse_program(source: str, leaves: Mapping[str, float], make: str) -> Written:
    """Lines `name = expression` over the leaves, as the steps of a script. Nothing is executed.

    Raises CourseError for anything but + - * / **, numbers, known names, and calls such as `a.tanh()`.
    """
    program = Program(make)
    names = {name: program.leaf(number) for name, number in leaves.items()}
    written = Written(program, names, {ref: name for name, ref in names.items()})
    try:
        statements = ast.parse(source).body
    except SyntaxError as error:
        raise CourseError(f"{source!r} is not Python: {error}") from error
    for statement in statements:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        node = _operand(statement.value, written) if isinstance(statement, ast.Assign) else None
        name = targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""
        if not name or name in names or not isinstance(node, Ref) or node in names.values():
            raise CourseError(f"{ast.unparse(statement)!r} does not give a new node a new name")
        names[name], written.labels[node] = node, name
    if not statements or len(program.pruned().values) < len(program.values):
        raise CourseError(f"{source!r} has a part that its last line does not use")
    return written


def _operand(node: ast.expr, written: Written) -> Ref | float:
    if isinstance(node, ast.Constant) and type(node.value) in {int, float}:
        return cast(float, node.value)
    if isinstance(node, ast.Name) and node.id in written.names:
        return written.names[node.id]
    op, operands = _operation(node, written)
    if op == "neg" and not isinstance(operands[0], Ref):
        return -operands[0]
    if not any(isinstance(operand, Ref) for operand in operands) or (op == "**" and isinstance(operands[1], Ref)):
        raise CourseError(f"{ast.unparse(node)!r} is no operation on a node, or has a node as its exponent")
    args: list[Operand] = [*operands]
    try:
        made = written.program.apply(op, *args)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise CourseError(f"{ast.unparse(node)!r} has no value: {error}") from error
    written.labels[made] = ast.unparse(node)
    return made


def _operation(node: ast.expr, written: Written) -> tuple[str, list[Ref | float]]:
    if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
        return _SIGNS[type(node.op)], [_operand(node.left, written), _operand(node.right, written)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return "neg", [_operand(node.operand, written)]
    called = node.func if isinstance(node, ast.Call) and not node.args and not node.keywords else None
    if isinstance(called, ast.Attribute) and called.attr in FUNCTIONS:
        return called.attr, [_operand(called.value, written)]
    raise CourseError(f"{ast.unparse(node)!r} is not allowed here")


def work_backward(written: Written, runs: int) -> tuple[Worked, ...]:
    """The backward pass by hand, `runs` times in a row, clearing nothing: every node with what it held, got and then holds.

    Results before operands, the last node set to 1, every other gradient added to. Nodes were made in an order in which
    operands come first, so its reverse will do.
    """
    made, root = operations(written.program.steps), written.program.root
    values, held, worked = evaluate(written.program.steps), dict.fromkeys(written.labels, 0.0), []
    for run in range(1, runs + 1):
        shares: dict[Ref, list[Share]] = {node: [] for node in held}
        for operation in reversed(made):
            node, before = operation.target, held[operation.target]
            held[node] = 1.0 if node == root else before + sum(share.slope * share.upstream for share in shares[node])
            for operand, slope in _slopes(operation, values):
                shares[operand].append(Share(written.labels[node], slope, held[node]))
            worked.append(Worked(run, written.labels[node], values[node], before, tuple(shares[node]), held[node]))
    return tuple(worked)


def _slopes(operation: Operation, values: Mapping[Ref, float]) -> list[tuple[Ref, float]]:
    """The local derivative for each operand that is a node, by a dual number in its place; twice for `a * a`."""
    numbers = [number if ref is None else values[ref] for ref, number in operation.slots]
    return [
        (ref, operation.compute(*[*numbers[:place], Dual(numbers[place], 1.0), *numbers[place + 1 :]]).slope)
        for place, (ref, _) in enumerate(operation.slots)
        if ref is not None
    ]


# --- the two files ---


def load_quiz(course: Course) -> Quiz:
    """The questions and symptoms of a course. Raises CourseError for what is missing, unknown or contradicts the course."""
    table, other = read_toml(course.folder / QUESTIONS), read_toml(course.folder / SYMPTOMS)
    _require(table, QUESTIONS, {"wording": dict, "checklist": dict, "question": list})
    _require(other, SYMPTOMS, {"symptom": list})
    wording = Wording(**_require(table["wording"], "wording", dict.fromkeys(Wording.__dataclass_fields__, str)))
    checklist = {**course.checklist, **_require(table["checklist"], "checklist", dict.fromkeys(table["checklist"], str))}
    questions = tuple(_question(entry, wording) for entry in table["question"])
    for question in questions:
        if question.phase not in {stage.id for stage in course.stages} or question.checklist not in checklist:
            raise CourseError(f"{question.id}: no phase {question.phase!r} or no item {question.checklist!r} in the course")
    symptoms = tuple(_symptom(entry, {checkpoint.id for checkpoint in course.checkpoints}) for entry in other["symptom"])
    ids = Counter([*(question.id for question in questions), *(symptom.id for symptom in symptoms)])
    if twice := sorted(name for name, count in ids.items() if count > 1):
        raise CourseError(f"more than one question or symptom is called {', '.join(twice)}")
    return Quiz(wording, checklist, questions, symptoms)


def _require(
    entry: Any, where: str, required: Mapping[str, type], optional: Mapping[str, type] | None = None
) -> dict[str, Any]:
    """The table, if it has exactly these keys with values of these types, none of them empty."""
    if not isinstance(entry, dict):
        raise CourseError(f"{where}: {entry!r} is no table")
    types = {**required, **(optional or {})}
    wrong = {key for key, value in entry.items() if type(value) is not types.get(key) or value in ("", [], {})}
    if problems := sorted(wrong | (set(required) - set(entry))):
        raise CourseError(f"{where}: missing, unknown, empty or of the wrong type: {', '.join(problems)}")
    return entry


_COMMON = {"id": str, "phase": str, "level": int, "checklist": str, "text": str, "explanation": str}
_KINDS: dict[str, tuple[dict[str, type], dict[str, type]]] = {
    "choice": ({"right": str, "wrong": list}, {"code": str}),
    "number": ({"program": str, "leaves": dict}, {"value_of": str, "gradient_of": str, "backward": int, "hidden": bool}),
}


def _question(entry: Any, wording: Wording) -> Question:
    where, kind = (entry.get("id"), str(entry.get("kind"))) if isinstance(entry, dict) else (entry, "")
    if kind not in _KINDS:
        raise CourseError(f"{where}: there is no kind {kind!r}")
    required, optional = _KINDS[kind]
    _require(entry, str(where), {"kind": str, **_COMMON, **required}, optional)
    common = {name: entry[name] for name in _COMMON}
    if not 1 <= entry["level"] <= HARDEST:
        raise CourseError(f"{where}: a level is 1 to {HARDEST}, not {entry['level']}")
    if kind == "number":
        return _number(entry, common, wording)
    options = [entry["right"], *entry["wrong"]]
    if not all(isinstance(option, str) and option for option in options) or (len(options), len({*options})) != (4, 4):
        raise CourseError(f"{where}: one right answer and three wrong ones, all different")
    return Choice(**common, right=options[0], wrong=tuple(options[1:]), code=entry.get("code", ""))


def _number(entry: dict[str, Any], common: dict[str, Any], wording: Wording) -> Number:
    where, gradient, hidden = common["id"], "gradient_of" in entry, entry.get("hidden", False)
    backward = entry.get("backward", int(gradient))
    if ("value_of" in entry) == gradient or gradient != bool(backward) or not 0 <= backward <= MOST_PASSES:
        raise CourseError(f"{where}: ask for value_of, or for gradient_of after 1 to {MOST_PASSES} times backward")
    for name, numbers in entry["leaves"].items():
        if not isinstance(numbers, list) or any(type(n) not in {int, float} for n in numbers) or len(set(numbers)) < 2:
            raise CourseError(f"{where}: {name} needs two numbers or more to draw from")
        if hidden and (backward or f"{{{name}}}" not in common["text"]):
            raise CourseError(f"{where}: a hidden program computes a value, and the text tells {{{name}}}")
    leaves = tuple((name, tuple(numbers)) for name, numbers in entry["leaves"].items())
    written = parse_program(entry["program"], {name: numbers[0] for name, numbers in leaves}, wording.make)
    node = entry["gradient_of" if gradient else "value_of"]
    if node not in written.names:
        raise CourseError(f"{where}: there is no {node!r} in the program")
    used = {getattr(step, "op", getattr(step, "method", "+")) for step in written.program.steps}
    if backward > 1 and not used <= _ONE_NODE:
        raise CourseError(f"{where}: after a second pass {used - _ONE_NODE} depends on how many nodes an engine makes")
    return Number(**common, program=entry["program"], leaves=leaves, node=node, backward=backward, hidden=hidden)


def _symptom(entry: Any, checkpoints: Collection[str]) -> Symptom:
    where = f"symptom {entry.get('id')}" if isinstance(entry, dict) else "symptom"
    _require(entry, where, {"id": str, "says": str, "cause": list}, {"words": list})
    causes = tuple(_cause(cause, where, checkpoints) for cause in entry["cause"])
    return Symptom(entry["id"], entry["says"], tuple(map(str, entry.get("words", ()))), causes)


def _cause(entry: Any, where: str, checkpoints: Collection[str]) -> Cause:
    _require(entry, where, {"text": str, "checkpoint": str, "hint": str})
    if entry["checkpoint"] not in checkpoints or entry["hint"] not in HINT_LEVELS:
        raise CourseError(f"{where}: no checkpoint {entry['checkpoint']!r} or no hint {entry['hint']!r}")
    return Cause(entry["text"], entry["checkpoint"].partition(".")[0], entry["checkpoint"], entry["hint"])
