"""A network takes its inputs out of the caller's list.

The list belongs to the caller, who needs it for the next step: `pop` makes it shorter for both.
Loop over `x` and leave it unchanged.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __call__(self, x):
        values = []
        while len(x) > 0:
            values.append(x.pop(0))
        for layer in self.layers:
            values = layer(values)
        return values[0] if len(values) == 1 else values
