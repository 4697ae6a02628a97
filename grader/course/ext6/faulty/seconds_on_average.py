"""The function returns the mean time of all runs.

A single run in which the computer was busy spoils it. Nothing makes a run shorter than it has to
be, so take the shortest.
"""

CAUGHT_BY = ("ext6.seconds-per-node",)


def seconds_per_node(make, f, numbers, nodes, repeats=5, clock=time.perf_counter):
    times = []
    for _ in range(repeats):
        begun = clock()
        gradients(make, f, numbers)
        times.append(clock() - begun)
    return sum(times) / len(times) / nodes
