"""The way through the course as a learner goes it: where they stand, what is next, which hint they
get, and what is kept.
"""

from __future__ import annotations

import os
import shlex
import shutil
from functools import partial
from pathlib import Path

import pytest

from grader.judge.oracle.expressions import MAX_OPERATIONS
from grader.learner.quiz.questions import load_quiz
from support import EXAMPLE, changed, kit_folder
from support.grading import COURSE
from support.notebooks import notebook, saved
from support.story import HOME, Holds, Ran, Story, each, edit, play, save, until, write

pytestmark = pytest.mark.slow

PASSED = "phase1 The Value class 6/6"
LEFT = ("return self + other", "return other")
PLUS = ("self.data + other.data", "plus(self.data, other.data)")
HELPER = "\n\ndef plus(a, b):\n    return a + b\n"
TIMES = "self.grad += other.data * out.grad"
ASSIGNS = (TIMES, TIMES.replace("+=", "="))
PAPER = changed(file="by_hand.py")
SLIP = PAPER.replace('"y": 4.5', '"y": 4.0')
LINE = changed().partition(TIMES)[0].count("\n") + 1
EDITED = "by-hand used to pass. You have edited second since."
MEMORY, *KINKS = (
    f"{question.right}\n"
    for item in ("understanding-memory", "understanding-kinks")
    for question in load_quiz(COURSE).questions
    if not question.program and question.checklist == item
)
TANH = "self.grad += (1 - out.data**2) * out.grad"
TRACED = "(a*b + c) * (a + d)"
CANNOT = "your engine cannot compute this yet: "
NOT_SAVED = "note: not saved, because .grade cannot be written: "
MENDED = f"- {ASSIGNS[1]} + {TIMES}"
AGAIN = "~ edited since passing: {0}. To check again: grade {0}"

