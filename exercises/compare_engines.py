"""Your engine next to micrograd and PyTorch: do the gradients agree, and what does a node cost?

    grade ext6                      # while you write; needs neither of the two
    python compare_engines.py       # a table of the installed engines, and how to get the others

An expression is a function of numbers, such as `lambda a, b: a * b + a`. Give it your Values, and
it leaves a graph behind. Give it micrograd's Values (yours are modelled on them) or PyTorch's
tensors, and it does the same. Only two things differ: how you make a leaf, and how you get a number
back. Write these once, and you can compare any two engines. `chain`, `libraries` and `main` are
already written.
"""

import time

from engine import Value

# --- Ext 6: comparing engines ---------------------------------------------------------------------


def plain(thing):
    """Ext 6. Return the number in `thing` as a plain float. Engines keep it in different places:

    - an int or a float is already a number, so convert it to a float;
    - PyTorch uses None for a gradient that nothing has reached: return 0.0 for it;
    - a PyTorch tensor returns its number from `thing.item()`. It also has a `data`, but that is
      another tensor;
    - a Value, yours or micrograd's, has it in `thing.data`.

    >>> plain(Value(3)), plain(None), plain(2)
    (3.0, 0.0, 2.0)
    """
    raise NotImplementedError("ext6: plain")


def gradients(make, f, numbers):
    """Ext 6. Return the value of the expression `f` at these numbers, and a list of its gradients.

    All of them are plain floats, and there is one gradient per number. `make` makes a leaf from a
    number, in any engine; for yours it is `Value`. Make new leaves in every call, because gradients
    would add up in old ones. Call `f` with the leaves in order, call `backward()` on the result,
    and read off the value and the gradients.

    >>> gradients(Value, lambda a, b: a * b + a, [2.0, -3.0])
    (-4.0, [-2.0, 2.0])
    """
    raise NotImplementedError("ext6: gradients")


def agree(one, other):
    """Ext 6. Return True if two results of `gradients` are the same: the value and every gradient.

    Engines add up in different orders, so the last digits differ and == is too strict. Two numbers
    x and y count as the same if abs(x - y) is less than 1e-6 * (1 + abs(y)). For small numbers that
    is an absolute tolerance, for large ones a relative one. NaN never equals anything, not even
    NaN.

    Return False if the two results have different numbers of gradients. (`zip` would stop at the
    end of the shorter list.)

    >>> agree((0.3, [1.0]), (0.1 + 0.2, [1.0]))
    True
    >>> agree((0.3, [1.0]), (0.3, [1.001]))
    False
    """
    raise NotImplementedError("ext6: agree")


def seconds_per_node(make, f, numbers, nodes, repeats=5, clock=time.perf_counter):
    """Ext 6. Return the time per node of the graph in seconds, forward and backward together.

    Run `gradients` `repeats` times, and read `clock()` before and after each run. Take the shortest
    of these times: anything else the computer does can only make a run longer, never shorter.
    `nodes` is the number of nodes in the graph.

    (The clock is an argument so that tests can pass in one that they control.)
    """
    raise NotImplementedError("ext6: seconds_per_node")


# --- given: the expressions and the table ---------------------------------------------------------

EXPRESSIONS = {
    "a * b + a": lambda a, b: a * b + a,
    "(a + b) * (a - b)": lambda a, b: (a + b) * (a - b),
    "a / b - 3 / a": lambda a, b: a / b - 3 / a,
    "(a * b - 2) ** 3": lambda a, b: (a * b - 2) ** 3,
    "(a - b).relu() * a": lambda a, b: (a - b).relu() * a,
}
NUMBERS = [1.5, -0.75]


def chain(a, b):
    """Given. Return a long expression for measuring time: hundreds of nodes in a row."""
    x = a
    for _ in range(100):
        x = x - x * x * b
    return x


def libraries():
    """Given. Return how each installed engine makes a leaf, and how to install the others."""
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
    """Given. Print the table."""
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
