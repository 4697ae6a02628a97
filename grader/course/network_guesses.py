"""What layers and networks compute if there is a likely mistake in them."""

# ruff: noqa: ARG005 - every guess gets the same arguments

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from guesses import Guesses

Numbers = Sequence[float]
Weights = list[list[tuple[Numbers, float]]]
"""The weights and the bias of each neuron, for each layer."""
ACTIVATIONS: dict[str, Callable[[float], float]] = {
    "tanh": math.tanh,
    "relu": lambda number: max(number, 0.0),
    "linear": lambda number: number,
}

# the inputs and the neurons of a layer
LAYERS = ((1, 2), (3, 2), (2, 4), (4, 4))
# the inputs of a network and the neurons in each layer
SINGLE_OUTPUTS = ((1, (2, 1)), (1, (3, 1)), (2, (4, 3, 1)))
NETWORKS = ((2, (1,)), (3, (4, 4, 1, 2)), (1, (3, 5)))


def _products(w: Numbers, x: Numbers) -> list[float]:
    return [weight * value for weight, value in zip(w, x)]


def forward(layers: Weights, kinds: Sequence[str], x: Numbers) -> list[float]:
    """Return the outputs of a network; surplus weights or inputs do not count."""
    for layer, kind in zip(layers, kinds):
        x = [ACTIVATIONS[kind](sum(_products(w, x)) + b) for w, b in layer]
    return list(x)


def _first_passed_on(layers: Weights, kinds: Sequence[str], x: Numbers) -> float:
    for layer, kind in zip(layers, kinds):
        x = forward([layer], [kind], x)[:1]
    return x[0]


def _network(kinds: Sequence[str], layers: Weights, x: Numbers) -> float:
    return forward(layers, kinds, x)[0]


def network_guesses(hidden: str, output: str, count: int) -> Guesses:
    """Return what a network with two different activations or one may compute instead, for its
    weights and inputs.
    """
    right = [hidden] * (count - 1) + [output]
    found: dict[str, Callable[[Weights, Numbers], float]] = {
        "this is what the last layer makes of the inputs of the network; give each layer the"
        " outputs of the one before": lambda layers, x: forward(layers[-1:], [output], x)[0],
        "only the first layer is used": lambda layers, x: forward(layers[:1], right[:1], x)[0],
        "each layer gets only the first output of the layer before": lambda layers, x: (
            _first_passed_on(layers, right, x)
        ),
        "the layers run in reverse order": lambda layers, x: forward(layers[::-1], right[::-1], x)[
            0
        ],
    }
    if output == "tanh":
        found["an activation is applied once more to the output"] = lambda layers, x: math.tanh(
            forward(layers, right, x)[0]
        )
    if count > 2:
        found["the first layer is not used"] = lambda layers, x: _network(right[1:], layers[1:], x)
        found["the last layer is not used"] = lambda layers, x: _network(right, layers[:-1], x)
    kinds = {
        f'this is the output if every layer is "{output}"; only the last one should be': [output]
        * count,
        f'this is the output if every layer is "{hidden}"; the last one should be "{output}"': [
            hidden
        ]
        * count,
        "`activation` and `output` are swapped": [output] * (count - 1) + [hidden],
        "the first layer gets `output`, and the last one does not": [output, *right[1:-1], hidden],
        "`output` goes to the layer before the last one": [*right[: count - 2], output, hidden],
        "no layer has an activation": ["linear"] * count,
        "every layer has the default activation": ["tanh"] * count,
    }
    seen = [right]
    for sentence, each in kinds.items():
        if len(each) == count and each not in seen:
            seen.append(each)
            found[sentence] = partial(_network, each)
    return found


COUNTS: dict[str, Guesses] = {
    "w": {
        "there is always one weight too few: does the loop begin at 1, or end too early?": (
            lambda n: n - 1
        ),
        "there is always one weight too many": lambda n: n + 1,
        "there is only one weight, however many inputs there are": lambda n: 1,
        "there are twice as many weights as inputs": lambda n: 2 * n,
    },
    "neurons": {
        "there are as many neurons as inputs; `nout` says how many there should be": (
            lambda nin, nout: nin
        ),
        "there is always one neuron too few: does the loop begin at 1, or end too early?": (
            lambda nin, nout: nout - 1
        ),
        "there is always one neuron too many": lambda nin, nout: nout + 1,
        "there is only one neuron, whatever `nout` is": lambda nin, nout: 1,
        "there are `nin` times `nout` neurons": lambda nin, nout: nin * nout,
    },
    "outputs": {
        "there are only as many outputs as inputs or neurons, whichever is fewer: every neuron"
        " gets all the inputs, so loop over the neurons alone": min,
        "there is one output for each input; loop over the neurons": lambda nin, nout: nin,
        "there is only one output, however many neurons there are": lambda nin, nout: 1,
        "there is an output for every pair of a neuron and an input": lambda nin, nout: nin * nout,
        "the output of the last neuron is missing": lambda nin, nout: nout - 1,
        "there is one output too many": lambda nin, nout: nout + 1,
    },
    "last": {
        "there are as many as neurons in the first layer; return the outputs of the last one": (
            lambda nin, nouts: nouts[0]
        ),
        "it has a single item; return that": lambda nin, nouts: 1,
        "there are as many as inputs; return the outputs of the last layer": lambda nin, nouts: nin,
    },
    "layers": {
        "there is always one layer too few; `nouts` has a number for each layer": (
            lambda nin, nouts: len(nouts) - 1
        ),
        "there is always one layer too many; `nouts` has a number for each layer": (
            lambda nin, nouts: len(nouts) + 1
        ),
        "there is only one layer, however long `nouts` is": lambda nin, nouts: 1,
        "there are as many layers as inputs; `nouts` has a number for each layer": (
            lambda nin, nouts: nin
        ),
        "there are as many layers as neurons": lambda nin, nouts: sum(nouts),
    },
}
