"""The parameters of recurrent networks in one vector, and the ops that take them apart.

For each layer and direction there are the matrices [units, size] that inputs go
through, one for each gate, then those [units, units] of the state, and as many biases.
The order of gates is i, f, c, o for LSTMs and r, u, c for gated recurrent units. The
vector has all matrices, and all biases behind them.
"""

import math
from typing import NamedTuple

import numpy as np

from twinflow.base.errors import invalid
from twinflow.base.op import InferError, bind_first, define
from twinflow.ops.core.infer import dim_is, one_int, ranked

GATES = {"lstm": 4, "gru": 3, "rnn_relu": 1, "rnn_tanh": 1}


class Form(NamedTuple):
    """What the shapes of parameters depend on."""

    rnn_mode: str
    num_layers: int
    num_units: int
    input_size: int
    direction: str = "unidirectional"

    gates = property(lambda self: GATES[self.rnn_mode])
    num_dirs = property(lambda self: 1 + (self.direction == "bidirectional"))

    def weight_shapes_of(self, layer):
        """The shapes of the matrices of a layer."""
        n = self.num_units
        size = n * self.num_dirs if layer else self.input_size
        return ([(n, size)] * self.gates + [(n, n)] * self.gates) * self.num_dirs

    def weight_shapes(self):
        """The shapes of all matrices."""
        layers = map(self.weight_shapes_of, range(self.num_layers))
        return [shape for found in layers for shape in found]

    def bias_shapes(self):
        """The shapes of all biases."""
        count = 2 * self.gates * self.num_dirs * self.num_layers
        return [[self.num_units]] * count

    def size(self):
        """The length of the vector."""
        return sum(map(math.prod, [*self.weight_shapes(), *self.bias_shapes()]))

    def shapes(self):
        """The shapes of all parts of the vector."""
        return [*self.weight_shapes(), *map(tuple, self.bias_shapes())]


def form_of(num_layers, num_units, input_size, rnn_mode, input_mode, direction, **_):
    """The Form that the inputs and attributes of an op say, or None."""
    if input_mode == "skip_input":
        raise InferError(
            "input_mode 'skip_input' is not there: give the network inputs of its size "
            "and take 'linear_input'.",
            later=True,
        )
    sizes = [one_int(n) for n in (num_layers, num_units, input_size)]
    return None if None in sizes else Form(rnn_mode, *sizes, direction)


def parts_of(form, params):
    """The arrays in a vector, in order."""
    ends = np.cumsum([math.prod(s) for s in form.shapes()]).tolist()
    starts = [0, *ends[:-1]]
    triples = zip(starts, ends, form.shapes(), strict=True)
    return [params[a:b].reshape(shape) for a, b, shape in triples]


_HOST = "num_layers num_units input_size"


def _infer_size(num_layers, num_units, input_size, **attrs):
    form_of(num_layers, num_units, input_size, **attrs)
    return (1,)


def _size(num_layers, num_units, input_size, S, **attrs):
    form = form_of(num_layers, num_units, input_size, **attrs)
    return np.array([form.size()], S.np)


CudnnRNNParamsSize = define(
    "CudnnRNNParamsSize", on_host=_HOST, infer=_infer_size, host=_size
)


def _infer_apart(num_layers, num_units, input_size, params, num_params, **attrs):
    ranked(params._shape, 1)
    form = form_of(num_layers, num_units, input_size, **attrs)
    if form is None:
        return [None] * (2 * num_params)
    _check_count(form, num_params)
    dim_is(params._shape and params._shape[0], form.size())
    return form.shapes()


def _check_count(form, count):
    wanted = len(form.weight_shapes())
    if count != wanted:
        raise InferError(
            f"Number of params mismatch. Expected {count}, got {wanted}", later=True
        )


@bind_first
def _apart(xp, num_layers, num_units, input_size, params, num_params, **attrs):
    return parts_of(form_of(num_layers, num_units, input_size, **attrs), params)


CudnnRNNParamsToCanonical = define(
    "CudnnRNNParamsToCanonical",
    on_host=_HOST,
    attrs={"num_params": 1},
    infer=_infer_apart,
    kernel=_apart,
)


def _infer_joined(num_layers, num_units, input_size, weights, biases, **attrs):
    form = form_of(num_layers, num_units, input_size, **attrs)
    if form is not None:
        _check_count(form, len(weights))
    return (None if form is None else form.size(),)


@bind_first
def _joined(xp, num_layers, num_units, input_size, weights, biases, **attrs):
    form = form_of(num_layers, num_units, input_size, **attrs)
    for part, shape in zip((*weights, *biases), form.shapes(), strict=True):
        if part.size != math.prod(shape):
            raise invalid(f"A part has {part.size} numbers, expected the shape {shape}")
    return xp.concatenate([p.reshape(-1) for p in (*weights, *biases)])


CudnnRNNCanonicalToParams = define(
    "CudnnRNNCanonicalToParams", on_host=_HOST, infer=_infer_joined, kernel=_joined
)
