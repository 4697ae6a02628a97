"""Your engine once more, with whole arrays in its nodes.

A `Value` holds one number, so a layer of a hundred neurons is thousands of them. A `Tensor` holds an array, and one node
does the work of thousands. What you know stays as it is: a result keeps its operands, its `_backward` adds to their
gradients with `+=`, and `backward()` goes through the graph in topological order. Three things are new:

- a gradient has the shape of the data that it belongs to, always;
- where shapes differ, numpy stretches one operand to fit the other, and the way back has to undo that;
- there are sums and matrix products, whose gradients are sums and matrix products, too.

It takes numpy, and no other file of this course:

    python -m pip install "autograd-kit[tensor]"
    grade ext4

With it, a layer of neurons for a whole batch of examples is one line: `(x @ w + b).relu()`.
"""

import numpy as np

# --- Ext 4: tensors -------------------------------------------------------------------------------------------------------


def unbroadcast(gradient, shape):
    """Ext 4. The reverse of broadcasting: `gradient`, an array, summed up until it has the shape `shape`, a tuple.

    In `a + b` with the shapes (2, 3) and (3,), numpy uses b for the first row and again for the second: every number of
    b is used twice. A number that is used twice gets both shares of the gradient, added up. So b's gradient is what came
    back, summed over the two rows, and has the shape (3,) again.

    How numpy stretches: write the shapes below each other, flush right. Axes that are missing on the left are put there,
    and an axis of length 1 is repeated as often as the other operand needs it.

        operand           3        2  1        (none)
        result         2  3        2  3         2  3
        sum over       ^              ^         ^  ^

    Axes that were put there vanish again; an axis of length 1 stays, as an axis of length 1 (`keepdims=True`).

    >>> g = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    >>> unbroadcast(g, (3,))
    array([5., 7., 9.])
    >>> unbroadcast(g, (2, 1))
    array([[ 6.],
           [15.]])
    >>> float(unbroadcast(g, ()))
    21.0
    """
    raise NotImplementedError("ext4: unbroadcast")


