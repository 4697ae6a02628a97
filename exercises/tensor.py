"""Your engine again, with a whole array in every node.

A `Value` holds one number, so a layer of a hundred neurons takes thousands of them. A `Tensor`
holds an array, and one node does the work of thousands. Everything you know still holds: a result
keeps its operands, its `_backward` adds to their gradients with `+=`, and `backward()` goes through
the graph in topological order. Three things are new:

- a gradient always has the shape of the data it belongs to;
- if shapes differ, numpy stretches one operand to fit the other, and the backward pass has to undo
  that;
- there are sums and matrix products, and their gradients are made of sums and matrix products too.

You need numpy, but no other file from this course:

    python -m pip install "autograd-kit[tensor]"
    grade ext4

Then a layer of neurons, for a whole batch of examples, is one line: `(x @ w + b).relu()`.
"""

import numpy as np

# --- Ext 4: tensors -------------------------------------------------------------------------------


def unbroadcast(gradient, shape):
    """Ext 4. Undo broadcasting: return `gradient`, an array, summed down to `shape`, a tuple.

    In `a + b` with the shapes (2, 3) and (3,), numpy uses b for the first row and again for the
    second, so every number of b is used twice. A number used twice gets both shares of the
    gradient, added up. So b's gradient is the incoming one summed over the two rows, which has the
    shape (3,) again.

    How does numpy stretch an array? Write the shapes below each other, aligned on the right. Numpy
    adds the axes that are missing on the left, and repeats an axis of length 1 as often as the
    other operand needs.

        operand           3        2  1        (none)
        result         2  3        2  3         2  3
        sum over       ^              ^         ^  ^

    The added axes disappear again; an axis of length 1 remains, with length 1 (`keepdims=True`).

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

    # For `array + tensor`, numpy would add the tensor to each number of the array separately. This
    # line makes it leave the whole array to `Tensor.__radd__`. There is nothing to do here.
    __array_ufunc__ = None

    def __init__(self, data, _children=(), _op=""):
        """Ext 4. Set the five attributes that you know.

        - `self.data`: an array of floats, `np.array(data, dtype=float)`. `data` is a number, nested
          lists or an array. (Without `dtype`, numpy makes an array of integers from [1, 2], and a
          gradient array of that type cannot hold 0.5.)
        - `self.grad`: an array of zeros with the same shape.
        - `self._prev`, `self._op`, `self._backward`: the operands (in a set, tuple or list), the
          name of the operation, and a function that does nothing.

        >>> t = Tensor([[1, 2, 3], [4, 5, 6]])
        >>> t.data.shape, t.grad.shape
        ((2, 3), (2, 3))
        >>> t.grad
        array([[0., 0., 0.],
               [0., 0., 0.]])
        """
        raise NotImplementedError("ext4: Tensor.__init__")

    def __repr__(self):
        """Given."""
        return f"Tensor(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        """Ext 4. Return `self + other`, where `other` is a Tensor, a number or an array.

        Turn a number or an array into a Tensor first. The shapes may differ, as long as numpy can
        stretch them to fit. Each operand gets the gradient of the result, summed down to the
        operand's own shape: `unbroadcast(out.grad, self.data.shape)`.

        >>> a = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        >>> b = Tensor([10.0, 20.0, 30.0])
        >>> c = a + b
        >>> c.grad = np.array([[1.0, 1.0, 1.0], [0.0, 2.0, 5.0]])
        >>> c._backward()
        >>> b.grad
        array([1., 3., 6.])
        """
        raise NotImplementedError("ext4: Tensor.__add__")

    def __mul__(self, other):
        """Ext 4. Return `self * other`, element by element (not the matrix product).

        As with `+`, `other` may be a number or an array, and the shapes may differ. Each operand
        gets the other one's data times the gradient of the result. That product has the shape
        of the result, so bring it back to the shape of the operand: first multiply, then
        unbroadcast.
        """
        raise NotImplementedError("ext4: Tensor.__mul__")

    def __radd__(self, other):
        """Ext 4. Return `other + self` for a number or an array `other`."""
        raise NotImplementedError("ext4: Tensor.__radd__")

    def __rmul__(self, other):
        """Ext 4. Return `other * self` for a number or an array `other`."""
        raise NotImplementedError("ext4: Tensor.__rmul__")

    def __neg__(self):
        """Ext 4. Return `-self`."""
        raise NotImplementedError("ext4: Tensor.__neg__")

    def __sub__(self, other):
        """Ext 4. Return `self - other`. Built from `+` and `-`, it needs no `_backward`."""
        raise NotImplementedError("ext4: Tensor.__sub__")

    def __rsub__(self, other):
        """Ext 4. Return `other - self` for a number or an array `other`."""
        raise NotImplementedError("ext4: Tensor.__rsub__")

    def __pow__(self, exponent):
        """Ext 4. Return each element of `self` to the power of a number, as in `(t - 1) ** 2`."""
        raise NotImplementedError("ext4: Tensor.__pow__")

    def __truediv__(self, other):
        """Ext 4. Return `self / other`, element by element.

        Multiply by `1 / other`: that works for a number, an array and a Tensor.
        """
        raise NotImplementedError("ext4: Tensor.__truediv__")

    def __rtruediv__(self, other):
        """Ext 4. Return `other / self` for a number or an array `other`."""
        raise NotImplementedError("ext4: Tensor.__rtruediv__")

    def __matmul__(self, other):
        """Ext 4. Return the matrix product `self @ other` of two Tensors with two axes each.

        (n, k) @ (k, m) has the shape (n, m). Row i of `self` meets column j of `other`, and their
        products are added up: out[i, j] is the sum of self[i, k] * other[k, j] over all k.

        So self[i, k] is used once for every j, with the factor other[k, j], and its gradient is the
        sum of out.grad[i, j] * other[k, j] over all j. That sum is a matrix product again, but
        which one? Let the shapes guide you. To get (n, k) from the gradient's (n, m) and the other
        operand's (k, m), there is only one way, transposing (`other.data.T`) where needed.

        >>> a = Tensor([[1.0, 2.0]])
        >>> b = Tensor([[3.0], [4.0]])
        >>> c = a @ b
        >>> c.grad = np.array([[1.0]])
        >>> c._backward()
        >>> c.data, a.grad, b.grad
        (array([[11.]]), array([[3., 4.]]), array([[1.],
               [2.]]))
        """
        raise NotImplementedError("ext4: Tensor.__matmul__")

    def sum(self, axis=None, keepdims=False):
        """Ext 4. Return the sum of all elements, or the sums along one axis (0, 1, -1, ...).

        It works as in numpy: with `keepdims=True` the axis stays, with length 1; otherwise it
        disappears.

        Every element enters its sum with the factor 1, so it gets the gradient of that sum. The
        gradient is therefore repeated along the summed axis. `unbroadcast` undid stretching with a
        sum; here you undo a sum with stretching. `+=` stretches for you if the axis is still there.
        If it is gone, put it back first: `np.expand_dims(out.grad, axis)`.

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
        """Ext 4. Return a new Tensor that keeps the positive elements and has 0 everywhere else.

        The gradient passes through where the *data* of `self` is positive, and nowhere else; at
        exactly 0 it does not. An array of True and False can be a factor:
        `(self.data > 0) * out.grad`.
        """
        raise NotImplementedError("ext4: Tensor.relu")

    def backward(self):
        """Ext 4. Compute the gradient of every Tensor in the graph, in the order of phase 4.

        Start with ones, in the shape of `self.data`. If the result is a single number, that is
        d(self)/d(self). If it has more elements, you get the gradients of their sum.

        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])     # three examples, two inputs each
        >>> w = Tensor([[0.5], [-1.0]])
        >>> b = Tensor([1.0])
        >>> loss = ((x @ w + b) ** 2).sum()
        >>> loss.backward()
        >>> float(loss.data), w.grad.shape, b.grad
        (8.75, (2, 1), array([-9.]))
        """
        raise NotImplementedError("ext4: Tensor.backward")
