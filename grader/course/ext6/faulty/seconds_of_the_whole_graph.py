"""The time is not divided by the number of nodes.

A graph of 500 nodes takes longer than one of 5. Only the time for one node can be compared.
"""

CAUGHT_BY = ("ext6.seconds-per-node",)


def seconds_per_node(make, f, numbers, nodes, repeats=5, clock=time.perf_counter):
    times = []
    for _ in range(repeats):
        begun = clock()
        gradients(make, f, numbers)
        times.append(clock() - begun)
    return min(times)
