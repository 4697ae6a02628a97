"""Four expressions, worked by hand.

Before you write an engine, be one. Take paper and a pencil, draw each graph, and work it through twice: forwards for the
numbers, backwards for the gradients. Then put what you found into the functions below. Nothing is computed in this file,
unless you like to write `2 * 3` for 6.

    grade by-hand

Forwards is what you know from school. Backwards answers one question for every number in the graph: if it grew by a
little, how many times as much would the result grow? That is its *gradient*, written `a.grad` here.

- Begin at the result: its own gradient is 1.
- Take one operation at a time, results before operands. Each operand gets a *share*: the local derivative times the
  gradient of the operation's result. In the answers the share that `a` gets through `t = a * b` is called "a from t".
- A number that is used more than once gets more than one share. Its gradient is their sum, and only when all of them
  are there may it pass anything on.

Local derivatives, all that you need:

    x + y     1 for x,      1 for y
    x - y     1 for x,     -1 for y
    x * y     y for x,      x for y
    x / y     1/y for x,   -x/y**2 for y
    x ** 2    2*x for x
"""

# --- Trace: by hand -----------------------------------------------------------------------------------------------------


def first():
    """Trace. L = (a * b + c) * (a + d), for a = 2, b = 3, c = 4, d = 5. Note that `a` is used twice.

        b = 3 ------+
                   (*) t1 = a * b --+
        a = 2 --+---+              (+) t2 = t1 + c --+
                |   c = 4 ----------+               (*) L = t2 * t3
                +-----------+                        |
                           (+) t3 = a + d -----------+
                d = 5 ------+

    Return a dict with these keys, and a plain number for each:

        "t1", "t2", "t3", "L"                                       the numbers
        "L.grad", "t2.grad", "t3.grad", "t1.grad"                   the gradients, in an order in which they can be found
        "b.grad", "c.grad", "d.grad"
        "a from t1", "a from t3", "a.grad"                          the two shares of `a`, and their sum

    How to begin: L = t2 * t3 is a product, so the share of t2 is t3 times L.grad. An answer looks like this:

        return {"t1": 6, "t2": ...}
    """
    raise NotImplementedError("by-hand: first")


def second():
    """Trace. y = (a - b)**2 / c, for a = 1, b = 4, c = 2. Nothing is used twice; mind the signs.

        a = 1 --+
               (-) t = a - b -- (**2) u = t**2 --+
        b = 4 --+                               (/) y = u / c
                    c = 2 -----------------------+

    Return a dict with the keys "t", "u", "y", and "y.grad", "u.grad", "c.grad", "t.grad", "a.grad", "b.grad".
    """
    raise NotImplementedError("by-hand: second")


def third():
    """Trace. f = s * t - a, where s = a * b and t = s + a, for a = 2, b = -3.

        s = a * b
        t = s + a
        u = s * t
        f = u - a

    Draw it first: `s` has two arrows going out, `a` has three. `s` may pass nothing on before both of its shares have
    come in. Which one comes last?

    Return a dict with the keys "s", "t", "u", "f", then "f.grad", "u.grad", "t.grad",
    "s from u", "s from t", "s.grad", "b.grad", and "a from f", "a from t", "a from s", "a.grad".
    """
    raise NotImplementedError("by-hand: third")


def fourth():
    """Trace. f = (a * b + c) * a, for a = 3, b = 2, c = -1: with two backward passes over the same graph.

        t1 = a * b
        t2 = t1 + c
        f  = t2 * a

    The first pass is as before. Then a second one, and nothing is cleared in between: the gradient of `f` is set to 1
    again, and every share is *added* to what the first pass left. Node by node, results first: a node between sends
    all that it holds by then, the old and the new. So a gradient does not simply double. How much it grows depends on
    how far the node is from the result: one that is k operations away, on a single path, holds k + 1 times its
    gradient. `c` and `b` are such nodes. `a` is reached by two paths, and has to be added up.

    Return a dict with the keys "t1", "t2", "f", then
    "f.grad after 1", "t2.grad after 1", "t1.grad after 1", "c.grad after 1", "b.grad after 1", "a.grad after 1",
    and the same six once more with "after 2".
    """
    raise NotImplementedError("by-hand: fourth")
