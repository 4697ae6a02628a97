"""What beginners type or paste on forums, and the symptom that should come first."""

from __future__ import annotations

import pytest

from grader.curriculum.load import load_course
from grader.learner.quiz.questions import load_quiz
from grader.learner.quiz.symptoms import find_symptoms

QUIZ = load_quiz(load_course())

TYPED = {
    "half": [
        "a + a gives grad 1 instead of 2",
        "Hi all, my grad comes out half of what torch says",
    ],
    "double": [
        "gradient is twice as big as it should",
        "my grads are exactly 2x what pytorch gives",
        "calling backward twice doubles my gradients",
        "gradients are 2 times too large",
        "why is my gradient exactly twice the pytorch one",
    ],
    "three-times": ["second backward gives 3 times the gradient"],
    "zero": [
        "grad is 0.0 for everything",
        "all my gradients are zero after calling backward",
        "c.backward() does nothing, a.grad still 0",
        "out.grad is always 0 inside _backward",
        "gradient always zero",
        "x.grad stays 0.0 no matter what",
        "gradient is 0 for one of the inputs",
    ],
    "last-use-only": [
        "if i reuse a variable only the last one counts",
        "gradient only right for the last operation",
    ],
    "path-missing": [
        "order of the nodes is wrong, gradients too small",
        "works for a*b but not for bigger expressions",
    ],
    "alone-right-together-wrong": [
        "every op works on its own but combined the gradients are wrong"
    ],
    "wrong-sign": [
        "2 - a gives wrong sign",
        "sign of the gradient is flipped",
        "minus gives the wrong sign in backward",
    ],
    "captured-later": ["lambda in a loop always uses the last value"],
    "changes-between-runs": [
        "results are different every time i run it",
        "works sometimes but not always",
    ],
    "second-graph-wrong": ["backward works the first time but not for a new expression"],
    "check-differs-a-little": ["gradient slightly off from numerical gradient"],
    "what-backward-is": [
        "I don't understand what _backward is",
        "whats the difference between backward and _backward??",
        "what does _backward do and why is it a function",
        "what is the point of _backward",
    ],
    "syntax-error": [
        "IndentationError",
        "SyntaxError: '(' was never closed",
        "TabError: inconsistent use of tabs and spaces in indentation",
        "IndentationError: unindent does not match any outer indentation level",
        "SyntaxError: unterminated triple-quoted string literal (detected at line 75)",
    ],
    "name-not-defined": [
        "name 'math' is not defined",
        "NameError: name 'Value' is not defined",
        "NameError: name 'random' is not defined",
        "NameError name self is not defined",
    ],
    "module-not-found": [
        "ModuleNotFoundError: No module named 'engine'",
        "ImportError: cannot import name 'Value' from 'engine'",
        "No module named engine",
    ],
    "not-implemented": [
        "NotImplementedError: phase 3: Value.__mul__",
        "i wrote the function but it still says NotImplementedError",
    ],
    "wrong-arguments": [
        "TypeError: __init__() takes 1 positional argument but 2 were given",
        "_backward() missing 1 required positional argument: 'self'",
        "TypeError: Value.__add__() missing 1 required positional argument: 'other'",
        "TypeError: Neuron.__init__() missing 1 required positional argument: 'nin'",
    ],
    "recursion": [
        "RecursionError in build_topo",
        "maximum recursion depth exceeded while calling a Python object",
        "RecursionError: maximum recursion depth exceeded in comparison",
        "RecursionError when doing 1 + a",
    ],
    "unsupported-operand": [
        "1 + a doesnt work but a + 1 does",
        "TypeError: unsupported operand type(s) for *: 'float' and 'Value'",
        "unsupported operand type(s) for +: 'Value' and 'NoneType'",
        "TypeError: unsupported operand type(s) for ** or pow(): 'Value' and 'Value'",
        "can't multiply by a number from the left, 2 * a",
        "TypeError: unsupported operand type(s) for +=: 'float' and 'NoneType'",
    ],
    "value-has-no-attribute": ["AttributeError: 'Value' object has no attribute 'grad'"],
    "number-has-no-attribute": [
        "'int' object has no attribute 'data'",
        "AttributeError: 'list' object has no attribute 'backward'",
        "AttributeError: 'float' object has no attribute 'tanh'",
    ],
    "none-is-not-callable": [
        "TypeError: 'NoneType' object is not callable",
        "'Value' object is not callable",
    ],
    "none-in-place-of-a-value": [
        "AttributeError: 'NoneType' object has no attribute 'data'",
        "NoneType is not iterable in build_topo",
        "AttributeError: 'NoneType' object has no attribute '_prev'",
    ],
    "not-iterable": [
        "TypeError: 'int' object is not iterable",
        "TypeError: 'Value' object is not iterable",
    ],
    "math-on-a-value": [
        "TypeError: must be real number, not Value",
        "math.exp(self) throws an error",
        "TypeError: float() argument must be a string or a real number, not 'Value'",
    ],
    "unhashable": ["TypeError: unhashable type: 'Value'"],
    "unbound-local": ["UnboundLocalError: local variable 'other' referenced before assignment"],
    "overflow": [
        "OverflowError: math range error in tanh",
        "tanh blows up for big numbers",
        "overflow in exp",
    ],
    "math-domain": [
        "ValueError: math domain error",
        "ValueError: math domain error when taking log of negative number",
    ],
    "zero-division": ["ZeroDivisionError: 0.0 cannot be raised to a negative power"],
    "never-ends": [
        "program hangs when i call backward on big graph",
        "infinite loop in backward??",
        "it takes forever for 40 additions",
        "python stops responding when i call build_topo",
    ],
    "parameters-missing": ["len(mlp.parameters()) is 32 not 41", "number of parameters is wrong"],
    "grows-step-by-step": [
        "my gradients keep getting bigger every step of training",
        "do i need zero_grad in every iteration",
        "model.zero_grad() forgot, gradients accumulate",
        "gradients get larger each epoch",
        "when should i call zero_grad",
    ],
    "loss-goes-up": [
        "loss goes up",
        "loss keeps increasing every epoch",
        "my loss explodes after 10 steps",
        "my loss is going up instead of down",
    ],
    "loss-does-not-move": [
        "loss stuck at 4.0 and never decreases",
        "weights dont change after training",
        "loss doesnt go down",
        "loss just stays at the same value",
        "model wont learn anything",
    ],
    "loss-is-nan": [
        "loss is nan",
        "after a few epochs i get nan",
        "loss = nan or inf help",
        "loss becomes inf",
    ],
    "all-outputs-the-same": [
        "why do all neurons learn the same",
        "network always outputs the same number",
        "neurons all give identical results",
        "all the neurons give the same output",
    ],
    "good-alone-bad-in-batches": ["works with full batch but not with mini batches"],
    "shape-of-a-gradient": [
        "operands could not be broadcast together with shapes (3,) (5,3)",
        "ValueError: operands could not be broadcast together with remapped shapes",
    ],
}


ONLY = {
    "takes too long": ["never-ends"],
    "gradient is zero": ["zero"],
    "half": ["half"],
    "a*a is wrong": ["half"],
    "2 - a is wrong": ["wrong-sign"],
    "my loss is nan": ["loss-is-nan"],
    "it is wrong": [],
    "xyzzy": [],
    "": [],
}


def test_the_right_symptom_comes_first_and_every_symptom_by_its_own_sentence() -> None:
    assert set(TYPED) == {symptom.id for symptom in QUIZ.symptoms}
    for symptom in QUIZ.symptoms:
        for typed in [*TYPED[symptom.id], symptom.says]:
            assert find_symptoms(QUIZ, typed)[0] == symptom, typed


@pytest.mark.parametrize("typed", ONLY)
def test_only_matching_symptoms_are_shown(typed: str) -> None:
    assert [symptom.id for symptom in find_symptoms(QUIZ, typed)] == ONLY[typed]
