"""The numbers are returned as the engine has them.

That works with your own engine, which has plain numbers. Other engines may give you tensors, so use
`plain` for the value and for every gradient.
"""

CAUGHT_BY = ("ext6.tensors",)


def gradients(make, f, numbers):
    leaves = [make(number) for number in numbers]
    result = f(*leaves)
    result.backward()
    return result.data, [leaf.grad for leaf in leaves]
