"""Estimators with recurrent cells over columns of sequences."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import Path
from twinflow.contrib.estimator.extenders import clip_gradients_by_norm
from twinflow.contrib.feature_column.sequences import sequence_input_layer
from twinflow.estimator.canned.baseline import check_features
from twinflow.estimator.canned.binary_head import binary_logistic_or_multi_class_head
from twinflow.estimator.canned.linear import partitioner_of
from twinflow.estimator.canned.optimizers import get_optimizer_instance
from twinflow.estimator.estimator import Estimator
from twinflow.feature_column.layers import input_layer
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import variable_scope
from twinflow.layers.core import dense
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import range
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import concat, stack, tile
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.random.initializers import GlorotUniform
from twinflow.rnn.cells.basic import BasicRNNCell, GRUCell
from twinflow.rnn.cells.lstm import BasicLSTMCell
from twinflow.rnn.cells.multi import MultiRNNCell
from twinflow.rnn.dynamic import dynamic_rnn
from twinflow.train.optimizer import Optimizer

USE_DEFAULT = object()
_LEARNING_RATE, _CLIP_NORM = 0.05, 5.0
_CELLS = {"basic_rnn": BasicRNNCell, "lstm": BasicLSTMCell, "gru": GRUCell}


def single_rnn_cell(num_units, cell_type):
    """A cell: of a name, or of a class.

    Raises:
        ValueError: there is none of the name.
    """
    if cell_type == USE_DEFAULT:
        cell_type = "basic_rnn"
    made = _CELLS.get(cell_type, cell_type) if isinstance(cell_type, str) else cell_type
    if not isinstance(made, type):
        raise ValueError(
            f"The supported cell types are {sorted(_CELLS)} and subclasses of RNNCell; "
            f"given: {cell_type}"
        )
    return made(num_units=num_units)


def make_rnn_cell_fn(num_units, cell_type="basic_rnn"):
    """A function of the mode that gives one cell, or several on top of each other."""

    def rnn_cell_fn(mode):
        del mode
        cells = [single_rnn_cell(n, cell_type) for n in num_units]
        return cells[0] if len(cells) == 1 else MultiRNNCell(cells)

    return rnn_cell_fn


def concatenate_context_input(sequence_input, context_input):
    """The numbers of the sequences, and those of the context beside each step.

    Args:
        sequence_input: float[batch, steps, n]. context_input: float[batch, m].
    Returns:
        float[batch, steps, n + m]
    """
    steps = shape(sequence_input)[1]
    spread = tile(expand_dims(context_input, 1), stack([1, steps, 1]))
    return concat([sequence_input, spread], 2)


def select_last_activations(activations, sequence_lengths):
    """What comes out at the last step of each sequence: float[batch, n]."""
    with name_scope(None, "select_last_activations", [activations, sequence_lengths]):
        rows = range(shape(activations)[0])
        last = cast(sequence_lengths, dtypes.int32) - 1
        return gather_nd(activations, stack([rows, last], axis=1))


def rnn_logit_fn_builder(
    output_units, rnn_cell_fn, sequence_feature_columns, context_feature_columns,
    input_layer_partitioner,
):  # fmt: skip
    """A function of features and mode that gives the logits of recurrent cells.

    Raises:
        ValueError: `output_units` is no int.
    """
    if not isinstance(output_units, int):
        raise ValueError(
            f"output_units must be an int.  Given type: {type(output_units)}"
        )

    def rnn_logit_fn(features, mode):
        with variable_scope(
            "sequence_input_layer", values=tuple(features.values()),
            partitioner=input_layer_partitioner,
        ):  # fmt: skip
            inputs, lengths = sequence_input_layer(
                features=features, feature_columns=sequence_feature_columns
            )
        if context_feature_columns:
            with variable_scope(
                "context_input_layer", values=tuple(features.values()),
                partitioner=input_layer_partitioner,
            ):  # fmt: skip
                context = input_layer(
                    features=features, feature_columns=context_feature_columns
                )
            inputs = concatenate_context_input(inputs, context)
        outputs, _ = dynamic_rnn(
            rnn_cell_fn(mode), inputs, sequence_length=lengths, dtype=dtypes.float32
        )
        last = select_last_activations(outputs, lengths)
        with variable_scope("logits", values=(outputs,)):
            return dense(last, output_units, kernel_initializer=GlorotUniform())

    return rnn_logit_fn


def rnn_model_fn(
    features, labels, mode, head, rnn_cell_fn, sequence_feature_columns,
    context_feature_columns, optimizer="Adagrad", input_layer_partitioner=None,
    config=None,
):  # fmt: skip
    """The EstimatorSpec of recurrent cells."""
    check_features(features)
    if not isinstance(optimizer, Optimizer):  # whose gradients are left as they are
        optimizer = get_optimizer_instance(optimizer, learning_rate=_LEARNING_RATE)
        optimizer = clip_gradients_by_norm(optimizer, _CLIP_NORM)
    inner = input_layer_partitioner or partitioner_of(config, 64 << 20)
    with variable_scope(
        "rnn", values=tuple(features.values()), partitioner=partitioner_of(config)
    ):
        logit_fn = rnn_logit_fn_builder(
            head.logits_dimension, rnn_cell_fn, sequence_feature_columns,
            context_feature_columns, inner,
        )  # fmt: skip
        return head.create_estimator_spec(
            features=features, mode=mode, labels=labels, optimizer=optimizer,
            logits=logit_fn(features=features, mode=mode),
        )  # fmt: skip


def _model_fn_of(head, num_units, cell_type, rnn_cell_fn, columns, optimizer, inner):
    """The model function of a recurrent Estimator with a head."""
    if rnn_cell_fn is not None and (
        num_units is not None or cell_type is not USE_DEFAULT
    ):
        raise ValueError(
            "num_units and cell_type must not be specified when using rnn_cell_fn"
        )
    made = rnn_cell_fn or make_rnn_cell_fn(num_units, cell_type)
    sequences, context = (tuple(some or ()) for some in columns)

    def model_fn(features, labels, mode, config):
        return rnn_model_fn(
            features, labels, mode, head, made, sequences, context, optimizer, inner,
            config,
        )  # fmt: skip

    return model_fn


class RNNClassifier(Estimator):
    """Recurrent cells that predict classes of sequences.

    Args:
        sequence_feature_columns: columns of tf.contrib.feature_column.
        context_feature_columns: columns of numbers of tf.feature_column, the same for
            all steps.
        num_units: how many units each cell has. cell_type: "basic_rnn", "lstm", "gru"
            or a class. rnn_cell_fn: from the mode to a cell, in place of both.
        model_dir, n_classes, weight_column, label_vocabulary, optimizer,
        loss_reduction, input_layer_partitioner, config: see
            tf.estimator.DNNClassifier.
    Raises:
        ValueError: units or a type are given beside `rnn_cell_fn`.
    Example:
        price = tf.contrib.feature_column.sequence_numeric_column("price")
        estimator = tf.contrib.estimator.RNNClassifier([price], num_units=[2])
        def input_fn():
            prices = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1., 2., 3.], [2, 2])
            return {"price": prices}, tf.constant([[0], [1]])
        estimator.train(input_fn, steps=1)
        estimator.get_variable_value("rnn/rnn/basic_rnn_cell/kernel").shape  # (3, 2)
    """

    def __init__(
        self, sequence_feature_columns: Any, context_feature_columns: Any = None,
        num_units: Any = None, cell_type: Any = USE_DEFAULT,
        rnn_cell_fn: Callable[..., Any] | None = None, model_dir: Path | None = None,
        n_classes: int = 2, weight_column: Any = None, label_vocabulary: Any = None,
        optimizer: Any = "Adagrad",
        loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
        input_layer_partitioner: Any = None, config: Any = None,
    ) -> None:  # fmt: skip
        head = binary_logistic_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        columns = sequence_feature_columns, context_feature_columns
        super().__init__(
            _model_fn_of(head, num_units, cell_type, rnn_cell_fn, columns, optimizer,
                         input_layer_partitioner),
            model_dir, config,
        )  # fmt: skip


class RNNEstimator(Estimator):
    """Recurrent cells over sequences, with any head.

    Args:
        head: see tf.contrib.estimator.multi_class_head and its sisters.
        The others: see RNNClassifier.
    Raises:
        ValueError: units or a type are given beside `rnn_cell_fn`.
    Example:
        price = tf.contrib.feature_column.sequence_numeric_column("price")
        head = tf.contrib.estimator.regression_head()
        estimator = tf.contrib.estimator.RNNEstimator(head, [price], num_units=[2])
        def input_fn():
            prices = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1., 2., 3.], [2, 2])
            return {"price": prices}, tf.constant([[0.5], [1.0]])
        estimator.train(input_fn, steps=1)
    """

    def __init__(
        self, head: Any, sequence_feature_columns: Any,
        context_feature_columns: Any = None, num_units: Any = None,
        cell_type: Any = USE_DEFAULT, rnn_cell_fn: Callable[..., Any] | None = None,
        model_dir: Path | None = None, optimizer: Any = "Adagrad",
        input_layer_partitioner: Any = None, config: Any = None,
    ) -> None:  # fmt: skip
        columns = sequence_feature_columns, context_feature_columns
        super().__init__(
            _model_fn_of(head, num_units, cell_type, rnn_cell_fn, columns, optimizer,
                         input_layer_partitioner),
            model_dir, config,
        )  # fmt: skip
