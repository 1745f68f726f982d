"""Optimizers that let the weights decay by themselves, beside the gradient."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.index import IndexedSlices, gather
from twinflow.train.adam import AdamOptimizer
from twinflow.train.momentum import MomentumOptimizer
from twinflow.train.optimizer import Optimizer


class DecoupledWeightDecayExtension:
    """Before an optimizer's class: before each step, w <- w - weight_decay * w.

    Args:
        weight_decay: a number, scalar tensor, or function that gives one.
        kwargs: for the optimizer.
    Reference: Loshchilov and Hutter, Decoupled weight decay regularization (ICLR 2019).
    """

    def __init__(self, weight_decay: Any, **kwargs: Any) -> None:
        self._decay_var_list: Any = None
        self._weight_decay = weight_decay
        super().__init__(**kwargs)

    def minimize(self, *args: Any, decay_var_list: Any = None, **kwargs: Any) -> Any:
        """Optimizer.minimize.

        Args:
            decay_var_list: the variables that decay; all by default.
        """
        self._decay_var_list = set(decay_var_list) if decay_var_list else None
        return super().minimize(*args, **kwargs)  # type: ignore[misc]

    def apply_gradients(
        self, *args: Any, decay_var_list: Any = None, **kwargs: Any
    ) -> Any:
        """Optimizer.apply_gradients; `decay_var_list` as in `minimize`."""
        if decay_var_list:
            self._decay_var_list = set(decay_var_list)
        return super().apply_gradients(*args, **kwargs)  # type: ignore[misc]

    def _prepare(self):
        decay = self._weight_decay
        decay = decay() if callable(decay) else decay
        self._weight_decay_tensor = convert_to_tensor(decay, name="weight_decay")
        super()._prepare()  # type: ignore[misc]

    def _decay_ops(self, var, indices):
        """What the step waits for: the decay of a variable, or of some of its rows."""
        if self._decay_var_list is not None and var not in self._decay_var_list:
            return []
        rate = cast(self._weight_decay_tensor, var.dtype.base_dtype)
        if indices is None:
            done = var.assign_sub(rate * var.value(), use_locking=self._use_locking)
            return [done]
        rows = IndexedSlices(rate * gather(var, indices), indices)
        return [var.scatter_sub(rows, use_locking=self._use_locking)]

    def _waiting(self, var, indices=None):
        return current_mode().control_dependencies(self._decay_ops(var, indices))

    def _apply_dense(self, grad, var):
        with self._waiting(var):
            return super()._apply_dense(grad, var)

    def _resource_apply_dense(self, grad, handle):
        with self._waiting(handle):
            return super()._resource_apply_dense(grad, handle)

    def _apply_sparse(self, grad, var):
        with self._waiting(var, grad.indices):
            return super()._apply_sparse(grad, var)

    def _resource_apply_sparse(self, grad, handle, indices):
        with self._waiting(handle, indices):
            return super()._resource_apply_sparse(grad, handle, indices)


def extend_with_decoupled_weight_decay(base_optimizer: type[Optimizer]) -> type[Any]:
    """A class of optimizers whose weights decay; its first argument is how much.

    Args:
        base_optimizer: a class of optimizers.
    Example:
        kind = tf.contrib.opt.extend_with_decoupled_weight_decay(
            tf.train.GradientDescentOptimizer
        )
        w = tfe.Variable(2.0)
        kind(weight_decay=0.5, learning_rate=0.25).minimize(lambda: w * w)
        w.numpy()  # 0.0
    """

    class OptimizerWithDecoupledWeightDecay(
        DecoupledWeightDecayExtension, base_optimizer  # type: ignore[valid-type,misc]
    ):  # fmt: skip
        def __init__(self, weight_decay: Any, *args: Any, **kwargs: Any) -> None:
            self._decay_var_list, self._weight_decay = None, weight_decay
            base_optimizer.__init__(self, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """MomentumOptimizer with decay.

    Args:
        weight_decay: see DecoupledWeightDecayExtension. Others: see MomentumOptimizer.
    """

    def __init__(
        self, weight_decay: Any, learning_rate: Any, momentum: Any,
        use_locking: bool = False, name: str = "MomentumW", use_nesterov: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(
            weight_decay, learning_rate=learning_rate, momentum=momentum,
            use_locking=use_locking, name=name, use_nesterov=use_nesterov,
        )  # fmt: skip


class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """AdamOptimizer with decay.

    Args:
        weight_decay: see DecoupledWeightDecayExtension. Others: see AdamOptimizer.
    """

    def __init__(
        self, weight_decay: Any, learning_rate: Any = 0.001, beta1: Any = 0.9,
        beta2: Any = 0.999, epsilon: Any = 1e-08, use_locking: bool = False,
        name: str = "AdamW",
    ) -> None:  # fmt: skip
        super().__init__(
            weight_decay, learning_rate=learning_rate, beta1=beta1, beta2=beta2,
            epsilon=epsilon, use_locking=use_locking, name=name,
        )  # fmt: skip
