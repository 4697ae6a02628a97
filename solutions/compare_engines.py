"""Engines compared: the same expressions, their gradients, and what a node costs."""

import time

from engine import Value


def plain(thing):
    if thing is None:
        return 0.0
    if hasattr(thing, "item"):
        return float(thing.item())
    return float(getattr(thing, "data", thing))


def gradients(make, f, numbers):
    leaves = [make(number) for number in numbers]
    result = f(*leaves)
    result.backward()
    return plain(result), [plain(leaf.grad) for leaf in leaves]


def agree(one, other):
    (x, xs), (y, ys) = one, other
    return len(xs) == len(ys) and all(
        abs(x - y) < 1e-6 * (1 + abs(y)) for x, y in zip([x, *xs], [y, *ys])
    )


def seconds_per_node(make, f, numbers, nodes, repeats=5, clock=time.perf_counter):
    times = []
    for _ in range(repeats):
        begun = clock()
        gradients(make, f, numbers)
        times.append(clock() - begun)
    return min(times) / nodes


EXPRESSIONS = {
    "a * b + a": lambda a, b: a * b + a,
    "(a + b) * (a - b)": lambda a, b: (a + b) * (a - b),
    "a / b - 3 / a": lambda a, b: a / b - 3 / a,
    "(a * b - 2) ** 3": lambda a, b: (a * b - 2) ** 3,
    "(a - b).relu() * a": lambda a, b: (a - b).relu() * a,
}
NUMBERS = [1.5, -0.75]


def chain(a, b):
    x = a
    for _ in range(100):
        x = x - x * x * b
    return x


def libraries():
    found, missing = {"your engine": Value}, {}
    try:
        from micrograd.engine import Value as MicrogradValue

        found["micrograd"] = MicrogradValue
    except ImportError:
        missing["micrograd"] = "python -m pip install micrograd"
    try:
        import torch

        found["PyTorch"] = lambda number: torch.tensor(
            number, dtype=torch.float64, requires_grad=True
        )
    except ImportError:
        missing["PyTorch"] = (
            "python -m pip install torch\n"
            "  (on Linux this downloads several gigabytes for graphics cards; without them:\n"
            "  python -m pip install torch --index-url https://download.pytorch.org/whl/cpu)"
        )
    return found, missing


def main():
    found, missing = libraries()
    own = [gradients(Value, f, NUMBERS) for f in EXPRESSIONS.values()]
    nodes = len(chain(Value(0.9), Value(0.1)).build_topo())
    print(f"{'engine':<14}{'same gradients':<18}microseconds per node ({nodes} nodes)")
    for name, make in found.items():
        same = sum(
            agree(gradients(make, f, NUMBERS), known) for f, known in zip(EXPRESSIONS.values(), own)
        )
        cost = 1e6 * seconds_per_node(make, chain, [0.9, 0.1], nodes)
        print(f"{name:<14}{f'{same} of {len(own)}':<18}{cost:.2f}")
    for name, command in missing.items():
        print(f"{name} is not installed here: {command}")
    if "PyTorch" in found:
        print(
            "A node of PyTorch can hold a thousand numbers at once. Then each number costs about a"
            " thousandth of this."
        )


if __name__ == "__main__":
    main()
