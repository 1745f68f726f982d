"""Model functions on feature columns: linear, with hidden layers, and both."""

import math
from typing import Any

from twinflow.contrib.layers.column_base import _FeatureColumn
from twinflow.contrib.layers.column_layers import input_from_feature_columns
from twinflow.contrib.layers.column_linear import weighted_sum_from_feature_columns
from twinflow.contrib.layers.dense import fully_connected
from twinflow.contrib.layers.dense_columns import _EmbeddingColumn
from twinflow.contrib.layers.optimize import optimize_loss
from twinflow.contrib.layers.simple import dropout as drop
from twinflow.contrib.learn.dual_models import dual_model
from twinflow.contrib.learn.keys import ModeKeys
from twinflow.feature_column.layers import input_layer, linear_model
from twinflow.graph.partitioners import min_max_variable_partitioner
from twinflow.graph.scopes import group
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.math.clip import clip_by_global_norm
from twinflow.ops.nn.dropout import zero_fraction
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.summary import summaries
from twinflow.train import training_util
from twinflow.train.adagrad import AdagradOptimizer
from twinflow.train.ftrl import FtrlOptimizer

_DEEP_RATE, _WIDE_RATE = 0.05, 0.2
_DEEP, _WIDE = "dnn", "linear"
_INPUT = "input_from_feature_columns"


def by_name(features: Any) -> dict:
    """Features by name; a tensor alone has the name ""."""
    return dict(features) if isinstance(features, dict) else {"": features}


def _are_old(columns):
    return all(isinstance(c, _FeatureColumn) for c in columns)


def deep_logits(
    features, mode, columns, hidden_units, units, activation_fn, dropout, joint=False
):
    """The logits of hidden layers.

    Args:
        columns: feature columns of either kind. hidden_units: sizes of the layers.
        units: how many logits. dropout: which part is left out.
        joint: whether a linear model stands beside them.
    """
    with variable_scope(
        _INPUT, values=features.values(), partitioner=_slices(),
    ) as sc:  # fmt: skip
        if _are_old(columns):
            net = input_from_feature_columns(features, columns, [_DEEP], scope=sc)
        else:
            net = input_layer(features, columns, weight_collections=[_DEEP])
    options: dict = {"variables_collections": [_DEEP]}
    for i, size in enumerate(hidden_units):
        with variable_scope(f"hiddenlayer_{i}", values=[net]) as sc:
            net = fully_connected(net, size, activation_fn, scope=sc, **options)
            if dropout is not None and mode == ModeKeys.TRAIN:
                net = drop(net, keep_prob=1.0 - dropout)
        _summarize(net, sc.name, joint)
    with variable_scope("logits", values=[net]) as sc:
        net = fully_connected(net, units, None, scope=sc, **options)
    _summarize(net, sc.name, joint)
    return net


def _factors(multipliers):
    """{variable: factor of its gradient} of {embedding column: factor}; or None.

    Raises:
        ValueError: a column is no embedding, or has no variable here.
    """
    if not multipliers:
        return None
    found = {}
    for column, factor in multipliers.items():
        if not isinstance(column, _EmbeddingColumn):
            raise ValueError(
                "learning rate multipler can only be defined for embedding columns. "
                f"It is defined for {column}"
            )
        own = get_collection(_DEEP, f"{_DEEP}/{_INPUT}/{column.name}")
        if not own:
            raise ValueError(f"Couldn't find a variable for column {column}")
        found.update(dict.fromkeys(own, factor))
    return found


def _slices():
    """How variables are divided: they are not, and are called parts all the same."""
    return min_max_variable_partitioner(max_partitions=0, min_slice_size=64 << 20)


def _summarize(value, tag, joint):
    between = "/" if joint else "_"
    summaries.scalar(f"{tag}{between}fraction_of_zero_values", zero_fraction(value))
    summaries.histogram(f"{tag}{between}activation", value)


def wide_logits(features, columns, units):
    """The logits of a linear model."""
    parts = _slices()
    with variable_scope(_WIDE, values=features.values(), partitioner=parts) as scope:
        if _are_old(columns):
            found, _, _ = weighted_sum_from_feature_columns(
                features, columns, units, [_WIDE], scope=scope
            )
            return found
        return linear_model(features, columns, units, weight_collections=[_WIDE])


