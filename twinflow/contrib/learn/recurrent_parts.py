"""Cells, states and predictions of the recurrent models of tf.contrib.learn."""

from typing import Any

from twinflow.base import nest
from twinflow.base.tensor import Tensor
from twinflow.contrib.learn.keys import PredictionKey, ProblemType
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.metrics.means import accuracy
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.arrays.gather_batch import sequence_mask
from twinflow.ops.core.constant import identity
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import concat, stack, tile
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.debugging.checks import assert_equal
from twinflow.ops.debugging.static import assert_rank
from twinflow.ops.math.positions import argmax
from twinflow.rnn.cells.base import RNNCell
from twinflow.rnn.cells.basic import BasicRNNCell, GRUCell
from twinflow.rnn.cells.lstm import LSTMCell
from twinflow.rnn.cells.multi import MultiRNNCell
from twinflow.rnn.cells.wrappers import DropoutWrapper

_CELLS = {"basic_rnn": BasicRNNCell, "lstm": LSTMCell, "gru": GRUCell}


class RNNKeys:
    """The names of features and predictions."""

    FINAL_STATE_KEY = "final_state"
    LABELS_KEY = "__labels__"
    SEQUENCE_LENGTH_KEY = "sequence_length"
    STATE_PREFIX = "rnn_cell_state"


class PredictionType:
    """Whether a model says something of each step, or of a sequence."""

    SINGLE_VALUE = 1
    MULTIPLE_VALUE = 2


# ---------------------------------------------------------------------- cells
def construct_rnn_cell(
    num_units: Any, cell_type: Any = "basic_rnn", dropout_keep_probabilities: Any = None
) -> RNNCell:
    """The cell of a model.

    Args:
        num_units: the sizes of its layers, an int or a list.
        cell_type: "basic_rnn", "lstm", "gru" or a class of cells.
        dropout_keep_probabilities: one more float or None than layers: what is kept of
            their inputs, and of the last one's output.
    Raises:
        ValueError: there is no such cell, or they are of another number.
    """
    kind = _CELLS.get(cell_type, cell_type)
    if not (isinstance(kind, type) and issubclass(kind, RNNCell)):
        raise ValueError(
            f"The supported cell types are {list(_CELLS)}; got {cell_type}"
        )
    sizes = num_units if isinstance(num_units, list | tuple) else [num_units]
    cells = [kind(num_units=size) for size in sizes]
    if dropout_keep_probabilities:
        cells = apply_dropout(cells, dropout_keep_probabilities)
    return cells[0] if len(cells) == 1 else MultiRNNCell(cells)


def apply_dropout(
    cells: list, dropout_keep_probabilities: list, random_seed: Any = None
) -> list:
    """Cells with dropout of their inputs, the last one of its output too.

    Raises:
        ValueError: there is not one number more than cells.
    """
    kept, count = dropout_keep_probabilities, len(cells)
    if len(kept) != count + 1:
        raise ValueError(
            "The number of dropout probabilities must be one greater than the number "
            f"of cells. Got {count} cells and {len(kept)} dropout probabilities."
        )
    outputs = [1.0] * (count - 1) + [kept[-1]]
    return [
        DropoutWrapper(cell, kept[i], outputs[i], seed=random_seed)
        for i, cell in enumerate(cells)
    ]


# ---------------------------------------------------------------------- states
def state_tuple_to_dict(state: Any) -> dict:
    """The tensors of a state by their names, "rnn_cell_state_0" and so on."""
    names = _state_names(state)
    return {
        name: None if part is None else identity(part, name=name)
        for name, part in zip(names, nest.flatten(state), strict=True)
    }


def dict_to_state_tuple(input_dict: dict, cell: RNNCell) -> Any:
    """The state of a cell that features hold; None if they hold none.

    Raises:
        ValueError: they hold a part of it.
    """
    sizes, found = nest.flatten(cell.state_size), []
    for name, size in zip(_state_names(cell.state_size), sizes, strict=True):
        part = input_dict.get(name)
        if part is not None:
            checks = [assert_rank(part, 2), assert_equal(shape(part)[1], size)]
            with control_dependencies([c for c in checks if c is not None]):
                found.append(identity(part, name=name))
    if not found:
        return None
    if len(found) != len(sizes):
        raise ValueError(
            "RNN state was partially specified."
            f"Expected zero or {len(sizes)} state Tensors; got {len(found)}"
        )
    return nest.pack_sequence_as(cell.state_size, found)


