"""`zero_grad` remembers the visited nodes from call to call.

Python creates a default argument once, when it reads the `def`. The second `zero_grad()` finds
every node in the set and clears none. Create the set inside the call, or loop over `build_topo()`.
"""

CAUGHT_BY = ("phase5.begin-anew",)


class Value:
    def zero_grad(self, visited=set()):
        if self not in visited:
            visited.add(self)
            self.grad = 0.0
            for child in self._prev:
                child.zero_grad()
