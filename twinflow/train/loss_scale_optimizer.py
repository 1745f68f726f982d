"""LossScaleOptimizer: gradients of a scaled loss, and no step where one overflows."""

from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch
from twinflow.base.advice import advised
from twinflow.base.tensor import Tensor
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.arithmetic import multiply
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.exponential import reciprocal
from twinflow.ops.core.indexed_slices import IndexedSlices
from twinflow.ops.core.joining import stack
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.rounding import is_finite
from twinflow.train.loss_scale import LossScaleManager
from twinflow.train.optimizer import Optimizer

if TYPE_CHECKING:
    from twinflow.ops.variables.variable import VariableV1


class LossScaleOptimizer(Optimizer):
    """Another optimizer for losses in half precision.

    The gradients of the loss times a factor, whose small ones do not become 0, are
    divided by the factor. Where one of them is not finite, the step is left out:
    variables, slots and the global step stay. The manager is told of each step.

    Args:
        opt: the Optimizer. loss_scale_manager: a LossScaleManager.
    Raises:
        TypeError: `opt` is no Optimizer.
    Example:
        w = tfe.Variable(1.0)
        manager = tf.contrib.mixed_precision.FixedLossScaleManager(128.0)
        opt = tf.contrib.mixed_precision.LossScaleOptimizer(
            tf.train.GradientDescentOptimizer(0.25), manager)
        opt.minimize(lambda: w * w, var_list=[w])
        w.numpy()  # 0.5
    """

    def __init__(self, opt: Optimizer, loss_scale_manager: LossScaleManager) -> None:
        if not isinstance(opt, Optimizer):
            raise advised(
                TypeError,
                f"opt must be an instance of tf.train.Optimizer, got {opt!r}.",
            )
        self._opt, self._loss_scale_manager = opt, loss_scale_manager
        super().__init__(opt._use_locking, opt.get_name())
        self._track_checkpointable(opt, "base_optimizer")

    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: Any = Optimizer.GATE_OP,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[Any]:  # fmt: skip
        """The gradients of a loss, computed from the scaled one.

        Args:
            loss: a scalar, or eagerly a function that gives it. The others: as of
                tf.train.Optimizer.
        Returns:
            Pairs of (gradient, variable).
        Raises:
            TypeError: the loss is no function in eager mode, or no tensor in a graph.
        """
        eager = dispatch.current_mode().eager
        if eager and not callable(loss):
            raise advised(
                TypeError,
                "In eager mode the loss must be a function that computes it, got "
                f"{loss!r}.",
            )
        scale = convert_to_tensor(self._loss_scale_manager.get_loss_scale())

        def scaled() -> Tensor:
            value = convert_to_tensor(loss() if callable(loss) else loss)
            return multiply(value, cast(scale, value.dtype.base_dtype))

        pairs = self._opt.compute_gradients(
            scaled if callable(loss) else scaled(), var_list, gate_gradients,
            aggregation_method, colocate_gradients_with_ops, grad_loss,
        )  # fmt: skip
        factor = reciprocal(scale)
        return [(_times(g, factor), v) for g, v in pairs]

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Update the variables if all gradients are finite; tell the manager.

        Args:
            grads_and_vars: pairs of (gradient, variable). global_step: a variable to be
                increased by one with each step that is taken. name: of the train op.
        Returns:
            The train op (graph), or None (eager).
        """
        pairs = list(grads_and_vars)
        found = [_is_finite(g) for g, _ in pairs if g is not None]
        finite = reduce_all(stack(found)) if found else convert_to_tensor(True)
        mode = dispatch.current_mode()
        if mode.eager:
            if bool(finite):
                self._opt.apply_gradients(pairs, global_step, name)
            self._loss_scale_manager.update_loss_scale(finite)
            return None
        self._opt._make_slots(mode, [v for g, v in pairs if g is not None])

        def step() -> Any:
            return group(self._opt.apply_gradients(pairs, global_step, name))

        applied = cond(finite, step, no_op)
        with control_dependencies([applied]):
            update = self._loss_scale_manager.update_loss_scale(finite)
        return group(applied, update, name=name or "group_deps")

    def variables(self) -> "list[VariableV1]":
        """Those of the optimizer within."""
        return self._opt.variables()

    def get_slot(self, var: Any, name: str) -> Any:
        """A slot of the optimizer within."""
        return self._opt.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        """The names of the slots of the optimizer within."""
        return self._opt.get_slot_names()


def _times(grad: Any, factor: Tensor) -> Any:
    """A gradient times the factor, in its own dtype; None stays."""
    if grad is None:
        return None
    factor = cast(factor, grad.dtype.base_dtype)
    if isinstance(grad, IndexedSlices):
        values = multiply(grad.values, factor)
        return IndexedSlices(values, grad.indices, grad.dense_shape)
    return multiply(grad, factor)


def _is_finite(grad: Any) -> Tensor:
    return reduce_all(is_finite(getattr(grad, "values", grad)))
