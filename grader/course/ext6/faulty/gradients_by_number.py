"""The leaves are kept in a dict, by their numbers.

Two leaves may hold equal numbers, and they are still two leaves. Keep them in a list.
"""

CAUGHT_BY = ("ext6.gradients",)


def gradients(make, f, numbers):
    leaves = {number: make(number) for number in numbers}
    result = f(*(leaves[number] for number in numbers))
    result.backward()
    return plain(result), [plain(leaves[number].grad) for number in numbers]
