"""The visited set is a default argument, and so it outlives the call.

Python makes a default once, when it reads the `def`. The second `zero_grad()` finds every node in the set already and
clears none. Make the set inside the call, or let `build_topo()` do the walking.
"""

CAUGHT_BY = ("phase5.begin-anew",)


class Value:
    def zero_grad(self, visited=set()):
        if self not in visited:
            visited.add(self)
            self.grad = 0.0
            for child in self._prev:
                child.zero_grad()
