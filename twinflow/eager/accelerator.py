"""Tensors on an accelerator, and where the ops of eager mode run (Note [Devices])."""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.base import bind, devices, dispatch, dtypes, errors, logging
from twinflow.base.op import Op
from twinflow.eager.tensor import EagerTensor, new, wrap
from twinflow.ops.core.constant import identity

EXPLICIT, WARN, SILENT, SILENT_FOR_INT32 = 0, 1, 2, 3


class Policy:
    """What to do when an input is on another device than its op."""

    value = SILENT
    warned = False


class AcceleratorTensor(EagerTensor):
    """A concrete value on an accelerator; reading it on the host makes a copy.

    Attributes:
        _buffer: the buffer of jax. _index: the number of the accelerator.
    """

    __slots__ = ("_buffer", "_host", "_index")

    _buffer: Any
    _host: np.ndarray | None
    _index: int

    @property
    def _a(  # type: ignore[override]  # here the array is a copy, made once
        self,
    ) -> Any:
        if self._host is None:
            self._host = np.asarray(self._buffer)
        return self._host

    @property
    def _shape(self) -> Any:  # type: ignore[override]
        return self._buffer.shape

    def _shape_value(self) -> Any:
        return self._buffer.shape

    def _alias(self) -> EagerTensor:
        return wrap_buffer(self._buffer, self.dtype, self._index)

    @property
    def device(self) -> Any:
        """Where the value is."""
        return devices.name_of(self._index)

    @property
    def ndim(self) -> Any:
        """The number of axes."""
        return self._buffer.ndim

    def __dlpack__(self, **options: Any) -> Any:
        """The buffer as a DLPack capsule, where it is; see EagerTensor."""
        return self._buffer.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind and number of the device that holds the buffer."""
        return self._buffer.__dlpack_device__()


def wrap_buffer(buffer: Any, dtype: Any, index: int) -> Any:
    """A tensor around a buffer of accelerator `index`."""
    t = new(AcceleratorTensor)
    t._buffer, t.dtype, t._index, t._id, t._host = buffer, dtype, index, 0, None
    return t


def wrapped(value: Any, dtype: Any) -> Any:
    """A tensor around what a plan gives: an array, or a buffer of an accelerator."""
    there = devices.accelerators()
    if there is None or not there.is_buffer(value):
        return wrap(value, dtype)
    index = there.index_of(value)
    if index is None:
        return wrap(np.asarray(value), dtype)
    _asked_for.add(index)
    return wrap_buffer(value, dtype, index)


def given(t: Any) -> Any:
    """What a plan takes for a tensor: its array, or its buffer where it is."""
    return t._buffer if type(t) is AcceleratorTensor else t._a


@contextlib.contextmanager
def scope(name: Any) -> Iterator[None]:
    """Ask for a device in eager mode; see tf.device."""
    if callable(name):
        raise RuntimeError(
            "tf.device does not support functions when eager execution is enabled."
        )
    if not isinstance(name, str | devices.DeviceSpec | None):
        raise ValueError(f"Expecting a string device name. Got {type(name)}({name})")
    local, outer = dispatch.local, dispatch.local.device
    inner = None
    if name:
        inner = devices.full(devices.merged(outer or "", devices.canonical(name)))
    slow = inner is not None and inner != devices.CPU
    local.device = inner
    if slow:
        dispatch.slow_observer(1)
    try:
        yield
    finally:
        if slow:
            dispatch.slow_observer(-1)
        local.device = outer


_asked_for: set[int] = set()  # accelerators; without one no tensor can be there


def place(op: Op, inputs: Any, name: str | None) -> Any:
    """The number of the accelerator that a call runs on; None = the CPU.

    Raises:
        InvalidArgumentError: a device scope asks for a device that does not exist.
    """
    if dispatch.local.device is None:
        if not _asked_for:
            return None
        found = (place_of(t) for t in _flat(inputs) if isinstance(t, EagerTensor))
        index = next((i for i in found if i is not None), None)
    else:
        index = asked_place(name)
    if index is None or op.host or (op.stateful and not op.step):
        return None
    tensors = [t for t in _flat(inputs) if isinstance(t, EagerTensor)]
    return None if any(t.dtype in _HOST for t in tensors) else index


def place_of(t: EagerTensor) -> Any:
    """The number of the accelerator where a tensor, or a variable's handle, is."""
    if t.dtype is dtypes.resource:
        return getattr(t._a, "place", None)
    return t._index if type(t) is AcceleratorTensor else None


