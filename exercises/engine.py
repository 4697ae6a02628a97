"""Your autograd engine.

Work from top to bottom. Each `raise NotImplementedError` is a place to write; delete the line and put your code there.
Names, arguments and results are as the docstrings say; everything else is up to you. After each method:

    grade phase1        (then phase2 and so on, up to phase6; `grade` alone says where you are)

This is one file that grows into a small library. You can try it at any time: `python -i engine.py`, in its folder.

To see first, without any code, what you are about to build: `by_hand.py` has four small graphs for paper and pencil.
"""


class Value:
    """A number that remembers how it was made.

    Write `c = a + b` with plain numbers and `c` knows its value, but not where it came from. A `Value` knows both. Every
    operation on Values makes a new Value that keeps its operands, so an expression leaves a graph behind, from the
    result back to the numbers that you began with. In phase 4 you walk that graph backwards, and every Value in it
    learns how much the result would change if it changed a little: its gradient.
    """

    # --- Phase 1: the Value class ------------------------------------------------------------------------------------

    def __init__(self, data, _children=(), _op=""):
        """Phase 1. Set five attributes.

        - `self.data`: the number, as it was given (an int or a float).
        - `self.grad`: d(result)/d(self), the gradient. Nothing is known about it yet, so it begins as 0.0.
        - `self._prev`: the Values that this one was made of, here `_children`; a set, a tuple or a list of them.
          For a number that you typed in (a *leaf*) it is empty.
        - `self._op`: the operation that made it, as a short text such as "+"; "" for a leaf. Only people read it.
        - `self._backward`: a function without arguments. In phase 2 the operations put one here that passes the
          gradient on to the operands. A leaf has none to pass it to: its function does nothing.

        Every Value has its own five. A number that you type in takes one argument, `Value(5.0)`. The other two are for
        results: the operations of the next phases fill them in, to say what a result was made of, and how.

        >>> a = Value(5.0)
        >>> a.data, a.grad
        (5.0, 0.0)
        >>> Value(7.0, (a,), "+")._prev == {a}      # if you chose a set
        True
        """
        raise NotImplementedError("phase 1: Value.__init__")

    def __repr__(self):
        """Phase 1. What Python shows for a Value: its number and its gradient, in exactly this form.

        >>> Value(5.0)
        Value(data=5.0, grad=0.0)
        """
        raise NotImplementedError("phase 1: Value.__repr__")

    # --- Phase 2: addition, and the graph that it leaves behind ------------------------------------------------------

    def __add__(self, other):
        """Phase 2. `self + other`, where `other` is a Value or a plain number.

        Two things happen here, at two different times.

        *Now*, make the result: a new Value `out` with the sum of the two numbers, whose children are `self` and
        `other` and whose operation is "+". A plain number is wrapped in a Value first, so that `a + 1` works. What is
        no number at all (`a + "one"`) ends in a TypeError. The operands stay as they are.

        *Later*, the gradient comes back. Put a function into `out._backward` that, when it is called, takes
        `out.grad`, which is how much the final result depends on `out`, and gives each operand its share. That is
        the chain rule: share = (d out / d operand) * out.grad. For a sum both derivatives are 1.

        Add the share to the operand's `grad` with `+=`. The operand may be used elsewhere too, and every use has a
        share of its own to bring; `=` would throw the others away.

        The function is a *closure*: defined inside `__add__`, it still sees `self`, `other` and `out` when it runs.

        >>> a, b = Value(2.0), Value(3.0)
        >>> c = a + b
        >>> c
        Value(data=5.0, grad=0.0)
        >>> c.grad = 4.0        # as if the final result changed 4 times as fast as c
        >>> c._backward()
        >>> a.grad, b.grad
        (4.0, 4.0)
        """
        raise NotImplementedError("phase 2: Value.__add__")

    def __radd__(self, other):
        """Phase 2. `other + self`, where `other` is a plain number, as in `1 + a`.

        Python asks the left side first. A plain 1 does not know how to add a Value, so Python turns to the right side
        and calls `a.__radd__(1)`. With it `sum([a, b, c])` works as well: `sum` begins with 0 + a.

        >>> (1 + Value(2.0)).data
        3.0
        """
        raise NotImplementedError("phase 2: Value.__radd__")

    # --- Phase 3: multiplication, power, and what follows from them ---------------------------------------------------

    def __mul__(self, other):
        """Phase 3. `self * other`, where `other` is a Value or a plain number; the operation is "*".

        As `__add__`, with other derivatives. Nudge `a` in `a * b` by a little and the product changes by `b` times as
        much: d(a*b)/da is b, and d(a*b)/db is a.

        >>> a, b = Value(2.0), Value(3.0)
        >>> c = a * b
        >>> c.grad = 10.0
        >>> c._backward()
        >>> a.grad, b.grad
        (30.0, 20.0)
        """
        raise NotImplementedError("phase 3: Value.__mul__")

    def __rmul__(self, other):
        """Phase 3. `other * self` for a plain number: `2 * a`."""
        raise NotImplementedError("phase 3: Value.__rmul__")

    def __neg__(self):
        """Phase 3. `-self`.

        You need not derive anything here: what is -a in terms of operations that you have? An expression of Values
        already knows its own backward step. The same goes for `-` and `/` below.
        """
        raise NotImplementedError("phase 3: Value.__neg__")

    def __sub__(self, other):
        """Phase 3. `self - other`, where `other` is a Value or a plain number."""
        raise NotImplementedError("phase 3: Value.__sub__")

    def __rsub__(self, other):
        """Phase 3. `other - self` for a plain number. Mind the order: Python calls `a.__rsub__(2)` for `2 - a`.

        >>> (2 - Value(5.0)).data
        -3.0
        """
        raise NotImplementedError("phase 3: Value.__rsub__")

    def __pow__(self, exponent):
        """Phase 3. `self ** exponent` for an int or a float exponent; the operation is "**" and the exponent: "**2".

        d(a**n)/da is n * a**(n-1). It holds for n = 2 as for n = -1 or n = 0.5. The exponent is a plain number, no node
        of the graph, and gets no gradient. Any other exponent, a Value too, is refused with a TypeError: better no
        answer than a silent wrong one.

        >>> a = Value(3.0)
        >>> b = a ** 2
        >>> b.grad = 1.0
        >>> b._backward()
        >>> b.data, a.grad
        (9.0, 6.0)
        """
        raise NotImplementedError("phase 3: Value.__pow__")

    def __truediv__(self, other):
        """Phase 3. `self / other`, where `other` is a Value or a plain number. A product and a power are enough.

        Division by zero stays what it is in Python: a ZeroDivisionError.

        >>> (Value(1.0) / Value(4.0)).data
        0.25
        """
        raise NotImplementedError("phase 3: Value.__truediv__")

    def __rtruediv__(self, other):
        """Phase 3. `other / self` for a plain number. Again the order matters: `2 / a` calls `a.__rtruediv__(2)`."""
        raise NotImplementedError("phase 3: Value.__rtruediv__")

    # --- Phase 4: topological order and the backward pass -------------------------------------------------------------

    def build_topo(self):
        """Phase 4. A list of every Value that `self` was made of, and `self`: each once, operands before results.

        This is a *topological order* of the graph; `self` comes last. Follow `_prev` depth first, put a node on the list
        once all its operands are on it, and remember which nodes you have visited: in

            s = a * b
            f = (s + 1) * (s + 2)

        both factors lead to `s`, which must appear once, before either of them. Many orders are right; any will do.

        A recursive helper is the natural way to write it. Python's recursion ends near a depth of 1,000, so the
        bonus checkpoint, a chain of 30,000 nodes, needs a loop with a stack of your own.

        >>> a, b = Value(2.0), Value(3.0)
        >>> c = a + b
        >>> topo = c.build_topo()
        >>> len(topo), topo[-1] is c
        (3, True)
        """
        raise NotImplementedError("phase 4: Value.build_topo")

    def backward(self):
        """Phase 4. Give every Value in the graph its gradient: d(self)/d(node), added to what its `grad` holds.

        - d(self)/d(self) is 1, so set `self.grad` to 1.0, whatever it was.
        - Then call `_backward()` on every node, results before operands: the reverse of `build_topo()`.

        Why that order? A node may pass its gradient on only when it is complete, and it is complete when everything
        that uses the node has run. One node too early, and a part of its gradient never arrives.

        `backward()` clears nothing: a second one, or one from another result, adds to the gradients that are there.

        >>> x, y, z = Value(2.0), Value(-3.0), Value(10.0)
        >>> f = x * y + z
        >>> f.backward()
        >>> x.grad, y.grad, z.grad
        (-3.0, 2.0, 1.0)
        """
        raise NotImplementedError("phase 4: Value.backward")

    # --- Phase 5: values that are used again, gradients that are used up ----------------------------------------------

    def zero_grad(self):
        """Phase 5. Set `grad` to 0.0 on `self` and on every Value that it was made of. The numbers stay as they are.

        A value that is used more than once gets a share of the gradient for every use, and `+=` adds them up: in
        `a * a + a` three shares meet in `a`. You wrote that in phase 2; most of this phase is to see that it holds.

        The same `+=` adds up over time. Run `backward()` a second time on the same graph and every share is sent once
        more, by nodes that still hold what the first pass left in them. That does not simply double everything:

            f = a * b + c            after one pass     after two
                c, one step below f      1                 2 times as much
                a, two steps below f     b                 3 times as much: a*b held 1, then 2, and sent both

        So clear the gradients before you use a graph again, unless you want the sum: two graphs over the same leaves,
        one `backward()` each, give the leaves the gradients of both. That is how a batch of examples is trained on.

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

    # --- Phase 6: activation functions --------------------------------------------------------------------------------

    def tanh(self):
        """Phase 6. The hyperbolic tangent: squeezes any number into the range from -1 to 1. The operation is "tanh".

        d tanh(x)/dx is 1 - tanh(x)**2, which is at hand: `out.data` is tanh(x) already. Use `math.tanh` (and put
        `import math` at the top of the file). The textbook formula (e**2x - 1) / (e**2x + 1) is right on paper and
        raises OverflowError beyond x = 354; the bonus checkpoint asks for tanh(1e6).

        >>> x = Value(0.5)
        >>> y = x.tanh()
        >>> y.backward()
        >>> round(y.data, 4), round(x.grad, 4)
        (0.4621, 0.7864)
        """
        raise NotImplementedError("phase 6: Value.tanh")

    def relu(self):
        """Phase 6. The rectified linear unit: x where it is positive, 0 elsewhere. The operation is "relu".

        Its derivative is 1 for positive x and 0 for negative x. At exactly 0 there is a kink and no derivative; any
        number from 0 to 1 would do (a *subgradient*). Take 0, as the large libraries do.

        >>> x = Value(-2.0)
        >>> y = x.relu()
        >>> y.backward()
        >>> y.data == 0, x.grad == 0
        (True, True)
        """
        raise NotImplementedError("phase 6: Value.relu")

    def exp(self):
        """Phase 6. e to the power of `self`. The operation is "exp".

        The exponential is its own derivative. Beyond 709 the result is too large for a float, and `math.exp` raises
        OverflowError. Let it: a clamped exponent would be a wrong number that nobody notices.

        >>> x = Value(1.0)
        >>> y = x.exp()
        >>> y.backward()
        >>> x.grad == y.data
        True
        """
        raise NotImplementedError("phase 6: Value.exp")
