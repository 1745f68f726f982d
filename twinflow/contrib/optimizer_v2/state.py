"""What an optimizer of the second kind gives to its own updates."""

from typing import Any

from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.train.optimizer import Optimizer


class State:
    """The slots, other variables and numbers of an optimizer, in one graph.

    Args:
        optimizer: whose they are.
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self._optimizer: Any = optimizer
        self._hyper: dict = {}

    def renew(self) -> None:
        """Forget the numbers of the last step."""
        self._hyper = {}

    def get_hyper(self, name: str, dtype: Any = None) -> Any:
        """A hyperparameter as it is in this step.

        Args:
            name: that of `_set_hyper`. dtype: cast it to this DType.
        Returns:
            A tensor, or a NumPy scalar (eager, where no `dtype` is given).
        """
        if name not in self._hyper:
            value = self._optimizer._hyper[name]
            self._hyper[name] = self._optimizer._number(value, name)
        value = self._hyper[name]
        return value if dtype is None else cast(convert_to_tensor(value), dtype)

    def create_slot(
        self, var: Any, val: Any, slot_name: str, optional_op_name: str | None = None
    ) -> Any:
        """The slot `slot_name` of `var`, made with the value `val` if there is none."""
        name = optional_op_name or self._optimizer._name
        return self._optimizer._get_or_make_slot(var, val, slot_name, name)

    def create_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str,
        optional_op_name: str | None = None,
    ) -> Any:  # fmt: skip
        """The slot `slot_name` of `var`; see create_slot_with_initializer."""
        name = optional_op_name or self._optimizer._name
        return self._optimizer._get_or_make_slot_with_initializer(
            var, initializer, shape, dtype, slot_name, name
        )

    def zeros_slot(
        self, var: Any, slot_name: str, optional_op_name: str | None = None
    ) -> Any:
        """The slot `slot_name` of `var`, made with zeros if there is none."""
        name = optional_op_name or self._optimizer._name
        return self._optimizer._zeros_slot(var, slot_name, name)

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot `name` of `var`; None if it has not got one."""
        return self._optimizer.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        """The names of the slots there are, sorted."""
        return self._optimizer.get_slot_names()

    def create_non_slot(
        self, initial_value: Any, name: str, colocate_with: Any = None
    ) -> Any:
        """A variable of the optimizer as a whole; made if there is none."""
        return self._optimizer._create_non_slot_variable(
            initial_value, name, colocate_with
        )

    def get_non_slot(self, name: str) -> Any:
        """A variable of the optimizer as a whole."""
        graph = self._optimizer._graph_of_variables()
        return self._optimizer._get_non_slot_variable(name, graph)
