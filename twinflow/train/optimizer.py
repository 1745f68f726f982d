"""The base of optimizers: gradients, slots, and applying updates in both modes.

Note [Optimizers]: a subclass names its slots, prepares its numbers in `_prepare` and
updates one variable in `_resource_apply_dense`. Eagerly this happens at once, in a
graph it makes the nodes of the train op.
"""

from contextlib import contextmanager

import numpy as np

from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch, dtypes, nest
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.base.trackable import Trackable
from twinflow.graph.defaults import graph_of
from twinflow.graph.gradients import gradients
from twinflow.ops.arrays.constant import constant, convert_to_tensor
from twinflow.ops.arrays.creation import zeros, zeros_like
from twinflow.ops.indexed_slices import IndexedSlices
from twinflow.ops.variables import state
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.resource import ResourceVariable


class Optimizer(Trackable):
    """The base of all optimizers.

    Args:
        use_locking: accepted; updates never overlap.
        name: the name of the train op and of slots.
    Raises:
        ValueError: there is no name.
    """

    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2
    slots: dict[str, str] = {}  # the names of slots and what their variables are called

    def __init__(self, use_locking, name):
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking, self._name = use_locking, name
        self._slots: dict = {}
        self._non_slots: dict = {}
        self._ready: set = set()  # the variables that have their slots

    def get_name(self):
        """The name."""
        return self._name

    # ------------------------------------------------------------------ public
    def minimize(
        self, loss, global_step=None, var_list=None, gate_gradients=GATE_OP,
        aggregation_method=None, colocate_gradients_with_ops=False, name=None,
        grad_loss=None,
    ):  # fmt: skip
        """Update the variables once against the gradient of `loss`.

        Args:
            loss: a scalar tensor (graph), or a function of no arguments that gives one.
            global_step: a variable to be increased by one.
            var_list: the variables; by default those that the loss depends on (a
                function) or all trainable ones (graph).
            gate_gradients, aggregation_method, colocate_gradients_with_ops: accepted.
            name: the name of the train op.
            grad_loss: the incoming gradient of the loss.
        Returns:
            The train op (graph), or None (eager).
        Raises:
            ValueError: no variable gets a gradient.
        Example:
            tf.train.GradientDescentOptimizer(0.1).minimize(lambda: w * w)
        """
        pairs = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method,
            colocate_gradients_with_ops, grad_loss,
        )  # fmt: skip
        if all(g is None for g, _ in pairs):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that "
                "do not support gradients, between variables "
                f"{[str(v) for _, v in pairs]} and loss {loss}."
            )
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(
        self, loss, var_list=None, gate_gradients=GATE_OP, aggregation_method=None,
        colocate_gradients_with_ops=False, grad_loss=None,
    ):  # fmt: skip
        """The gradients of `loss`; the first half of `minimize`, with its arguments.

        Returns:
            A list of (gradient or None, variable).
        Raises:
            RuntimeError: eager mode, and the loss is not a function.
            ValueError: an argument is out of range, or there are no variables.
        """
        if callable(loss):
            return _taped(loss, var_list, grad_loss)
        if current_mode().eager:
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function "
                "when eager execution is enabled."
            )
        _check_gate(gate_gradients)
        self._assert_valid_dtypes([loss])
        if var_list is None:
            graph = current_mode().variable_owner()
            var_list = (
                []
                if graph.eager
                else graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
            )
        var_list = nest.flatten(var_list)
        if not var_list:
            raise ValueError("No variables to optimize.")
        grads = gradients(
            loss, var_list, grad_loss,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            aggregation_method=aggregation_method,
        )  # fmt: skip
        return list(zip(grads, var_list, strict=True))

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """Update the variables; the second half of `minimize`.

        Args:
            grads_and_vars: pairs of (gradient, variable); None gradients are skipped.
            global_step: a variable to be increased by one.
            name: the name of the train op; that of the optimizer if not given.
        Returns:
            The train op (graph), or None (eager).
        Raises:
            ValueError: there are no pairs, or all gradients are None.
            TypeError: something is neither a gradient nor a variable.
            NotImplementedError: a tensor is to be updated.
        """
        pairs = tuple(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        wanted = [(_gradient(g), v) for g, v in pairs if g is not None]
        if not wanted:
            raise ValueError(
                f"No gradients provided for any variable: {[str(v) for _, v in pairs]}."
            )
        mode = current_mode()
        self._make_slots(mode, [v for _, v in wanted])
        if not mode.eager:
            return self._apply_later(mode, wanted, global_step, name or self._name)
        self._prepare()
        for grad, var in wanted:
            self._apply(grad, var)
            if var.constraint is not None:
                var.assign(var.constraint(var))
        self._finish([], name)
        if global_step is not None:
            _count_now(global_step)
        return None

    def _apply_later(self, graph, wanted, global_step, name):
        with graph.name_scope(name) as scope:
            self._prepare()
            updates = [self._update_node(graph, g, v) for g, v in wanted]
            if global_step is None:
                op = self._finish(updates, scope)
            else:
                done = self._finish(updates, "update")
                with graph.control_dependencies([done]):
                    op = _count_node(global_step, scope)
        op = op.op if isinstance(op, Tensor) else op
        train_ops = graph.get_collection_ref("train_op")
        if op not in train_ops:
            train_ops.append(op)
        return op

    def _update_node(self, graph, grad, var):
        with graph.name_scope(f"update_{var.name.split(':')[0]}"):
            node = self._apply(grad, var)
            if var.constraint is None:
                return node
            with graph.control_dependencies([node]):
                return var.assign(var.constraint(var), read_value=False)

    # ------------------------------------------------------------------ slots
    def get_slot(self, var, name):
        """The slot `name` of `var`; None if it has not got one."""
        return self._slots.get(name, {}).get(var)

    def get_slot_names(self):
        """The names of the slots there are, sorted."""
        return sorted(self._slots)

    def variables(self):
        """The variables of the optimizer itself, sorted by name."""
        owner = current_mode().variable_owner()
        graph = None if owner.eager else owner
        found = [*self._non_slots.values()]
        found += [v for slot in self._slots.values() for v in slot.values()]
        return sorted((v for v in found if v.graph is graph), key=lambda v: v.name)

    def _children(self):
        return [(name, v) for (name, _), v in self._non_slots.items()]

    def _make_slots(self, mode, variables):
        if mode.eager and self._ready.issuperset(variables):
            return
        for v in variables:
            if isinstance(v, Tensor):
                raise NotImplementedError(f"Trying to update a Tensor {v!r}")
            if not isinstance(v, ResourceVariable):
                raise TypeError(
                    f"Expected a variable to update, got {v!r} of type "
                    f"{type(v).__name__}. Pass pairs of (gradient, variable)."
                )
        self._assert_valid_dtypes(variables)
        with _outside(mode):
            self._create_slots(variables)
        self._ready.update(variables)

    def _zeros_slot(self, var, slot_name, op_name):
        """The slot `slot_name` of `var`, made with zeros if there is none."""
        return self._get_or_make_slot(var, None, slot_name, op_name)

    def _get_or_make_slot(self, var, val, slot_name, op_name):
        slot = self._slots.setdefault(slot_name, {})
        if var not in slot:
            slot[var] = _slot_variable(var, val, op_name)
        return slot[var]

    def _create_non_slot_variable(self, initial_value, name, colocate_with=None):
        """A variable of the optimizer as a whole, one in each graph."""
        owner = current_mode().variable_owner()
        key = (name, None if owner.eager else owner)
        if key not in self._non_slots:
            with _outside(current_mode()):
                self._non_slots[key] = ResourceVariable(
                    initial_value, trainable=False, name=name
                )
        return self._non_slots[key]

    def _get_non_slot_variable(self, name, graph=None):
        return self._non_slots.get((name, graph))

    # ------------------------------------------------------------------ for subclasses
    def _create_slots(self, var_list):
        """Make the slots of the variables."""
        for slot_name, op_name in self.slots.items():
            for v in var_list:
                self._zeros_slot(v, slot_name, op_name)

    def _prepare(self):
        """Get the numbers of this step ready; see `_number`."""

    def _resource_apply_dense(self, grad, var):
        """Update one variable; returns the node in a graph."""
        raise NotImplementedError(
            f"{type(self).__name__} must define _resource_apply_dense(grad, var)."
        )

    def _apply(self, grad, var):
        if isinstance(grad, IndexedSlices):
            return self._resource_apply_sparse(grad, var)
        return self._resource_apply_dense(grad, var)

    def _resource_apply_sparse(self, grad, var):
        """As `_resource_apply_dense`, for IndexedSlices; here by making them dense."""
        return self._resource_apply_dense(convert_to_tensor(grad), var)

    def _finish(self, update_ops, name_scope):
        """What comes after the updates; returns the op that ends the step."""
        return None if current_mode().eager else _grouped(update_ops, name_scope)

    def _number(self, value, name):
        """A hyperparameter now: a NumPy scalar (eager), or a tensor (graph)."""
        value = value() if callable(value) else value
        if not current_mode().eager:
            return convert_to_tensor(value, name=name)
        if type(value) is float or type(value) is int:
            return np.float32(value)
        return convert_to_tensor(value)._a

    def _call_if_callable(self, param):
        """`param`, or what it gives when called."""
        return param() if callable(param) else param

    def _valid_dtypes(self):
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _assert_valid_dtypes(self, tensors):
        valid = self._valid_dtypes()
        for t in tensors:
            if t.dtype.base_dtype not in valid:
                names = sorted(v.name for v in valid)
                raise ValueError(
                    f"Invalid type {t.dtype.base_dtype!r} for {t}, expected: {names}."
                )


def _taped(loss, var_list, grad_loss):
    with GradientTape() as tape:
        if var_list is not None:
            tape.watch(var_list)
        value = loss()
    if var_list is None:
        var_list = tape.watched_variables()
    var_list = nest.flatten(var_list)
    grads = tape.gradient(value, var_list, grad_loss)
    return list(zip(grads, var_list, strict=True))


def _check_gate(gate):
    if gate not in (Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH):
        raise ValueError(
            "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, "
            f"Optimizer.GATE_GRAPH.  Not {gate}"
        )


def _gradient(g):
    if isinstance(g, Tensor | IndexedSlices):
        return g
    try:
        return convert_to_tensor(g)
    except TypeError:
        raise TypeError(
            f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {g}"
        ) from None


@contextmanager
def _outside(mode):
    """Where variables live that outlast a function or branch."""
    owner = mode.variable_owner()
    with dispatch.entered(owner), owner.name_scope(""):
        yield owner


def _slot_variable(var, value, op_name):
    name = f"{var.name.split(':')[0]}/{op_name}"
    with _outside(current_mode()) as owner:
        if owner.eager:
            name = _numbered(owner, name)
        if value is None:
            value = lambda: _zeros(var)
        return ResourceVariable(value, trainable=False, name=name, dtype=var.dtype)


def _numbered(mode, name):
    """`name`, counted as a graph would: eager and graph checkpoints agree."""
    counts = graph_of(mode).state.setdefault("slot_names", {})
    n = counts[name] = counts.get(name, -1) + 1
    return f"{name}_{n}" if n else name


def _zeros(var):
    if var._shape is None or None in var._shape:
        return zeros_like(var.initial_value)
    return zeros(var._shape, var.dtype)


def _count_now(global_step):
    cell = global_step._cell
    cell.write(cell.read() + global_step.dtype.np.type(1))


def _count_node(global_step, name):
    one = constant(1, global_step.dtype, name="value")
    attrs = {"dtype": global_step.dtype, "shape": global_step._shape}
    inputs = (global_step.handle, one)
    return dispatch.apply(state.AssignAddVariableOp, inputs, attrs, name)


def _grouped(ops, name):
    with current_mode().control_dependencies(ops):
        return state.no_op(name)


def get_optimizer_variables(optimizer):
    """The variables of an optimizer, sorted by name; tfe.get_optimizer_variables."""
    return optimizer.variables()
