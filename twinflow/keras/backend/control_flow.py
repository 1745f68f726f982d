"""Choices and loops, as tf.keras.backend has them."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph import map_fn as graph_map
from twinflow.graph.cond import cond
from twinflow.keras.backend import defaults
from twinflow.keras.layers.arguments import chosen, static_training
from twinflow.ops.arrays.gather_batch import sequence_mask
from twinflow.ops.core.compare import logical_and, where
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import log
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.shape import expand_dims, shape, squeeze
from twinflow.ops.core.transposing import transpose
from twinflow.ops.debugging.print import Print
from twinflow.ops.nn.ctc import ctc_greedy_decoder, ctc_loss
from twinflow.ops.nn.ctc_beam import ctc_beam_search_decoder
from twinflow.ops.sparse.dense import sparse_tensor_to_dense
from twinflow.ops.sparse.tensor import SparseTensor


def _value(x):
    return x() if callable(x) else x


def switch(
    condition: TensorValue, then_expression: Any, else_expression: Any
) -> Tensor:
    """One of two tensors (or results of functions); entry by entry for a tensor."""
    if condition.dtype.name != "bool":
        condition = cast(condition, "bool")
    if not condition._shape:
        return cond(
            condition, lambda: _value(then_expression), lambda: _value(else_expression)
        )
    a, b = _value(then_expression), _value(else_expression)
    if len(condition._shape) > len(a._shape):
        raise ValueError(
            "Rank of `condition` should be less than or equal to rank of "
            "`then_expression` and `else_expression`. ndim(condition)="
            f"{len(condition._shape)}, ndim(then_expression)={len(a._shape)}"
        )
    for _ in range(len(a._shape) - len(condition._shape)):
        condition = expand_dims(condition, -1)
    return where(logical_and(condition, ones_like(a, "bool")), a, b)


def in_train_phase(x: TensorValue, alt: Any, training: Any = None) -> Any:
    """x while training, else alt; both may be functions."""
    return chosen(static_training(training), lambda: _value(x), lambda: _value(alt))


def in_test_phase(x: TensorValue, alt: Any, training: Any = None) -> Any:
    """alt while training, else x."""
    return in_train_phase(alt, x, training)


def map_fn(fn: Any, elems: Any, name: str | None = None, dtype: Any = None) -> Any:
    """The results of a function for each entry of the first axis."""
    return graph_map.map_fn(fn, elems, dtype=dtype, name=name)


def foldl(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """A function applied to what there is and each entry, from the first on."""
    return graph_map.foldl(fn, elems, initializer, name=name)


def foldr(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """A function applied to what there is and each entry, from the last on."""
    return graph_map.foldr(fn, elems, initializer, name=name)


def print_tensor(x: TensorValue, message: str = "") -> Any:
    """x, which is printed whenever it is computed."""
    return Print(x, [x], message)


# ------------------------------------------------------------------ sequences
def ctc_label_dense_to_sparse(labels: TensorValue, label_lengths: Any) -> Any:
    """The labels within their lengths, as a SparseTensor."""
    there = sequence_mask(label_lengths, shape(labels)[1])
    places = where(there)
    values = gather_nd(labels, places)
    return SparseTensor(places, values, shape(labels, out_type="int64"))


def ctc_batch_cost(
    y_true: Any, y_pred: Any, input_length: Any, label_length: Any
) -> Any:
    """The CTC loss of each sequence, float[batch, 1].

    Args:
        y_true: int[batch, length]. y_pred: float[batch, time, classes], probabilities.
        input_length, label_length: int[batch, 1].
    """
    lengths = cast(squeeze(input_length, [-1]), "int32")
    labels = ctc_label_dense_to_sparse(
        cast(y_true, "int32"), cast(squeeze(label_length, [-1]), "int32")
    )
    return expand_dims(ctc_loss(labels, _log_steps(y_pred), lengths), 1)


def _log_steps(y_pred):
    """Probabilities [batch, time, classes] as logits, time first."""
    return log(transpose(y_pred, (1, 0, 2)) + defaults.epsilon())


def ctc_decode(
    y_pred: Any, input_length: Any, greedy: Any = True, beam_width: Any = 100,
    top_paths: Any = 1,
) -> tuple[Any, ...]:  # fmt: skip
    """The most probable sequences: (list of int[batch, length], float[batch, paths]).

    Args:
        y_pred: float[batch, time, classes], probabilities. input_length: int[batch].
        greedy: whether the best class of each step is taken; else the best
            `top_paths` of a search that keeps `beam_width` beginnings.
    """
    logits, lengths = _log_steps(y_pred), cast(input_length, "int32")
    if greedy:
        decoded, score = ctc_greedy_decoder(logits, lengths)
    else:
        decoded, score = ctc_beam_search_decoder(
            logits, lengths, beam_width, top_paths, merge_repeated=False
        )
    return [sparse_tensor_to_dense(d, default_value=-1) for d in decoded], score
