"""The list and the visited set are default arguments, and grow from call to call.

Python makes them once, for all calls: a second `backward()` runs the steps of the first graph again. Make both inside
of the function.
"""

CAUGHT_BY = ("phase4.order", "phase4.two-results")


class Value:
    def build_topo(self, topo=[], visited=set()):
        if self not in visited:
            visited.add(self)
            for child in self._prev:
                child.build_topo(topo, visited)
            topo.append(self)
        return topo
