"""Say what a function's source shows to be wrong: slips, and where it differs from right code."""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from itertools import chain

from grader.worker.protocol import Function

PASSED = "the arguments are passed in this order"
Said = frozenset[str]
"""Facts about one function."""

IDLE = "unused "  # an expression that does nothing
INSIDE = "#def"  # the beginning of a function inside another
SLIP = "slip "  # something that is wrong by the look of it
SAYS = "says "  # a whole statement
TEXT = "text "
PARAMETERS, RESULT = "def (", "def #out is "
# style, not meaning
_NO_DIFFERENCE = ("def ", INSIDE, SLIP, SAYS, TEXT, "set()", "isinstance()")
# these are only worth a look if the function gives a wrong result
_MILD = {"loop-ignores", "unused-parameter"}
_LISTS = {
    "callers": "this changes the list `{}` of the caller; work on a copy",
    "emptied": "this empties the `{0}` that was stored before, too; begin a new list: `{0} = []`",
    "anew": "every round begins with a new, empty `{}`; put this line before the loop",
    "moved-up": "each round removes an axis, and those after it move up: `{}` soon counts too far",
    "called-once": "from now on, `{}` is this result and no longer the function; use another name",
}
_SLIPS = {
    "unreached": "this line never runs, because it comes after a `{}`",
    "loop-ends": "this `return` is inside the loop, so the loop ends in its first round",
    "loop-ignores": "this loop never uses `{}`",
    "sign": "`={0}` is an assignment and a sign; did you mean `{0}=`?",
    "too-soon": "this reads `{}` before the backward step runs; read it inside the inner function",
    "in-place": "`{}` changes the list itself and returns None",
    "listed-first": "this comes before the loop, so a node is listed before its operands",
    "returns-error": "this returns an exception; did you mean `raise`?",
    "unused-parameter": "this function never uses its parameter `{}`",
    "chained": "Python reads `a > b == c` as `a > b and b == c`; put `a > b` in parentheses",
    "always": "`or {0}` is always true; repeat the comparison, as in `x == int or x == {0}`",
    "no-f": "the `f` before this text is missing, so `{{{}}}` stays as it is",
    "added-twice": "`{0} += {0} + ...` adds the old number twice; leave it out on the right",
    **_LISTS,
}


_SEEDED = "`random.seed` starts the random numbers again, so every call draws the same ones"


def remarks(
    mine: Function, right: Function, kept: Collection[str] = ()
) -> Iterator[tuple[int, str]]:
    """Yield what is wrong by its look: a line (0 if there is none) and a sentence.

    `kept` are the attributes that the class sets: it may name them as it likes.
    """
    usual = {fact.text for fact in right.facts}
    if usual and "no return" in {fact.text for fact in mine.facts} - usual:
        yield mine.facts[-1].line, "the function returns nothing; is a `return` missing?"
    yield from _parameters_moved(mine, right)
    yield from _slips(mine, right, ())
    if "random.seed()" not in usual:  # which restarts the random numbers of every call
        yield from ((at, _SEEDED) for text, at in mine.facts if text == "random.seed()")
    yield from _misspelt(mine, right, kept)
    yield from _numbers_taken_out(mine, right)


def _parameters_moved(mine: Function, right: Function) -> Iterator[tuple[int, str]]:
    """Parameters in another order than the arguments, or one before them that is not passed."""
    ours, theirs = _parameters(mine), _parameters(right)
    if theirs and set(theirs) <= set(ours) and ours[: len(theirs)] != theirs:
        order = ", ".join(f"`{name}`" for name in theirs if name != "self")
        others = "" if len(ours) == len(theirs) else "; others must come later"
        yield mine.line, f"{PASSED}: {order}{others}"


