"""Networks of several layers over whole sequences, in one direction or both."""

from typing import Any

from twinflow.base.dispatch import apply
from twinflow.contrib.cudnn_rnn.parameters import (
    Form,
    apart,
    check_direction,
    check_input_mode,
)
from twinflow.contrib.seq2seq.attention import size_of
from twinflow.graph.map_fn import scan
from twinflow.ops.arrays.rearrange import reverse
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import sigmoid, tanh
from twinflow.ops.core.joining import concat, split, stack, unstack
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.dropout import dropout
from twinflow.ops.nn.lstm_block import BlockLSTM


def run_network(
    form: Any, params: Any, inputs: Any, h: Any, c: Any = None, rate: Any = 0.0,
    seed: Any = None, training: Any = True,
) -> Any:  # fmt: skip
    """(outputs, the last h, the last c) of a network.

    Args:
        form: a Form. params: its vector. inputs: float[time, batch, size].
        h, c: float[layers * directions, batch, units]; c is None but for LSTMs.
        rate: the part of inputs between layers that is dropped, if `training`.
    """
    weights, biases = apart(form, params)
    hs, count = unstack(h, num=form.num_layers * form.num_dirs), 2 * form.gates
    cs = [None] * len(hs) if c is None else unstack(c, num=len(hs))
    last_h, last_c, x = [], [], inputs
    for layer in range(form.num_layers):
        if layer and rate and training:
            x = dropout(x, 1.0 - rate, seed=seed)
        sides = []
        for side in range(form.num_dirs):
            i = layer * form.num_dirs + side
            part = slice(i * count, (i + 1) * count)
            rows = reverse(x, [0]) if side else x
            y, c_end = _RUNS[form.rnn_mode](
                rows, hs[i], cs[i], weights[part], biases[part]
            )
            last_h.append(y[-1])
            last_c.append(c_end)
            sides.append(reverse(y, [0]) if side else y)
        x = concat(sides, 2) if len(sides) > 1 else sides[0]
    return x, stack(last_h), None if c is None else stack(last_c)


def _turned(matrices):
    """[units, size] for each gate as [size, gates * units]."""
    return concat([transpose(w) for w in matrices], 1)


def lstm_weights(weights, biases):
    """(kernel, bias) of BlockLSTM, whose gates are i, c, f, o."""
    order = [0, 2, 1, 3]
    ours, theirs = weights[:4], weights[4:]
    kernel = concat([_turned([side[g] for g in order]) for side in (ours, theirs)], 0)
    return kernel, concat([biases[g] + biases[4 + g] for g in order], 0)


def _run_lstm(x, h, c, weights, biases):
    kernel, bias = lstm_weights(weights, biases)
    units = biases[0].shape[0].value
    steps = cast(size_of(x, 0), "int64")
    peeps = [zeros([units], x.dtype)] * 3
    attrs = {"forget_bias": 0.0, "cell_clip": -1.0, "use_peephole": False}
    found = apply(BlockLSTM, (steps, x, c, h, kernel, *peeps, bias), attrs)
    return found[6], found[1][-1]


def _inputs(x, weights, biases, gates):
    """The products of all inputs, with their biases: [time, batch, gates * units]."""
    depth = x.shape[2].value
    flat = matmul(reshape(x, [-1, depth]), _turned(weights[:gates]))
    flat += concat(biases[:gates], 0)
    return reshape(flat, [size_of(x, 0), size_of(x, 1), flat.shape[1].value])


def _run_gru(x, h, _, weights, biases):
    recurrent, bias = _turned(weights[3:]), concat(biases[3:], 0)

    def step(h, row):
        x_r, x_u, x_c = split(row, 3, 1)
        h_r, h_u, h_c = split(matmul(h, recurrent) + bias, 3, 1)
        u = sigmoid(x_u + h_u)
        return (1 - u) * tanh(x_c + sigmoid(x_r + h_r) * h_c) + u * h

    return scan(step, _inputs(x, weights, biases, 3), h), None


def _simple(activation):
    def run(x, h, _, weights, biases):
        recurrent, bias = transpose(weights[1]), biases[1]
        rows = _inputs(x, weights, biases, 1)
        step = lambda h, row: activation(row + matmul(h, recurrent) + bias)
        return scan(step, rows, h), None

    return run


_RUNS = {
    "lstm": _run_lstm,
    "gru": _run_gru,
    "rnn_relu": _simple(relu),
    "rnn_tanh": _simple(tanh),
}


def _network(mode, inputs, h, c, params, training, settings):
    """Run a network whose number of layers the first state tells."""
    input_mode, direction, rate, seed = settings
    check_direction(direction)
    check_input_mode(input_mode)
    inputs, h = convert_to_tensor(inputs), convert_to_tensor(h)
    layers = h.shape[0].value // (1 + (direction == "bidirectional"))
    units, size = h.shape[2].value, inputs.shape[2].value
    form = Form(mode, layers, units, size, direction)
    params = convert_to_tensor(params)
    return run_network(form, params, inputs, h, c, rate, seed or None, training)


def cudnn_lstm(
    inputs: Any, input_h: Any, input_c: Any, params: Any, is_training: Any,
    input_mode: str = "linear_input", direction: str = "unidirectional",
    dropout: Any = 0.0, seed: Any = 0, name: str | None = None,
) -> Any:  # fmt: skip
    """(outputs, last h, last c) of LSTM layers.

    Args:
        inputs: float[time, batch, size]. params: see `parameters`.
        input_h, input_c: float[layers * directions, batch, units].
        is_training, direction, dropout, seed: see CudnnLSTM.
        input_mode: "linear_input". name: accepted.
    """
    settings = input_mode, direction, dropout, seed
    return _network("lstm", inputs, input_h, input_c, params, is_training, settings)


def _without_c(mode):
    def run(
        inputs: Any, input_h: Any, params: Any, is_training: Any,
        input_mode: str = "linear_input", direction: str = "unidirectional",
        dropout: Any = 0.0, seed: Any = 0, name: str | None = None,
    ) -> Any:  # fmt: skip
        settings = input_mode, direction, dropout, seed
        return _network(mode, inputs, input_h, None, params, is_training, settings)[:2]

    run.__doc__ = f"(outputs, last h) of layers of the mode {mode}; see `cudnn_lstm`."
    return run


cudnn_gru = _without_c("gru")
cudnn_rnn_relu = _without_c("rnn_relu")
cudnn_rnn_tanh = _without_c("rnn_tanh")
