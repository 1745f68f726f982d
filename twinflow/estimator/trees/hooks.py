"""The hooks of a training of trees."""

from typing import Any

from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook


class StopAtAttemptsHook(SessionRunHook):
    """Stops when there are enough trees, or too many layers could not be grown.

    Args:
        num_finalized_trees_tensor, num_attempted_layers_tensor: int32 scalars.
        max_trees, max_depth: of the ensemble.
    """

    def __init__(
        self, num_finalized_trees_tensor: Any, num_attempted_layers_tensor: Any,
        max_trees: int, max_depth: int,
    ) -> None:  # fmt: skip
        self._tensors = [num_finalized_trees_tensor, num_attempted_layers_tensor]
        self._max_trees, self._max_depth = max_trees, max_depth

    def before_run(self, run_context: Any) -> SessionRunArgs:
        """See SessionRunHook."""
        return SessionRunArgs(self._tensors)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Ask again: the step has changed the ensemble."""
        trees, layers = run_context.session.run(self._tensors)
        if trees >= self._max_trees or layers > 2 * self._max_trees * self._max_depth:
            run_context.request_stop()


class GrowerInitializationHook(SessionRunHook):
    """Runs an op once, when there is a session.

    Args:
        init_op: the op.
    """

    def __init__(self, init_op: Any) -> None:
        self._init_op = init_op

    def after_create_session(self, session: Any, coord: Any) -> None:
        """See SessionRunHook."""
        session.run(self._init_op)
