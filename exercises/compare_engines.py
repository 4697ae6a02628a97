"""Your engine beside micrograd and PyTorch: the same expressions, the same gradients, and what a node costs.

    grade ext6                      # while you write; it needs neither of the two
    python compare_engines.py       # a table of what is installed, and how to get the rest

An expression is a function of numbers, such as `lambda a, b: a * b + a`. Handed your Values, it leaves a graph behind. So it
does with the Values of micrograd, the engine that yours is modelled on, and with tensors of PyTorch. Two things differ: how
a leaf is made, and how a number is got out again. Write these once, and every engine can be held against every other.
`chain`, `libraries` and `main` are written already.
"""

import time

from engine import Value

# --- Ext 6: engines beside each other -------------------------------------------------------------------------------------


def plain(thing):
    """Ext 6. The number in `thing`, as a plain float. Engines keep their numbers in different places:

    - an int or a float is one already; make a float of it;
    - None is what PyTorch has for a gradient that nothing has flowed into: 0.0;
    - a tensor of PyTorch gives its number with `thing.item()`. It has a `data`, too, but that is a tensor again;
    - a Value, yours or micrograd's, has it in `thing.data`.

    >>> plain(Value(3)), plain(None), plain(2)
    (3.0, 0.0, 2.0)
    """
    raise NotImplementedError("ext6: plain")


def gradients(make, f, numbers):
    """Ext 6. What the expression `f` is at these numbers, and its gradients: a float, and a list with a float a number.

    `make` makes a leaf of a number, in whichever engine: it may be `Value`. Make new leaves in every call, in old ones
    gradients would add up. Then call `f` with the leaves, in order, and `backward()` on what it returns; and read.

    >>> gradients(Value, lambda a, b: a * b + a, [2.0, -3.0])
    (-4.0, [-2.0, 2.0])
    """
    raise NotImplementedError("ext6: gradients")


def agree(one, other):
    """Ext 6. Whether two results of `gradients` are the same: True or False. The value, and every gradient.

    Engines do their sums in different orders, so the last digits differ, and == is too strict. Call two numbers x and y
    the same when abs(x - y) is less than 1e-6 * (1 + abs(y)). That is an absolute tolerance for small numbers, and one
    in proportion for large ones. NaN is the same as nothing, not even NaN.

    Two results with different numbers of gradients do not agree. (`zip` would stop at the shorter list.)

    >>> agree((0.3, [1.0]), (0.1 + 0.2, [1.0]))
    True
    >>> agree((0.3, [1.0]), (0.3, [1.001]))
    False
    """
    raise NotImplementedError("ext6: agree")


def seconds_per_node(make, f, numbers, nodes, repeats=5, clock=time.perf_counter):
    """Ext 6. What a node of the graph costs, forward and backward together: seconds, a plain number.

    Let `gradients` do its work `repeats` times, with a look at `clock()` before and after each. Of these times take the
    shortest: whatever else the computer does makes them longer, and nothing makes them shorter. `nodes` is how many
    nodes the graph has.

    (Why is the clock an argument? So that it can be tested with a clock that says what we want.)
    """
    raise NotImplementedError("ext6: seconds_per_node")


# --- given: what is compared, and the table -------------------------------------------------------------------------------

EXPRESSIONS = {
    "a * b + a": lambda a, b: a * b + a,
    "(a + b) * (a - b)": lambda a, b: (a + b) * (a - b),
    "a / b - 3 / a": lambda a, b: a / b - 3 / a,
    "(a * b - 2) ** 3": lambda a, b: (a * b - 2) ** 3,
    "(a - b).relu() * a": lambda a, b: (a - b).relu() * a,
}
NUMBERS = [1.5, -0.75]


def chain(a, b):
    """Given. A long expression, to measure the time with: hundreds of nodes, one after the other."""
    x = a
    for _ in range(100):
        x = x - x * x * b
    return x


def libraries():
    """Given. How each engine that is installed makes a leaf; and for the others, how to install them."""
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
            "  (on Linux that is several gigabytes, for graphics cards; without them:\n"
            "  python -m pip install torch --index-url https://download.pytorch.org/whl/cpu)"
        )
    return found, missing


def main():
    """Given. Print the table."""
    found, missing = libraries()
    own = [gradients(Value, f, NUMBERS) for f in EXPRESSIONS.values()]
    nodes = len(chain(Value(0.9), Value(0.1)).build_topo())
    print(f"{'engine':<14}{'same gradients':<18}microseconds a node, of {nodes}")
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
            "A node of PyTorch may hold a thousand numbers at once: then each of them costs about a thousandth of this."
        )


if __name__ == "__main__":
    main()