class Tensor:
    """An array of numbers that remembers how it was made."""

    # Numpy would take `array + tensor` for an array of objects and add each number by itself. This line tells it not to:
    # it leaves the whole array to `Tensor.__radd__`. Nothing to do here.
    __array_ufunc__ = None

    def __init__(self, data, _children=(), _op=""):
        """Ext 4. The five attributes that you know.

        - `self.data`: an array of floats, made of a number, of nested lists or of an array: `np.array(data, dtype=float)`.
          (Left to itself, numpy makes whole numbers of [1, 2], and no gradient of 0.5 can be added to those.)
        - `self.grad`: zeros, in an array of the same shape.
        - `self._prev`, `self._op`, `self._backward`: the operands (a set, tuple or list), the operation's name, and a
          function that does nothing.

        >>> t = Tensor([[1, 2, 3], [4, 5, 6]])
        >>> t.data.shape, t.grad.shape
        ((2, 3), (2, 3))
        >>> t.grad
        array([[0., 0., 0.],
               [0., 0., 0.]])
        """
        raise NotImplementedError("ext4: Tensor.__init__")

    def __repr__(self):
        """A gift."""
        return f"Tensor(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        """Ext 4. `self + other`. `other` is a Tensor, a number or an array; the latter two become Tensors first.

        The shapes may differ as far as numpy can stretch them. What goes back to each operand is the gradient of the
        result, in the shape of that operand: `unbroadcast(out.grad, self.data.shape)`.

        >>> a = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        >>> b = Tensor([10.0, 20.0, 30.0])
        >>> c = a + b
        >>> c.grad = np.array([[1.0, 1.0, 1.0], [0.0, 2.0, 5.0]])
        >>> c._backward()
        >>> b.grad
        array([1., 3., 6.])
        """
        raise NotImplementedError("ext4: Tensor.__add__")

    def __radd__(self, other):
        """Ext 4. `number + tensor` and `array + tensor`."""
        raise NotImplementedError("ext4: Tensor.__radd__")

    def __mul__(self, other):
        """Ext 4. `self * other`, number by number: no matrix product. Shapes and operands are as for `+`.

        Each operand gets the other one's data times the gradient of the result. That product has the shape of the
        result, so it has to be brought back to the shape of the operand: first multiply, then unbroadcast.
        """
        raise NotImplementedError("ext4: Tensor.__mul__")

    def __rmul__(self, other):
        """Ext 4. `number * tensor` and `array * tensor`."""
        raise NotImplementedError("ext4: Tensor.__rmul__")

    def __neg__(self):
        """Ext 4. `-self`."""
        raise NotImplementedError("ext4: Tensor.__neg__")

    def __sub__(self, other):
        """Ext 4. `self - other`. Built of what is there, it needs no `_backward` of its own."""
        raise NotImplementedError("ext4: Tensor.__sub__")

    def __rsub__(self, other):
        """Ext 4. `number - tensor` and `array - tensor`."""
        raise NotImplementedError("ext4: Tensor.__rsub__")

    def __pow__(self, exponent):
        """Ext 4. Every number of `self` to the power of a plain number, as in `(t - 1) ** 2`."""
        raise NotImplementedError("ext4: Tensor.__pow__")

    def __truediv__(self, other):
        """Ext 4. `self / other`, number by number. `1 / other` makes a factor of it, be it a number, an array or a Tensor."""
        raise NotImplementedError("ext4: Tensor.__truediv__")

    def __rtruediv__(self, other):
        """Ext 4. `number / tensor` and `array / tensor`."""
        raise NotImplementedError("ext4: Tensor.__rtruediv__")

    def __matmul__(self, other):
        """Ext 4. `self @ other`, the matrix product of two Tensors with two axes each: (n, k) @ (k, m) has the shape (n, m).

        Row i of `self` meets column j of `other`, and their products are summed up: out[i, j] is the sum of
        self[i, k] * other[k, j] over all k. So self[i, k] is used once for every j, with the factor other[k, j]; its
        gradient is the sum of out.grad[i, j] * other[k, j] over all j. That sum is a matrix product again. Which one?
        The shapes tell: there is one way to make (n, k) out of the gradient's (n, m) and the other's (k, m), turned
        over (`other.data.T`) as necessary.

        >>> a = Tensor([[1.0, 2.0]])
        >>> b = Tensor([[3.0], [4.0]])
        >>> c = a @ b
        >>> c.backward()
        >>> c.data, a.grad, b.grad
        (array([[11.]]), array([[3., 4.]]), array([[1.],
               [2.]]))
        """
        raise NotImplementedError("ext4: Tensor.__matmul__")

    def sum(self, axis=None, keepdims=False):
        """Ext 4. The sum of all numbers, or along one axis (0, 1, -1, ...), as numpy does it.

        With `keepdims=True` the axis stays, with length 1; without, it is gone.

        Every number goes into its sum with the factor 1, so it gets the gradient of that sum: the gradient is repeated
        along the axis that was summed over. The reverse of stretching was a sum, and the reverse of a sum is
        stretching, which `+=` does by itself wherever the axis is in its place. Where it is gone, put it back first:
        `np.expand_dims(out.grad, axis)`.

        >>> t = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        >>> s = t.sum(1)
        >>> s.grad = np.array([10.0, 20.0])
        >>> s._backward()
        >>> s.data, t.grad
        (array([ 6., 15.]), array([[10., 10., 10.],
               [20., 20., 20.]]))
        """
        raise NotImplementedError("ext4: Tensor.sum")

    def relu(self):
        """Ext 4. What is positive, and 0 for the rest, number by number.

        The gradient goes through where the *data* of `self` is positive, and nowhere else; at exactly 0 it does not.
        An array of True and False can be a factor: `(self.data > 0) * out.grad`.
        """
        raise NotImplementedError("ext4: Tensor.relu")

    def backward(self):
        """Ext 4. The gradient of every Tensor that `self` was made of. The order is that of phase 4.

        It begins with ones, in the shape of `self.data`. For a result with one number that is d(self)/d(self); for one
        with more, you get the gradients of the sum of all its numbers.

        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])     # three examples with two inputs each
        >>> w = Tensor([[0.5], [-1.0]])
        >>> b = Tensor([1.0])
        >>> loss = ((x @ w + b) ** 2).sum()
        >>> loss.backward()
        >>> float(loss.data), w.grad.shape, b.grad
        (8.75, (2, 1), array([-9.]))
        """
        raise NotImplementedError("ext4: Tensor.backward")
