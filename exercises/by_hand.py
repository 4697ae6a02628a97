"""Derivatives before any engine: measure them first, then work out four graphs by hand.

Before you write an engine, be one. All you need is plain numbers, pencil and paper.

    grade by-hand

First you write `slope`, which *measures* how fast a result grows. It works for any function, and
later you can check your engine with it.

Then draw each graph and work through it twice: forwards for the numbers, backwards for the
gradients. Write what you found into the functions below; you may write `2 * 3` for 6.

Going forwards is what you know from school. Going backwards answers one question for every number
in the graph: if it grew slightly, how many times as fast would the result grow? The answer is its
*gradient*, written `a.grad` here.

- Start at the result: its own gradient is 1.
- Take one operation at a time, results before operands. Each operand gets a *share*: the local
  derivative times the gradient of the operation's result. In the answers, the share that `a` gets
  through `t = a * b` is called "a from t".
- A number used more than once gets more than one share. Its gradient is their sum, and it may only
  pass that on once all the shares have arrived.

These are all the local derivatives you need. If you doubt one, measure it:

    x + y     1 for x,      1 for y
    x - y     1 for x,     -1 for y
    x * y     y for x,      x for y
    x / y     1/y for x,   -x/y**2 for y
    x ** 2    2*x for x
"""

# --- By hand --------------------------------------------------------------------------------------


def slope(f, x):
    """By hand. Return how fast the function `f` grows at the number `x`: its derivative, measured.

    Nudge `x` by a small step, see how far the result moves, and divide by the distance you nudged.
    For `f(x) = x * x` at 3, a step of 0.001 gives 3.001 * 3.001 = 9.006001. The result grew by
    0.006001, about 6 times as much as `x`.

    You may nudge to one side and compare `f(x + h)` with `f(x)`. It is more exact to nudge to both
    sides and compare `f(x + h)` with `f(x - h)`; then the distance is 2 * h. Either will do, since
    an error of 1 % is allowed.

    How small should `h` be? If it is too large, a curve bends on the way. If it is too small, the
    computer's rounding takes over: in floats, 3 + 1e-300 is 3. Between 0.001 and 0.000001 both
    errors are small.

    >>> round(slope(lambda x: x * x, 3.0), 2)
    6.0
    >>> round(slope(lambda x: 10 / x, 2.0), 2)
    -2.5
    """
    raise NotImplementedError("by-hand: slope")


def first():
    """By hand. Work out L = (a * b + c) * (a + d) for a = 2, b = 3, c = 4, d = 5.

    Note that `a` is used twice.

        b = 3 ------+
                   (*) t1 = a * b --+
        a = 2 --+---+              (+) t2 = t1 + c --+
                |   c = 4 ----------+               (*) L = t2 * t3
                +-----------+                        |
                           (+) t3 = a + d -----------+
                d = 5 ------+

    Return a dict with these keys and a plain number for each:

        "t1", "t2", "t3", "L"                           the numbers
        "L.grad", "t2.grad", "t3.grad", "t1.grad"       the gradients, in an order that works
        "b.grad", "c.grad", "d.grad"
        "a from t1", "a from t3", "a.grad"              the two shares of `a`, and their sum

    To get started: L = t2 * t3 is a product, so the share of t2 is t3 * L.grad. Your answer will
    look like this:

        return {"t1": 6, "t2": ...}
    """
    raise NotImplementedError("by-hand: first")


def second():
    """By hand. Work out y = (a - b)**2 / c for a = 1, b = 4, c = 2.

    Nothing is used twice here. Mind the signs.

        a = 1 --+
               (-) t = a - b -- (**2) u = t**2 --+
        b = 4 --+                               (/) y = u / c
                    c = 2 -----------------------+

    Return a dict with the keys "t", "u", "y",
    and "y.grad", "u.grad", "c.grad", "t.grad", "a.grad", "b.grad".
    """
    raise NotImplementedError("by-hand: second")


def third():
    """By hand. Work out f = s * t - a, where s = a * b and t = s + a, for a = 2, b = -3.

        s = a * b
        t = s + a
        u = s * t
        f = u - a

    Draw it first: two arrows leave `s`, and three leave `a`. `s` may not pass anything on until
    both of its shares have arrived. Which one arrives last?

    Return a dict with the keys "s", "t", "u", "f", then "f.grad", "u.grad", "t.grad",
    "s from u", "s from t", "s.grad", "b.grad", and "a from f", "a from t", "a from s", "a.grad".
    """
    raise NotImplementedError("by-hand: third")


def fourth():
    """By hand. Run two backward passes over f = (a * b + c) * a, for a = 3, b = 2, c = -1.

        t1 = a * b
        t2 = t1 + c
        f  = t2 * a

    The first pass works as before. Then run a second one without clearing anything: set the
    gradient of `f` to 1 again, and *add* every share to what the first pass left. Take the nodes in
    the same order, results first. Each node passes on everything it holds at that point, old and
    new, so a gradient does not simply double. A node that is k operations away from the result, on
    a single path, ends up with k + 1 times its gradient. `c` and `b` are nodes like that. Two paths
    lead to `a`, so there you have to add up the shares.

    Return a dict with the keys "t1", "t2", "f", then "f.grad after 1", "t2.grad after 1",
    "t1.grad after 1", "c.grad after 1", "b.grad after 1", "a.grad after 1",
    and the same six again with "after 2".
    """
    raise NotImplementedError("by-hand: fourth")


# You can now measure any gradient that you worked out. Here is `a.grad` of `first`, at a = 1. Try
# it at a = 2, and compare:
# >>> round(slope(lambda a: (a * 3 + 4) * (a + 5), 1.0))
# 25
