"""The base of optimizers: gradients, slots, and applying updates in both modes.

Note [Optimizers]: a subclass makes its slots in `_create_slots`, its numbers in
`_prepare`, and updates one variable in `_update`. Eagerly this happens at once, in a
graph it makes the nodes of the train op. Instead of `_update`, a subclass may define
what TensorFlow has for each kind of variable (`_apply_dense` for reference variables,
`_resource_apply_dense` for the others) and of gradient (`..._sparse`).
"""

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch, dtypes, nest
from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.distribute import contexts
from twinflow.graph.gradients import gradients
from twinflow.graph.scopes import group
from twinflow.graph.scopes import tuple as gated
from twinflow.ops.arrays.unique import unique
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.index import IndexedSlices, unsorted_segment_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.variables import state
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.kinds import Variable, is_resource_variable
from twinflow.ops.variables.scatter import RESOURCE_SCATTERS
from twinflow.train.optimizer_card import card_of
from twinflow.train.slots import WithSlots, outside
from twinflow.train.towers import apply_for_towers

if TYPE_CHECKING:
    from twinflow.ops.variables.creators import VariableV1


# Methods that update one variable, of a reference or a handle.
_ONE_BY_ONE = {"_apply", "_update", "_apply_dense", "_resource_apply_dense"}


