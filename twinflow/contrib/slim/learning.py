"""tf.contrib.slim.learning: training steps, and a loop that runs them."""

from typing import Any

from twinflow.base import logging
from twinflow.base.dispatch import current_mode
from twinflow.contrib.layers.optimize import multiplied
from twinflow.contrib.slim.training_loop import train, train_step
from twinflow.graph.scopes import (
    add_to_collection,
    get_collection,
    with_dependencies,
)
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.debugging.numbers import check_numerics as checked
from twinflow.ops.math.clip import clip_by_norm, global_norm
from twinflow.ops.variables.collections import GraphKeys, trainable_variables
from twinflow.summary import summaries
from twinflow.train.training_util import get_or_create_global_step

__all__ = [
    "add_gradients_summaries", "clip_gradient_norms", "create_train_op",
    "create_training_op", "multiply_gradients", "train", "train_step",
]  # fmt: skip
_OF_THE_GRAPH = 0


def clip_gradient_norms(gradients_to_variables: Any, max_norm: Any) -> Any:
    """Pairs of (gradient, variable) with each gradient cut to a norm."""
    return [
        (None if g is None else _clipped(g, max_norm), v)
        for g, v in gradients_to_variables
    ]


def _clipped(grad, max_norm):
    if isinstance(grad, IndexedSlices):
        values = clip_by_norm(grad.values, max_norm)
        return IndexedSlices(values, grad.indices, grad.dense_shape)
    return clip_by_norm(grad, max_norm)


def multiply_gradients(grads_and_vars: Any, gradient_multipliers: Any) -> Any:
    """Pairs of (gradient, variable) with some gradients multiplied.

    Args:
        gradient_multipliers: {variable or its name: factor}.
    Raises:
        ValueError: it is no dict, or a variable has no gradient.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    for grad, v in grads_and_vars:
        named = v in gradient_multipliers or v.op.name in gradient_multipliers
        if named and grad is None:
            raise ValueError("Requested multiple of `None` gradient.")
    factors = {
        v: gradient_multipliers.get(v, gradient_multipliers.get(v.op.name))
        for _, v in grads_and_vars
        if v in gradient_multipliers or v.op.name in gradient_multipliers
    }
    return multiplied(grads_and_vars, factors)


def add_gradients_summaries(grads_and_vars: Any) -> Any:
    """Summaries of each gradient: a histogram, and its norm.

    Args:
        grads_and_vars: pairs of (gradient, variable).
    Returns:
        The summaries, a list of string scalars.
    """
    found = []
    for grad, v in grads_and_vars:
        if grad is None:
            logging.info("Var %s has no gradient", v.op.name)
            continue
        values = grad.values if isinstance(grad, IndexedSlices) else grad
        found.append(summaries.histogram(f"{v.op.name}_gradient", values))
        norm = global_norm([values])
        found.append(summaries.scalar(f"{v.op.name}_gradient_norm", norm))
    return found


def create_training_op(
    total_loss: Any, optimizer: Any, global_step: Any = _OF_THE_GRAPH,
    update_ops: Any = None, variables_to_train: Any = None,
    transform_grads_fn: Any = None, summarize_gradients: bool = False,
    gate_gradients: Any = 1, aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False, check_numerics: bool = True,
) -> Any:  # fmt: skip
    """tf.contrib.training.create_train_op: `create_train_op`, its parts as a function.

    Args:
        transform_grads_fn: a function from pairs of (gradient, variable) to pairs.
        Others: see create_train_op.
    """
    if global_step is _OF_THE_GRAPH:
        global_step = get_or_create_global_step()
    updates = get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else update_ops
    if updates:
        total_loss = with_dependencies(list(updates), total_loss)
    pairs = optimizer.compute_gradients(
        total_loss, variables_to_train or trainable_variables(), gate_gradients,
        aggregation_method, colocate_gradients_with_ops,
    )  # fmt: skip
    if transform_grads_fn:
        pairs = transform_grads_fn(pairs)
    if summarize_gradients:
        with current_mode().name_scope("summarize_grads"):
            add_gradients_summaries(pairs)
    updated = optimizer.apply_gradients(pairs, global_step=global_step)
    with current_mode().name_scope("train_op"):
        if check_numerics:
            total_loss = checked(total_loss, "LossTensor is inf or nan")
        train_op = with_dependencies([updated], total_loss)
    add_to_collection(GraphKeys.TRAIN_OP, train_op)
    return train_op


def create_train_op(
    total_loss: Any, optimizer: Any, global_step: Any = _OF_THE_GRAPH,
    update_ops: Any = None, variables_to_train: Any = None, clip_gradient_norm: Any = 0,
    summarize_gradients: bool = False, gate_gradients: Any = 1,
    aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
    gradient_multipliers: Any = None, check_numerics: bool = True,
) -> Any:  # fmt: skip
    """A tensor of the loss; computing it makes a training step.

    Args:
        total_loss: a scalar tensor. optimizer: an optimizer.
        global_step: its variable; that of the graph if not given, None for none.
        update_ops: ops to run before; those of UPDATE_OPS if not given.
        variables_to_train: all trainable ones if not given.
        clip_gradient_norm: the largest norm of a gradient; 0 = none.
        summarize_gradients: whether to add summaries of the gradients.
        gate_gradients, aggregation_method, colocate_gradients_with_ops: see
            Optimizer.compute_gradients.
        gradient_multipliers: {variable or its name: factor}.
        check_numerics: whether a loss that is not finite is an error.
    Example:
        w = tf.get_variable("w", initializer=3.0)
        optimizer = tf.train.GradientDescentOptimizer(0.25)
        train_op = tf.contrib.slim.learning.create_train_op(w * w, optimizer)
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        sess.run(w)  # 1.5
    """

    def transformed(pairs):
        if gradient_multipliers:
            pairs = multiply_gradients(pairs, gradient_multipliers)
        if clip_gradient_norm > 0:
            pairs = clip_gradient_norms(pairs, clip_gradient_norm)
        return pairs

    return create_training_op(
        total_loss, optimizer, global_step, update_ops, variables_to_train, transformed,
        summarize_gradients, gate_gradients, aggregation_method,
        colocate_gradients_with_ops, check_numerics,
    )  # fmt: skip
