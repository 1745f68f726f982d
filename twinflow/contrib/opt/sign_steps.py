"""Steps that are longer where a gradient and its mean over time have one sign.

`alpha + f * s` (AddSign) or `base ** (f * s)` (PowerSign) scales the gradient; s is 1
where both have one sign and -1 where not, and f(t) may let that fade away.
"""

import math
from collections.abc import Callable
from typing import Any

from twinflow.graph.scopes import group
from twinflow.ops.core.elementwise import exp
from twinflow.ops.core.index import IndexedSlices, gather
from twinflow.ops.core.magnitude import sign
from twinflow.ops.variables import state
from twinflow.ops.variables.training_adaptive import ADD_SIGN, POWER_SIGN
from twinflow.ops.variables.training_forms import as_number, update
from twinflow.train.optimizer import Optimizer


class _SignOptimizer(Optimizer):
    """What both have: the mean `m` of the gradients, and what fades the signs."""

    _family: Any
    _sign_decay_fn: Callable[..., Any] | None
    _beta: Any
    _lr: Any
    _global_step: Any = None

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Optimizer.apply_gradients; `global_step` is what `sign_decay_fn` takes."""
        self._global_step = global_step
        return super().apply_gradients(grads_and_vars, global_step, name)

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "m", self._name)

    def _prepare(self):
        self._lr_t = self._number(self._lr, "learning_rate")
        self._beta_t = self._number(self._beta, "beta")
        fading = 1.0
        if self._sign_decay_fn is not None:
            fading = self._sign_decay_fn(self._global_step)
        self._sign_decay_t = self._number(fading, "sign_decay")

    def _weight(self):
        """The number beside the signs."""
        raise NotImplementedError

    def _scale(self, weight, agreement):
        """The factor of the gradient."""
        raise NotImplementedError

    def _update(self, grad, var, indices=None):
        m = self._slots["m"][var]
        numbers = [self._lr_t, self._weight(), self._sign_decay_t, self._beta_t]
        if indices is None:
            inputs = [*numbers, grad]
            return update(self._family, [var, m], inputs, None, self._use_locking)
        return self._update_rows(grad, var, m, numbers, indices)

    _resource_apply_dense = _update

    def _update_rows(self, grad, var, m, numbers, indices):
        dtype = var.dtype.base_dtype
        rate, weight, fading, beta = (as_number(n, dtype) for n in numbers)
        rows = IndexedSlices(grad * (1 - beta), indices, var.shape.as_list())
        m_t = state.assign(m, m * beta + rows, use_locking=self._use_locking)
        agreement = fading * (sign(gather(m_t, indices)) * sign(grad))
        step = rate * self._scale(weight, agreement) * grad
        done = var.scatter_sub(IndexedSlices(step, indices))
        return group(done, m_t)


class AddSignOptimizer(_SignOptimizer):
    """Scales the gradient by ``alpha + f(t) * sign(dw) * sign(m)``.

    m <- beta * m + (1 - beta) * dw
    w <- w - learning_rate * (alpha + f(t) * sign(dw) * sign(m)) * dw

    Args:
        learning_rate, alpha, beta: numbers or scalar tensors.
        sign_decay_fn: f, a function of the global step; 1 if not given.
        use_locking: accepted. name: the name of the train op and of the slot.
    Example:
        w = tfe.Variable(3.0)
        tf.contrib.opt.AddSignOptimizer(0.125).minimize(lambda: w * w)
        w.numpy()  # 1.5
    Reference: Bello et al., Neural optimizer search with reinforcement learning (ICML
    2017).
    """

    _family = ADD_SIGN

    def __init__(
        self, learning_rate: Any = 0.1, alpha: Any = 1.0, beta: Any = 0.9,
        sign_decay_fn: Callable[..., Any] | None = None, use_locking: bool = False,
        name: str = "AddSignOptimizer",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._lr, self._alpha, self._beta = learning_rate, alpha, beta
        self._sign_decay_fn = sign_decay_fn

    def _weight(self):
        return self._alpha_t

    def _prepare(self):
        super()._prepare()
        self._alpha_t = self._number(self._alpha, "alpha")

    def _scale(self, weight, agreement):
        return weight + agreement


class PowerSignOptimizer(_SignOptimizer):
    """Scales the gradient by ``base ** (f(t) * sign(dw) * sign(m))``.

    m <- beta * m + (1 - beta) * dw
    w <- w - learning_rate * base ** (f(t) * sign(dw) * sign(m)) * dw

    Args:
        learning_rate, base, beta: numbers.
        sign_decay_fn: f, a function of the global step; 1 if not given.
        use_locking: accepted. name: the name of the train op and of the slot.
    Example:
        w = tfe.Variable(3.0)
        tf.contrib.opt.PowerSignOptimizer(0.125, base=2.0).minimize(lambda: w * w)
        w.numpy()  # 1.5
    Reference: Bello et al., Neural optimizer search with reinforcement learning (ICML
    2017).
    """

    _family = POWER_SIGN

    def __init__(
        self, learning_rate: Any = 0.1, base: Any = math.e, beta: Any = 0.9,
        sign_decay_fn: Callable[..., Any] | None = None, use_locking: bool = False,
        name: str = "PowerSignOptimizer",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._lr, self._beta = learning_rate, beta
        self._logbase = math.log(base)
        self._sign_decay_fn = sign_decay_fn

    def _weight(self):
        return self._logbase_t

    def _prepare(self):
        super()._prepare()
        self._logbase_t = self._number(self._logbase, "logbase")

    def _scale(self, weight, agreement):
        return exp(weight * agreement)