STORIES: dict[str, Story] = {
    "there is nothing to try where nothing failed, nor the code of anybody else": [
        write,
        Ran("try", ["nothing failed in the last grading"], code=2, folder="exercises"),
        Ran("try phase2.forward", ["has no failing lines"], code=2, folder="exercises"),
        Ran("try --at other", ["No such option"], code=2, folder="exercises"),
    ],
    "a linked file is refused as grading refuses it": [
        write,
        Ran("reset phase3"),
        partial((HOME / "engine.py").rename, HOME / "real.py"),
        partial((HOME / "engine.py").symlink_to, "real.py"),
        *(
            Ran(words, ["engine.py' is a link, which the grader does not follow"], code=2)
            for words in ("reset phase3", "undo")
        ),
        Holds("exercises/real.py", ["phase 3: "], [TIMES]),
    ],
    # --- progress ---
    "progress is kept next to the code wherever the command runs": [
        write,
        Ran("1"),
        Ran("", [PASSED]),
        Ran("", [PASSED], folder="exercises"),
        Ran("2", folder="exercises"),
        Ran("", ["phase2 Addition and the graph 10/10"]),
    ],
    "a named path has no progress and gets none": [
        write,
        partial(shutil.copytree, HOME, "other"),
        Ran("1"),
        Ran("2 --at other"),
        Ran("2 --at other/engine.py"),
        Ran("2 --at exercises"),
        Ran("", [PASSED, "phase2 Addition and the graph 0/10"]),
        Ran("--at exercises", [PASSED.replace("6/6", "0/6")]),
    ],
    "where nothing can be saved, commands work and say so": [
        write,
        partial(save, "in the way", ".grade"),
        Ran("1", ["6/6", "note: your progress is not saved, because .grade cannot"], ["next:"], 0),
        Ran("checklist --tick like-pytorch", [NOT_SAVED]),
        Ran("quiz 1 --count 3 --seed 1", [NOT_SAVED], typed="a\na\na\n"),
        Ran("hint Value.__mul__", ["next: grade hint Value.__mul__ --all"]),
        Ran("reset phase3", ["error: '", ".grade"], ["report"], 2),
    ],
    "an edit is noted for the phases that use it": [
        write,
        Ran("1-3"),
        partial(write, ("self.data + other.data", "other.data + self.data")),
        Ran("", ["✓ phase1", "next: phase4", AGAIN.format("2-3")]),
        Ran("2"),
        Ran("", [AGAIN.format("3")]),
    ],
    "a tick is lost by an edit of a helper, and by no comment nor the next method": [
        partial(write, PLUS, ("def zero_grad", "def later"), more=HELPER),
        Ran("1-4"),
        partial(
            write, PLUS, ("other = ", "# wrap\n\n        other = "), more=f"# a\na = 1{HELPER}"
        ),
        Ran("", [f"✓ phase{number}" for number in range(1, 5)], ["~ phase"]),
        partial(write, PLUS, more=HELPER.replace("a + b", "b + a")),
        Ran("", ["✓ phase1", "~ phase2", "~ phase3", "~ phase4"], ["✓ phase2"]),
    ],
    "the solution is shown when it is asked for, which is remembered": [
        Ran("solution phase1", ["--spoil"], ["self.grad = 0.0"], 2),
        Ran("", [], ["solution seen"]),
        Ran("solution phase1 --spoil", ["self.grad = 0.0"]),
        Ran("", ["solution seen"]),
    ],
    "after passing, the solution is shown next to one's own": [
        partial(write, ("self.grad += out.grad\n", "self.grad += 1.0 * out.grad\n")),
        Ran("phase2"),
        Ran("solution phase2", ["- ", "1.0 * out.grad", "identical to yours"]),
        Ran("", [], ["solution seen"]),
    ],
    "edits since a phase passed are named until it passes again": [
        partial(save, SLIP, "by_hand.py"),
        Ran("by-hand", ["12/14"], ["used to pass"]),
        partial(save, PAPER, "by_hand.py"),
        Ran("by-hand", ["14/14"], ["used to pass"]),
        partial(save, SLIP.replace("def slope", "# moves every function\ndef slope"), "by_hand.py"),
        Ran("by-hand", [EDITED]),
        Ran("by-hand", [EDITED]),  # the first failure does not forget what passed
        partial(save, PAPER, "by_hand.py"),
        Ran("by-hand", ["14/14"], ["used to pass"]),
        partial(save, f"{PAPER}\ndef broken(:\n", "by_hand.py"),
        Ran("by-hand", ["by-hand used to pass."]),
        partial(save, f"{PAPER}\nsecond = third\n", "by_hand.py"),
        Ran("by-hand", ["by-hand used to pass."]),
    ],
    "a file that cannot be imported changes no progress, and one without the class does": [
        write,
        Ran("1"),
        *(
            step
            for broken in ("def broken(:\n", "raise ValueError\n")
            for step in (partial(write, more=broken), Ran("1"), write, Ran("", ["✓ phase1"]))
        ),
        partial(save, "class Value: pass\n"),
        Ran("1"),
        write,
        Ran("", [], ["✓ phase1"]),
    ],
    "what makes no sense is refused, and the file left alone": [
        partial(save, "x = 1\n"),
        Ran("reset 1-3", ["one phase"], code=2),
        Ran("reset 9", ["there is no phase '9'"], code=2),
        Ran("solution all", ["one phase"], code=2),
        Ran("undo", ["nothing"], code=2),
        Holds("exercises/engine.py", ["x = 1\n"], ["def"]),
        partial(save, "class Value(:\n"),
        Ran("reset phase3", ["line 1"], code=2),
        Holds("exercises/engine.py", ["class Value(:\n"], ["def"]),
    ],
    "undo restores what reset took, one reset after the other": [
        partial(write, more="# mine\n"),
        Ran("reset phase3"),
        Ran("reset phase4"),
        Ran("1-2", code=0),
        Holds("exercises/engine.py", ["phase 3: ", "phase 4: ", "# mine\n"]),
        Ran("undo", code=0),
        Holds("exercises/engine.py", ["phase 3: "], ["phase 4: "]),
        Ran("undo", code=0),
        Holds("exercises/engine.py", [TIMES, "# mine\n"], ["NotImplementedError"]),
        Ran("undo", ["nothing"], code=2),
    ],
    "undo after an edit restores only the functions": [
        write,
        Ran("reset phase3"),
        partial(edit, HOME / "engine.py", "class Value", "# later\nclass Value"),
        Ran("undo", code=0),
        Holds("exercises/engine.py", [TIMES, "# later\n"], ["NotImplementedError"]),
    ],
    "a later beginning is finished until there": [
        Ran("init late --phase 7 --with-solutions", code=0),
        Ran("", ["✓ phase6", "solution seen", "next: phase7"], ["✓ phase7"], folder="late"),
        Ran("1-6", code=0, folder="late"),
        Ran("7-8", ["0/18", "0/16"], code=1, folder="late"),
        Holds("late/engine.py", ["every use brings another share"]),  # it goes on teaching
    ],
    "a later beginning must be meant": [
        Ran("init late --phase 5", code=2),
        Ran("init late --with-solutions", code=2),
        Ran("init late --phase 77 --with-solutions", code=2),
        Ran("init late", code=0),
        Ran("init late", ["engine.py"], code=2),
    ],
    # --- what is next ---
    "a beginner sees the first stub and the paper and pencil phase": [
        Ran(
            "",
            [
                "By hand",
                PASSED.replace("6/6", "0/6"),
                f"write Value.__init__ in exercises{os.sep}engine.py, line",
                "by_hand.py, then grade by-hand",
            ],
        ),
        Ran("phase1", ["write Value.__init__ in exercises"]),
    ],
    "a file that is missing or empty comes before what to write in it": [
        partial(save, "\n"),
        Ran("", ["first: engine.py is empty; grade init FOLDER writes fresh copies"]),
        write,
        Ran("1-6"),
        (HOME / "nn.py").unlink,
        Ran("", ["first: nn.py is missing; grade init FOLDER writes fresh copies"]),
        Ran("7", ["note: missing: nn.py"]),
    ],
    "a late start begins with its own phase": [
        Ran("init late --phase 5 --with-solutions"),
        Ran(
            "",
            ["next: phase5", "✓ phase4 Topological order and backward() 20/20 solution seen"],
            ["~"],
            folder="late",
        ),
    ],
    "after every phase the end is announced": [
        Ran("init late --phase 8 --with-solutions"),
        Ran("", [], ["grade finish"], folder="late"),
        partial(shutil.copy, kit_folder("solutions") / "train.py", "late"),
        Ran("8", folder="late"),
        Ran("", ["grade finish"], folder="late"),
    ],
    "a written function that fails comes before the next stub": [
        partial(until, "__radd__", ("+ other.data", "- other.data")),
        Ran("1-2"),
        Ran("", ["▸ phase2", "look at Value.__add__ in exercises"], ["write Value.__radd__"]),
    ],
    "a phase that failed is next even if later ones pass": [
        partial(write, LEFT),
        Ran("1-4"),
        Ran(
            "",
            [
                "next: phase2",
                "still open: 3 + a works with an int and a float (phase2.number-left)",
            ],
        ),
    ],
    "an edited phase is not called open before it is graded again": [
        partial(write, LEFT),
        Ran("1-2"),
        write,
        Ran("3", ["next: phase2", "to check it: grade phase2"], ["still open", "then:"]),
    ],
    "the list has every phase with its points and one word for its state": [
        partial(write, LEFT),
        Ran("all extras"),
        partial(write, LEFT, ("self.data = data", "self.data = data + 0")),
        Ran(
            "list",
            [
                "by-hand By hand 0/14 waiting ~ phase1 The Value class 6/6 edited since",
                "phase2 Addition and the graph 8/10 started",
                "ext1 Extension: more operations 0/16 waiting",
                "0 of 8 phases pass",
            ],
        ),
    ],
    "phases that one edit broke say so": [
        write,
        Ran("1-6"),
        partial(write, ("topo.append", "tpoo.append")),
        Ran(
            "1-6",
            [
                "phase4 used to pass. You have edited Value.build_topo since. phase5 Repeated",
                "> 86 | tpoo.append(node) NameError",
                "and 2 more failed: grade why",
                "Did you mean topo?",
                "3 failed, 23 waiting",
            ],
            ["raised in"],
        ),
    ],
    "a green phase says what is next, and a red one where hints are": [
        write,
        Ran("1", ["next: phase2"]),
        Ran(
            "4",
            [
                'see it: grade trace "(a*b + c) * d"',
                "questions: grade predict phase4",
                "next: phase2",
            ],
        ),
        partial(write, LEFT),
        Ran("2", ["stuck? grade hint"], ["next:"]),
    ],
    "a phase in which nothing failed says what to grade first": [
        partial(write, ("self.data * other.data", "self.data + other.data")),
        Ran("phase5", ["next: grade phase3.times"], ["0 failed"]),
    ],
    "by default the questions are about the phases so far": [
        Ran("quiz --seed 5", ["again: grade quiz 1 --count 8 --seed 5"]),
        Ran("predict --seed 5", ["again: grade predict 1-2 --count 3 --seed 5"]),  # none of phase 1
        write,
        Ran("1-3"),
        Ran("quiz --seed 5", ["again: grade quiz 1-4 --count 8 --seed 5"]),
        Ran(
            "quiz all extras --count 4 --seed 5",
            ["0 of 4 right, 4 not answered", "again: grade quiz all extras --count 4 --seed 5"],
        ),
    ],
    "a quiz explains each answer and asks again after what is none": [
        Ran(
            "quiz phase4 --count 4 --seed 3",
            [
                *("right Operands are always older", "'perhaps' is not one of the answers; type"),
                *("not quite: d) A node may", "A node sends on whatever it holds", "3 of 4"),
                "1 of 4 right, 2 not answered",
            ],
            typed="a\nperhaps\na\n",
        )
    ],
    **{
        f"a prediction is shown next to the learner's number, or why there is none: {new}": [
            partial(write, (old, new)),
            Ran(
                "predict phase5 --count 1 --seed 3",
                ["not quite: -2", "predicted 77 ", told],
                [] if told.startswith(CANNOT) else [CANNOT],
                typed="77\n",
            ),
        ]
        for old, new, told in (
            ("", "", "predicted 77 your engine -2 right -2"),
            ("self.grad = 1.0", "self.grad = 0.0", "predicted 77 your engine 0 right -2"),
            ("topo = self.build_topo()", "raise NotImplementedError", f"{CANNOT}"),
            ("self.grad = 1.0", "while True: pass", f"{CANNOT}engine.py does not end"),
            ("        self.grad = 0.0", '        self.grad = ""', f"{CANNOT}"),
            ("import math", "import math(", f"{CANNOT}engine.py fails because it is not valid"),
        )
    },
    # --- reports ---
    "checkpoints that wait for a failure are signs unless asked for": [
        partial(write, ('(self, other), "*")', '(self, other), "*") and None')),
        Ran("3", ["▫▫▫"], ["wait"]),
        Ran("3 -v", ["(phase3.times) does not pass yet"]),
    ],
    "a single checkpoint can be graded, and the whole phase is remembered": [
        partial(write, LEFT),
        Ran("phase2.number-left", ["phase2 Addition and the graph ✗ 0/1"], ["a + b remembers"], 1),
        Ran("2.forward", ["phase2 Addition and the graph ✓ 1/1"], ["a + b remembers"], 0),
        Ran("", ["phase2 Addition and the graph 8/10"]),
        Ran(
            "phase2.sum",
            [
                (
                    "this one uses 2 + a, and '3 + a works with an int and a float'"
                    " (phase2.number-left) does not pass yet"
                )
            ],
        ),
    ],
    "a file that is not Python is reported instead of its checkpoints": [
        partial(save, "class Value(\n"),
        Ran(
            "1-8",
            ["engine.py is not valid Python", "✗ no checkpoint can run"],
            ["nn.py is not valid", "keeps its number", "more failed"],
        ),
    ],
    "output of passing code is shown on request": [
        partial(
            write, ('        return f"Value(', '        print("hello")\n        return f"Value(')
        ),
        Ran("1 -v", ["| hello"]),
    ],
    "a blocked phase names what it waits for and what to grade": [
        partial(write, (TIMES, "pass")),
        Ran(
            "phase5",
            ["(phase3.times-backward) does not pass yet", "next: grade phase3.times-backward"],
        ),
        partial(write, ("__init__", "__int__")),
        Ran("phase4", ["does not pass yet"], ["as above"]),
    ],
    "a report that cannot be written says so": [
        write,
        Ran("phase1 --output report.txt", [], ["6/6"], 0),
        Path("report.txt").unlink,
        Ran("phase1 --format html --output no/report.html", ["cannot be written"], ["6/6"]),
    ],
    # --- hints ---
    "without a word the hint is about the next stub": [
        Ran("hint", ["Value.__init__ phase1"]),
        partial(until, "__rsub__"),
        Ran("1-2"),
        Ran("hint", ["Value.__rsub__ phase3"]),
    ],
    "the hint is about the first failure of the last grading": [
        partial(write, ("return other * self**-1", "return self / other")),
        Ran("1-3"),
        Ran("hint", ["Value.__rtruediv__ phase3", "3 / a is not a / 3 (phase3.number-divided)"]),
        write,
        Ran("3"),
        Ran("hint", ["Value.build_topo phase4"]),
    ],
    "a phase that is blocked leads to the function that blocks it": [
        partial(write, ASSIGNS),
        Ran("5"),
        Ran("hint phase5", ["Value.__mul__ phase3"]),
        Ran("hint phase5.diamond", ["Value.__mul__ phase3"]),
        Ran("hint phase4", ["Value.build_topo phase4"]),
    ],
    "a function that has passed already is not in question": [
        partial(write, LEFT),
        Ran("2"),
        Ran("hint", ["Value.__radd__ phase2", "(phase2.number-left)"]),
    ],
    "a phase that passes has no open checkpoint": [
        write,
        Ran("2"),
        Ran("hint phase2", ["1 of 4"], ["open now"]),
    ],
    "one hint gives one method away, and the levels are counted for each": [
        Ran("hint phase3 --all", ["4 of 4: code", TIMES], ["other + (-self)"]),
        Ran("hint Value.__rsub__", ["1 of 4: "], ["2 of 4: "]),
        Ran("hint Value.__rsub__", ["2 of 4: "]),
        Ran("hint Value.__neg__", ["1 of 4: "], ["2 of 4: "]),
        Ran("hint phase8.batches", ["next: grade hint phase8.batches"]),
    ],
    "hints can be read again without opening another": [
        Ran("hint phase4 --again", ["next: grade hint phase4.order"]),
        Ran("hint phase4", ["1 of 4"]),
        Ran("hint phase4 --again", ["1 of 4"], ["2 of 4"]),
        Ran("hint phase4", ["2 of 4"]),
    ],
    "an unknown function is refused": [
        Ran(
            "hint parameters",
            ["several functions are called", "Neuron.parameters, Layer.parameters"],
            code=2,
        ),
        Ran(
            "hint Value.__mull__",
            ["there is no function 'Value.__mull__'", "did you mean Value.__mul__?"],
            code=2,
        ),
        Ran("hint phase33", ["there is no phase 'phase33'", "did you mean phase3?"], code=2),
    ],
    "a proven change is hinted at until the code is edited": [
        partial(write, ASSIGNS),
        Ran("3"),
        Ran(
            "hint",
            [f"In line {LINE} your code overwrites a value instead of updating it."],
            ["+ self.grad"],
        ),
        Ran("hint phase3", [MENDED]),
        Ran("hint --again", [MENDED]),
        Ran("hint Value.__mul__", ["1 of 4: idea"]),
        Ran("hint", ["2 of 6: change", "3 of 6: idea"]),
        Ran("hint phase3 --all", ["6 of 6: code"]),
        partial(write, ASSIGNS, more="# edited\n"),
        Ran(
            "hint",
            ["your line: the code has changed since it was graded: grade phase3"],
            ["overwrites"],
        ),
    ],
    "a checkpoint in a pasted line is found without a report": [
        Ran("hint --symptom phase2.backward", ["(phase2.backward)"]),
        Ran("hint --symptom '✗ a * a + a has the gradient 2a + 1 0/1'", ["(phase5.square-plus)"]),
        Ran("hint --symptom half", [], ["open now"]),
    ],
    "a line of a failure leads to its hint": [
        partial(write, ("return other + (-self)", "return self - other")),
        Ran("3"),
        Ran("hint --symptom '✗ 3 - a is not a - 3'", ["(phase3.number-minus)"]),
        Ran(
            "hint --symptom 'c.data is -3.0, and should be 3.0.'",
            ["(phase3.number-minus)", "1 of 4: idea"],
        ),
    ],
    "hints are counted next to a notebook": [
        partial(Path("mine.ipynb").write_text, "{}"),
        partial(shutil.rmtree, HOME),
        Ran("hint Value.__mul__", ["1 of 4: "], ["open now", "Value.__mul__ --all"]),
        Ran("hint Value.__mul__", ["2 of 4: "]),
        partial(shutil.rmtree, ".grade"),
    ],
    "hints that are not counted can all be shown": [
        partial(shutil.rmtree, HOME),
        Ran("hint Value.__mul__", ["1 of 4: ", "next: grade hint Value.__mul__ --all"]),
        Ran("hint Value.__mul__", ["1 of 4: "]),
        Ran("hint Value.__mul__ --all", ["4 of 4: "]),
    ],
    # --- traces and pictures ---
    "without a failure there is nothing to open": [
        write,
        Ran("phase2 --open", ["nothing to open"], code=0),
        partial(write, ("self.grad += out.grad", "self.grad = out.grad")),
        Ran("phase5 --open", ["next: grade phase2.backward", "nothing to open"]),
    ],
    "a trace is written, and its exit code says whether all is right": [
        write,
        Ran(f"trace '{TRACED}' --html page.html --svg graph.svg", code=0),
        Holds("page.html", ["</html>"]),
        Holds("graph.svg", ["<svg", "</svg>"]),
        Ran("trace 'a - a' --text", ["a - a is computed: 0."], code=0),  # for any number
        partial(write, ("for node in reversed(topo):", "for node in topo:")),
        Ran(f"trace '{TRACED}' --text --set a=2.5", ["a = 2.5", "WRONG"], code=1),
    ],
    **{
        f"the command that a phase suggests works with its code: {stage.see}": [
            Ran(f"init late --phase {following.id} --with-solutions"),
            Ran(f"{stage.see.removeprefix('grade ')} --text", code=0, folder="late"),
        ]
        for stage, following in zip(COURSE.stages, COURSE.stages[1:])
        if "trace" in stage.see
    },
    "a training is shown in a pipe, and refused with the reason": [
        Ran("show", ["phase 7: MLP.__init__ is not written yet"], code=1),
        partial(shutil.copytree, kit_folder("solutions"), HOME, dirs_exist_ok=True),
        Ran(
            "show --steps 6 --save moons.svg",
            ["points on the right side", "the picture is in moons.svg"],
            ["\x1b"],
            0,
        ),
        Holds("moons.svg", ["<svg", "</svg>"]),
        Ran("show --save moons.gif", ["must end in .svg"], code=2),
        Ran("show --at exercises/engine.py", ["there is no "], code=2),
        Ran("show phase1", ["has nothing to show"], code=2),
        Ran(
            f"show --course {shlex.quote(str(EXAMPLE))}",
            ["this course has nothing to show"],
            code=2,
        ),
    ],
    "unfinished phases have no certificate": [
        Ran("finish", ["not finished yet: 1-8"], code=1),
        Path("exercises/dist").mkdir,
    ],
    "every phase can be reset to the exercise": [
        partial(shutil.copytree, kit_folder("solutions"), HOME, dirs_exist_ok=True),
        *(Ran(f"reset {stage.id}", code=0) for stage in COURSE.stages),
        Ran("all", [], ["✓", "✗"], 1),
    ],
    "a trace is refused with the reason": [
        write,
        Ran("trace 'a*(b'", ["never closed"], code=2),
        Ran("trace a*b --set a", ["is not of the form NAME=NUMBER"], code=2),
        Ran("trace a*b --set a=nan", ["is not of the form NAME=NUMBER"], code=2),
        Ran("trace a*b --set q=1", ["no name 'q'"], code=2),
        Ran("trace 'log(a)' --set a=-1", ["log(a) has no number for a = -1"], code=2),
        Ran(f"trace '{' + '.join('a' * (MAX_OPERATIONS + 2))}'", ["more than"], code=2),
        Ran("trace a*b --at nowhere", ["nowhere"], code=2),
        Ran("trace", ["Missing argument 'EXPRESSION'"], code=2),
    ],
    # --- the checklist ---
    "the checklist shows all three marks, and ticks can be removed": [
        partial(shutil.copytree, kit_folder("solutions"), HOME, dirs_exist_ok=True),
        Ran("1-3"),
        Ran("quiz understanding-memory", ["1 of 1 right"], typed=MEMORY),
        Ran(
            "checklist --tick like-pytorch --tick understanding-modes",
            [
                "[x] I can make all the basic operations work",
                "[q] I can say what a backward pass must keep",
                "[w] I can compare forward and reverse mode",
                "[w] I can run an expression in my engine and in PyTorch",
            ],
        ),
        Ran("checklist --untick like-pytorch", ["[ ] I can run an expression in my engine"]),
        partial(write, more="\n# done\n"),
        Ran("checklist", [], ["edited since"]),
        partial(write, ("other.data", "1 * other.data")),
        Ran(
            "checklist",
            ["[~] I can make all the basic operations work: +, -, *, / and **. edited since it"],
        ),
    ],
    "an item needs all its checkpoints, but no extension, or all its questions": [
        partial(write, (TANH, TANH.replace("+=", "="))),
        Ran("1-6"),
        Ran("checklist", ["[ ] I can explain why gradients are accumulated with +=. 6/7"]),
        write,
        Ran("6"),
        Ran("checklist", ["[x] I can explain why gradients are accumulated with +=."]),
        Ran("quiz understanding-kinks --count 1 --seed 1", ["1 of 1 right"], typed=KINKS[0]),
        Ran("checklist", ["[ ] I can say what an engine does at a point"]),
        Ran("checklist --tick understanding-kinks", ["[w] I can say what an engine does"]),
        Ran("quiz understanding-kinks --seed 1", ["2 of 2 right"], typed="".join(KINKS)),
        Ran("checklist", ["[q] I can say what an engine does at a point"]),
    ],
    "code that is named or in a notebook is graded at once": [
        partial(shutil.rmtree, HOME),
        Ran(
            f"checklist --at {shlex.quote(str(kit_folder('solutions') / 'engine.py'))}",
            ["[x] I can make all the basic operations work"],
        ),
        partial(Path("mine.ipynb").write_bytes, saved(notebook("class Value:\n"))),
        Ran("checklist", ["[ ] I can make all the basic operations work"]),
    ],
    "items that code proves and unknown ones cannot be ticked": [
        Ran(
            "checklist --tick like-pytorch --tick accumulate",
            ["accumulate", "hint: type: grade phase"],
            code=2,
        ),
        Ran(
            "checklist --tick like-pytorch --tick nonsense",
            ["nonsense", "hint: grade checklist shows"],
            code=2,
        ),
        Ran("checklist", ["[ ] I can run an expression in my engine and in PyTorch"]),
    ],
}


@each(STORIES)
def test_a_learner_sees_what_helps_next(story: Story, exercises: Path) -> None:
    play(story)
    assert {path.parent.name for path in exercises.rglob(".grade")} <= {"exercises", "late"}
