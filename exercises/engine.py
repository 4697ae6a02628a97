"""Your autograd engine.

Work from top to bottom. Each `raise NotImplementedError` marks a place to write: replace that line
with your code. Keep the names, arguments and results that the docstrings describe; everything else
is up to you. Import only from Python's standard library.

In a terminal, run `grade phase1` after each method; `grade` alone shows where you are. To try your
engine at any time, run `python -i engine.py` in its folder.

This one file grows into a small library.

Would you like to see what you are about to build before you write any code? In `by_hand.py`, which
is optional, you write `slope`, which measures a derivative, and work through four small graphs with
pencil and paper. Once you have written `slope`, it can check your engine.
"""


class Value:
    """A number that remembers how it was made.

    Write `c = a + b` with plain numbers, and `c` knows its value but not where it came from. A
    `Value` knows both. Every operation on Values makes a new Value that keeps its operands, so an
    expression leaves a graph behind, from the result back to the numbers you started with. In
    phase 4 you walk that graph backwards, and every Value in it learns its gradient: how fast the
    result changes when that Value changes.
    """

    # --- Phase 1: the Value class -----------------------------------------------------------------

    def __init__(self, data, _children=(), _op=""):
        """Phase 1. Set five attributes.

        - `self.data`: the number (an int or a float).
        - `self.grad`: the gradient, d(result)/d(self). Nothing is known about it yet, so it starts
          as 0.0.
        - `self._prev`: the Values that this one was made from, given as `_children`. Use a set, a
          tuple or a list. It is empty for a number that you typed in (a *leaf*).
        - `self._op`: the operation that made this Value, as a short text such as "+", or "" for a
          leaf. It is only a label for people to read.
        - `self._backward`: a function without arguments. From phase 2 on, each operation puts one
          here that passes the gradient on to the operands. A leaf has no operands, so its function
          does nothing.

        Every Value needs its own five. For a leaf you pass one argument, `Value(5.0)`. The other
        two are for results: the operations of the next phases use them to record what a result was
        made from, and how.

        >>> a = Value(5.0)
        >>> a.data, a.grad
        (5.0, 0.0)
        >>> Value(7.0, (a,), "+")._prev == {a}      # if you chose a set
        True
        """
        raise NotImplementedError("phase 1: Value.__init__")

    def __repr__(self):
        """Phase 1. Return the text for a Value, with its number and gradient, in this form.

        >>> Value(5.0)
        Value(data=5.0, grad=0.0)
        """
        raise NotImplementedError("phase 1: Value.__repr__")

    # A Value now holds a number and shows itself. Try it:
    # >>> Value(5.0)
    # Value(data=5.0, grad=0.0)

    # --- Phase 2: addition and the graph ----------------------------------------------------------

    def __add__(self, other):
        """Phase 2. Return `self + other`, where `other` is a Value or a plain number.

        Write it in two parts, and grade phase2 after each.

        *Part 1: the result.* Make a new Value `out` that holds the sum of the two numbers. Its
        children are `self` and `other`, and its operation is "+". Wrap a plain number in a Value
        first so that `a + 1` works. Anything else, such as `a + "one"`, raises TypeError. Leave the
        operands unchanged, and return `out`. (Python turns `a += b` into `a = a + b`, which makes a
        new Value, too.)

        >>> a, b = Value(2.0), Value(3.0)
        >>> c = a + b
        >>> c, c._op, len(c._prev)
        (Value(data=5.0, grad=0.0), '+', 2)

        Now the first four checkpoints and the last one are green.

        *Part 2: the gradient on its way back.* Do it by hand first, for this one node. Say the
        final result changes 4 times as fast as `c`, so `c.grad` is 4. How fast does it change with
        `a`? Nudge `a`, and `c` moves exactly as far, so the derivative is 1. The `slope` from
        by_hand.py measures 1 as well: `slope(lambda x: x + 3.0, 2.0)`. The chain rule multiplies
        the two:

            share = (d out / d operand) * out.grad

        >>> c.grad = 4.0
        >>> a.grad += 1 * c.grad        # by hand, for both operands of c
        >>> b.grad += 1 * c.grad
        >>> a.grad, b.grad
        (4.0, 4.0)

        Those two `+=` lines are the backward step of a sum. Put them into a function without
        arguments, for `self`, `other` and `out`, and attach it to the result as `out._backward`. It
        does not run now. It runs later, when `out.grad` is known. It is a *closure*: because it is
        defined inside `__add__`, it still sees `self`, `other` and `out` when it runs.

        Why `+=`? The operand may be used elsewhere too, and every use brings another share; `=`
        would throw the others away.

        >>> a, b = Value(2.0), Value(3.0)
        >>> c = a + b
        >>> c.grad = 4.0
        >>> c._backward()               # now the node does it for you
        >>> a.grad, b.grad
        (4.0, 4.0)
        """
        raise NotImplementedError("phase 2: Value.__add__")

    def __radd__(self, other):
        """Phase 2. Return `other + self` for a plain number `other`, as in `1 + a`.

        Python asks the left operand first. A plain 1 does not know how to add a Value, so Python
        asks the right operand and calls `a.__radd__(1)`. This also makes `sum([a, b, c])` work,
        because `sum` starts with `0 + a`.

        >>> (1 + Value(2.0)).data
        3.0
        """
        raise NotImplementedError("phase 2: Value.__radd__")

    # You can now add any number of Values. Try it:
    # >>> sum([Value(1.0), Value(2.0), 3])
    # Value(data=6.0, grad=0.0)

    # --- Phase 3: multiplication, power, and what follows from them -------------------------------

    def __mul__(self, other):
        """Phase 3. Return `self * other`, where `other` is a Value or a plain number.

        The operation is "*". This method works like `__add__`, with different derivatives. Nudge
        `a` slightly, and `a * b` moves `b` times as far: d(a*b)/da is b, and d(a*b)/db is a. In the
        example below, `slope(lambda x: x * 3.0, 2.0)` from by_hand.py measures 3 as well.

        >>> a, b = Value(2.0), Value(3.0)
        >>> c = a * b
        >>> c.grad = 10.0
        >>> c._backward()
        >>> a.grad, b.grad
        (30.0, 20.0)
        """
        raise NotImplementedError("phase 3: Value.__mul__")

    def __rmul__(self, other):
        """Phase 3. Return `other * self` for a plain number `other`, as in `2 * a`."""
        raise NotImplementedError("phase 3: Value.__rmul__")

    def __neg__(self):
        """Phase 3. Return `-self`.

        There is nothing to derive here. How can you write -a with the operations you already have?
        Those operations already have their own backward steps. The same goes for `-` and `/` below.
        """
        raise NotImplementedError("phase 3: Value.__neg__")

    def __sub__(self, other):
        """Phase 3. Return `self - other`, where `other` is a Value or a plain number."""
        raise NotImplementedError("phase 3: Value.__sub__")

    def __rsub__(self, other):
        """Phase 3. Return `other - self` for a plain number `other`.

        Mind the order: for `2 - a`, Python calls `a.__rsub__(2)`.

        >>> (2 - Value(5.0)).data
        -3.0
        """
        raise NotImplementedError("phase 3: Value.__rsub__")

    def __pow__(self, exponent):
        """Phase 3. Return `self ** exponent` for an int or float exponent.

        The operation is "**" followed by the exponent, such as "**2". The derivative d(a**n)/da is
        n * a**(n-1), for n = 2 as well as for n = -1 or n = 0.5. In the example below,
        `slope(lambda x: x ** 2, 3.0)` measures 6 as well.

        The exponent is a plain number, so it is not a node of the graph and gets no gradient. Raise
        TypeError for any other exponent, even a Value: an error is better than a wrong gradient
        that nobody notices.

        >>> a = Value(3.0)
        >>> b = a ** 2
        >>> b.grad = 1.0
        >>> b._backward()
        >>> b.data, a.grad
        (9.0, 6.0)
        """
        raise NotImplementedError("phase 3: Value.__pow__")

    def __truediv__(self, other):
        """Phase 3. Return `self / other`, where `other` is a Value or a plain number.

        A product and a power are all you need. Division by zero raises ZeroDivisionError, just as
        it does for plain numbers.

        >>> (Value(1.0) / Value(4.0)).data
        0.25
        """
        raise NotImplementedError("phase 3: Value.__truediv__")

    def __rtruediv__(self, other):
        """Phase 3. Return `other / self` for a plain number `other`.

        The order matters again: for `2 / a`, Python calls `a.__rtruediv__(2)`.
        """
        raise NotImplementedError("phase 3: Value.__rtruediv__")

    # Any formula with + - * / ** now works on Values. Try it:
    # >>> (2 * Value(3.0) - 1) / (1 - Value(0.5)) ** 2
    # Value(data=20.0, grad=0.0)

    # --- Phase 4: topological order and the backward pass -----------------------------------------

    def build_topo(self):
        """Phase 4. List `self` and every Value it was made from, operands before results.

        Return a new list that holds each Value once, with `self` at the end. This is a *topological
        order* of the graph. Follow `_prev` depth first, append a node once all its operands are in
        the list, and remember which nodes you have visited. In

            s = a * b
            f = (s + 1) * (s + 2)

        both factors lead to `s`, which must appear once, before either of them. Many orders are
        right, and any of them will do.

        A recursive helper is the natural way to write it. Python stops recursion at a depth of
        about 1,000, so the bonus checkpoint, a chain of 30,000 operations, needs a loop with its
        own stack.

        >>> a, b = Value(2.0), Value(3.0)
        >>> c = a + b
        >>> topo = c.build_topo()
        >>> len(topo), topo[-1] is c
        (3, True)
        """
        raise NotImplementedError("phase 4: Value.build_topo")

    def backward(self):
        """Phase 4. Give every Value in the graph its gradient, d(self)/d(node).

        - d(self)/d(self) is 1, so set `self.grad` to 1.0, whatever it was before.
        - Then call `_backward()` on every node, results before operands. That is the reverse of
          `build_topo()`.

        Why that order? A node may pass its gradient on only when it is complete, and it is complete
        when every node that uses it has run. If a node runs too early, part of its gradient never
        reaches its operands.

        `backward()` clears nothing. A second call, or a call on a different result, adds to the
        gradients that are already there.

        >>> x, y, z = Value(2.0), Value(-3.0), Value(10.0)
        >>> f = x * y + z
        >>> f.backward()
        >>> x.grad, y.grad, z.grad
        (-3.0, 2.0, 1.0)
        """
        raise NotImplementedError("phase 4: Value.backward")

    # One call now finds all the gradients of a formula. Try it:
    # >>> x = Value(4.0); (1 / x).backward(); x.grad
    # -0.0625

    # --- Phase 5: repeated variables --------------------------------------------------------------

    def zero_grad(self):
        """Phase 5. Set `grad` to 0.0 on `self` and on every Value it was made from.

        Leave their numbers alone.

        Shares add up in two ways. A value gets one for every time it is used, because the gradient
        is their sum. Shares also add up over time, from one `backward()` to the next, and the
        gradients do not simply double:

            f = a * b + c            after one pass     after two
                c, one step below f      1                 2 times as much
                a, two steps below f     b                 3 times as much: a*b sent 1*b, then 2*b

        So clear the gradients before you use a graph again, unless you want the sum. Sometimes you
        do: call `backward()` on two graphs with the same leaves, and the leaves hold the sum of
        both gradients. That is how training on a batch of examples works.

        >>> a = Value(3.0)
        >>> f = a * a + a
        >>> f.backward()
        >>> a.grad
        7.0
        >>> f.zero_grad()
        >>> a.grad, f.grad, a.data
        (0.0, 0.0, 3.0)
        """
        raise NotImplementedError("phase 5: Value.zero_grad")

    # Can you predict what a second backward() leaves behind? Try it on paper, in predictions.py.

    # Your engine now finds the gradient of any formula. `slope` from by_hand.py can check it,
    # because the same `f` takes a Value or a plain number. Try your own formula, too:
    # >>> from by_hand import slope
    # >>> f = lambda x: x * x * x - 2 * x
    # >>> x = Value(3.0); f(x).backward(); round(x.grad), round(slope(f, 3.0))
    # (25, 25)

    # --- Phase 6: activation functions ------------------------------------------------------------

    def tanh(self):
        """Phase 6. Return the hyperbolic tangent of `self`. The operation is "tanh".

        It squeezes any number into the range from -1 to 1. Its derivative is 1 - tanh(x)**2, and
        you already have tanh(x) in `out.data`. In the example below, `slope(math.tanh, 0.5)` from
        by_hand.py measures 0.786 as well.

        Use `math.tanh`, and put `import math` at the top of the file. The textbook formula
        (e**(2*x) - 1) / (e**(2*x) + 1) is right on paper, but overflows once x reaches 355.
        The bonus checkpoint asks for tanh(1e6).

        >>> x = Value(0.5)
        >>> y = x.tanh()
        >>> y.backward()
        >>> round(y.data, 4), round(x.grad, 4)
        (0.4621, 0.7864)
        """
        raise NotImplementedError("phase 6: Value.tanh")

    def relu(self):
        """Phase 6. Return a new Value: x if x is positive, else 0. The operation is "relu".

        The name is short for rectified linear unit. The derivative is 1 for positive x and 0 for
        negative x. At exactly 0 there is a kink and no derivative; any number from 0 to 1 would do
        (a *subgradient*). Take 0, as the large libraries do.

        >>> x = Value(-2.0)
        >>> y = x.relu()
        >>> y.backward()
        >>> y.data == 0, x.grad == 0
        (True, True)
        """
        raise NotImplementedError("phase 6: Value.relu")

    def exp(self):
        """Phase 6. Return e to the power of `self`. The operation is "exp".

        The exponential is its own derivative. Once x reaches 710, the result is too large for a
        float and `math.exp` raises OverflowError. Let it, or return `math.inf`: limiting the
        exponent would give a wrong number that nobody notices.

        >>> x = Value(1.0)
        >>> y = x.exp()
        >>> y.backward()
        >>> x.grad == y.data
        True
        """
        raise NotImplementedError("phase 6: Value.exp")

    # A whole neuron is now one formula. Try it:
    # >>> x = Value(2.0); (0.5 * x - 1).tanh().backward(); x.grad
    # 0.5
