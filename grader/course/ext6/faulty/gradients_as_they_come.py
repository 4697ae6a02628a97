"""The numbers are returned as the engine has them.

Your own engine has plain numbers, so nothing is wrong with it. Of another you would hand tensors on: `plain` is for the gradients, too.
"""

CAUGHT_BY = ("ext6.tensors",)


def gradients(make, f, numbers):
    leaves = [make(number) for number in numbers]
    result = f(*leaves)
    result.backward()
    return result.data, [leaf.grad for leaf in leaves]