class Optimizer(WithSlots):
    """The base of all optimizers.

    Args:
        use_locking: accepted; updates never overlap.
        name: the name of the train op and of slots.
    Raises:
        ValueError: there is no name.
    """

    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2
    _settings: tuple[Any, ...] = ()  # names: the setting `_name` becomes `_name_tensor`
    _numbers_of_step: list[Any] = []
    _ways: list[Any] = []  # the methods named above, as the class began

    def __init__(self, use_locking: Any, name: str) -> None:
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking, self._name = use_locking, name
        self._slots: dict[Any, Any] = {}
        self._non_slots: dict[Any, Any] = {}
        self._ready: set[Any] = set()  # the variables that have their slots

    def _repr_html_(self) -> str:
        return card_of(self)

    def get_name(self) -> str:
        """The name."""
        return self._name

    # ------------------------------------------------------------------ public
    def minimize(
        self, loss: Any, global_step: Any = None, var_list: Any = None,
        gate_gradients: Any = GATE_OP, aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False, name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:  # fmt: skip
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
            w = tfe.Variable(3.0)
            tf.train.GradientDescentOptimizer(0.25).minimize(lambda: w * w)
            w.numpy()  # 1.5
        """
        pairs = self.compute_gradients(
            loss, var_list=var_list, gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
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
        self, loss: Any, var_list: Any = None, gate_gradients: Any = GATE_OP,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, ...]]:  # fmt: skip
        """The gradients of `loss`; the first half of `minimize`, with its arguments.

        Returns:
            A list of (gradient or None, variable).
        Raises:
            RuntimeError: eager mode, and the loss is not a function.
            ValueError: an argument is out of range, or there are no variables.
        """
        if callable(loss):
            return _taped(lambda: contexts.share_of_tower(loss()), var_list, grad_loss)
        loss = contexts.share_of_tower(loss)
        if current_mode().eager:
            raise advised(
                RuntimeError,
                "`loss` passed to Optimizer.compute_gradients should be a function "
                "when eager execution is enabled.",
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
            raise advised(ValueError, "No variables to optimize.")
        grads = gradients(
            loss, var_list, grad_loss,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            gate_gradients=gate_gradients == Optimizer.GATE_OP,
            aggregation_method=aggregation_method,
        )  # fmt: skip
        if gate_gradients == Optimizer.GATE_GRAPH:
            grads = gated(grads)
        return list(zip(grads, var_list, strict=True))

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
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
        towers = contexts.of_several_towers()
        if towers is not None:
            apply = functools.partial(apply_for_towers, self)
            return towers.merge_call(apply, [*grads_and_vars], global_step, name)
        pairs = tuple(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        wanted = [(_gradient(g), v) for g, v in pairs if g is not None]
        if not wanted:
            text = "No gradients provided for any variable: "
            raise advised(ValueError, f"{text}{[str(v) for _, v in pairs]}.")
        mode = current_mode()
        self._make_slots(mode, [v for _, v in wanted])
        if not mode.eager:
            return self._apply_later(mode, wanted, global_step, name or self._name)
        self._begin_step()
        if self._is_as_written():
            wanted = self._update_all(wanted)
        done = [self._apply(grad, var) for grad, var in wanted]
        self._end_step(done, name)
        if global_step is not None:
            _count_now(global_step)
        return None

    def _apply_later(self, graph, wanted, global_step, name):
        with graph.name_scope(name) as scope:
            self._begin_step()
            updates = [self._update_node(graph, g, v) for g, v in wanted]
            if global_step is None:
                op = self._end_step(updates, scope)
            else:
                done = self._end_step(updates, "update")
                with graph.control_dependencies([done]):
                    op = _count_node(global_step, scope)
        op = getattr(op, "op", op)  # that of a tensor
        train_ops = graph.get_collection_ref("train_op")
        if op not in train_ops:
            train_ops.append(op)
        return op

    def _update_node(self, graph, grad, var):
        with graph.name_scope(f"update_{var.name.split(':')[0]}"):
            return self._apply(grad, var)

    def _begin_step(self):
        self._prepare()

    def _end_step(self, updates, name):
        return self._finish(updates, name)

    # ------------------------------------------------------------------ slots
    def variables(self) -> "list[VariableV1]":
        """The variables of the optimizer itself, sorted by name."""
        owner = current_mode().variable_owner()
        graph = None if owner.eager else owner
        found = [*self._non_slots.values()]
        found += [v for slot in self._slots.values() for v in slot.values()]
        return sorted((v for v in found if v.graph is graph), key=lambda v: v.name)

    def _children(self):
        owner = current_mode().variable_owner()
        here = None if owner.eager else owner
        own = [(n, v) for (n, graph), v in self._non_slots.items() if graph is here]
        return own or [(name, v) for (name, _), v in self._non_slots.items()]

    def _make_slots(self, mode, variables):
        if mode.eager and self._ready.issuperset(variables):
            return
        for v in variables:
            if isinstance(v, Tensor):
                raise NotImplementedError("Trying to update a Tensor ", v)
            if not isinstance(v, Variable):
                raise TypeError(
                    f"Expected a variable to update, got {v!r} of type "
                    f"{type(v).__name__}. Pass pairs of (gradient, variable)."
                )
        self._assert_valid_dtypes(variables)
        with outside(mode, mode.scope):
            self._create_slots(variables)
        self._ready.update(variables)

    # ------------------------------------------------------------------ for subclasses
    def _create_slots(self, var_list):
        """Make the slots of the variables."""

    def _prepare(self):
        """Get the numbers of this step ready; see `_number`."""
        for name, value, tensor in self._numbers_of_step:
            setattr(self, tensor, self._number(getattr(self, value), name))

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        names = cls._settings
        cls._numbers_of_step = [(n, f"_{n}", f"_{n}_tensor") for n in names]
        for base in cls.__mro__:
            if "_update_all" in base.__dict__:
                break
            if _ONE_BY_ONE & base.__dict__.keys():  # that is what counts
                cls._update_all = Optimizer._update_all
                break
        cls._ways = [(name, getattr(cls, name)) for name in _ONE_BY_ONE]

    def _is_as_written(self):
        """Whether the optimizer and its class have the methods that they began with."""
        if not _ONE_BY_ONE.isdisjoint(self.__dict__):
            return False
        kind = type(self)
        return all(getattr(kind, name) is way for name, way in kind._ways)

    def _update_all(self, pairs):
        """Update variables eagerly in one call; returns the pairs that are left.

        A class that says anew how one variable is updated has this one again.
        """
        return pairs

    def _apply(self, grad, var):
        sparse = isinstance(grad, IndexedSlices)
        if var.constraint is not None:
            return self._apply_constrained(grad, var, sparse)
        if var.dtype._is_ref_dtype:
            if sparse:
                return self._apply_sparse_duplicate_indices(grad, var)
            return self._apply_dense(grad, var)
        if sparse:
            return self._resource_apply_sparse_duplicate_indices(
                grad.values, var, grad.indices
            )
        return self._resource_apply_dense(grad, var)

    def _apply_constrained(self, grad, var, sparse):
        if sparse:
            raise RuntimeError("Cannot use a constraint function on a sparse variable.")
        is_ref, mode = var.dtype._is_ref_dtype, current_mode()
        apply = self._apply_dense if is_ref else self._resource_apply_dense
        node = apply(grad, var)
        if mode.eager:
            return var.assign(var.constraint(var))
        with mode.control_dependencies([node]):
            return var.assign(var.constraint(var), read_value=is_ref)

    def _update(self, grad, var, indices=None):
        """Update one variable; returns the node in a graph.

        Args:
            grad: a tensor in the shape of `var`, or the rows of one.
            var: a variable of either kind. indices: which rows; None = all.
        """
        raise NotImplementedError(
            f"{type(self).__name__} has no rule for {_kind(var)} variables and "
            f"{'whole' if indices is None else 'sparse'} gradients: define "
            f"_{'resource_' * (_kind(var) == 'resource')}apply_"
            f"{'dense' if indices is None else 'sparse'}."
        )

    def _apply_dense(self, grad, var):
        """Update a reference variable."""
        return self._update(grad, var)

    def _resource_apply_dense(self, grad, handle):
        """Update a resource variable, `handle`."""
        return self._update(grad, handle)

    def _apply_sparse_duplicate_indices(self, grad, var):
        """As `_apply_sparse`, where rows may come twice: they are added up first."""
        values, indices = _deduplicate_indexed_slices(grad.values, grad.indices)
        return self._apply_sparse(
            IndexedSlices(values, indices, grad._dense_shape), var
        )

    def _apply_sparse(self, grad, var):
        """Update rows of a reference variable; `grad` is IndexedSlices."""
        return self._update(grad.values, var, grad.indices)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        """As `_resource_apply_sparse`, where rows may come twice."""
        values, indices = _deduplicate_indexed_slices(grad, indices)
        return self._resource_apply_sparse(values, handle, indices)

    def _resource_apply_sparse(self, grad, handle, indices):
        """Update rows of a resource variable, `handle`."""
        return self._update(grad, handle, indices)

    def _finish(self, update_ops, name_scope):
        """What comes after the updates; returns the op that ends the step."""
        return None if current_mode().eager else group(*update_ops, name=name_scope)

    def _number(self, value, name):
        """A hyperparameter now: a NumPy scalar (eager), or a tensor (graph)."""
        value = value() if callable(value) else value
        if not current_mode().eager:
            return convert_to_tensor(value, name=name)
        if type(value) is float or type(value) is int:
            return np.float32(value)
        return convert_to_tensor(value)._a[()]

    def _call_if_callable(self, param):
        """`param`, or what it gives when called."""
        return param() if callable(param) else param

    def _valid_dtypes(self):
        return [dtypes.float32, dtypes.float64, dtypes.float16, dtypes.bfloat16]

    def _assert_valid_dtypes(self, tensors):
        valid = self._valid_dtypes()
        for t in tensors:
            if t.dtype.base_dtype not in valid:
                name = str(t) if current_mode().eager else t.name
                raise advised(
                    ValueError,
                    f"Invalid type {t.dtype.base_dtype!r} for {name}, expected: "
                    f"{list(valid)}.",
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


def _count_now(global_step):
    cell = global_step._cell
    cell.write(cell.read() + global_step.dtype.np.type(1))


def _count_node(global_step, name):
    if not is_resource_variable(global_step):
        return state.assign_add(global_step, 1, name=name)
    one = constant(1, global_step.dtype, name="value")
    attrs = {"dtype": global_step.dtype, "shape": global_step._shape}
    inputs = (global_step.handle, one)
    return dispatch.apply(state.AssignAddVariableOp, inputs, attrs, name)


def _kind(var):
    return "reference" if var.dtype._is_ref_dtype else "resource"


def _deduplicate_indexed_slices(values, indices):
    """(the sums of the rows of each index, the indices), every index once."""
    once, places = unique(indices)
    return unsorted_segment_sum(values, places, shape(once)[0]), once


def add_rows(variable, indices, values):
    """Add to rows of a resource variable; returns the node in a graph."""
    op, inputs = RESOURCE_SCATTERS["Add"], (variable.handle, indices, values)
    return dispatch.apply(op, inputs, {"shape": variable._shape})


def _var_key(var):
    """What identifies a variable: its graph and the name of its node, or its id."""
    return (var.graph, var.op.name) if var.graph is not None else var.handle_id()


def get_optimizer_variables(optimizer: Any) -> Any:
    """The variables of an optimizer, sorted by name; tfe.get_optimizer_variables."""
    return optimizer.variables()
