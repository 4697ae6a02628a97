"""Phase 7: the judge sets the weights, and computes outputs and gradients itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from networks import Copy, Network, Shape, make, make_mlp, outputs, set_weights, single, weights
from parameters import (
    DRAWS,
    drawn,
    expect_count,
    expect_drawn_apart,
    expect_parameters,
    expect_spread,
    expect_weights,
)
from vocabulary import Learner

from grader.suite import Mismatch, NotAsked, Symbol, oracle

SMALL = Shape(3, (4, 4, 1), ("tanh", "tanh", "tanh"))
TINY = Shape(1, (1, 1), ("tanh", "tanh"))
DEEP = (1, (1, 1, 1, 1, 1, 1))
SMALLER = ((1, (1,)), (1, (2, 1)), (2, (1, 1)), DEEP)  # the first that fails is easy to follow
LINE = (0.5, 0.25)  # the weight and the bias of a neuron
INPUTS = ((2.0, 3.0, -1.0), (0.5, -1.0, 0.25))


def test_neuron(learner: Learner) -> None:
    """`Neuron(3)` draws 3 weights and a bias"""
    learner.ask("the initial weights of a neuron")
    neuron = make(learner, "Neuron", 3, name="n")
    expect_count(learner, neuron, "w", 3)
    drawn(learner, [neuron.reading(f"{path}.data") for path in ("w[0]", "w[1]", "w[2]", "b")])
    learner.expect(neuron.reading("w[0].grad"), 0.0)
    learner.fresh()
    wide = make(learner, "Neuron", DRAWS, name="n")
    expect_count(learner, wide, "w", DRAWS)
    numbers = drawn(learner, [wide.reading(f"w[{index}].data") for index in range(DRAWS)])
    expect_spread(numbers, "weights", "all inputs", wide.reading("w", "value"))
    neurons = [make(learner, "Neuron", 1, name="n") for _ in range(DRAWS)]
    for path, what in (("w[0]", "weights"), ("b", "biases")):
        numbers = drawn(learner, [neuron.reading(f"{path}.data") for neuron in neurons])
        expect_spread(numbers, what, "all neurons", neurons[0].reading(path, "value"))


def test_neuron_output(learner: Learner) -> None:
    """A neuron computes tanh(w*x + b)"""
    kind = _kinds(learner, "Neuron", "tanh", "relu", "linear")[0]
    _check_neuron(learner, kind, values=False)
    _check_neuron(learner, kind, values=True)
    if not learner.is_adapted:
        _check_default(learner, make(learner, "Neuron", 1, name="n"), ["w[0]", "b"])
    _check_inputs_kept(learner, make(learner, "Neuron", 2, name="n"))


def test_neuron_activations(learner: Learner) -> None:
    """A neuron can also be "relu" or "linear" """
    for kind in _kinds(learner, "Neuron", "relu", "linear"):
        _check_neuron(learner, kind, values=False)
    for kind in () if learner.is_adapted else ("tanh", "relu", "linear"):
        learner.expect_text(
            make(learner, "Neuron", 1, kind, name="n").reading("activation", "text"),
            lambda text, kind=kind: text == kind,  # type: ignore[misc]
            kind,
            "`activation` must be the text given to the constructor",
        )
        learner.fresh()


def test_neuron_backward(learner: Learner) -> None:
    """A neuron's weights, bias and inputs get gradients"""
    for kind in _kinds(learner, "Neuron", "tanh", "relu", "linear"):
        for neuron, copy, paths, x in _neurons(learner, kind):
            leaves = [copy.program.leaf(number) for number in x]
            (wanted,) = copy(leaves)
            given = [learner.value(number, f"x{index}") for index, number in enumerate(x)]
            single(learner, neuron(given), "y").backward()
            slopes = oracle.gradients(copy.program.steps, wanted, leaves)
            learner.expect_all(neuron.gradients(paths, copy.gradients(wanted)))
            learner.expect_all([(value.grad, slopes[leaf]) for value, leaf in zip(given, leaves)])


def test_neuron_parameters(learner: Learner) -> None:
    """A neuron lists its weights and its bias"""
    for paths in (["w[0]", "b"], ["w[0]", "w[1]", "b"]):
        expect_parameters(learner, make(learner, "Neuron", len(paths) - 1, name="n"), paths)
    if not learner.is_adapted:
        neuron = make(learner, "Neuron", 1, name="n")
        learner.define("empty", _EMPTY).call("__call__", learner.symbol(neuron.call("parameters")))
        expect_parameters(learner, neuron, ["w[0]", "b"])


