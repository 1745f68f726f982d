"""The losses and updates that layers collect, for graphs above all."""

import contextlib
import contextvars
import functools
from typing import TYPE_CHECKING, Any

from twinflow.base import nest
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.graph.gradients import ancestors
from twinflow.graph.node import GraphTensor
from twinflow.graph.regions import captured
from twinflow.keras.engine.weights import HasWeights

if TYPE_CHECKING:
    from twinflow.graph.node import Node

_dropping = contextvars.ContextVar("whether updates are dropped", default=False)


@contextlib.contextmanager
def dropped_updates():
    """Within the block `add_update` does nothing: layers run a second time."""
    token = _dropping.set(True)
    try:
        yield
    finally:
        _dropping.reset(token)


class HasLosses(HasWeights):
    """Keeps losses and updates with the inputs they depend on."""

    stateful = False

    def _regularize_weight(self, name, variable, regularizer):
        loss = functools.partial(_loss_of, regularizer, variable, name)
        self._losses.append((loss, True))

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Add losses, to be taken from `losses` (graph mode; eager: functions only).

        Args:
            losses: a scalar tensor, a function that gives one, or a list of these.
            inputs: the inputs that they depend on; None = they hold regardless.
        Raises:
            RuntimeError: eager mode, and the losses depend on inputs.
        """
        eager = current_mode().variable_owner().eager
        if eager and inputs is not None:
            raise RuntimeError(
                'Activity regularization (via the "inputs" argument to Layer.add_loss) '
                "is not supported when executing eagerly. Consider returning activity "
                "regularization losses from a Model's call() method."
            )
        for loss in losses if isinstance(losses, list | tuple) else [losses]:
            if callable(loss) or not eager:
                self._losses.append((loss, inputs is None))

    @property
    def losses(self) -> list[Any]:
        """The losses of this layer and its parts; those of functions are made now."""
        own = _made(loss for loss, _ in self._losses)
        return own + [x for part in self._sublayers() for x in part.losses]

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on `inputs`; None = those that hold regardless."""
        if current_mode().eager:
            raise RuntimeError("Layer.get_losses_for not supported in Eager mode.")
        return self._losses_for(inputs)

    def _losses_for(self, inputs):
        """The same; of models those of other inputs, too."""
        always = inputs is None
        own = _made(loss for loss, regardless in self._losses if regardless is always)
        own = _relevant([(loss, always) for loss in own], inputs)
        return own + [x for p in self._sublayers() for x in p._losses_for(inputs)]

    # ------------------------------------------------------------------ updates
    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Add ops that belong to a training step; see `get_updates_for`.

        Eagerly and in functions they have run already, and nothing is added.

        Args:
            updates: an op or tensor, or a list of them.
            inputs: the inputs that they depend on; None = they hold regardless.
        """
        mode = current_mode()
        if mode.eager or getattr(mode, "is_function", False) or _dropping.get():
            return
        for update in updates if isinstance(updates, list | tuple) else [updates]:
            node = update.op if isinstance(update, Tensor | ResourceHandle) else update
            self._updates.append((_assignment(node), inputs is None))
            known = mode.state.setdefault("updates of layers", [])
            known.append(_assignment(node))  # see execute.graph_warnings

    @property
    def updates(self) -> list[Any]:
        """The ops of `add_update`, of this layer and its parts."""
        if current_mode().eager:
            raise RuntimeError("Layer.updates not supported in Eager mode.")
        return self._all_updates()

    def _all_updates(self):
        if not self.trainable and not self.stateful:
            return []
        own = [update for update, _ in self._updates]
        return own + [x for part in self._sublayers() for x in part._all_updates()]

    def get_updates_for(self, inputs: Any) -> "list[Node]":
        """The updates that depend on `inputs`; None = those that hold regardless.

        Raises:
            RuntimeError: eager mode, where updates have been made already.
        """
        if current_mode().eager:
            raise RuntimeError("`get_updates_for()` not supported in Eager mode.")
        return self._updates_for(inputs)

    def _updates_for(self, inputs):
        """The same; of models those of other inputs, too."""
        if not self.trainable and not self.stateful:
            return []
        own = _relevant(self._updates, inputs)
        return own + [x for p in self._sublayers() for x in p._updates_for(inputs)]


def _made(losses):
    made = [loss() if callable(loss) else loss for loss in losses]
    return [loss for loss in made if loss is not None]


def _loss_of(regularizer, variable, name):
    mode = current_mode()
    with mode.name_scope(f"{name}/Regularizer"):
        return regularizer(variable)


def _assignment(node):
    """The op that changes a variable, where `node` only reads it afterwards."""
    if node.type == "ReadVariableOp" and node.after:
        return node.after[-1]
    return node


def _relevant(pairs, inputs):
    if inputs is None:
        return [x for x, unconditional in pairs if unconditional]
    wanted = set()
    for t in nest.flatten(inputs):
        wanted.update([t] if isinstance(t, GraphTensor) else t.op.outputs)
    return [x for x, always in pairs if not always and reaches(x, wanted)]


def reaches(x, wanted):
    """Whether `x` is computed from one of the tensors `wanted`."""
    node = x.op if isinstance(x, GraphTensor) else x
    nodes = [node, *ancestors([*node.inputs, *captured(node)])]
    used = {t for n in nodes for t in (*n.inputs, *captured(n))}
    return x in wanted or not wanted.isdisjoint(used)
