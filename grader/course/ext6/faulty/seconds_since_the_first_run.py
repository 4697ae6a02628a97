"""The clock is read only once, before all runs.

The second time then covers two runs, and the third covers three. Read the clock before every run.
"""

CAUGHT_BY = ("ext6.seconds-per-node",)


def seconds_per_node(make, f, numbers, nodes, repeats=5, clock=time.perf_counter):
    begun, times = clock(), []
    for _ in range(repeats):
        gradients(make, f, numbers)
        times.append(clock() - begun)
    return min(times) / nodes