_EMPTY = """
def empty(given):  # emptying a list that `parameters()` returned must not change the neuron
    if isinstance(given, list):
        given.clear()
"""


def test_layer_output(learner: Learner) -> None:
    """A layer returns the output of each neuron"""
    kind = _kinds(learner, "Layer", "tanh", "relu", "linear")[0]
    if learner.is_adapted:  # then defaults and layers of one neuron are not specified
        _check_layer(learner, 2, 3, kind)
        return
    for inputs, count, *given in (
        *((1, 1), (1, 2), (2, 1), (2, 3)),
        *((1, 1, "relu"), (2, 3, "relu"), (1, 1, "linear"), (2, 2, "linear")),
    ):
        _check_layer(learner, inputs, count, *given)


def _check_layer(learner: Learner, inputs: int, count: int, *given: str) -> None:
    shape, x = Shape(inputs, (count,), given or ("tanh",)), [1.5, -0.5][:inputs]
    paths = _layer_paths(shape)
    layer = make(learner, "Layer", inputs, count, *given, name="layer")
    expect_count(learner, layer, "neurons", count)
    expect_weights(learner, layer, paths)
    other = make(learner, "Layer", inputs, count, *given, name="other")
    expect_drawn_apart(learner, [layer, other], paths)
    learner.fresh()
    layer = make(learner, "Layer", inputs, count, *given, name="layer")
    copy = Copy(shape, weights(shape, 1))
    layer.set(paths, copy.start)
    for each, made in [(each, layer(each)) for each in (x, x[::-1])]:
        found = outputs(learner, made, count)
        learner.expect_all([(y.data, copy.value(ref)) for y, ref in zip(found, copy(each))])
    learner.fresh()


def test_layer_parameters(learner: Learner) -> None:
    """A layer lists the parameters of its neurons"""
    for inputs, count in ((1, 1), (1, 2), (2, 3)):
        layer = make(learner, "Layer", inputs, count, name="layer")
        expect_parameters(learner, layer, _layer_paths(Shape(inputs, (count,), ("tanh",))))


def _layer_paths(shape: Shape) -> list[str]:
    return [path.removeprefix("layers[0].") for path in shape.paths]


def test_mlp_output(learner: Learner) -> None:
    """An MLP sends its inputs through all layers"""
    small = _small(learner)
    for model, copy, x in _networks(learner, small):
        for given in (x, x[::-1], x):  # earlier inputs must not matter
            _expect_output(learner, model, copy, given)
    _check_new_weights(learner, small if learner.is_adapted else TINY)
    if not learner.is_adapted:
        _check_inputs_kept(learner, make(learner, "MLP", 2, [2, 1], name="model"))
        _check_default(learner, make(learner, "MLP", 1, [1, 1], name="model"), TINY.paths)
        models = [make(learner, "MLP", 1, [1, 1], name=name) for name in ("one", "other")]
        expect_drawn_apart(learner, models, TINY.paths)
        learner.fresh()
        sizes = learner.expression("[2, 1]", "sizes")
        model = make(learner, "MLP", 1, sizes, name="model")
        _expect_kept(learner, sizes, "sizes", [2, 1])
        sizes.call("append", 3)
        single(learner, model([0.5]), "y")  # the network stays as it was made
        learner.fresh()
    narrow = 2 if learner.is_adapted else 1  # other engines may not return a list for one neuron
    one_layer = () if learner.is_adapted else (Shape(2, (2,), small.kinds[:1]),)
    wide = Shape(12, (13, 3), small.kinds[1:])
    for shape in (Shape(2, (3, narrow, 2), small.kinds), *one_layer, wide):
        model, copy = _mlp(learner, shape, 5)
        x = ((1.0, -2.0, 0.5, -0.25, 1.5, -0.75) * 5)[: shape.inputs]
        _expect_output(learner, model, copy, x)
        learner.fresh()


def _check_new_weights(learner: Learner, shape: Shape) -> None:
    """Check that the output follows the weights when training changes them."""
    model, copy = _mlp(learner, shape, 3)
    x = INPUTS[0][: shape.inputs]
    single(learner, model(x), "y")
    copy.set(weights(shape, 4))
    model.set(shape.paths, weights(shape, 4))
    model.put(f"{shape.paths[0]}.grad", 5.0)
    why = "the weights have changed since the last call, so the output must change too"
    _expect_output(learner, model, copy, x, why)
    why = "a call computes an output, and must leave the gradients as they are"
    learner.expect_all(model.gradients(shape.paths[:1], [5.0]), why)
    learner.fresh()


