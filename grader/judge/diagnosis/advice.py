"""Say what a function's source shows to be wrong: slips, and where it differs from right code."""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from itertools import chain

from grader.worker.protocol import Function

MUCH_ALIKE = 0.5  # the share of facts in common, below which two functions cannot be compared
NEVER_ASKS = "this function never checks whether it has already visited a node"
PASSED = "the arguments are passed in this order"
THERE = ""  # the fact that a function is there at all
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
_MILD = {"never-read", "loop-ignores", "append-in-loop", "outer", "last-round", "unused-parameter"}
_STRANGE = 2  # statements that right code does not have; with more, the style is another one
_LISTS = {
    "no-copy": "`{}` is no copy but the same object as `{}`, so this changes both",
    "callers": "this changes the list `{}` of the caller; work on a copy",
    "taken-out": "this takes an item out of `{}`, which is returned; let it stay where it is",
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
    "dropped": "the result of this line is not used; is a `return` missing?",
    "never-called": "`{}` is defined here, but nothing calls or stores it",
    "never-read": "`{}` is set here, but nothing reads it",
    "copy-changes": "this changes the variable `{}` and not the attribute that it was read from",
    "returns-inside": "this `return` belongs to `{}`, the function inside",
    "too-soon": "this reads `{}` before the backward step runs; read it inside the inner function",
    "made-anew": "every call makes a new `{}`; make it once, outside the inner function",
    "outer": "the inner function also gets other nodes; did you mean `{}`?",
    "append-in-loop": "this line is inside the loop, so it runs once for each operand",
    "in-place": "`{}` changes the list itself and returns None",
    "repeated": "this list holds the same object several times; make a new one each time",
    "same": "every round appends the same `{}`; make a new one inside the loop",
    "last-round": "each round replaces `{}`, so only the last round counts",
    "rebinds": "this only makes `{}` a name for something new; the object itself does not change",
    "late": "this function runs after the loop, so it sees `{}` from the last round",
    "zip": "this does not pair up the items of the two; did you mean `zip(...)`?",
    "range-empty": "`range` counts upwards here, so it is empty; to count down, add `-1`",
    "falls-through": "the function can end here without a `return`, and then it returns None",
    "listed-first": "this comes before the loop, so a node is listed before its operands",
    "stays-empty": "`{}` stays empty, because nothing is ever added to it",
    "returns-error": "this returns an exception; did you mean `raise`?",
    "returns-set": "this returns a set, and a set has no order",
    "twice": "`{}` changes twice here, but `{}` never does",
    "lambda": "this lambda computes a value but changes nothing",
    "unused-parameter": "this function never uses its parameter `{}`",
    "chained": "Python reads `a > b == c` as `a > b and b == c`; put `a > b` in parentheses",
    "always": "`or {0}` is always true; repeat the comparison, as in `x == int or x == {0}`",
    "no-f": "the `f` before this text is missing, so `{{{}}}` stays as it is",
    "added-twice": "`{0} += {0} + ...` adds the old number twice; leave it out on the right",
    **_LISTS,
}


_SEEDED = "`random.seed` starts the random numbers again, so every call draws the same ones"


def remarks(
    mine: Function,
    right: Function,
    asked: Collection[str],
    *,
    explained: bool = False,
    kept: Collection[str] | None = None,
) -> Iterator[tuple[int, str]]:
    """Yield what is wrong by its look: a line (0 if there is none) and a sentence.

    `asked` are the names that the course defines. Once the mistake is `explained`, the names that
    only right code has do not matter. `kept` are the attributes that the class sets, if known: it
    may name them as it likes.
    """
    usual = {fact.text for fact in right.facts}
    if usual and "no return" in {fact.text for fact in mine.facts} - usual:
        yield mine.facts[-1].line, "the function returns nothing; is a `return` missing?"
    yield from _parameters_moved(mine, right)
    yield from _slips(mine, right, {})
    if "random.seed()" not in usual:  # which restarts the random numbers of every call
        yield from ((at, _SEEDED) for text, at in mine.facts if text == "random.seed()")
    yield from _misspelt(mine, right, kept or ())
    yield from _numbers_taken_out(mine, right)
    yield from _kept_on_self(mine, right)
    if not explained and not helpers(mine, asked):  # helpers may do the rest
        yield from _lacking(mine, right, asked, kept)


def _parameters_moved(mine: Function, right: Function) -> Iterator[tuple[int, str]]:
    """Parameters in another order than the arguments, or one before them that is not passed."""
    ours, theirs = _parameters(mine), _parameters(right)
    if theirs and set(theirs) <= set(ours) and ours[: len(theirs)] != theirs:
        order = ", ".join(f"`{name}`" for name in theirs if name != "self")
        others = "" if len(ours) == len(theirs) else "; others must come later"
        yield mine.line, f"{PASSED}: {order}{others}"


