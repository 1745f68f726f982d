"""GGT: full-matrix preconditioning from a window of gradients."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.contrib.optimizer_v2.optimizer_v2 import OptimizerV2
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.division import mod
from twinflow.ops.core.elementwise import minimum, sqrt
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_min
from twinflow.ops.core.shape import expand_dims, reshape, squeeze
from twinflow.ops.matrix.diagonal import eye
from twinflow.ops.matrix.svd import svd
from twinflow.ops.variables import state as cells


class GGTOptimizer(OptimizerV2):
    """Steps through the inverse root of the covariance of the last gradients.

    With G the means of the gradients of the last `window` steps, as columns, over
    sqrt(window), and U, S of the SVD of ``G' G``:

    w <- w - learning_rate * (G U (sqrt(S) + sigma_eps)**-3 U' G' m
             + (m - G U S**-1 U' G' m) / sqrt(min(S)) if sqrt(min(S)) > eps)

    Args:
        learning_rate: a number. beta1: the decay rate of the mean `m` of gradients.
        use_locking: accepted. name: the name of the train op.
        window: how many gradients are kept.
        eps, svd_eps, sigma_eps: what keeps from dividing by 0.
    Raises:
        NotImplementedError: a gradient is sparse.
    Example:
        w = tfe.Variable([3.0])
        tf.contrib.opt.GGTOptimizer(0.5).minimize(lambda: tf.reduce_sum(w * w))
        w.numpy() < 3.0  # [True]
    Reference: Agarwal et al., The case for full-matrix adaptive regularization (2018).
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, use_locking: bool = False,
        name: str = "GGT", window: int = 10, eps: float = 1e-4, svd_eps: float = 1e-6,
        sigma_eps: float = 1e-2,
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        given = dict(
            lr=learning_rate, beta1=beta1, window=window, eps=eps, svd_eps=svd_eps,
            sigma_eps=sigma_eps,
        )  # fmt: skip
        for key, value in given.items():
            self._set_hyper(key, value)
        self._window = window
        self._places: dict[
            Any, Any
        ] = {}  # {variable: (where its part begins, its elements)}
        self._slopes: list[Any] = []

    def _get_global_step(self, state=None):
        """How many steps there were, as a float variable."""
        return self._get_per_graph_variable("global_step", state)

    def _get_moment1(self, state=None):
        """The mean of the gradients of all variables, as one vector."""
        return self._get_per_graph_variable("moment1", state)

    def _get_grad_buffer(self, state=None):
        """The means of the last steps, one a row."""
        return self._get_per_graph_variable("grad_buffer", state)

    def _get_flat_grad(self, state=None):
        """The last gradients of all variables, as one vector."""
        return self._get_per_graph_variable("flat_grad", state)

    def _get_per_graph_variable(self, name, state):
        return (state or self._get_per_graph_state()).get_non_slot(name)

    def _create_vars(self, var_list, state):
        var_list = sorted(var_list, key=lambda v: v.name)
        self._places, end = {}, 0
        for v in var_list:
            size = v.shape.num_elements()
            self._places[v] = (end, size)
            end += size
        dtype, first = var_list[0].dtype.base_dtype, var_list[0]
        state.create_non_slot(constant(0.0, dtype), "global_step", first)
        window = self._window
        state.create_non_slot(zeros([window, end], dtype), "grad_buffer", first)
        state.create_non_slot(zeros([end], dtype), "moment1", first)
        state.create_non_slot(zeros([end], dtype), "flat_grad", first)

    def _prepare(self, state):
        self._slopes = []

    def _resource_apply_dense(self, grad, handle, state):
        self._slopes.append((handle, grad))
        return [] if current_mode().eager else grad.op

    _apply_dense = _resource_apply_dense

    def _apply_sparse(self, grad, var, state):
        raise NotImplementedError("Sparse gradient updates are not supported.")

    _resource_apply_sparse = _apply_sparse

    def _finish(self, state):
        slopes = sorted(self._slopes, key=lambda pair: self._places[pair[0]])
        slope = concat([reshape(g, [-1]) for _, g in slopes], 0)
        dtype = slope.dtype.base_dtype
        step, m = self._get_global_step(state), self._get_moment1(state)
        buffer, flat = self._get_grad_buffer(state), self._get_flat_grad(state)
        beta1 = state.get_hyper("beta1", dtype)
        t = convert_to_tensor(step) + 1
        m_t = beta1 * m + (1 - beta1) * slope
        kept = self._with_row(convert_to_tensor(buffer), t, m_t)
        move = self._move(kept, t, m_t, state, dtype)
        rate = state.get_hyper("lr", dtype)
        with control_dependencies([] if current_mode().eager else [move.op]):
            done = [
                cells.assign(flat, slope), cells.assign(m, m_t),
                cells.assign(buffer, kept), cells.assign(step, t),
            ]  # fmt: skip
            for v, _ in slopes:
                begin, size = self._places[v]
                part = reshape(move[begin : begin + size], v.shape)
                done.append(cells.assign_sub(v, rate * part))
        return None if current_mode().eager else group(*done)

    def _with_row(self, rows, t, row):
        """The rows with one in its place in the ring."""
        here = cast(mod(t - 1, float(self._window)), "int32")
        return concat([rows[:here], expand_dims(row, 0), rows[here + 1 :]], 0)

    def _move(self, rows, t, m, state, dtype):
        """The step over the learning rate."""
        window = self._window
        g = rows / sqrt(minimum(t, cast(constant(window), dtype)))
        damping = eye(window, dtype=dtype) * state.get_hyper("svd_eps", dtype)
        sigma, u, _ = svd(matmul(g, g, transpose_b=True) + damping)
        root = sqrt(sigma)
        m = expand_dims(m, -1)
        inner = matmul(u, matmul(g, m), transpose_a=True)

        def through(scale):
            scaled = expand_dims(scale, -1) * inner
            return matmul(g, matmul(u, scaled), transpose_a=True)

        sigma_eps = state.get_hyper("sigma_eps", dtype)
        move = through((root + sigma_eps) ** -3)
        least = reduce_min(root)
        more = cond(
            least > state.get_hyper("eps", dtype),
            lambda: move + (m - through(1 / sigma)) * (1 / least),
            lambda: move,
        )
        return squeeze(more, -1)
