"""What a run gives to the program."""

from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base.annotations import Array
from twinflow.execute.session_handles import TensorHandle
from twinflow.ops.variables.session_values import KeptHandle

if TYPE_CHECKING:
    from twinflow.execute.session import Session


def leaving(value: Array | np.generic, fetch: Any, session: "Session") -> Any:
    """The value of a fetched tensor: a copy (see EagerTensor), or a TensorHandle.

    Args:
        value: an array. fetch: the GraphTensor. session: the one that ran.
    """
    if isinstance(value, np.generic):
        return value
    a = np.asarray(value)
    if a.ndim:
        return a.copy()
    found = a[()]
    if type(found) is KeptHandle:
        return TensorHandle(found, fetch.op.inputs[0].dtype, session)
    return found


def as_fed(value: Any) -> Array:
    """A value that the run was given: always an array."""
    return np.array(value, object) if isinstance(value, bytes) else np.asarray(value)