def test_mlp_activations(learner: Learner) -> None:
    """The last layer of an MLP has its own activation"""
    pairs = _kinds(learner, "MLP", "relu linear", "tanh linear", "linear tanh", "tanh relu")
    for inputs, layers, kinds in (
        (1, (1, 1), ("tanh", "linear")),
        (1, (1, 1), ("linear", "tanh")),
        (1, (1, 1, 1), ("relu", "relu", "linear")),
        (2, (3, 2, 1), ("relu", "relu", "linear")),
        (2, (3, 2), ("tanh", "linear")),
        (1, (2, 3, 4, 5, 1), ("tanh", "tanh", "tanh", "tanh", "linear")),
        (2, (2, 1), ("tanh", "linear")),
        (2, (2, 1), ("linear", "tanh")),
        (2, (2, 1), ("tanh", "relu")),
    ):
        if f"{kinds[0]} {kinds[-1]}" not in pairs or (learner.is_adapted and inputs == 1):
            continue
        x = [1.5, -0.5][:inputs]
        model, copy = _mlp(learner, Shape(inputs, layers, kinds), 7)
        _expect_output(learner, model, copy, x)
        learner.fresh()
    if not learner.is_adapted:  # a single layer is the last one, whatever the others would use
        model = make(learner, "MLP", 1, [1], "relu", "linear", name="model")
        copy = Copy(Shape(1, (1,), ("linear",)), LINE)
        model.set(copy.shape.paths, LINE)
        _expect_output(learner, model, copy, [-2.0])


def test_mlp_parameters(learner: Learner) -> None:
    """`MLP(3, [4, 4, 1])` lists its 41 parameters"""
    smaller = () if learner.is_adapted else SMALLER
    for inputs, layers in (
        *smaller,
        (2, (3, 3, 3)),
        (2, (3, 3, 3, 1)),
        (1, (3, 2, 3)),
        (3, (4, 4, 1)),
    ):
        shape = Shape(inputs, layers, ("tanh",) * len(layers))
        model = make(learner, "MLP", inputs, list(layers), name="model")
        expect_parameters(learner, model, shape.paths)


def test_mlp_backward(learner: Learner) -> None:
    """All 41 parameters get their gradients"""
    for model, copy, x in _networks(learner, _small(learner)):
        slopes = copy.gradients(copy(x)[0])
        for passes in (1, 2):  # a second call makes a new graph
            single(learner, model(x), "y").backward()
            total = [passes * slope for slope in slopes]
            learner.expect_all(model.gradients(copy.shape.paths, total))
    if not learner.is_adapted:  # Values given to a network get their gradients
        model, copy = _mlp(learner, Shape(1, (2, 1), ("tanh", "tanh")), 3)
        given, leaf = learner.value(0.5, "x"), copy.program.leaf(0.5)
        (wanted,) = copy([leaf])
        single(learner, model([given]), "y").backward()
        learner.expect(given.grad, oracle.gradients(copy.program.steps, wanted, [leaf])[leaf])


