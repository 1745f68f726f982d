"""Handles: values that stay in a session and are fed to its later runs."""

import weakref
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import Array
from twinflow.base.dispatch import apply
from twinflow.base.tensor import Tensor
from twinflow.base.text import as_bytes
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.variables import session_values as ops

if TYPE_CHECKING:
    from twinflow.execute.session import Session
    from twinflow.graph.node import GraphTensor


class TensorHandle:
    """A value that a session keeps: what a run returns for `get_session_handle`.

    It may be fed in place of any tensor of its dtype. The value is freed with the
    object, unless `get_raw_handle` was called.

    Args:
        handle: bytes. dtype: of the value. session: the Session that keeps it.
    """

    def __init__(self, handle: Any, dtype: dtypes.DType, session: "Session") -> None:
        self._handle, self._dtype, self._session = handle, dtype, session
        kept = handle.cell.kept
        self._free = weakref.finalize(self, kept.pop, bytes(handle), None)
        self._free.atexit = False

    @property
    def handle(self) -> str:
        """The name of the value, a str."""
        return self._handle.decode()

    def __str__(self) -> str:
        return self.handle

    def _array(self) -> Array:
        self._check()
        return self._handle.cell.get(self._handle)

    def _check(self) -> None:
        if not self._free.alive:
            raise TypeError(
                f"Persistent tensor {self.handle} may have already been deleted."
            )

    def eval(self) -> Array:
        """The value.

        Raises:
            TypeError: it was deleted, or `get_raw_handle` was called.
        """
        a = np.asarray(self._array())
        return a.copy() if a.ndim else a[()]

    def to_numpy_array(self) -> Any:
        """The value, always as an array."""
        return np.array(self._array())

    def delete(self) -> None:
        """Free the value.

        Raises:
            TypeError: as for `eval`.
        """
        self._check()
        self._free()

    def get_raw_handle(self) -> str:
        """The handle, a str; the value is kept until `delete_session_tensor` is run."""
        self._free.detach()
        return self.handle

    def _fed_array(self, t: "GraphTensor") -> Array:
        """The value as a feed of `t`."""
        if t.dtype.base_dtype is not self._dtype.base_dtype:
            raise TypeError(
                f"The handle {self.handle} has dtype {self._dtype.name}, but the tensor"
                f" {t.name} that it is fed to has dtype {t.dtype.name}."
            )
        return self._array()


def _cell() -> Any:
    """The cell of the current graph, which each session replaces by its own."""
    mode = dispatch.current_mode()
    if mode.eager:
        raise RuntimeError(
            "Session handles are not supported when eager execution is enabled: a "
            "tensor is a value already."
        )
    return mode.state.setdefault("session values", ops.ValuesCell())


def get_session_handle(data: Any, name: str | None = None) -> Any:
    """A tensor that stands for the value of `data`, which the session keeps.

    Args:
        data: a Tensor. name: of the op.
    Returns:
        A string tensor, for which a run returns a TensorHandle.
    Raises:
        TypeError: `data` is no Tensor. RuntimeError: eager execution is enabled.
    Example:
        a = tf.constant([1., 2.])
        with tf.Session() as sess:
            h = sess.run(tf.get_session_handle(a))
            h.eval()  # [1., 2.]
    """
    if not isinstance(data, Tensor):
        raise TypeError("`data` must be of type Tensor.")
    cell, graph = _cell(), dispatch.current_mode()
    full = graph.unique_name(name or "GetSessionHandle", mark_as_used=False)
    with graph.colocate_with(data):
        attrs = {"cell": cell, "node_name": full}
        return apply(ops.GetSessionHandle, (data,), attrs, name)


def get_session_tensor(
    handle: str, dtype: Any, name: str | None = None
) -> tuple[Any, ...]:
    """The value of a handle in a graph.

    Args:
        handle: its name, as TensorHandle.handle. dtype: of the value. name: of the op.
    Returns:
        (placeholder for the handle, the tensor).
    Example:
        with tf.Session() as sess:
            h = sess.run(tf.get_session_handle(tf.constant(3.)))
            p, x = tf.get_session_tensor(h.handle, tf.float32)
            sess.run(x * 2., {p: h.handle})  # 6.0
    """
    attrs = {"cell": _cell(), "dtype": dtypes.as_dtype(dtype)}
    with _beside(handle):
        holder = placeholder(dtypes.string)
        return holder, apply(ops.GetSessionTensor, (holder,), attrs, name)


def delete_session_tensor(handle: str, name: str | None = None) -> tuple[Any, ...]:
    """An op that frees the value of a handle.

    Returns:
        (placeholder for the handle, the op).
    """
    attrs = {"cell": _cell()}
    with _beside(handle):
        holder = placeholder(dtypes.string)
        return holder, apply(ops.DeleteSessionTensor, (holder,), attrs, name)


def _beside(handle: str) -> AbstractContextManager:
    """A block whose nodes are on the device that a handle names."""
    device = as_bytes(handle).decode().rpartition(";")[2]
    return dispatch.current_mode().device(device)
