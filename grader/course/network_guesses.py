"""What neurons, layers and networks compute if there is a likely mistake in them."""

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

# the weights, the bias and the inputs of a neuron
NEURONS = (
    ((0.7,), 0.3, (1.3,)),
    ((-0.6,), 0.2, (-0.9,)),
    ((0.7, -0.45), 0.35, (1.3, 0.6)),
    ((-0.35, 0.55, 0.8), -0.2, (0.9, 1.1, 0.4)),
    ((0.25, 0.65, -0.8), 0.15, (-1.2, 0.5, 0.75)),
    ((0.3, 0.45), -1.1, (0.5, 0.8)),
)
# the inputs and the neurons of a layer
LAYERS = ((1, 2), (3, 2), (2, 4), (4, 4))
# the inputs of a network and the neurons in each layer
SINGLE_OUTPUTS = ((1, (2, 1)), (1, (3, 1)), (2, (4, 3, 1)))
NETWORKS = ((2, (1,)), (3, (4, 4, 1, 2)), (1, (3, 5)))


def _products(w: Numbers, x: Numbers) -> list[float]:
    return [weight * value for weight, value in zip(w, x)]


def _neuron(act: Callable[[float], float], w: Numbers, b: float, x: Numbers) -> float:
    return act(sum(_products(w, x)) + b)


def neuron_guesses(kind: str) -> Guesses:
    """Return what a neuron of this kind may compute instead, for `w`, `b` and `x`."""
    act = ACTIVATIONS[kind]
    found: dict[str, Callable[[Numbers, float, Numbers], float]] = {
        "the bias is missing in this result": lambda w, b, x: act(sum(_products(w, x))),
        "this adds the bias once for every input; add it only once": lambda w, b, x: act(
            sum(_products(w, x)) + len(x) * b
        ),
        "this adds the bias twice; add it only once": lambda w, b, x: act(
            sum(_products(w, x)) + 2 * b
        ),
        "this subtracts the bias; add it": lambda w, b, x: act(sum(_products(w, x)) - b),
        "this uses only the last input and its weight": lambda w, b, x: act(w[-1] * x[-1] + b),
        "this uses only the first input and its weight": lambda w, b, x: act(w[0] * x[0] + b),
        "this pairs the weights with the inputs in reverse order": lambda w, b, x: act(
            sum(_products(w, x[::-1])) + b
        ),
        "this adds each weight to its input; multiply them": lambda w, b, x: act(
            sum(map(sum, zip(w, x))) + b
        ),
        "this adds up the weights without multiplying them by the inputs": lambda w, b, x: act(
            sum(w) + b
        ),
        "this adds up the inputs without multiplying them by the weights": lambda w, b, x: act(
            sum(x) + b
        ),
        "this multiplies the products together; add them up": lambda w, b, x: act(
            math.prod(_products(w, x)) + b
        ),
        "this multiplies by the bias; add it": lambda w, b, x: act(sum(_products(w, x)) * b),
        "this multiplies every pair of a weight and an input; pair them one to one": (
            lambda w, b, x: act(sum(w) * sum(x) + b)
        ),
        "this divides the sum by the number of inputs": lambda w, b, x: act(
            sum(_products(w, x)) / len(x) + b
        ),
    }
    if kind != "linear":
        found |= {
            "this adds the bias after the activation; add it before": lambda w, b, x: (
                act(sum(_products(w, x))) + b
            ),
            "this applies the activation to every product; apply it to the sum": lambda w, b, x: (
                sum(map(act, _products(w, x))) + b
            ),
            "this applies the activation to the products and to the sum": lambda w, b, x: act(
                sum(map(act, _products(w, x))) + b
            ),
            "this applies the activation to each product with the bias; add all up first": (
                lambda w, b, x: sum(act(product + b) for product in _products(w, x))
            ),
        }
    if kind == "tanh":
        found["this applies the activation twice"] = lambda w, b, x: act(_neuron(act, w, b, x))
    for other, function in ACTIVATIONS.items():
        if other != kind:
            applied = f"applies `{other}`" if other != "linear" else "applies no activation"
            found[f'this {applied}, but the neuron is "{kind}"'] = partial(_neuron, function)
    return found


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
