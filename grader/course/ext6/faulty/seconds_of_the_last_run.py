"""The function returns the time of the last run.

Any run may be disturbed, including the last. Keep all the times, and take the shortest.
"""

CAUGHT_BY = ("ext6.seconds-per-node",)


def seconds_per_node(make, f, numbers, nodes, repeats=5, clock=time.perf_counter):
    times = []
    for _ in range(repeats):
        begun = clock()
        gradients(make, f, numbers)
        times.append(clock() - begun)
    return times[-1] / nodes
