"""Small models of tf.contrib.learn.models."""

from collections.abc import Callable
from functools import partial
from typing import Any

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.learn.small_ops import (
    mean_squared_error_regressor,
    softmax_classifier,
)
from twinflow.contrib.rnn.attention_cell import AttentionCellWrapper
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import concat
from twinflow.ops.random.initializers_plain import RandomNormal
from twinflow.rnn.cells.basic import BasicRNNCell, GRUCell
from twinflow.rnn.cells.lstm import BasicLSTMCell
from twinflow.rnn.cells.multi import MultiRNNCell
from twinflow.rnn.static import static_bidirectional_rnn, static_rnn
from twinflow.summary import summaries


def _start(mean: float | None, stddev: float | None) -> Any:
    """The initializer of weights: the usual one where there is no mean."""
    return None if mean is None else RandomNormal(mean, stddev)


def _linear(scope, x, y, initial_weights, initial_bias):
    """(x, y, the weights, the bias) of a linear model from x to y."""
    with variable_scope(scope):
        x, y = convert_to_tensor(x), convert_to_tensor(y)
        summaries.histogram(f"{scope}.x", x)
        summaries.histogram(f"{scope}.y", y)
        sizes = [x.shape[1].value, y.shape[1].value if y.shape.ndims > 1 else 1]
        kind = x.dtype.base_dtype
        weights = get_variable("weights", sizes, kind, initial_weights)
        bias = get_variable("bias", sizes[1:], kind, initial_bias)
        summaries.histogram(f"{scope}.weights", weights)
        summaries.histogram(f"{scope}.bias", bias)
        return x, y, weights, bias


def linear_regression(
    x: TensorValue, y: TensorValue, init_mean: float | None = None,
    init_stddev: float = 1.0,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """A linear regression: its predictions and mean squared error.

    Args:
        x: float[n, d]. y: float[n] or [n, k].
        init_mean, init_stddev: of the first weights; the usual ones if None.
    """
    start = _start(init_mean, init_stddev)
    given = _linear("linear_regression", x, y, start, start)
    return mean_squared_error_regressor(*given)


def linear_regression_zero_init(
    x: TensorValue, y: TensorValue
) -> tuple[Tensor, Tensor]:
    """A linear regression that begins with weights of 0; see `linear_regression`."""
    return linear_regression(x, y, 0.0, 0.0)


def logistic_regression(
    x: TensorValue, y: TensorValue, class_weight: Any = None,
    init_mean: float | None = None, init_stddev: float = 1.0,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """A logistic regression: probabilities of classes and mean cross entropy.

    Args:
        x: float[n, d]. y: float[n, classes], ones and zeros.
        class_weight: float[classes], factors of the logits in the loss.
        init_mean, init_stddev: of the first weights; the usual ones if None.
    """
    start = _start(init_mean, init_stddev)
    given = _linear("logistic_regression", x, y, start, start)
    return softmax_classifier(*given, class_weight=class_weight)


def logistic_regression_zero_init(
    x: TensorValue, y: TensorValue
) -> tuple[Tensor, Tensor]:
    """A logistic regression that begins with weights of 0; see
    `logistic_regression`."""
    return logistic_regression(x, y, None, 0.0, 0.0)


def bidirectional_rnn(
    cell_fw: Any, cell_bw: Any, inputs: list[Any], initial_state_fw: Any = None,
    initial_state_bw: Any = None, dtype: Any = None, sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:  # fmt: skip
    """Two cells, one forwards and one backwards.

    Args: see tf.nn.static_bidirectional_rnn.
    Returns:
        The outputs of both, side by side, a step each; and the last states of both,
        side by side.
    """
    outputs, forwards, backwards = static_bidirectional_rnn(
        cell_fw, cell_bw, inputs, initial_state_fw, initial_state_bw, dtype,
        sequence_length, scope,
    )  # fmt: skip
    return outputs, concat([forwards, backwards], 1)


_CELLS = {
    "rnn": BasicRNNCell, "gru": GRUCell,
    "lstm": partial(BasicLSTMCell, state_is_tuple=False),
}  # fmt: skip


def get_rnn_model(
    rnn_size: int, cell_type: str, num_layers: int, input_op_fn: Callable[..., Any],
    bidirectional: bool, target_predictor_fn: Callable[..., Any], sequence_length: Any,
    initial_state: Any, attn_length: Any, attn_size: Any, attn_vec_size: Any,
) -> Callable[..., Any]:  # fmt: skip
    """A function (x, y) -> (predictions, loss) of a recurrent model.

    Args:
        rnn_size: of the cells. cell_type: "rnn", "gru" or "lstm".
        num_layers: how many cells stand on each other.
        input_op_fn: from x to a list of tensors, a step each.
        bidirectional: whether to go backwards too.
        target_predictor_fn: from the last state and y to (predictions, loss).
        sequence_length, initial_state: see tf.nn.static_rnn.
        attn_length, attn_size, attn_vec_size: of an attention, if there is one.
    Raises:
        ValueError: another kind of cell.
    """
    if cell_type not in _CELLS:
        raise ValueError(f"cell_type {cell_type} is not supported. ")

    def stacked() -> Any:
        cells = []
        for _ in range(num_layers):
            cell = _CELLS[cell_type](rnn_size)
            if attn_length is not None:
                cell = AttentionCellWrapper(
                    cell, attn_length, attn_size, attn_vec_size, state_is_tuple=False
                )
            cells.append(cell)
        return MultiRNNCell(cells, state_is_tuple=cell_type != "lstm")

    def rnn_estimator(x: Any, y: Any) -> Any:
        steps = input_op_fn(x)
        options = {"dtype": dtypes.float32, "sequence_length": sequence_length}
        if bidirectional:
            _, state = bidirectional_rnn(
                stacked(), stacked(), steps, initial_state, initial_state, **options
            )
        else:
            _, state = static_rnn(stacked(), steps, initial_state, **options)
            state = state if cell_type == "lstm" else state[-1]
        return target_predictor_fn(state, y)

    return rnn_estimator
