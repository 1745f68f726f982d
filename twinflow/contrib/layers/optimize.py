"""optimize_loss of tf.contrib.layers: a training step in one call."""

from typing import Any

from twinflow.graph.scopes import (
    get_collection,
    with_dependencies,
)
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.shape import shape
from twinflow.ops.math.clip import clip_by_global_norm, global_norm
from twinflow.ops.random.draws import truncated_normal
from twinflow.ops.random.initializers import Constant
from twinflow.ops.variables.collections import GraphKeys, trainable_variables
from twinflow.summary.summaries import histogram, scalar
from twinflow.train.adagrad import AdagradOptimizer
from twinflow.train.adam import AdamOptimizer
from twinflow.train.ftrl import FtrlOptimizer
from twinflow.train.gradient_descent import GradientDescentOptimizer
from twinflow.train.momentum import MomentumOptimizer
from twinflow.train.optimizer import Optimizer
from twinflow.train.rmsprop import RMSPropOptimizer
from twinflow.train.training_util import assert_global_step, get_global_step


def _momentum(learning_rate):
    return MomentumOptimizer(learning_rate, momentum=0.9)


OPTIMIZER_CLS_NAMES = {
    "Adagrad": AdagradOptimizer, "Adam": AdamOptimizer, "Ftrl": FtrlOptimizer,
    "Momentum": _momentum, "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
}  # fmt: skip
OPTIMIZER_SUMMARIES = [
    "learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm",
]  # fmt: skip


