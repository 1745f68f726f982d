"""TowerOptimizer: one update from the gradients of all towers."""

import collections
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.scopes import (
    control_dependencies,
    get_collection_ref,
    name_scope,
)
from twinflow.graph.scopes import device as on_device
from twinflow.graph.variable_scope import variable_scope
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.division import divide
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.joining import concat
from twinflow.ops.core.no_op import no_op
from twinflow.train.optimizer import Optimizer


class GraphState:
    """What the optimizers of one graph share: the towers, and their gradients."""

    def __init__(self) -> None:
        self.loss_reduction: Any = None
        self.number_of_towers, self.current_tower, self.used = 1, 0, False
        self._scopes: Any = None  # the variable and name scopes of the first tower
        self._collected: dict[Any, Any] = collections.defaultdict(list)

    def set_reduction_across_towers(self, loss_reduction: Any, towers: int) -> None:
        """Say how many towers there are, and what becomes of their losses."""
        self.loss_reduction, self.number_of_towers = loss_reduction, towers

    @contextmanager
    def tower(self, tower_id: int, variables: Any, names: Any) -> Iterator[None]:
        """A block in which optimizers belong to one tower, in its scopes."""
        if tower_id == 0:
            self._scopes = variables, names
        self.current_tower = tower_id
        yield

    @contextmanager
    def scopes_of_the_first_tower(self) -> Iterator[None]:
        """A block in which variables are made as in the first tower."""
        if self._scopes is None:
            yield
            return
        variables, names = self._scopes
        with variable_scope(variables), name_scope(names):
            yield

    def collect(self, grads_and_vars: Any) -> None:
        """Keep the gradients of an optimizer of this tower."""
        self._collected[self.current_tower].append(grads_and_vars)

    def latest_of_all_towers(self) -> list:
        """The gradients of the same optimizer in each tower: of the last one here."""
        i = len(self._collected[self.current_tower]) - 1
        return [self._collected[t][i] for t in range(self.number_of_towers)]

    def is_the_last_tower(self) -> bool:
        """Whether the gradients of all towers are there."""
        return self.current_tower == self.number_of_towers - 1

    def did_towers_have_same_optimizer_calls(self) -> bool:
        """Whether each tower has applied as many gradients."""
        return len({len(calls) for calls in self._collected.values()}) < 2


class TowerOptimizer(Optimizer):
    """Adds the gradients of all towers, and lets another optimizer apply the sum.

    For model functions that are replicated by tf.contrib.estimator.replicate_model_fn:
    each tower but the last one only gives its gradients.

    Args:
        optimizer_or_optimizer_fn: the other optimizer, or a function of no arguments
            that gives it.
    Example:
        adam = tf.train.AdamOptimizer()
        tf.contrib.estimator.TowerOptimizer(adam).get_name()  # "Adam"
    """

    COLLECTION_FOR_GRAPH_STATES = "replicate_model_fn_graph_states"

    def __init__(
        self, optimizer_or_optimizer_fn: Optimizer | Callable[..., Any]
    ) -> None:
        self._optimizer_or_optimizer_fn: Any = optimizer_or_optimizer_fn

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """Those of the other optimizer, of the part of the loss that a tower has."""
        found = self._graph_state()
        loss = scale_loss(loss, found.loss_reduction, found.number_of_towers)
        return self._get_optimizer().compute_gradients(loss, *args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, **kwargs: Any
    ) -> Any:
        """Apply the gradients of all towers, in the last one.

        Args:
            grads_and_vars: list of (gradient, variable). global_step: a variable to be
                increased by one. kwargs: what else the other optimizer takes.
        Returns:
            The train op; in all towers but the last one an op that does nothing.
        """
        found = self._graph_state()
        found.used = True
        found.collect(grads_and_vars)
        if found.is_the_last_tower():
            with found.scopes_of_the_first_tower():
                return self._apply_gathered_gradients(global_step, **kwargs)
        done = [gradient for gradient, _ in grads_and_vars if gradient is not None]
        with control_dependencies(done):
            return no_op(name="train_op_placeholder")

    def _apply_gathered_gradients(self, global_step, **kwargs):
        gathered: dict = {}
        for pairs in self._graph_state().latest_of_all_towers():
            for gradient, variable in pairs:
                _, known = gathered.setdefault(id(variable), (variable, []))
                if gradient is not None:
                    known.append(gradient)
        summed = []
        with name_scope("gradient_aggregating"):
            for variable, found in gathered.values():
                if found:
                    total = sum_on_device(found, variable.device)
                    summed.append((total, variable))
        return self._get_optimizer().apply_gradients(
            summed, global_step=global_step, **kwargs
        )

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """That of the other optimizer."""
        return self._get_optimizer().get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """Those of the other optimizer."""
        return self._get_optimizer().get_slot_names(*args, **kwargs)

    def get_name(self, *args: Any, **kwargs: Any) -> str:
        """That of the other optimizer."""
        return self._get_optimizer().get_name(*args, **kwargs)

    def variables(self, *args: Any, **kwargs: Any) -> Any:
        """Those of the other optimizer."""
        return self._get_optimizer().variables(*args, **kwargs)

    def _get_optimizer(self):
        """The other optimizer; made by its function where it is used first."""
        given = self._optimizer_or_optimizer_fn
        if callable(given):
            self._optimizer_or_optimizer_fn = given = given()
        return given

    @staticmethod
    def has_been_used() -> bool:
        """Whether one has applied gradients in this graph."""
        return TowerOptimizer._graph_state().used

    @staticmethod
    def _did_towers_have_same_optimizer_calls():
        return TowerOptimizer._graph_state().did_towers_have_same_optimizer_calls()

    @staticmethod
    def _clear_graph_state():
        get_default_graph().clear_collection(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)

    @staticmethod
    def _graph_state():
        states = get_collection_ref(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)
        if not states:
            states.append(GraphState())
        return states[-1]


def scale_loss(loss: Any, loss_reduction: Any, number_of_towers: int) -> Any:
    """The part of a loss that one tower has in the whole."""
    if loss is None or number_of_towers == 1 or loss_reduction == Reduction.SUM:
        return loss
    return divide(loss, 1.0 * number_of_towers, name="averaged_loss")


def sum_on_device(values: list, device: Any, name: str | None = None) -> Any:
    """The sum of tensors or IndexedSlices, on a device.

    Raises:
        ValueError: IndexedSlices are to have a name.
    """
    with on_device(device):
        if not isinstance(values[0], IndexedSlices):
            return add_n(values, name=name)
        if name:
            raise ValueError(
                f"The name {name} is not expected to be given to IndexedSlices {values}"
            )
        return IndexedSlices(
            _joined([v.values for v in values]), _joined([v.indices for v in values]),
            values[0].dense_shape,
        )  # fmt: skip


def _joined(parts: list) -> Tensor:
    return concat(parts, axis=0)
