"""Adam with Nesterov's momentum, and Adam for rows."""

from twinflow.base.dispatch import current_mode
from twinflow.graph.scopes import group
from twinflow.ops.core.elementwise import sqrt
from twinflow.ops.core.index import IndexedSlices, gather
from twinflow.ops.variables import state
from twinflow.ops.variables.training_forms import as_number
from twinflow.train.adam import AdamOptimizer


class NadamOptimizer(AdamOptimizer):
    """Adam with Nesterov's momentum: the step takes the moment that is looked ahead to.

    m <- beta1 * m + (1 - beta1) * dw
    v <- beta2 * v + (1 - beta2) * dw ** 2
    w <- w - learning_rate * sqrt(1 - beta2 ** t) / (1 - beta1 ** t)
             * (beta1 * m + (1 - beta1) * dw) / (sqrt(v) + epsilon)

    Args:
        learning_rate, beta1, beta2, epsilon, use_locking, name: see AdamOptimizer.
    Example:
        w = tfe.Variable(3.0)
        tf.contrib.opt.NadamOptimizer(0.5).minimize(lambda: w * w)
        round(float(w.numpy()), 3)  # 2.05
    Reference: Dozat, Incorporating Nesterov momentum into Adam (ICLR workshop 2016).
    """

    def _update(self, grad, var, indices=None):
        m, v = self._slots["m"][var], self._slots["v"][var]
        dtype = var.dtype.base_dtype
        numbers = [as_number(n, dtype) for n in self._numbers()]
        power1, power2, rate, beta1, beta2, epsilon = numbers
        rate = rate * sqrt(1 - power2) / (1 - power1)
        new, squares = grad * (1 - beta1), (grad * grad) * (1 - beta2)
        if indices is None:
            m_t = state.assign(m, m * beta1 + new, use_locking=self._use_locking)
            v_t = state.assign(v, v * beta2 + squares, use_locking=self._use_locking)
            ahead = m_t * beta1 + new
        else:
            m_t = self._decayed(m, beta1, new, indices)
            v_t = self._decayed(v, beta2, squares, indices)
            rows = IndexedSlices(new, indices, var.shape.as_list())
            ahead = m_t * beta1 + rows
        step = rate * ahead / (sqrt(v_t) + epsilon)
        done = state.assign_sub(var, step, use_locking=self._use_locking)
        return group(done, m_t, v_t)

    _resource_apply_dense = _update


class LazyAdamOptimizer(AdamOptimizer):
    """Adam, of which a sparse gradient changes the moments of its own rows alone.

    Args:
        learning_rate, beta1, beta2, epsilon, use_locking, name: see AdamOptimizer.
    Example:
        w = tfe.Variable([3.0, 3.0])
        tf.contrib.opt.LazyAdamOptimizer(0.5).minimize(
            lambda: tf.reduce_sum(tf.gather(w, [1]) ** 2)
        )
        w.numpy().round(3)  # [3.0, 2.5]
    """

    def _update_rows(self, grad, var, m, v, indices):
        dtype = var.dtype.base_dtype
        numbers = [as_number(n, dtype) for n in self._numbers()]
        power1, power2, rate, beta1, beta2, epsilon = numbers
        rate = rate * sqrt(1 - power2) / (1 - power1)
        m_t = beta1 * gather(m, indices) + (1 - beta1) * grad
        v_t = beta2 * gather(v, indices) + (1 - beta2) * grad * grad
        step = rate * m_t / (sqrt(v_t) + epsilon)
        with current_mode().control_dependencies([step]):
            return group(
                m.scatter_update(IndexedSlices(m_t, indices)),
                v.scatter_update(IndexedSlices(v_t, indices)),
                var.scatter_sub(IndexedSlices(step, indices)),
            )
