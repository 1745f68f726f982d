"""The base of optimizers whose updates get their state as an argument.

Note [Optimizers of the second kind]: what a subclass of OptimizerV2 defines takes a
State beside the gradient and the variable; its hyperparameters stand under names in it.
The ready-made ones are those of tf.train with this class before theirs: their own
methods make the slots and update, and `_settings` says what is a hyperparameter.
"""

from typing import Any

from twinflow.base import nest
from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.contrib.optimizer_v2.state import State
from twinflow.graph.gradients import gradients
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.variables.collections import GraphKeys
from twinflow.train.optimizer import Optimizer, _deduplicate_indexed_slices


class OptimizerV2(Optimizer):
    """The base of optimizers whose updates get their state as an argument.

    A subclass sets its numbers with `_set_hyper`, makes its slots in `_create_vars`,
    and defines the updates: `_apply_dense(grad, var, state)`, `_resource_apply_dense`,
    `_apply_sparse` and `_resource_apply_sparse(grad, handle, indices, state)`.

    Args:
        use_locking, name: see Optimizer.
    Raises:
        ValueError: there is no name.
        RuntimeError: the subclass has `_create_slots`.
    """

    def __init__(self, use_locking: Any, name: str) -> None:
        if "_create_slots" in vars(type(self)):
            raise RuntimeError(
                "Override _create_vars instead of _create_slots when descending from "
                f"OptimizerV2 (class {type(self).__name__})"
            )
        Optimizer.__init__(self, use_locking, name)  # not that of a sister in tf.train
        self._hyper: dict[Any, Any] = {}
        self._states: dict[Any, Any] = {}

    def _set_hyper(self, name, value):
        """Keep a hyperparameter: a number, a tensor, or a function that gives one."""
        self._hyper[name] = value

    # ------------------------------------------------------------------ public
    def minimize(
        self, loss: Any, global_step: Any = None, var_list: Any = None,
        gate_gradients: Any = Optimizer.GATE_OP, aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False, name: str | None = None,
        grad_loss: Any = None, stop_gradients: Any = None,
        scale_loss_by_num_towers: bool | None = None,
    ) -> Any:  # fmt: skip
        """Update the variables once against the gradient of `loss`.

        Args:
            loss, global_step, var_list, gate_gradients, aggregation_method,
                colocate_gradients_with_ops, name, grad_loss: see Optimizer.
            stop_gradients: tensors that are not differentiated through (graph).
            scale_loss_by_num_towers: accepted; there is one tower.
        Returns:
            The train op (graph), or None (eager).
        Raises:
            ValueError: no variable gets a gradient.
        Example:
            w = tfe.Variable(3.0)
            sgd = tf.contrib.optimizer_v2.GradientDescentOptimizer(0.25)
            sgd.minimize(lambda: w * w)
            w.numpy()  # 1.5
        """
        pairs = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method,
            colocate_gradients_with_ops, grad_loss, stop_gradients,
            scale_loss_by_num_towers,
        )  # fmt: skip
        if all(g is None for g, _ in pairs):
            raise advised(
                ValueError,
                "No gradients provided for any variable, check your graph for ops that "
                "do not support gradients, between variables "
                f"{[str(v) for _, v in pairs]} and loss {loss}.",
            )
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: Any = Optimizer.GATE_OP,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None, stop_gradients: Any = None,
        scale_loss_by_num_towers: bool | None = None,
    ) -> list[tuple[Any, ...]]:  # fmt: skip
        """The gradients of `loss`; the first half of `minimize`, with its arguments.

        Returns:
            A list of (gradient or None, variable).
        """
        if stop_gradients is None or callable(loss):
            return super().compute_gradients(
                loss, var_list, gate_gradients, aggregation_method,
                colocate_gradients_with_ops, grad_loss,
            )  # fmt: skip
        if var_list is None:
            graph: Any = current_mode().variable_owner()
            var_list = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        var_list = nest.flatten(var_list)
        slopes = gradients(
            loss, var_list, grad_loss,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            gate_gradients=gate_gradients == Optimizer.GATE_OP,
            aggregation_method=aggregation_method, stop_gradients=stop_gradients,
        )  # fmt: skip
        return list(zip(slopes, var_list, strict=True))

    # ------------------------------------------------------------------ state
    def _graph_of_variables(self):
        owner = current_mode().variable_owner()
        return None if owner.eager else owner

    def _get_or_create_state(self, var_list=None):
        """The State in the graph that is being built."""
        graph = self._graph_of_variables()
        if graph not in self._states:
            self._states[graph] = State(self)
        return self._states[graph]

    def _get_per_graph_state(self):
        """The State in the graph that is being built, or None."""
        return self._states.get(self._graph_of_variables())

    def _get_state_for_var(self, var):
        """The State in the graph of a variable, or None."""
        return self._states.get(var.graph)

    # ------------------------------------------------------------------ steps
    def _create_slots(self, var_list):
        self._create_vars(var_list, self._get_or_create_state())

    def _begin_step(self):
        state = self._get_or_create_state()
        state.renew()
        self._prepare(state)

    def _end_step(self, updates, name):
        state = self._get_or_create_state()
        if current_mode().eager:
            self._finish(state)
            return None
        with control_dependencies(updates):
            ends = self._finish(state)
        ends = [] if ends is None else nest.flatten(ends)
        return group(*updates, *ends, name=name)

    def _apply(self, grad, var):
        if isinstance(var, Tensor):
            raise NotImplementedError("Trying to update a Tensor ", var)
        state, sparse = self._get_or_create_state(), isinstance(grad, IndexedSlices)
        is_ref = var.dtype._is_ref_dtype
        if sparse and var.constraint is not None:
            raise RuntimeError("Cannot use a constraint function on a sparse variable.")
        if sparse:
            if is_ref:
                return self._apply_sparse_duplicate_indices(grad, var, state)
            return self._resource_apply_sparse_duplicate_indices(
                grad.values, var, grad.indices, state
            )
        apply = self._apply_dense if is_ref else self._resource_apply_dense
        node = apply(grad, var, state)
        if var.constraint is None:
            return node
        if current_mode().eager:
            return var.assign(var.constraint(var))
        with control_dependencies([node]):
            return var.assign(var.constraint(var), read_value=is_ref)

    # ------------------------------------------------------------------ for subclasses
    def _create_vars(self, var_list, state):
        """Make the slots and other variables."""
        super()._create_slots(var_list)

    def _prepare(self, state):
        """Get the numbers of this step ready."""
        super()._prepare()

    def _apply_dense(self, grad, var, state):
        """Update a reference variable."""
        return self._update(grad, var)

    def _resource_apply_dense(self, grad, handle, state):
        """Update a resource variable, `handle`."""
        return self._update(grad, handle)

    def _apply_sparse_duplicate_indices(self, grad, var, state):
        """As `_apply_sparse`, where rows may come twice: they are added up first."""
        values, indices = _deduplicate_indexed_slices(grad.values, grad.indices)
        rows = IndexedSlices(values, indices, grad._dense_shape)
        return self._apply_sparse(rows, var, state)

    def _apply_sparse(self, grad, var, state):
        """Update rows of a reference variable; `grad` is IndexedSlices."""
        return self._update(grad.values, var, grad.indices)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices, state):
        """As `_resource_apply_sparse`, where rows may come twice."""
        values, indices = _deduplicate_indexed_slices(grad, indices)
        return self._resource_apply_sparse(values, handle, indices, state)

    def _resource_apply_sparse(self, grad, handle, indices, state):
        """Update rows of a resource variable, `handle`."""
        return self._update(grad, handle, indices)

    def _finish(self, state):
        """What comes after the updates: nodes (graph), or None."""
