"""An optimizer that changes gradients before another one applies them."""

from typing import Any

from twinflow.train.optimizer import Optimizer


class TransformGradients(Optimizer):
    """Changes gradients, and leaves the rest to another optimizer.

    Args:
        optimizer: the other one.
        transform_grads_fn: from a list of (gradient, variable) to such a list.
        name: of the optimizer.
    """

    def __init__(
        self, optimizer: Any, transform_grads_fn: Any, name: str | None = None
    ) -> None:
        super().__init__(use_locking=False, name=name)
        self._optimizer, self._transform_grads_fn = optimizer, transform_grads_fn

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Those of the other optimizer, as they are."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Change the gradients, and let the other optimizer apply them."""
        changed = self._transform_grads_fn(grads_and_vars)
        return self._optimizer.apply_gradients(changed, global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """That of the other optimizer."""
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """Those of the other optimizer."""
        return self._optimizer.get_slot_names(*args, **kwargs)

    def variables(self) -> Any:
        """Those of the other optimizer."""
        return self._optimizer.variables()
