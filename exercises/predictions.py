"""Gradients that add up, predicted with pencil and paper before your engine computes them.

    grade predictions

This part is optional. Do it when your engine passes phase 5, or just before: all you need to know
is that every backward step uses `+=`, and that `backward()` sets the gradient of its result to 1
and clears nothing. Write plain numbers.
"""

# --- Predictions ----------------------------------------------------------------------------------


def predictions():
    """Predictions. Work out what six gradients are before your engine computes them.

        a = Value(3.0)
        s = a * a
        f = s + a

    `a` is used three times, so it gets three shares. Follow `f.backward()`: `f` runs first and
    gives a share to `s` and one to `a`. Then `s` runs and gives two more to `a`, one for each
    factor.

        "a after f"     a.grad when only `f` has run
        "a after s"     a.grad when `s` has run too; this is df/da
        "a with ="      the same, if every backward step used `=` in place of `+=`

    Now call `f.backward()` a second time. It sets the gradient of `f` to 1 again. Nothing is
    cleared, so `s` and `a` still hold what the first pass left.

        "s again"       s.grad after the second pass
        "a again"       a.grad after the second pass; `s` sends more than in the first one

    Start again with all gradients at 0, and use `a` in a second graph, `g = 4 * a`. Call
    `f.backward()`, then `g.backward()`.

        "a from both"   a.grad at the end

    Return a dict with these six keys and a plain number for each: `{"a after f": ...}`.
    """
    raise NotImplementedError("predictions: predictions")


# Does your engine agree? Here is the second graph:
# >>> from engine import Value
# >>> a = Value(3.0)
# >>> f, g = a * a + a, 4 * a
# >>> f.backward(); g.backward()
# >>> a.grad == predictions()["a from both"]
# True