def test_zero_grad(learner: Learner) -> None:
    """`zero_grad()` resets only the gradients"""
    for model, copy, _ in _networks(learner, _small(learner)):
        paths = copy.shape.paths
        places = [model.reading(path, "ref") for path in paths]
        model.put(f"{paths[0]}.data", 0)  # also of a weight of 0
        copy.start[0] = 0
        before = learner.read(places)
        for gradient in (2.0, -2.0):
            for path in paths[:: len(paths) // 8 + 1]:
                model.put(f"{path}.grad", gradient)
            model.call("zero_grad")
            learner.expect_all(model.gradients(paths, [0.0] * len(paths)))
        learner.expect_all([(model.reading(f"{p}.data"), n) for p, n in zip(paths, copy.start)])
        for path, was, is_now in zip(paths, before, learner.read(places)):
            if is_now != was:
                raise Mismatch(
                    f"`{path}` must still be the same Value: set its `grad` instead of replacing"
                    " it",
                    expected="the same object",
                    got="a different object",
                    reading=model.reading(path, "value"),
                )


# --- what several checks need ---


def _kinds(learner: Learner, function: str, *kinds: str) -> list[str]:
    """Return the activations, or pairs of them, that an adapted engine has; all of them for a
    learner's own engine.
    """
    found = [kind for kind in kinds if learner.dialect.can_make(f"nn.{function}", *kind.split())]
    if not found:
        raise NotAsked(
            f"the adapter's [networks] does not say how to make a {function} with any of these:"
            f" {', '.join(kinds)}"
        )
    return found


def _small(learner: Learner) -> Shape:
    """Return the shape of a small network, with activations that the engine has."""
    first, last = _kinds(
        learner, "MLP", "tanh tanh", "relu linear", "tanh linear", "relu relu", "linear linear"
    )[0].split()
    return Shape(SMALL.inputs, SMALL.layers, (first, first, last))


def _networks(
    learner: Learner, largest: Shape
) -> Iterator[tuple[Network, Copy, tuple[float, ...]]]:
    """Yield networks with one output, the smallest first, each with the judge's copy and inputs to
    try.
    """
    first, *_, last = largest.kinds
    tries = [
        (Shape(inputs, layers, (first,) * (len(layers) - 1) + (last,)), (2.0, 3.0)[:inputs])
        for inputs, layers in (() if learner.is_adapted else SMALLER)
    ]
    for seed, (shape, x) in enumerate([*tries, *((largest, x) for x in INPUTS)]):
        yield *_mlp(learner, shape, seed), x
        learner.fresh()


def _neurons(
    learner: Learner, kind: str
) -> Iterator[tuple[Network, Copy, list[str], tuple[float, ...]]]:
    """Yield neurons, the smallest first, each with the judge's copy, the paths of its parameters
    and inputs to try.
    """
    one = [(LINE, (2.0,)), (LINE, (-2.0,))]
    two = [
        (numbers, x)
        for numbers in ((0.5, -1.0, 0.75), (-0.25, 0.8, -0.3), (0.0, 0.6, 0.0))
        for x in ((1.5, 0.5), (-2, 1), (0.0, 1.5))
    ]
    three = [((0.4, -0.65, 0.3, -0.2), (0.5, 1.25, -0.75))]
    for numbers, x in two if learner.is_adapted else (*one, *two, *three):
        paths = [*(f"w[{index}]" for index in range(len(x))), "b"]
        neuron = make(learner, "Neuron", len(x), kind, name="n")
        neuron.set(paths, numbers)
        yield neuron, Copy(Shape(len(x), (1,), (kind,)), numbers), paths, x
        learner.fresh()


def _check_neuron(learner: Learner, kind: str, *, values: bool) -> None:
    for neuron, copy, _, x in _neurons(learner, kind):
        for turn, given in enumerate((x, x[::-1], x)):  # earlier inputs must not matter
            inputs = [
                # a number and a Value may appear next to each other
                learner.value(number, f"x{index}") if values and turn + index < 3 else number
                for index, number in enumerate(given)
            ]
            output = single(learner, neuron(inputs), "y")
            learner.expect(output.data, copy.value(copy(given)[0]))


def _expect_output(
    learner: Learner, network: Network, copy: Copy, x: Sequence[float], why: str = ""
) -> None:
    made, wanted = learner.named("y", network(x)), copy(x)
    found = (
        [single(learner, made, "y")] if len(wanted) == 1 else outputs(learner, made, len(wanted))
    )
    learner.expect_all([(y.data, copy.value(ref)) for y, ref in zip(found, wanted)], why)


def _check_default(learner: Learner, network: Network, paths: list[str]) -> None:
    """Check that a chain of single neurons uses tanh by default."""
    count = len(paths) // 2
    copy = Copy(Shape(1, (1,) * count, ("tanh",) * count), LINE * count)
    network.set(paths, copy.start)
    why = 'by default, every neuron must use "tanh"'
    _expect_output(learner, network, copy, [2.0], why)
    learner.fresh()


def _check_inputs_kept(learner: Learner, network: Network) -> None:
    x = learner.expression("[1.5, 0.5]", "x")
    learner.named("y", learner.symbol(network.call("__call__", x)))
    _expect_kept(learner, x, "x", [1.5, 0.5])
    learner.fresh()


def _expect_kept(learner: Learner, given: Symbol, name: str, numbers: list[float]) -> None:
    """Raise Mismatch unless a list passed to the learner's code still holds the same numbers."""
    why = f"the list `{name}` belongs to the caller and must not change: work on a copy"
    learner.expect(given.reading(), numbers, why)


def _mlp(learner: Learner, shape: Shape, seed: int) -> tuple[Network, Copy]:
    model = make_mlp(learner, shape)
    expect_count(learner, model, "layers", len(shape.layers))
    for layer, count in enumerate(shape.layers):
        expect_count(learner, model, f"layers[{layer}].neurons", count)
    expect_weights(learner, model, shape.paths)
    return model, set_weights(learner, model, shape, seed)
