"""The op that does nothing, and waits."""

from typing import Any

from twinflow.base.dispatch import apply
from twinflow.base.op import define

NoOp = define("NoOp", infer=lambda: [], kernel=lambda xp: lambda: (), stateful=True)


def no_op(name: str | None = None) -> Any:
    """An op that does nothing, to hang control dependencies on; None when eager."""
    return apply(NoOp, (), None, name) or None
