"""The landing page's expressions: the numbers are those of the course's own engine."""

from __future__ import annotations

import math
import random
import runpy

from support import kit_folder
from support.javascript import run_module

NUMBERS = {"a": 2.0, "b": -3.0, "c": 0.5}
VALUE = runpy.run_path(str(kit_folder("solutions") / "engine.py"))["Value"]
COMPUTE = """given.map(([text, numbers]) => {
    const graph = module.parse(text), named = new Map(Object.entries(numbers));
    const values = module.evaluate(graph, named), steps = module.backward(graph, values, false);
    return [values.at(-1), graph.names.map((name) => [name,
        steps.at(-1).gradients[graph.nodes.findIndex((node) => node.text === name)]]),
        graph.nodes.at(-1).text];
})"""


def expression(draw: random.Random, depth: int = 3) -> str:
    """Return an expression that has at least one name."""
    if depth == 0:
        return draw.choice([*NUMBERS])
    inside, other = expression(draw, depth - 1), draw.choice([*NUMBERS, "1.5", "2e-1", "-a"])
    return draw.choice(
        [
            *(f"({inside} {op} {other})" for op in "+-*/"),
            *(f"{other}{op}{inside}" for op in "+-*"),
            f"-{inside}",
            f"({inside})**{draw.choice(['2', '3', '-1'])}",
            f"tanh({inside})",
            f"relu({inside}+{other})",
            f"exp(-({inside})**2)",
        ]
    )


def by_the_course(text: str) -> tuple[float, dict[str, float]]:
    """Return the value and the gradients, as the solution's engine computes them."""
    values = {name: VALUE(number) for name, number in NUMBERS.items()}
    functions = {name: getattr(VALUE, name) for name in ("tanh", "relu", "exp")}
    result = eval(text, {**values, **functions})
    result.backward()
    return result.data, {name: value.grad for name, value in values.items()}


def test_random_expressions_have_the_values_and_gradients_of_the_course() -> None:
    draw = random.Random(3)
    texts = [expression(draw) for _ in range(200)]
    found = run_module("expression.js", COMPUTE, [(text, NUMBERS) for text in texts])
    for text, (value, gradients, written) in zip(texts, found):
        right, wanted = by_the_course(text)
        assert math.isclose(value, right, rel_tol=1e-9, abs_tol=1e-12), text
        for name, gradient in gradients:
            assert math.isclose(gradient, wanted[name], rel_tol=1e-9, abs_tol=1e-12), (text, name)
        assert math.isclose(by_the_course(written)[0], right, rel_tol=1e-9, abs_tol=1e-12), written
