"""The parameters of the networks: matrices and biases, or all in one vector.

For each layer and direction there are the matrices [units, size] that inputs go
through, one for each gate, then those [units, units] of the state, and as many biases.
The order of gates is i, f, c, o for LSTMs and r, u, c for gated recurrent units. The
vector has all matrices, and all biases behind them.
"""

import math
from typing import Any

from twinflow.base import dtypes
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.shape import reshape
from twinflow.ops.nn.rnn_parameters import GATES, Form

_DIRECTIONS = ("unidirectional", "bidirectional")
_INPUT_MODES = ("linear_input", "skip_input", "auto_select")


def check_direction(direction: Any) -> None:
    """Refuse directions that are not there."""
    if direction not in _DIRECTIONS:
        raise ValueError(
            f"Invalid direction: {direction}, expecting {' or '.join(_DIRECTIONS)}"
        )


def check_input_mode(input_mode: Any) -> None:
    """Refuse input modes that are not there."""
    if input_mode not in _INPUT_MODES:
        raise ValueError(
            f"Invalid input_mode: {input_mode}, expect one of "
            f"({', '.join(_INPUT_MODES)})"
        )


def _form(rnn_mode, num_layers, num_units, input_size, input_mode, direction):
    if rnn_mode not in GATES:
        raise ValueError(
            f"Invalid rnn_mode: {rnn_mode}, expect one of ({', '.join(GATES)})"
        )
    check_direction(direction)
    check_input_mode(input_mode)
    return Form(rnn_mode, num_layers, num_units, input_size, direction)


def joined(weights, biases):
    """The vector of matrices and biases."""
    parts = [reshape(convert_to_tensor(t), [-1]) for t in (*weights, *biases)]
    return concat(parts, 0)


def apart(form, params):
    """(matrices, biases) of a vector."""
    shapes = [*form.weight_shapes(), *form.bias_shapes()]
    parts = split(params, [math.prod(s) for s in shapes], 0)
    found = [reshape(p, list(s)) for p, s in zip(parts, shapes, strict=True)]
    n = len(form.weight_shapes())
    return found[:n], found[n:]


def cudnn_rnn_canonical_to_opaque_params(
    rnn_mode: str, num_layers: Any, num_units: Any, input_size: Any, weights: Any,
    biases: Any, input_mode: str = "linear_input", direction: str = "unidirectional",
    dropout: Any = 0, seed: Any = 0, name: str | None = None,
) -> Any:  # fmt: skip
    """The vector of matrices and biases; see the module.

    Args:
        rnn_mode: "lstm", "gru", "rnn_relu" or "rnn_tanh".
        num_layers, num_units, input_size, direction: see CudnnLSTM.
        weights, biases: lists of tensors. input_mode, dropout, seed, name: accepted.
    """
    _form(rnn_mode, num_layers, num_units, input_size, input_mode, direction)
    return joined(weights, biases)


def cudnn_rnn_opaque_params_to_canonical(
    rnn_mode: str, num_layers: Any, num_units: Any, input_size: Any, params: Any,
    input_mode: str = "linear_input", direction: str = "unidirectional",
    dropout: Any = 0, seed: Any = 0, name: str | None = None,
) -> Any:  # fmt: skip
    """(matrices, biases) of a vector; see `cudnn_rnn_canonical_to_opaque_params`."""
    form = _form(rnn_mode, num_layers, num_units, input_size, input_mode, direction)
    return apart(form, convert_to_tensor(params))


def cudnn_rnn_opaque_params_size(
    rnn_mode: str, num_layers: Any, num_units: Any, input_size: Any,
    input_mode: str = "linear_input", direction: str = "unidirectional",
    dtype: Any = dtypes.float32, dropout: Any = 0, seed: Any = 0,
    name: str | None = None,
) -> Any:  # fmt: skip
    """int32[], the length of the vector; see `cudnn_rnn_canonical_to_opaque_params`."""
    form = _form(rnn_mode, num_layers, num_units, input_size, input_mode, direction)
    return constant(form.size(), "int32")
