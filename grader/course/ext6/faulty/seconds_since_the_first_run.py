"""The clock is read once, before all runs.

The second time then holds two runs, the third three. Read the clock before every run.
"""

CAUGHT_BY = ("ext6.seconds-per-node",)


def seconds_per_node(make, f, numbers, nodes, repeats=5, clock=time.perf_counter):
    begun, times = clock(), []
    for _ in range(repeats):
        gradients(make, f, numbers)
        times.append(clock() - begun)
    return min(times) / nodes