def optimize_loss(
    loss: Any, global_step: Any, learning_rate: Any, optimizer: Any,
    gradient_noise_scale: Any = None, gradient_multipliers: Any = None,
    clip_gradients: Any = None, learning_rate_decay_fn: Any = None,
    update_ops: Any = None, variables: Any = None, name: str | None = None,
    summaries: Any = None, colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> Any:  # fmt: skip
    """A tensor of the loss; computing it makes a training step.

    Args:
        loss: a scalar tensor. global_step: its variable; None = that of the graph.
        learning_rate: a float or scalar tensor, or None for the optimizer's own.
        optimizer: a name ("Adagrad", "Adam", "Ftrl", "Momentum", "RMSProp", "SGD"), a
            class, an optimizer, or a function of the learning rate.
        gradient_noise_scale: the deviation of noise to add to gradients.
        gradient_multipliers: {variable or its name: factor}.
        clip_gradients: the largest global norm of the gradients, or a function of
            pairs (gradient, variable) to such pairs.
        learning_rate_decay_fn: a function of learning rate and global step.
        update_ops: ops to run before; those of UPDATE_OPS if not given.
        variables: those to train; all trainable ones if not given.
        name: the variable scope, "OptimizeLoss" by default.
        summaries: which to make, of OPTIMIZER_SUMMARIES; the loss, the learning rate
            (where it decays) and the global norms by default.
        colocate_gradients_with_ops: accepted.
        increment_global_step: whether a step counts.
    Raises:
        ValueError: the optimizer or a summary is not known, or the learning rate is
            negative.
    Example:
        x = tf.get_variable("x", initializer=3.0)
        train = tf.contrib.layers.optimize_loss(
            x * x, None, 0.1, "SGD", clip_gradients=5.0)
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        sess.run(x)  # 2.5
    """
    loss = convert_to_tensor(loss)
    with variable_scope(name, "OptimizeLoss", [loss, global_step]):
        step = get_global_step() if global_step is None else global_step
        if step is not None:
            assert_global_step(step)
        updates = get_collection(GraphKeys.UPDATE_OPS)
        updates = list(updates if update_ops is None else update_ops)
        if updates:
            loss = with_dependencies(updates, loss)
        summaries = _checked(summaries)
        rate = _rate(learning_rate, learning_rate_decay_fn, step)
        if learning_rate_decay_fn is not None and rate is not None:
            _scalar("learning_rate", "learning_rate", rate, summaries)
        opt = _optimizer(optimizer, rate)
        variables = trainable_variables() if variables is None else variables
        pairs = opt.compute_gradients(loss, variables)
        if gradient_noise_scale is not None:
            pairs = [(_noisy(g, gradient_noise_scale), v) for g, v in pairs]
        if gradient_multipliers is not None:
            pairs = multiplied(pairs, gradient_multipliers)
        clipped = _clipped(pairs, clip_gradients, summaries)
        _scalar("loss", "loss", loss, summaries)
        pairs = _summarized(clipped, summaries, clip_gradients is not None)
        counted = step if increment_global_step else None
        done = opt.apply_gradients(pairs, global_step=counted, name="train")
        return with_dependencies([done], loss)


def _checked(summaries):
    """The names of the summaries; raises ValueError for one that is not known."""
    if summaries is None:
        return ["loss", "learning_rate", "global_gradient_norm"]
    for name in summaries:
        if name not in OPTIMIZER_SUMMARIES:
            known = ", ".join(OPTIMIZER_SUMMARIES)
            raise ValueError(
                f"Summaries should be one of [{known}], you provided {name}."
            )
    return summaries


def _scalar(kind, name, value, summaries):
    if kind in summaries:
        scalar(name, value() if callable(value) else value)


def _norm_of_all(name, pairs, summaries):
    if "global_gradient_norm" in summaries or "gradient_norm" in summaries:
        scalar(name, global_norm([g for g, _ in pairs]))


def _clipped(pairs, how, summaries):
    """The pairs with their gradients clipped."""
    _norm_of_all("global_norm/gradient_norm", pairs, summaries)
    if callable(how):
        return how(pairs)
    if how is None:
        return pairs
    if not isinstance(how, float | int):
        raise ValueError(f"Unknown type {type(how)} for clip_gradients")
    grads, _ = clip_by_global_norm([g for g, _ in pairs], float(how))
    return [(g, v) for g, (_, v) in zip(grads, pairs, strict=True)]


def _summarized(pairs, summaries, clipped):
    """The pairs, with summaries of their gradients."""
    for grad, v in pairs:
        if grad is None:
            continue
        values = grad.values if isinstance(grad, IndexedSlices) else grad
        name = v.name.replace(":", "_")
        if "gradients" in summaries:
            histogram(f"gradients/{name}", values)
        _scalar(
            "gradient_norm", f"gradient_norm/{name}",
            lambda t=values: global_norm([t]), summaries,
        )  # fmt: skip
    if clipped:
        _norm_of_all("global_norm/clipped_gradient_norm", pairs, summaries)
    return pairs


def _rate(learning_rate, decay, step):
    """The learning rate, kept in a variable, and decayed."""
    if learning_rate is None:
        return None
    if hasattr(learning_rate, "dtype"):
        rate = learning_rate
    elif isinstance(learning_rate, float):
        if learning_rate < 0.0:
            raise ValueError("Invalid learning_rate %s.", learning_rate)
        rate = get_variable(
            "learning_rate", [], trainable=False, initializer=Constant(learning_rate)
        )
    else:
        raise ValueError(
            "Learning rate should be 0d Tensor or float. Got "
            f"{learning_rate} of type {type(learning_rate)}"
        )
    if decay is None:
        return rate
    if step is None:
        raise ValueError("global_step is required for learning_rate_decay_fn.")
    return decay(rate, step)


def _optimizer(optimizer, rate):
    if isinstance(optimizer, str):
        if optimizer not in OPTIMIZER_CLS_NAMES:
            known = ", ".join(sorted(OPTIMIZER_CLS_NAMES))
            raise ValueError(
                f"Optimizer name should be one of [{known}], you provided {optimizer}."
            )
        if rate is None:
            raise ValueError("Learning rate is None, but should be specified if "
                             f"optimizer is string ({optimizer}).")  # fmt: skip
        return OPTIMIZER_CLS_NAMES[optimizer](learning_rate=rate)
    if isinstance(optimizer, Optimizer):
        return optimizer
    if isinstance(optimizer, type) and issubclass(optimizer, Optimizer):
        return optimizer(learning_rate=rate)
    if callable(optimizer):
        made = optimizer() if rate is None else optimizer(rate)
        if not isinstance(made, Optimizer):
            raise ValueError(
                "Unrecognized optimizer: function should return subclass of Optimizer. "
                f"Got {made}."
            )
        return made
    raise ValueError(
        "Unrecognized optimizer: should be string, subclass of Optimizer, instance of "
        f"subclass of Optimizer or function with one argument. Got {optimizer}."
    )


def _noisy(grad, scale):
    if grad is None:
        return None
    sizes = grad.dense_shape if isinstance(grad, IndexedSlices) else shape(grad)
    return grad + truncated_normal(sizes) * scale


def multiplied(pairs: Any, factors: Any) -> Any:
    """Pairs of (gradient, variable) with some gradients multiplied.

    Args:
        pairs: a list. factors: {variable or its name: factor}.
    """
    found = []
    for grad, v in pairs:
        known = v in factors or v.name in factors
        if grad is not None and known:
            factor = convert_to_tensor(factors[v] if v in factors else factors[v.name])
            grad = _scaled(grad, factor)
        found.append((grad, v))
    return found


def _scaled(grad, factor):
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
    return grad * factor
