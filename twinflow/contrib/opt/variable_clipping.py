"""An optimizer after whose steps the norms of variables are clipped."""

from contextlib import nullcontext
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.graph.scopes import colocate_with, control_dependencies, group, name_scope
from twinflow.ops.core.index import IndexedSlices, gather
from twinflow.ops.math.clip import clip_by_norm
from twinflow.train.optimizer import Optimizer


class VariableClippingOptimizer(Optimizer):
    """Clips the norms of variables after each step of another optimizer.

    Args:
        opt: the Optimizer. vars_to_clip_dims: {variable: list of the dimensions that
            its norms are taken over}; of rows with sparse gradients not the first.
        max_norm: the greatest norm.
        use_locking: accepted.
        colocate_clip_ops_with_vars: put the clipping on the devices of the variables.
        name: the name scope.
    Example:
        w = tfe.Variable([[3.0, 4.0], [0.5, 0.5]])
        sgd = tf.train.GradientDescentOptimizer(0.0)
        opt = tf.contrib.opt.VariableClippingOptimizer(sgd, {w: [1]}, 1.0)
        opt.minimize(lambda: tf.reduce_sum(w))
        w.numpy().round(3)  # [[0.6, 0.8], [0.5, 0.5]]
    """

    def __init__(
        self, opt: Optimizer, vars_to_clip_dims: dict[Any, Any], max_norm: float,
        use_locking: bool = False, colocate_clip_ops_with_vars: bool = False,
        name: str = "VariableClipping",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._opt, self._max_norm = opt, max_norm
        self._vars_to_clip_dims = vars_to_clip_dims
        self._colocate_clip_ops_with_vars = colocate_clip_ops_with_vars

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[Any]:
        """As the optimizer inside; see Optimizer."""
        return self._opt.compute_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the optimizer inside."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        """The names of the slots of the optimizer inside."""
        return self._opt.get_slot_names(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """A step of the optimizer inside, then the clipping; see Optimizer."""
        pairs = list(grads_and_vars)
        with name_scope(name or self._name) as scope:
            done = self._opt.apply_gradients(pairs, global_step=global_step)
            clips = []
            with control_dependencies([done] if done is not None else []):
                for grad, var in pairs:
                    if grad is None or var not in self._vars_to_clip_dims:
                        continue
                    with name_scope(f"clip_{var.op.name}" if done else "clip"):
                        clips.append(self._clip(grad, var))
            return None if current_mode().eager else group(*clips, name=scope)

    def _clip(self, grad, var):
        if isinstance(grad, IndexedSlices):
            return self._clip_sparse(grad, var)
        return self._clip_dense(var)

    def _clip_dense(self, var):
        with self._maybe_colocate_with(var):
            dims = self._vars_to_clip_dims[var]
            clipped = clip_by_norm(var.value(), self._max_norm, dims)
            return var.assign(clipped, use_locking=self._use_locking)

    def _clip_sparse(self, grad, var):
        dims = self._vars_to_clip_dims[var]
        if 0 in dims:
            raise ValueError("clip_dims must not contain 0 for sparse gradients")
        with self._maybe_colocate_with(var):
            rows = gather(var, grad.indices)
            over = rows - clip_by_norm(rows, self._max_norm, dims)
            return var.scatter_sub(IndexedSlices(over, grad.indices))

    def _maybe_colocate_with(self, var):
        if self._colocate_clip_ops_with_vars and not current_mode().eager:
            return colocate_with(var)
        return nullcontext()
