"""`grader.suite`, as authors of courses use it: what it compares, and that nothing else of the
grader is imported by a course.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader import grade
from grader.authoring import scaffold
from grader.authoring.check import audit
from grader.authoring.scaffold import write_stage
from grader.curriculum.load import load_course
from grader.curriculum.model import DEFAULT_COURSE
from grader.model import CheckResult, Kind, Verdict
from support import EXAMPLE, put
from support.story import edit

SUITES = sorted(
    file
    for folder in (DEFAULT_COURSE, EXAMPLE)
    for pattern in ("*.py", "*/suite.py", "*/show.py")
    for file in folder.glob(pattern)
)
TEMPLATE = Path(scaffold.__file__).with_name("template")


@pytest.mark.parametrize(
    "file",
    [*SUITES, TEMPLATE / "suite.py.txt", TEMPLATE / "vocabulary.py.txt"],
    ids=lambda file: f"{file.parent.name}/{file.name}",
)
def test_a_course_imports_nothing_of_the_grader_but_the_module_for_suites(file: Path) -> None:
    ours = re.findall(r"^\s*(?:from|import) (grader\b.*)", file.read_text("utf-8"), re.MULTILINE)
    assert [line for line in ours if not re.match("grader([.]suite | import suite$)", line)] == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_stage(tmp_path / "mine", "sums")
    return tmp_path / "mine"


def judged(folder: Path, right: str, check: str) -> CheckResult:
    """What becomes of a stage whose solution returns `right`, checked by these lines."""
    suite = (
        "from vocabulary import Learner\n"
        "\n"
        "\n"
        "def test_twice(learner: Learner) -> None:\n"
        '    """A title"""\n'
    )
    lines = "".join(f"    {line}\n" for line in check.strip().splitlines())
    source = f'"""The same, solved."""\n\n\ndef sums(x):\n    {right}\n'
    course = load_course(put(folder, {"sums/suite.py": suite + lines, "solutions/work.py": source}))
    (result,) = grade(course.solutions, course=course).checkpoints
    return result


@pytest.mark.parametrize(
    ("returned", "wanted"),
    [
        ("'two words'", "'two words'"),
        ("''", "''"),
        ("True", "True"),
        ("None", "None"),
        ("[1, 2.0, 'three', None, [True]]", "[1.0, 2, 'three', None, (True,)]"),
        ("(1.0, 0.1 + 0.2)", "[1, 0.3]"),
        ("[]", "[]"),
        ("'x' * 1000", "'x' * 1000"),
        ("3", "3.0"),
    ],
)
def test_a_value_of_any_kind_can_be_expected(folder: Path, returned: str, wanted: str) -> None:
    check = f"learner.expect(learner.call('sums', 1.0).reading(), {wanted})"
    assert judged(folder, f"return {returned}", check).verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("returned", "wanted", "kind", "got"),
    [
        ("'two'", "'three'", Kind.WRONG_VALUE, "two"),
        ("1", "True", Kind.BAD_TYPE, "1"),
        ("True", "1", Kind.BAD_TYPE, "a bool"),
        ("0", "None", Kind.BAD_TYPE, "0"),
        ("'1'", "1", Kind.BAD_TYPE, "a str"),
        ("1.5", "'1.5'", Kind.BAD_TYPE, "a float"),
        ("[1, 2]", "[1, 2, 3]", Kind.WRONG_VALUE, "[1, 2]"),
        ("[1, True]", "[1, 1]", Kind.WRONG_VALUE, "[1, True]"),
        ("['a', 'b']", "['a', 'c']", Kind.WRONG_VALUE, "['a', 'b']"),
        ("{1: 2}", "[1]", Kind.BAD_TYPE, "a dict"),
        ("'x' * 1000", "'x' * 999", Kind.WRONG_VALUE, "x" * 1000),
    ],
)
def test_another_value_fails_and_is_shown(
    folder: Path, returned: str, wanted: str, kind: Kind, got: str
) -> None:
    check = f"learner.expect(learner.call('sums', 1.0, name='y').reading(), {wanted})"
    result = judged(folder, f"return {returned}", check)
    assert (result.verdict, result.kind, str(result.got)) == (Verdict.FAILED, kind, got)
    assert "`y` is" in result.message
    assert "y = sums(1.0)" in result.reproduce
    assert result.message.count(" is ") == 1


SEVERAL = """
y = learner.call("sums", 1.0, name="y")
learner.expect_all([(y.reading("[0]"), 1.0), (y.reading("[1]"), "b"), (y.reading("[2]"), 3.0)])
"""
BLOCK = """
with learner.raises(ValueError, TypeError, why="a negative number must be refused"):
    learner.call("sums", -1.0, name="y")
