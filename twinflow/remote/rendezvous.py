"""Tensors that a task keeps for others, who fetch them by RecvTensor.

Note [Rendezvous]: a tensor that goes from one task to another, of which neither is the
master's, stays with the task that made it until the other asks for it: its parts of a
later level run when it is there. So does one that is too large for a message, wherever
it goes. It is fetched in pieces, some of which are under way at once, and forgotten
when the master says that the step is over.
"""

import collections
import threading
from typing import Any

import numpy as np

from twinflow.base import blocking, dtypes, errors
from twinflow.formats import protos
from twinflow.remote import tensors

PIECE = 1 << 22  # bytes: larger messages do not fit into caches on their way
MESSAGE = 1 << 24  # bytes that may travel inside another message
_AT_ONCE = 3
LARGE = ";large"  # ends the name of a tensor that is to be fetched


class Rendezvous:
    """What a task keeps: {step: {key: (array, dtype)}}."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict = {}
        self._sessions: dict = {}  # {step: the handle of its session}

    def put(self, step: int, key: str, array: Any, dtype: Any, session: str) -> None:
        """Keep a tensor until `forget`, or until its session ends."""
        with self._lock:
            self._kept.setdefault(step, {})[key] = array, dtype
            self._sessions[step] = session

    def forget(self, step: int) -> None:
        """Let go of what a step has put here."""
        with self._lock:
            self._kept.pop(step, None)
            self._sessions.pop(step, None)

    def forget_session(self, session: str) -> None:
        """Let go of what the steps of a session have put here."""
        with self._lock:
            for step in [s for s, of in self._sessions.items() if of == session]:
                self._kept.pop(step, None)
                del self._sessions[step]

    def answer(self, request: Any, response: Any) -> None:
        """Fill in a RecvTensorResponse: a piece from where the key says.

        Raises:
            AbortedError: the tensor is not here, or no longer.
        """
        key, _, start = request.rendezvous_key.rpartition(";")
        with self._lock:
            found = self._kept.get(request.step_id, {}).get(key)
        if found is None or not start.isdecimal():
            raise errors.AbortedError(
                None, None,
                f"The tensor {request.rendezvous_key!r} of step {request.step_id} is "
                "not here. Possibly, this worker just restarted.",
            )  # fmt: skip
        array, dtype = found
        if not _in_pieces(dtype):
            response.tensor.CopyFrom(tensors.as_message(array, dtype, key))
            return
        response.tensor.dtype = dtype.base_dtype.as_datatype_enum
        response.tensor.tensor_shape.SetInParent()
        for d in np.shape(array):
            response.tensor.tensor_shape.dim.add(size=d)
        response.tensor.tensor_content = _bytes(array)[int(start) :][:PIECE].tobytes()


def _in_pieces(dtype: Any) -> bool:
    return dtype.base_dtype is not dtypes.string


def _bytes(array: Any) -> Any:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def is_large(array: Any) -> bool:
    """Whether a tensor is to be fetched, rather than to travel with a message."""
    return getattr(array, "nbytes", 0) > MESSAGE and np.asarray(array).dtype != object


def fetched(link: Any, step: int, key: str, note: Any = None) -> Any:
    """The array of a tensor that another task keeps.

    Args:
        link: to the task. step, key: see Rendezvous. note: called with each call.
    Raises:
        tf.errors.OpError: the task, or the tensor, is gone.
    """
    first = _piece(link, step, key, 0, note)
    dtype = dtypes.as_dtype(first.dtype)
    if not _in_pieces(dtype):
        return tensors.array_of(first, key)
    found = np.empty([d.size for d in first.tensor_shape.dim], dtype.as_numpy_dtype)
    into, size = found.reshape(-1).view(np.uint8), len(first.tensor_content)
    _copy(first, into[:size], key)
    calls: collections.deque = collections.deque()
    starts = range(size, len(into), size) if size else ()
    for at in starts:
        calls.append((at, _asked(link, step, key, at, note)))
        if len(calls) == _AT_ONCE:
            _take(link, calls, into, size, key)
    while calls:
        _take(link, calls, into, size, key)
    return found


def _take(link: Any, calls: Any, into: Any, size: int, key: str) -> None:
    at, call = calls.popleft()
    _copy(link.result(call).tensor, into[at : at + size], key)


def _copy(proto: Any, into: Any, key: str) -> None:
    content = np.frombuffer(proto.tensor_content, np.uint8)
    if len(content) != len(into):
        raise errors.InternalError(None, None, f"A piece of {key} was cut.")
    into[:] = content


def _piece(link: Any, step: int, key: str, start: int, note: Any) -> Any:
    return link.result(_asked(link, step, key, start, note)).tensor


def _asked(link: Any, step: int, key: str, start: int, note: Any) -> Any:
    request = protos.RecvTensorRequest(step_id=step, rendezvous_key=f"{key};{start}")
    call = link.start("WorkerService", "RecvTensor", request, blocking.left())
    if note is not None:
        note(call)
    return call