def _lacking(
    mine: Function, right: Function, asked: Collection[str], kept: Collection[str] | None
) -> Iterator[tuple[int, str]]:
    """Yield what right code does and this function does not do at all."""
    usual = {fact.text for fact in right.facts}
    if mine.facts and _MEMBER & usual and not any(_asks(fact.text) for fact in mine.facts):
        yield 0, NEVER_ASKS
    ours, theirs = _words(mine), _words(right)
    for name in sorted(theirs - ours):
        if f"#out.{name} =" in usual:
            yield 0, never_set(name)
    by_name = "getattr" in _called(mine)  # then a name may be called without being written
    for name in () if by_name else sorted(_called(right) - _called(mine) - ours):
        if name in asked and not hasattr(builtins, name):
            yield 0, f"this function never calls `{name}()`"
    for module in sorted(_modules(right) - _modules(mine)):
        yield 0, f"this function uses nothing from `{module}`"
    for name in sorted(theirs - ours if kept is None else (theirs - ours) & set(kept)):
        if f"#0.{name}" in usual and "self" in _parameters(right)[:1]:
            yield 0, f"this function never uses `self.{name}`"


def never_set(name: str) -> str:
    """Return the sentence about an attribute that the result lacks."""
    return f"this function never sets `{name}` of its result"


def is_vague(advice: str) -> bool:
    """Return whether advice only says what a function lacks, or nothing."""
    return not advice or advice.startswith(("this function never calls", "this function uses no"))


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


def remark_on_exception(mine: Function, right: Function, line: int) -> str:
    """Return what is surely wrong by its look in a function that raised on a line."""
    sure = (
        _parameters_moved(mine, right),
        _slips(mine, right, _MILD),
        _misspelt(mine, right),
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
            longer = [name for name in theirs - ours if word.startswith(name) and len(name) > 3]
            if near := longer or get_close_matches(word, theirs - ours, 1, 0.7):
                quote = '"' if fact.text.startswith(TEXT) else ""
                yield fact.line, f"did you mean `{quote}{near[0]}{quote}`?"


def _kept_on_self(mine: Function, right: Function) -> Iterator[tuple[int, str]]:
    """An attribute of `self` that changes, where right code changes none."""
    changes, of_items = re.compile(r"#0\.(\w+) \S*=$"), re.compile(r"#0\.\w+\[\] \S*=$")
    usual = [fact.text for fact in right.facts]
    if usual and not any(changes.match(text) or of_items.match(text) for text in usual):
        for fact in mine.facts:
            found = changes.match(fact.text)
            if found and found[1] not in {"data", "grad"}:  # of a node, which a step changes
                yield fact.line, f"every call changes `self.{found[1]}`; use a local variable"


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


def _called(function: Function) -> set[str]:
    return {name for fact in function.facts for name in re.findall(r"(\w+)\(\)$", fact.text)}


def _modules(function: Function) -> set[str]:
    """Return the modules of which a function calls something."""
    found = (re.match(r"([a-z]\w*)\.\w+\(\)$", fact.text) for fact in function.facts)
    return {match[1] for match in found if match}


_MEMBER = {"compares in", "compares not in"}
_UNIQUE = re.compile(r"(says if |compares |.*\bfromkeys\(|.*\bset\(.|slip )")


def _asks(text: str) -> bool:
    """Return whether a fact may be about a question, or about a collection without duplicates."""
    return _UNIQUE.match(text) is not None


def helpers(function: Function, asked: Collection[str]) -> set[str]:
    """Return what a function calls that neither the course nor Python defines: its own helpers,
    other classes, and names that it may have imported.
    """
    found = (re.match(r"(?:#0\.|[A-Z]\w*\.)?(\w+)\(\)$", fact.text) for fact in function.facts)
    names = {match[1] for match in found if match}
    return names - {*asked, *dir(builtins)}


def unlike(mine: Function, right: Function, placed: int = 0) -> int:
    """Return the first line that does not say what right code does, or 0.

    The function must be much like right code or have a single line. If a line is to blame by its
    effect (`placed`), it stays so unless right code has it, too.
    """
    if not right.line:  # copies for learners have no right code
        return 0
    ours, theirs = said(mine), said(right)
    lines = {fact.line for fact in mine.facts if not fact.text.startswith(SLIP)} - {mine.line}
    usual = {fact.text for fact in right.facts}
    statements = [fact for fact in mine.facts if fact.text.startswith(SAYS)]
    foreign = [fact for fact in statements if fact.text not in usual]
    strange = [fact.line for fact in sorted(foreign, key=lambda fact: -len(fact.text))]
    if placed in strange or (placed and placed not in {fact.line for fact in statements}):
        return 0
    if len(lines) == 1:
        return lines.pop() if {fact.text for fact in mine.facts} != usual else 0
    if 0 < len(strange) <= _STRANGE and 2 * len(strange) <= len(statements):
        return strange[0]
    if placed or strange or likeness(ours, theirs) < MUCH_ALIKE or ours == theirs:
        return 0
    as_usual = {fact.line for fact in statements}
    added = [fact.line for fact in mine.facts if fact.text in ours - theirs]
    if left := [line for line in added if line not in as_usual]:
        return left[0]
    for text in sorted(theirs - ours):
        target = f"{text.partition(' ')[0]} "
        same = [fact.line for fact in mine.facts if fact.text.startswith(target)]
        if target.startswith(("#0.", "#out")) and same:
            return max(same)
    return 0


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
    return frozenset(texts | {THERE}) if function.line else frozenset()


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


def likeness(one: Said, other: Said) -> float:
    """Return the share of facts in common."""
    return len(one & other) / (len(one | other) or 1)