def _slips(mine: Function, right: Function, but: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield lines without effect and the slips that right code does not have, except some kinds."""
    usual = {fact.text for fact in right.facts}
    for fact in mine.facts:
        if fact.text.startswith(IDLE):
            meant = "`=`" if " == " in fact.text else "a call, with `()`"
            yield fact.line, f"this line has no effect; did you mean {meant}?"
    if not right.line:  # right code may have some of the slips
        return
    for fact in mine.facts:
        kind, *names = fact.text.removeprefix(SLIP).split(" ")
        if fact.text.startswith(SLIP) and kind in _SLIPS.keys() - but and fact.text not in usual:
            line = 0 if fact.line == mine.line else fact.line
            yield line, _SLIPS[kind].format(*names)


def remark_on_exception(
    mine: Function, right: Function, line: int, kept: Collection[str] = ()
) -> str:
    """Return what is surely wrong by its look in a function that raised on a line."""
    sure = (
        _parameters_moved(mine, right),
        _slips(mine, right, _MILD),
        _misspelt(mine, right, kept),
        _numbers_taken_out(mine, right),
    )
    for at, told in chain.from_iterable(sure):
        if at:
            return told if at == line else f"line {at}: {told}"
    targets = (
        text.partition(" <- ")[0] for text, at in mine.facts if at == line and " <- " in text
    )
    return next(filter(None, (attribute_meant(mine, right, each) for each in targets)), "")


def _misspelt(
    mine: Function, right: Function, kept: Collection[str] = ()
) -> Iterator[tuple[int, str]]:
    """A name or a text that right code does not have, and that is nearly one that it has."""
    ours, theirs = _words(mine), _words(right)
    for fact in mine.facts:
        for word in sorted(_words_in(fact.text) - theirs - set(kept)):
            if near := get_close_matches(word, theirs - ours, 1, 0.7):
                quote = '"' if fact.text.startswith(TEXT) else ""
                yield fact.line, f"did you mean `{quote}{near[0]}{quote}`?"


_WHOLE, _TAKEN_OUT = re.compile(r"(#\d+)(?![.\w])"), re.compile(r"(#\d+)\.data\b")
_ABOUT_TYPE = re.compile(r"isinstance\([^()]*\)|says #\d+ = .*")  # as they wrap a number
_COMPUTED = re.compile(r"\.data\b.* [-+*/]|[-+*/] .*\.data\b")  # a number in an expression
_COMPUTES = re.compile(rf"{SAYS}.* [-+*/]")


def _numbers_taken_out(mine: Function, right: Function) -> Iterator[tuple[int, str]]:
    """A `.data` where right code computes with whole nodes, of a node that is used nowhere else."""
    computes = any(_COMPUTES.match(fact.text) for fact in right.facts)
    if computes and "data" not in _words(right):
        said = [fact for fact in mine.facts if fact.text.startswith(SAYS)]
        has_step = any(fact.text == INSIDE for fact in mine.facts)
        whole = {name for fact in said for name in _WHOLE.findall(_ABOUT_TYPE.sub("", fact.text))}
        for fact in said:
            taken = set(_TAKEN_OUT.findall(fact.text))
            if not taken and has_step:
                continue  # a backward step needs the numbers
            if _COMPUTED.search(_made_by(fact.text)) and not whole & taken:
                yield fact.line, "`.data` is only the number; computing with it builds no graph"


def _made_by(statement: str) -> str:
    """Return a statement without a condition, whose numbers only decide what is made."""
    return re.sub(r"^says (?:if|while) .*|\bif .*? else\b", "", statement)


def _words(function: Function) -> set[str]:
    return {word for fact in function.facts for word in _words_in(fact.text)}


def _words_in(text: str) -> set[str]:
    """Return the attributes in a fact, or the word that it is about."""
    if text.startswith(TEXT):
        return set(filter(str.isidentifier, [text.removeprefix(TEXT)]))
    return set() if text.startswith(SLIP) else set(re.findall(r"\.([A-Za-z_]\w*)", text))


def helpers(function: Function, asked: Collection[str]) -> set[str]:
    """Return what a function calls that neither the course nor Python defines: its own helpers,
    other classes, and names that it may have imported.
    """
    found = (re.match(r"(?:#0\.|[A-Z]\w*\.)?(\w+)\(\)$", fact.text) for fact in function.facts)
    names = {match[1] for match in found if match}
    return names - {*asked, *dir(builtins)}


def unlike(mine: Function, right: Function) -> int:
    """Return the only line whose statement right code does not have, or 0."""
    if not right.line:  # copies for learners have no right code
        return 0
    usual = _statements(right)
    says = [fact for fact in mine.facts if fact.text.startswith(SAYS)]
    strange = [fact.line for fact in says if fact.text not in usual]
    return strange[0] if len(strange) == 1 else 0


def states(mine: Function, right: Function, line: int) -> bool:
    """Return whether right code has a line's statement."""
    usual = _statements(right)
    return any(fact.line == line and fact.text in usual for fact in mine.facts)


def _parameters(function: Function) -> list[str]:
    for fact in function.facts:
        if fact.text.startswith(PARAMETERS):
            return fact.text.removeprefix(PARAMETERS).rstrip(")").split(", ")
    return []


def lacks_self(name: str, function: Function) -> bool:
    """Return whether a method has no parameter `self` in first place."""
    parameters = _parameters(function)
    return "." in name and bool(parameters) and parameters[0] != "self"


def attribute_meant(mine: Function, right: Function, target: str) -> str:
    """Ask whether the learner meant a different attribute in an assignment to the target.

    Return an empty text unless that attribute is the only difference from the right code.
    """
    read, wanted = _read_for(target, mine), _read_for(target, right)
    if not all(
        len(extra) == 1 and _PATH.match(min(extra)) for extra in (read - wanted, wanted - read)
    ):
        return ""
    (wrong,), (better,) = read - wanted, wanted - read
    return f"did you mean `{_spelled(better, mine)}` instead of `{_spelled(wrong, mine)}`?"


_PATH = re.compile(r"#(out|\d+)\.\w+$")  # an attribute of a parameter or of the result


def _read_for(target: str, function: Function) -> set[str]:
    """Return everything that is read for a target."""
    begin = f"{target} <- "
    texts = (fact.text for fact in function.facts if fact.text.startswith(begin))
    return {text.removeprefix(begin) for text in texts}


def _spelled(path: str, function: Function) -> str:
    """Return a path with the function's own variable names."""
    variable, _, attribute = path.partition(".")
    names = _parameters(function)
    for fact in function.facts:
        if variable == "#out" and fact.text.startswith(RESULT):
            variable = fact.text.removeprefix(RESULT)
        elif variable[1:].isdigit() and int(variable[1:]) < len(names):
            variable = names[int(variable[1:])]
    return f"{variable}.{attribute}"


def said(function: Function) -> Said:
    """Return all facts about a function that make a difference, among them that it exists."""
    texts = {fact.text for fact in function.facts if not fact.text.startswith(_NO_DIFFERENCE)}
    return frozenset(texts | {""}) if function.line else frozenset()


def bears_out(
    learners: Function, reference: Function, faulty: Function, asked: Collection[str] = ()
) -> bool | None:
    """Return whether the code has everything that makes the wrong code differ from the right.

    Return None if that cannot be told, as for code in a different style, or with helpers that are
    not among the names `asked` for.
    """
    mine, right, wrong = said(learners), said(reference), said(faulty)
    added, removed = wrong - right, right - wrong
    if not _slip_kinds(faulty) - _slip_kinds(reference) <= _slip_kinds(learners):
        return False
    if helpers(learners, asked) - helpers(reference, asked) and mine != wrong:
        return None
    if right in {wrong, mine}:  # only whole statements can tell them apart
        return None if _statements(learners) != _statements(reference) else False
    if mine == wrong:
        return True
    if not mine or any(map(_SHOWS.match, removed & mine)):
        return False
    if removed & mine:
        return False if removed <= mine else None
    if mine - right - wrong or not added <= mine:
        return None
    return True if added or 2 * len(wrong & mine) >= len(wrong & right) else None


_OF_COLLECTIONS = "|".join({*dir(list), *dir(set)})
_SHOWS = re.compile(rf"(?!#(out)?\.({_OF_COLLECTIONS})\(\)).*\(\)$")  # a call does, in any style


def _slip_kinds(function: Function) -> set[str]:
    """Return the kinds of slips that any style would show."""
    kinds = {fact.text.split(" ")[1] for fact in function.facts if fact.text.startswith(SLIP)}
    return kinds - _MILD - _LISTS.keys()


def _statements(function: Function) -> set[str]:
    return {fact.text for fact in function.facts if fact.text.startswith(SAYS)}
