"""Find an engine's adapter by trial, on graphs of two nodes whose results are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product as pairs

from grader.curriculum.model import Course
from grader.errors import UsageError
from grader.intake.adapter import Adapter, Template, template
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.plain_values import is_same
from grader.judge.script.operators import OF_NUMBERS, OPERATORS
from grader.judge.session import Session
from grader.learner.adapting.conventions import with_conventions
from grader.learner.adapting.operations import callables, cleared, function, operator
from grader.learner.adapting.trials import MAX_TRIED, OPS, A, B, C, Trials
from grader.learner.tracing.words import described

_BY_HAND = (
    "if that is right, write adapter.toml by hand, with class, make, data, gradient, backward and"
    " [files]; docs/adapters.md shows one"
)
_CLASSES = (
    "[n for *_, n in sorted((not (hasattr(t, '__mul__') or hasattr(t, '__add__')),"
    " len(type.__subclasses__(t)) > 0, i, n) for i, (n, t) in enumerate(list(globals().items())) if"
    " isinstance(t, type) and f'{t.__module__}.'.startswith(f'{__name__}.'))]"
)
_NO_CALL = Template("", "", is_method=True, args=())


class Finder:
    """Tries possible names of an engine in a file."""

    def __init__(self, session: Session, course: Course, path: str) -> None:
        self._session, self._course, self._path = session, course, path
        self._words = course.require_graph()
        self._try = Trials(session)
        self._why, self._next = "", _BY_HAND

    def find(self) -> tuple[Adapter, list[str], bool]:
        """Return the adapter of the first class with nodes that can be multiplied and have a
        backward pass, the operations that it lacks, and whether this file defines the class of its
        results. If no product is right, a sum will do, and so will wrong gradients. Grading shows
        what is wrong.

        Raise UsageError if there is none. A class whose results belong to it comes first: a `Bias`
        whose products are `Value`s is not the engine's class.
        """
        names = self._try.names(_CLASSES)
        if not names:
            raise UsageError(
                f"{self._path} defines no class", "name the file that defines the class of a node"
            )
        for op in OPS:
            self._try = Trials(self._session, op)
            self._wrong: list[Adapter] = []
            found: list[Adapter] = []
            for engine in self._engines(names[:MAX_TRIED]):
                if self._try.is_true(self._try.result(engine), f"type({C}) is {engine.owner}"):
                    return self._complete(engine)
                found.append(engine)
            if found or (op == OPS[-1] and self._wrong):
                return self._complete((found or self._wrong)[0])
        raise UsageError(
            f"no engine was found in {self._path}: no class makes nodes from numbers that can be"
            f" added or multiplied and have a backward pass{self._why}",
            self._next,
        )

    def _engines(self, names: Sequence[str]) -> Iterator[Adapter]:
        """Yield adapters that make an operation and its backward pass work."""
        files, op = {self._course.engine: self._path}, self._try.op
        for name in names:
            for make in self._constructors(name):
                leaves = self._try.leaves(make, 2.0, -3.0)
                attributes = self._try.attributes(leaves, A, called=False)
                for data in self._giving(make, attributes, leaves, (2.0, -3.0)):
                    draft = Adapter("", files, name, make, data, "grad", _NO_CALL)
                    if (text := operator(self._try, draft, op)) is None:
                        self._note(f"a {op} b", self._try.result(draft))
                        continue
                    calls: dict[str, Template | None] = {op: template(text)} if text else {}
                    if engine := self._sent_back(replace(draft, calls=calls)):
                        yield engine

    def _constructors(self, name: str) -> Iterator[Template]:
        """Yield ways to make a node from a number: the class, its factories, other functions."""
        makers = (*self._try.makers(name), *self._try.functions)
        for text in (name, f"{name}({{}}, requires_grad=True)", *makers):
            made = template(text if "{}" in text else f"{text}({{}})")
            if self._try.is_true(self._try.leaves(made, 2.0), f"type({A}) is {name}"):
                yield made

    def _giving(
        self, make: Template, names: Sequence[str], lines: Sequence[str], wanted: Sequence[float]
    ) -> Iterator[str]:
        """Yield the attributes that give these numbers of A and B, settable ones first, and then
        the methods, because results may lack what leaves have.
        """
        numbers = self._try.numbers(lines, *(f"{node}.{name}" for name in names for node in (A, B)))
        both = zip(names, zip(numbers[::2], numbers[1::2]))
        if right := [name for name, found in both if is_same(found, wanted)]:
            leaf = self._try.leaves(make, 2.0)
            can_be_set = {
                name: self._try.gives((4.5,), [*leaf, f"{A}.{name} = 4.5"], f"{A}.{name}")
                for name in right
            }
            yield from sorted(right, key=lambda name: not can_be_set[name])
        calls = (f"{name}()" for name in self._try.attributes(lines, A, called=True))
        yield from (c for c in calls if self._try.gives(wanted, lines, f"{A}.{c}", f"{B}.{c}"))

    def _sent_back(self, draft: Adapter) -> Adapter | None:
        """Return the adapter with its backward pass and the gradient's attribute, or None.

        The call may need no argument, 1.0 as the result's gradient, or that gradient set by hand.
        """
        product, trials = self._try.result(draft), self._try

        def order(text: str) -> tuple[bool, bool]:
            is_likely = any(word in text.lower() for word in ("back", "grad", "prop"))
            return f".{self._words.backward}(" not in text, not is_likely

        tried = sorted(callables(self._try, draft, 1, product, C), key=order)[:MAX_TRIED]
        likely = [text for text in tried if not order(text)[1]]
        given = [text.replace("()", "(1.0)").replace("{})", "{}, 1.0)") for text in likely]
        for text in (*tried, *given):
            called = replace(draft, backward=template(text))
            lines = [*product, *trials.back(called)]
            names = [
                name for name in trials.attributes(lines, A, called=False) if name != draft.data
            ]
            names += [f"{name}.{draft.data}" for name in names]  # gradients may be nodes, too
            if gradient := next(self._giving(draft.make, names, lines, trials.gradients), ""):
                return replace(called, gradient=gradient)
        names = trials.attributes(product, C, called=False) if likely else []
        drafts = [
            replace(draft, backward=template(text), gradient=name)
            for text, name in pairs(likely, names)
            if name != draft.data
        ]
        for called in (replace(each, seed=True) for each in drafts):
            gradients = (f"{node}.{called.gradient}" for node in (A, B))
            if trials.gives(trials.gradients, [*product, *trials.back(called)], *gradients):
                return called
        if likely:
            self._note(likely[0].format("c"), [*product, likely[0].format(C)])
        self._wrong += (
            each
            for each in drafts
            if each.backward.text == likely[0] and "._" not in likely[0] and self._moves(each)
        )
        return None

    def _note(self, call: str, lines: Sequence[str]) -> None:
        """Note what a call raises."""
        if fault := self._try.run(lines).fault:
            self._why = f": {call} {described(fault)}"
            self._next = "fix that line" if fault.frames else _BY_HAND

    def _moves(self, draft: Adapter) -> bool:
        """Return whether the backward pass changes the gradient of an operand."""
        product, gradient = self._try.result(draft), f"{A}.{draft.gradient}"
        before = self._try.numbers(product, gradient)
        after = self._try.numbers([*product, *self._try.back(draft)], gradient)
        return "grad" in draft.gradient.lower() and None not in after and after != before

    def _complete(self, found: Adapter) -> tuple[Adapter, list[str], bool]:
        calls: dict[str, Template | None] = dict(found.calls)
        missing = []
        for op in OF_NUMBERS:
            text = "" if op in found.calls else operator(self._try, found, op)
            if text is None and OPERATORS[op].method not in self._try.names(f"dir({found.owner})"):
                missing.append(op)
                calls |= {op: None} if found.calls else {}
            elif text:
                calls[op] = template(text)
        found = with_conventions(self._try, replace(found, calls=calls))
        methods, course = self._methods(), self._course
        functions = [n for file in course.files for n in course.names(file) if n in FUNCTIONS]
        for name in (*methods, *functions):
            find = function if name in FUNCTIONS else cleared
            text = find(self._try, found, name)
            is_there = find is function and name in self._try.names(f"dir({found.owner})")
            if text is None and name in methods and not is_there:  # most lack the functions
                missing.append(name)
                calls[name] = None
            elif text and text != f"{{}}.{name}()":
                calls[name] = template(text)
        found, is_home = replace(found, calls=calls), f"type({C}).__module__ == __name__"
        return found, missing, self._try.is_true(self._try.result(found), is_home)

    def _methods(self) -> list[str]:
        """Return the methods that the course asks for, except for matters of form."""
        course, words = self._course, self._words
        names = (name.rpartition(".")[2] for name in course.names(course.engine) if "." in name)
        form = {words.backward, *(name.rpartition(".")[2] for name in words.form)}
        return [name for name in names if name not in form and not name.startswith("__")]