def asked_place(name: Any) -> Any:
    """The number of the accelerator of the device scope; None = the CPU.

    Raises:
        InvalidArgumentError: there is no such device.
    """
    try:
        index = devices.gpu_index(dispatch.local.device)
    except LookupError as error:
        label = f" name: {name}/" if name else ""
        raise errors.InvalidArgumentError(None, None, f"{error}{label}") from None
    if index is not None:
        _asked_for.add(index)
    return index


def on_accelerator(cell: Any) -> Any:
    """The state of a cell that lives on an accelerator."""
    buffer = cell.held()
    if buffer is None:
        seen = cell.read()
        buffer = devices.accelerators().put(seen, cell.place)
        cell.leave(buffer, seen)
    return wrap_buffer(buffer, cell.dtype, cell.place)


def moved(t: EagerTensor) -> EagerTensor:
    """A new constant on the device that the scope asks for.

    Raises:
        RuntimeError: there is no such device.
    """
    asked = dispatch.local.device
    try:
        index = devices.gpu_index(asked)
    except LookupError as error:
        raise RuntimeError(
            f"Error copying tensor to device: {asked}. {error}"
        ) from None
    if index is None or t.dtype in _HOST:
        return t
    return wrap_buffer(devices.accelerators().put(t._a, index), t.dtype, index)


def copied(t: EagerTensor, name: str) -> Any:
    """`t` on the device `name` ("GPU:0"), recorded by tapes.

    Raises:
        RuntimeError: there is no such device.
    """
    try:
        devices.gpu_index(devices.full(devices.canonical(f"/device:{name}")))
    except LookupError:
        text = f"Error copying tensor to device: {name}. {name} unknown device."
        raise RuntimeError(text) from None
    with scope(f"/device:{name}"):
        return identity(t)


def _flat(inputs: Any) -> Iterator[Any]:
    for x in inputs:
        if isinstance(x, list | tuple):
            yield from x
        else:
            yield x


def run(op: Any, args: Any, types: Any, attrs: dict, index: int) -> list | None:
    """The outputs of a call on an accelerator; None where a value is refused.

    Raises:
        InferError and what else a kernel raises: the inputs do not fit.
    """
    shapes = op.infer(*args, **attrs) if op.infer else ()
    count = 1 if op.single or not op.infer else len(shapes)
    kinds = bind.output_dtypes(op, types, count)
    arrays = [_operand(a) for a in args]
    if op.check and not op.guard and op.check(*arrays, **attrs):
        return None
    buffers = devices.accelerators().run(op, arrays, attrs, index, kinds)
    if buffers is None:
        return None
    return [wrap_buffer(b, d, index) for b, d in zip(buffers, kinds, strict=True)]


_HOST = frozenset((dtypes.string, dtypes.variant))


def _operand(arg: Any) -> Any:
    if type(arg) is AcceleratorTensor:
        return arg._buffer
    if isinstance(arg, list):
        return [_operand(a) for a in arg]
    return arg._a if isinstance(arg, EagerTensor) else arg


def check_policy(op: Op, args: list, index: int) -> None:
    """Refuse, or warn of, inputs on another device than that of their op."""
    if Policy.value == SILENT:
        return
    wanted = devices.name_of(index)
    for i, t in enumerate(args):
        if not isinstance(t, EagerTensor) or t.dtype is dtypes.resource:
            continue
        if t.device == wanted or (
            Policy.value == SILENT_FOR_INT32 and t.dtype is dtypes.int32
        ):
            continue
        text = (
            f"Tensors on conflicting devices: cannot compute {op.type} as input #{i} "
            f"was expected to be on {wanted} but is actually on {t.device} (operation "
            f"running on {wanted}) Tensors can be copied explicitly using .gpu() or "
            ".cpu() methods, or transparently copied by using tf.enable_eager_execution"
            "(device_policy=tfe.DEVICE_PLACEMENT_SILENT). Copying tensors between "
            "devices may slow down your model"
        )
        if Policy.value != WARN:
            raise errors.InvalidArgumentError(None, None, text)
        if not Policy.warned:
            Policy.warned = True
            logging.warning(text)


dispatch.copied, dispatch.asked_place = copied, asked_place
dispatch.on_accelerator = on_accelerator