def _state_names(state: Any) -> list[str]:
    count = len(nest.flatten(state))
    return [f"{RNNKeys.STATE_PREFIX}_{i}" for i in range(count)]


# ---------------------------------------------------------------------- steps
def with_context(sequence: Tensor, context: Tensor) -> Tensor:
    """Each step of [batch, steps, n] with [batch, k] beside it."""
    repeated = tile(expand_dims(context, 1), stack([1, shape(sequence)[1], 1]))
    return concat([sequence, repeated], 2)


def select_last_activations(activations: Tensor, sequence_lengths: Any) -> Tensor:
    """[batch, k]: the last step of each sequence; of the whole ones where None."""
    with name_scope("select_last_activations"):
        if sequence_lengths is None:
            return activations[:, -1]
        rows = range_of(shape(activations)[0])
        found = gather_nd(activations, stack([rows, sequence_lengths - 1], 1))
        known = activations.get_shape()
        found.set_shape([known[0], known[2]])
        return found


def mask_activations_and_labels(
    activations: Tensor, labels: Tensor, sequence_lengths: Any
) -> tuple[Tensor, Tensor]:
    """The steps that belong to sequences, one after the other, and their labels."""
    with name_scope("mask_activations_and_labels"):
        if sequence_lengths is None:
            count = shape(labels)[0] * shape(labels)[1]
            return reshape(activations, stack([count, -1])), reshape(labels, [-1])
        mask = sequence_mask(sequence_lengths, shape(labels)[1])
        return boolean_mask(activations, mask), boolean_mask(labels, mask)


# ---------------------------------------------------------------------- predictions
def predictions_of(
    flat: Tensor, target_column: Any, problem_type: int, probable: bool, steps: Any
) -> dict:
    """What logits say.

    Args:
        flat: float[n, k]. steps: the shape before the last axis, or None: [n].
        probable: whether the probabilities of classes are wanted.
    """
    found, name = {}, PredictionKey.SCORES
    if problem_type == ProblemType.CLASSIFICATION:
        name = PredictionKey.CLASSES
    if probable:
        chances = target_column.logits_to_predictions(flat, proba=True)
        told = argmax(chances, 1)
        if steps is not None:
            last = shape(chances)[1:]
            chances = reshape(chances, concat([steps, last], 0))
        found[PredictionKey.PROBABILITIES] = identity(
            chances, name=PredictionKey.PROBABILITIES
        )
    else:
        told = target_column.logits_to_predictions(flat, proba=False)
    sizes = shape(flat)[:1] if steps is None else steps
    found[name] = reshape(told, sizes, name=name)
    return found


def multi_value_predictions(
    activations: Tensor, target_column: Any, problem_type: int,
    predict_probabilities: bool,
) -> dict:  # fmt: skip
    """Predictions of each step, of logits float[batch, steps, k]."""
    with name_scope("MultiValuePrediction"):
        sizes = shape(activations)
        flat = reshape(activations, stack([-1, sizes[2]]))
        flat.set_shape([None, activations.get_shape()[2]])
        return predictions_of(
            flat, target_column, problem_type, predict_probabilities, sizes[:2]
        )


def get_eval_metric_ops(
    problem_type: int, prediction_type: int, sequence_length: Any,
    prediction_dict: dict, labels: Tensor,
) -> dict:  # fmt: skip
    """The accuracy of classes; nothing for numbers."""
    if problem_type != ProblemType.CLASSIFICATION:
        return {}
    told = prediction_dict[PredictionKey.CLASSES]
    if prediction_type == PredictionType.MULTIPLE_VALUE:
        told, labels = mask_activations_and_labels(told, labels, sequence_length)
        told = reshape(told, [-1])
    return {"accuracy": accuracy(labels, told)}
