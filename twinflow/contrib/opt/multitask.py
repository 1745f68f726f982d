"""An optimizer that leaves alone what a task does not concern."""

import functools
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.core.compare import equal
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.math.clip import clip_by_global_norm, global_norm
from twinflow.train.optimizer import Optimizer

_WRAPPED = (
    "_apply_dense", "_resource_apply_dense", "_apply_sparse", "_resource_apply_sparse",
)  # fmt: skip


class MultitaskOptimizerWrapper:
    """Leaves a variable and its slots alone where its gradient is all zeros.

    So the moments of the variables of one task do not fade while others are trained.

    Args:
        opt: the Optimizer.
    Raises:
        TypeError: `opt` is no Optimizer.
    Example:
        w = tfe.Variable(1.0)
        momentum = tf.train.MomentumOptimizer(0.5, 0.5)
        opt = tf.contrib.opt.MultitaskOptimizerWrapper(momentum)
        for slope in (1.0, 0.0):
            opt.apply_gradients([(tf.constant(slope), w)])
        w.numpy()  # 0.5
    """

    def __init__(self, opt: Optimizer) -> None:
        if not isinstance(opt, Optimizer):
            raise TypeError(
                "Supplied optimizer must be an instance of tf.train.Optimizer"
            )
        self._opt = opt
        for name in _WRAPPED:
            setattr(opt, name, _unless_zero(getattr(opt, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opt, name)


def _unless_zero(apply):
    """A way of updating that does nothing where the gradient is all zeros."""

    @functools.wraps(apply)
    def wrapped(grad, *args, **kwargs):
        values = getattr(grad, "values", grad)

        def update():
            done = apply(grad, *args, **kwargs)
            with control_dependencies([] if done is None or done == [] else [done]):
                return no_op()

        return cond(reduce_all(equal(values, 0)), no_op, update)

    return wrapped


def clip_gradients_by_global_norm(
    gradients_variables: Any, clip_norm: float = 20.0
) -> tuple[list[tuple[Any, ...]], Tensor]:
    """Clip gradients by the norm of all of them.

    Args:
        gradients_variables: (gradient, variable) pairs, as compute_gradients gives.
        clip_norm: the greatest norm.
    Returns:
        The pairs with new gradients, where None stays, and the norm before.
    Example:
        w = tfe.Variable([0.0, 0.0])
        pairs = [(tf.constant([3.0, 4.0]), w)]
        pairs, norm = tf.contrib.opt.clip_gradients_by_global_norm(pairs, 2.5)
        norm  # 5.0
        pairs[0][0]  # [1.5, 2.0]
    """
    grads, variables = zip(*gradients_variables, strict=True)
    norm = global_norm(grads)
    clipped, _ = clip_by_global_norm(list(grads), clip_norm, use_norm=norm)
    return list(zip(clipped, variables, strict=True)), norm
