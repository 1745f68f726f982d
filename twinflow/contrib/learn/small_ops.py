"""The ops of tf.contrib.learn.ops: losses, embeddings, sequences."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.losses.losses import mean_squared_error, softmax_cross_entropy
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import stack, unstack
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.nn.bias import xw_plus_b
from twinflow.ops.nn.loss import softmax_cross_entropy_with_logits
from twinflow.ops.nn.softmax import softmax
from twinflow.rnn.static import static_rnn


def mean_squared_error_regressor(
    tensor_in: TensorValue, labels: TensorValue, weights: TensorValue,
    biases: TensorValue, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Linear predictions and their mean squared error.

    Args:
        tensor_in: float[n, d]. labels: float[n] or [n, k]. weights: float[d, k].
        biases: float[k]. name: the scope of the ops.
    Returns:
        (float[n, k], or [n] like the labels; float[])
    """
    with name_scope(name, "mean_squared_error_regressor", [tensor_in, labels]):
        found, labels = xw_plus_b(tensor_in, weights, biases), convert_to_tensor(labels)
        if labels.shape.ndims == 1 and found.shape.ndims == 2:
            found = found[:, 0]
        return found, mean_squared_error(labels, found)


def softmax_classifier(
    tensor_in: TensorValue, labels: TensorValue, weights: TensorValue,
    biases: TensorValue, class_weight: Any = None, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Probabilities of classes and their mean cross entropy.

    Args:
        tensor_in: float[n, d]. labels: float[n, classes], ones and zeros.
        weights: float[d, classes]. biases: float[classes].
        class_weight: float[classes], factors of the logits in the loss.
        name: the scope of the ops.
    Returns:
        (float[n, classes], float[])
    """
    with name_scope(name, "softmax_classifier", [tensor_in, labels]):
        logits = xw_plus_b(tensor_in, weights, biases)
        if class_weight is not None:
            logits = logits * class_weight
        return softmax(logits), softmax_cross_entropy(labels, logits)


def embedding_lookup(
    params: TensorValue, ids: TensorValue, name: str = "embedding_lookup"
) -> Tensor:
    """The rows of a matrix: shape of ids + [row].

    Args:
        params: float[rows, d]. ids: int of any shape. name: the scope of the ops.
    """
    with name_scope(name, "embedding_lookup", [params, ids]):
        return gather(convert_to_tensor(params), ids)


def categorical_variable(
    tensor_in: TensorValue, n_classes: int, embedding_size: int, name: str
) -> Tensor:
    """The embeddings of classes: float32, shape of tensor_in + [embedding_size].

    Args:
        tensor_in: int64 of any shape, the classes. n_classes: how many there are.
        embedding_size: of a vector. name: of the variable scope.
    """
    with variable_scope(name):
        shape = [n_classes, embedding_size]
        return embedding_lookup(get_variable(f"{name}_embeddings", shape), tensor_in)


def seq2seq_inputs(
    x: TensorValue, y: TensorValue, input_length: int, output_length: int,
    sentinel: Any = None, name: str | None = None,
) -> tuple[list[Any], list[Any], list[Any]]:  # fmt: skip
    """The inputs of an encoder and a decoder, and what the decoder should give.

    Args:
        x: float[n, input_length, d]. y: float[n, output_length, d].
        input_length, output_length: the numbers of steps.
        sentinel: what comes before and after y; zeros if None. name: of the scope.
    Returns:
        Lists of float[n, d]: of x; of the sentinel and y; of y and the sentinel.
    """
    with name_scope(name, "seq2seq_inputs", [x, y]):
        inputs, wanted = unstack(x, input_length, 1), unstack(y, output_length, 1)
        if sentinel is None:
            sentinel = zeros_like(wanted[0])
        return inputs, [sentinel, *wanted], [*wanted, sentinel]


def rnn_decoder(
    decoder_inputs: list[Any], initial_state: Any, cell: Any, scope: Any = None
) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """The outputs of a cell on its inputs, and those on its own outputs.

    Args:
        decoder_inputs: tensors [n, d], a step each. initial_state: of the cell.
        cell: an RNNCell. scope: the variable scope.
    Returns:
        outputs and states on the inputs; outputs and states on the last outputs.
    """
    with variable_scope(scope or "dnn_decoder") as own:
        states, outputs = [initial_state], []
        own_states, own_outputs = [initial_state], []
        for i, x in enumerate(decoder_inputs):
            if i:
                own.reuse_variables()
            output, state = cell(x, states[-1])
            outputs.append(output)
            states.append(state)
            if i:
                output, state = cell(own_outputs[-1], own_states[-1])
            own_outputs.append(output)
            own_states.append(state)
        return outputs, states, own_outputs, own_states


def rnn_seq2seq(
    encoder_inputs: list[Any], decoder_inputs: list[Any], encoder_cell: Any,
    decoder_cell: Any = None, dtype: Any = dtypes.float32, scope: Any = None,
) -> tuple[list[Any], list[Any], list[Any], list[Any]]:  # fmt: skip
    """A decoder that begins where an encoder ended; see `rnn_decoder`.

    Args:
        encoder_inputs, decoder_inputs: tensors [n, d], a step each.
        encoder_cell, decoder_cell: RNNCells; one for both by default.
        dtype: of the state. scope: the variable scope.
    """
    with variable_scope(scope or "rnn_seq2seq"):
        _, state = static_rnn(encoder_cell, encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, decoder_cell or encoder_cell)


def sequence_classifier(
    decoding: list[Any],
    labels: list[Any],
    sampling_decoding: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Probabilities of classes at each step, and the sum of their cross entropies.

    Args:
        decoding: tensors [n, classes], the logits of a step each. labels: likewise.
        sampling_decoding: logits for the probabilities; `decoding` if None.
        name: the scope of the ops.
    Returns:
        (float[n, steps, classes], float[])
    """
    with name_scope(name, "sequence_classifier", [decoding, labels]):
        losses = [
            softmax_cross_entropy_with_logits(labels=y, logits=x)
            for x, y in zip(decoding, labels)
        ]
        found = [softmax(x) for x in sampling_decoding or decoding]
        return stack(found, 1), reduce_sum(add_n(losses))
