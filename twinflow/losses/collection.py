"""The losses of a graph, collected while it is built; none in eager mode."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import constant
from twinflow.ops.core.elementwise import add_n

LOSSES = "losses"
REGULARIZATION = "regularization_losses"


def _collected(key, scope):
    mode = current_mode()
    return [] if mode.eager else mode.get_collection(key, scope)


def add_loss(loss: Any, loss_collection: str | None = LOSSES) -> None:
    """Add a loss to a collection of the graph; nothing happens in eager mode."""
    mode = current_mode()
    if loss_collection and not mode.eager:
        mode.add_to_collection(loss_collection, loss)


def get_losses(
    scope: str | None = None, loss_collection: str | None = LOSSES
) -> list[Tensor]:
    """The losses of the graph, those whose names start with `scope`."""
    return _collected(loss_collection, scope)


def get_regularization_losses(scope: Any = None) -> list[Tensor]:
    """The regularization losses of the graph, those whose names start with `scope`."""
    return _collected(REGULARIZATION, scope)


def get_regularization_loss(
    scope: Any = None, name: str | None = "total_regularization_loss"
) -> Tensor:
    """The sum of the regularization losses; 0 if there are none."""
    losses = get_regularization_losses(scope)
    return add_n(losses, name=name) if losses else constant(0.0)


def get_total_loss(
    add_regularization_losses: bool = True, name: str | None = "total_loss"
) -> Tensor:
    """The sum of the losses of the graph.

    Args:
        add_regularization_losses: whether to add these too. name: of the result.
    Raises:
        ValueError: there are no losses.
    """
    losses = get_losses()
    if add_regularization_losses:
        losses += get_regularization_losses()
    return add_n(losses, name=name)
