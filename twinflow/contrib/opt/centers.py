"""Variables of workers, each beside one that all workers share, their center."""

from collections.abc import Callable
from typing import Any

from twinflow.graph.scopes import device, group
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.variables.collections import (
    GraphKeys,
    global_variables_initializer,
    local_variables_initializer,
)
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.state import assign
from twinflow.train.session_run_hook import SessionRunHook

GLOBAL_VARIABLE_NAME = "global_center_variable"


class CenterGetter:
    """A custom getter: a variable of a worker, its center, and maybe a third.

    Args:
        worker_device: the device of the worker.
    """

    _beside = ""  # the scope of the third variable

    def __init__(self, worker_device: Any) -> None:
        self._worker_device = worker_device
        self._global_map: dict[Any, Any] = {}
        self._local_map: dict[Any, Any] = {}

    def __call__(
        self, getter: Callable[..., Any], name: str, trainable: bool, collections: Any,
        *args: Any, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """The variable of the worker; variables that are not trained stay shared."""
        local = GraphKeys.LOCAL_VARIABLES
        if not trainable or local in (collections or ()):
            return getter(
                name, *args, trainable=trainable, collections=collections, **kwargs
            )
        with device(self._worker_device):
            own = getter(name, *args, trainable=True, collections=[local], **kwargs)
            start = own.initialized_value()
            if self._beside:
                self._local_map[own] = Variable(
                    self._start(start), trainable=False, collections=[local],
                    name=f"{self._beside}/{name}",
                )  # fmt: skip
        self._global_map[own] = Variable(
            start, trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES],
            name=f"{GLOBAL_VARIABLE_NAME}/{name}",
        )  # fmt: skip
        return own

    def _start(self, value: Any) -> Any:
        """The first value of the third variable."""
        return value


def local_step() -> Any:
    """The variable in which a worker counts its steps."""
    return get_variable(
        "local_step", initializer=0, trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES],
    )  # fmt: skip


def as_centers(getter: CenterGetter, others_too: bool) -> Any:
    """The op that makes a worker's variables as their centers."""
    made = [assign(own, center) for own, center in getter._global_map.items()]
    if others_too:
        made += [assign(getter._local_map[v], c) for v, c in getter._global_map.items()]
    return group(*made)


class CenterHook(SessionRunHook):
    """Starts the variables of a worker; the chief's starts the shared ones too."""

    def __init__(self, optimizer: Any, is_chief: bool, task_index: int) -> None:
        self._optimizer, self._is_chief = optimizer, is_chief
        self._task_index = task_index
        self._ops: list[Any] = []

    def begin(self) -> None:
        """Make the ops."""
        self._ops = [local_variables_initializer()]
        if self._is_chief:
            self._ops.append(global_variables_initializer())
        self._ops.append(self._optimizer.get_init_op(self._task_index))

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Run them."""
        for op in self._ops:
            session.run(op)
