"""The backward pass is not timed.

It is at least half of the work. Time everything that `gradients` does, not only `f`.
"""

CAUGHT_BY = ("ext6.seconds-per-node",)


def seconds_per_node(make, f, numbers, nodes, repeats=5, clock=time.perf_counter):
    times = []
    for _ in range(repeats):
        begun = clock()
        result = f(*[make(number) for number in numbers])
        times.append(clock() - begun)
        result.backward()
    return min(times) / nodes
