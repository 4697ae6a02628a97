"""Explain an exception: by the script that raised it, by its line, or by its message."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.curriculum.model import Graph
from grader.judge.evidence import Run
from grader.judge.explain.raised import SENTENCES, Raised
from grader.judge.script.steps import Apply, Make, Read, Step
from grader.model import Fault, Kind
from grader.worker.protocol import Ref

_COMPARED = re.compile(r"[\w.\[\]]+ == ")  # at the beginning of a line
_NO_ATTRIBUTE = re.compile(r"'(\w+)' object has no attribute '(\w+)'")


def explain(fault: Fault, steps: Sequence[Step], words: Graph, run: Run) -> str:
    """Return what the exception means in the script that raised it, or an empty text."""
    if fault.kind is not Kind.RAISED:
        return ""
    if said := _should_be_refused(fault, steps[-1:], words):
        return said
    if fault.frames and _COMPARED.match(fault.frames[-1].source):
        return "`==` compares, and nothing uses the result; did you mean `=`?"
    if fault.frames and fault.frames[-1].source.startswith("raise "):
        return "your own `raise` runs here; look at its condition"
    own = fault.meant in {words.step, words.backward}  # one is no misspelt form of the other
    if fault.meant and not own and (said := _meant(fault)):
        return said
    if (lacks := _NO_ATTRIBUTE.match(fault.message)) and (
        said := _never_set(lacks, fault, steps, words, run)
    ):
        return said
    for kind in fault.types:
        for pattern, sentence in SENTENCES.get(kind, {}).items():
            if match := re.search(pattern, fault.message):
                raised = Raised(fault, steps, words, match.groups(), run)
                return raised.filled(sentence) if isinstance(sentence, str) else sentence(raised)
    return ""


def _should_be_refused(fault: Fault, last: Sequence[Step], words: Graph) -> str:
    """Say that an operand which is neither a node nor a number must end in a TypeError."""
    operands = [arg for step in last if isinstance(step, Apply) for arg in step.args]
    others = [arg for arg in operands if arg is None or isinstance(arg, (str, list))]
    if not others or "TypeError" in fault.types:
        return ""
    return (
        f"the operand is `{others[0]!r}` here, on purpose: raise a TypeError if it is neither a"
        f" {words.node} nor a number"
    )


def _never_set(
    lacks: re.Match[str], fault: Fault, steps: Sequence[Step], words: Graph, run: Run
) -> str:
    """Say that a constructor does not set an attribute, or that a method does not exist."""
    owner, attribute = lacks.groups()
    source = fault.frames[-1].source if fault.frames else ""
    if f".{attribute}(" in source:
        return f"a {owner} has no method `{attribute}`"
    if attribute in {step.calls.rpartition(".")[2] for step in steps}:
        return ""
    if attribute not in source and "getattr" in source:
        return f"`getattr` looks for `{attribute}`, and a {owner} has no attribute of that name"
    if owner != words.node:
        return ""
    new = run([Make(Ref(0), words.make, [2.0]), Read(Ref(0), attribute, "value")]).fault
    is_missing = new is not None and new.type_name == "AttributeError" and new.message == lacks[0]
    return f"`{owner}.__init__` never sets `self.{attribute}`" if is_missing else ""


def _meant(fault: Fault) -> str:
    """Suggest the existing name that may be meant instead of a missing one."""
    if not fault.frames:  # the grader looked it up
        return f"your code has `{fault.meant}` instead; is that a typo?"
    if fault.meant.startswith("import "):
        return f"put `{fault.meant}` at the top of the file"
    return f"did you mean `{fault.meant}`?"