def _made(optimizer, rate):
    """An optimizer, of one, of a function that gives one, or of the default's."""
    if optimizer is None:
        return AdagradOptimizer(rate)
    return optimizer() if callable(optimizer) else optimizer


def wide_model(
    features, labels, mode, head, columns, optimizer=None, gradient_clip_norm=None
):
    """The ModelFnOps of a linear model."""
    if hasattr(optimizer, "get_train_step"):
        return dual_model(features, labels, mode, head, columns, optimizer)
    features = by_name(features)
    logits = wide_logits(features, columns, head.logits_dimension)

    def train_op_fn(loss):
        chosen = optimizer() if callable(optimizer) else optimizer
        if chosen is None:
            rate = min(_WIDE_RATE, 1.0 / math.sqrt(len(columns)))
            chosen = FtrlOptimizer(learning_rate=rate)
        step = training_util.get_or_create_global_step()
        variables = get_collection(GraphKeys.TRAINABLE_VARIABLES)
        pairs = chosen.compute_gradients(loss, variables)
        if gradient_clip_norm:
            grads, variables = zip(*pairs, strict=True)
            grads, _ = clip_by_global_norm(grads, gradient_clip_norm)
            pairs = list(zip(grads, variables, strict=True))
        return chosen.apply_gradients(pairs, global_step=step)

    return head.create_model_fn_ops(
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn,
        logits=logits,
    )  # fmt: skip


def deep_model(
    features, labels, mode, head, columns, hidden_units, optimizer=None,
    activation_fn=None, dropout=None, gradient_clip_norm=None, multipliers=None,
):  # fmt: skip
    """The ModelFnOps of hidden layers.

    Args:
        multipliers: {embedding column: factor of the learning rate of its numbers}.
    """
    features = by_name(features)
    parts = min_max_variable_partitioner(max_partitions=0)
    with variable_scope(_DEEP, values=features.values(), partitioner=parts):
        units = head.logits_dimension
        logits = deep_logits(
            features, mode, columns, hidden_units, units, activation_fn, dropout
        )

        def train_op_fn(loss):
            return optimize_loss(
                loss, training_util.get_or_create_global_step(), _DEEP_RATE,
                _made(optimizer, _DEEP_RATE), clip_gradients=gradient_clip_norm,
                name=_DEEP, summaries=[], gradient_multipliers=_factors(multipliers),
            )  # fmt: skip

        return head.create_model_fn_ops(
            features=features, mode=mode, labels=labels, train_op_fn=train_op_fn,
            logits=logits,
        )  # fmt: skip


def combined_model(
    features, labels, mode, head, linear_columns=(), linear_optimizer=None,
    dnn_columns=(), dnn_optimizer=None, dnn_hidden_units=None, activation_fn=None,
    dropout=None, gradient_clip_norm=None, once=False, multipliers=None,
):  # fmt: skip
    """The ModelFnOps of a linear model and hidden layers.

    Args:
        multipliers: see `deep_model`.
        once: count a step once; with both parts, it is counted twice otherwise.
    """
    features, parts = by_name(features), []
    units, logits = head.logits_dimension, None
    if dnn_columns:
        whole = min_max_variable_partitioner(max_partitions=0)
        with variable_scope(_DEEP, values=features.values(), partitioner=whole):
            logits = deep_logits(
                features, mode, dnn_columns, dnn_hidden_units, units, activation_fn,
                dropout, joint=True,
            )  # fmt: skip
        parts.append((_DEEP, dnn_optimizer, _DEEP_RATE))
    if linear_columns:
        more = wide_logits(features, linear_columns, units)
        logits = more if logits is None else logits + more
        rate = min(_WIDE_RATE, 1.0 / math.sqrt(len(linear_columns)))
        parts.append((_WIDE, linear_optimizer or FtrlOptimizer(rate), rate))

    def train_op_fn(loss):
        step = training_util.get_or_create_global_step()
        made = [
            optimize_loss(
                loss, step, rate, _made(optimizer, rate), name=name, summaries=[],
                clip_gradients=gradient_clip_norm, increment_global_step=not once,
                variables=get_collection(GraphKeys.TRAINABLE_VARIABLES, name),
                gradient_multipliers=_factors(multipliers) if name == _DEEP else None,
            )
            for name, optimizer, rate in parts
        ]  # fmt: skip
        return group(*made, *([step.assign_add(1)] if once else []))

    return head.create_model_fn_ops(
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn,
        logits=logits,
    )  # fmt: skip
