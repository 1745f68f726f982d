"""How large the factor of a loss is, step by step."""

import abc
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.tensor import Tensor
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.core.arithmetic import multiply
from twinflow.ops.core.compare import greater_equal, where
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.magnitude import maximum
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.rounding import is_finite
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.state import assign


class LossScaleManager(abc.ABC):
    """What a manager of loss scales can do.

    Example:
        isinstance(tf.contrib.mixed_precision.FixedLossScaleManager(8.0),
                   tf.contrib.mixed_precision.LossScaleManager)  # True
    """

    @abc.abstractmethod
    def get_loss_scale(self) -> Any:
        """The factor of the loss, a float32 scalar."""

    @abc.abstractmethod
    def update_loss_scale(self, finite_grads: Any) -> Any:
        """Adapt the factor to whether all gradients of a step were finite (a bool)."""


class FixedLossScaleManager(LossScaleManager):
    """A factor that stays.

    Args:
        loss_scale: the factor, at least 1.
    Raises:
        ValueError: it is less than 1.
    Example:
        tf.contrib.mixed_precision.FixedLossScaleManager(8.0).get_loss_scale()  # 8.0
    """

    def __init__(self, loss_scale: float) -> None:
        if loss_scale < 1:
            raise ValueError("loss scale must be at least 1.")
        self._loss_scale = convert_to_tensor(loss_scale, dtype=dtypes.float32)

    def get_loss_scale(self) -> Tensor:
        """The factor, a float32 scalar."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        """Does nothing."""
        return no_op()


class ExponentialUpdateLossScaleManager(LossScaleManager):
    """A factor that grows while gradients are finite, and shrinks when they are not.

    Args:
        init_loss_scale: the factor at the start.
        incr_every_n_steps: after so many steps in a row with finite gradients it is
            multiplied by `incr_ratio`, if the product is finite.
        decr_every_n_nan_or_inf: after so many steps with others it is multiplied by
            `decr_ratio`; it stays at least 1.
        incr_ratio, decr_ratio: what it is multiplied by.
    Example:
        manager = tf.contrib.mixed_precision.ExponentialUpdateLossScaleManager(8.0, 1)
        _ = manager.update_loss_scale(True)
        manager.get_loss_scale().numpy()  # 16.0
    """

    def __init__(
        self, init_loss_scale: float, incr_every_n_steps: int,
        decr_every_n_nan_or_inf: int = 2, incr_ratio: float = 2,
        decr_ratio: float = 0.8,
    ) -> None:  # fmt: skip
        self._incr_every_n_steps = incr_every_n_steps
        self._decr_every_n_nan_or_inf = decr_every_n_nan_or_inf
        self._incr_ratio, self._decr_ratio = incr_ratio, decr_ratio
        self._loss_scale = _state("loss_scale", init_loss_scale, dtypes.float32)
        self._num_good_steps = _state("good_steps", 0, dtypes.int32)
        self._num_bad_steps = _state("bad_steps", 0, dtypes.int32)

    def get_loss_scale(self) -> Any:
        """The variable with the factor, a float32 scalar."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        """Count a step, and adapt the factor when it is time.

        Args:
            finite_grads: whether all gradients of the step were finite, a bool.
        Returns:
            What does so when it runs; eagerly None.
        """
        done = cond(convert_to_tensor(finite_grads), self._after_good, self._after_bad)
        return None if dispatch.current_mode().eager else done

    def _after_good(self) -> Any:
        grown = multiply(self._loss_scale, self._incr_ratio)
        grown = where(is_finite(grown), grown, convert_to_tensor(self._loss_scale))
        return self._count(
            self._num_good_steps, self._incr_every_n_steps, grown, self._num_bad_steps
        )

    def _after_bad(self) -> Any:
        shrunk = maximum(1.0, multiply(self._loss_scale, self._decr_ratio))
        return self._count(
            self._num_bad_steps, self._decr_every_n_nan_or_inf, shrunk, None
        )

    def _count(self, steps: Any, most: int, scale: Tensor, other: Any) -> Any:
        """One more step of a kind; after `most` of them there is another scale.

        Args:
            other: the steps of the other kind, if they go on being counted.
        """

        def change() -> Any:
            both = self._num_good_steps, self._num_bad_steps
            return _done(assign(self._loss_scale, scale), *(assign(s, 0) for s in both))

        def go_on() -> Any:
            found = [assign(steps, count)]
            if other is None:
                found.append(assign(self._num_good_steps, 0))
            return _done(*found)

        count = convert_to_tensor(steps) + 1
        return cond(greater_equal(count, most), change, go_on)


def _state(name: str, value: float, dtype: Any) -> Any:
    return Variable(value, trainable=False, name=name, dtype=dtype)


def _done(*updates: Any) -> Any:
    """True, once some updates are done."""
    with control_dependencies([] if dispatch.current_mode().eager else updates):
        return identity(True)