learner.expect(learner.call("sums", 2.0).reading(), 4.0)
"""
REFUSES = "if x < 0:\n        raise {}('no')\n    return 2 * x"
BEFORE = """
learner.call("sums", -1.0)
with learner.raises(ValueError, why="no"):
    learner.call("sums", -2.0)
"""
FRESH = """
for number in (1.0, 2.0, 3.0):
    with learner.fresh():
        learner.expect(learner.call("sums", number, name="y").reading(), 2 * number)
"""
DRAWN = """
def draw(choose):
    return [choose(range(100)) for _ in range(choose(range(5)))]

def check(numbers):
    total = learner.call("sums", numbers, name="total")
    learner.expect(total.reading(), sum(numbers))

learner.for_all(draw, check)
"""


@pytest.mark.parametrize(
    ("check", "right"),
    [
        (SEVERAL, "return [1.0, 'b', 3.0]"),
        (BLOCK, REFUSES.format("TypeError")),
        (BLOCK, REFUSES.format("UnicodeError")),
        (DRAWN, "return sum(x)"),
    ],
)
def test_code_passes_a_check_that_it_meets(folder: Path, check: str, right: str) -> None:
    assert judged(folder, right, check).verdict is Verdict.PASSED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("check", "wrong", "message", "lines"),
    [
        (SEVERAL, "return [1.0, 'c', 4.0]", "", r"print\(y\[1\]\)  # gives c, should give b"),
        (BLOCK, REFUSES.format("KeyError"), "KeyError: ", ""),
        (
            BLOCK,
            "return 2 * x",
            "a negative number must be refused",
            "raises nothing, should raise ValueError or TypeError",
        ),
        (BEFORE, "raise ValueError('too early')", "ValueError: too early", ""),
        (FRESH, "return 2 * x if x < 3 else x", "", r"^(?!(.|\n)*sums\(2.0\))(.|\n)*sums\(3.0\)"),
        (DRAWN, "return sum(x) + any(n > 40 for n in x)", "", r"sums\(\[(0, )*41\]\)"),
    ],
)
def test_a_check_that_fails_shows_the_lines_that_matter(
    folder: Path, check: str, wrong: str, message: str, lines: str
) -> None:
    result = judged(folder, wrong, check)
    assert (result.verdict, result.message.startswith(message)) == (Verdict.FAILED, True)
    assert re.search(lines, result.reproduce)


@pytest.mark.slow
def test_files_of_a_course_come_before_what_is_installed_under_their_names(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vocabulary.py").write_text("raise RuntimeError('another one')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert audit(load_course(folder), jobs=1, tell=lambda _: None).problems == ()


@pytest.mark.slow
def test_stubs_and_solutions_may_lie_elsewhere(folder: Path) -> None:
    (folder.parent / "work").mkdir()
    for name in ("exercises", "solutions"):
        (folder / name).rename(folder.parent / "work" / name)
    toml = folder / "course.toml"
    toml.write_text('kit = "../work"\n' + toml.read_text(encoding="utf-8"), encoding="utf-8")
    course = load_course(folder)
    assert course.solutions == folder.parent / "work" / "solutions"
    assert audit(course, jobs=1, tell=lambda _: None).problems == ()
    (folder.parent / "work" / "exercises").rename(folder / "exercises")
    assert load_course(folder).exercises == folder / "exercises"


def test_a_title_may_take_two_lines(folder: Path) -> None:
    title = '"""`sums(3.0)` is 6.0,\n    and not 5.0\n\n    More is not the title.\n    """'
    edit(folder / "sums" / "suite.py", '"""`sums(3.0)` is 6.0"""', title)
    (stage,) = load_course(folder).stages
    assert stage.titles == {"sums.twice": "`sums(3.0)` is 6.0, and not 5.0"}
