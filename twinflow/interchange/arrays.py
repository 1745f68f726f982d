"""tf.to_dlpack and tf.from_dlpack: arrays of other libraries, where they lie."""

import sys
from typing import Any

import numpy as np

from twinflow.base import dispatch, dlpack
from twinflow.base.convert import to_array
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.ops.core.constant import convert_to_tensor

_NEWEST = (1, 0)


def to_dlpack(tensor: Any) -> Any:
    """The value of a tensor as a DLPack capsule, without a copy.

    The capsule is one of DLPack 1.0, marked as only for reading: a tensor never
    changes. Libraries that take no notice of the mark, torch among them, have to clone
    what they get before they write to it. Variables and scalars give a copy.

    Args:
        tensor: a tensor, variable or what converts to one, of numbers or bools.
    Returns:
        A capsule, to be taken once, as by `torch.utils.dlpack.from_dlpack`.
    Raises:
        RuntimeError: a graph is being built. BufferError: DLPack has no such dtype.
    Example:
        tf.from_dlpack(tf.to_dlpack([1., 2.]))  # [1.0, 2.0]
    """
    _need_values("to_dlpack")
    value = tensor if isinstance(tensor, TensorLike) else convert_to_tensor(tensor)
    return value.__dlpack__(max_version=_NEWEST)


def from_dlpack(array: Any, copy: bool | None = None) -> Any:
    """A tensor of the value of another library's array.

    Args:
        array: what has `__dlpack__` (arrays of torch, jax, cupy and NumPy), or a DLPack
            capsule. copy: False: share the memory, to which nobody may write any more;
            None: share that of arrays which never change (tensors, arrays of jax) and
            of capsules, copy others; True: copy.
    Returns:
        A tensor (a constant where a graph is being built).
    Raises:
        TypeError: `array` is neither. ValueError: the capsule was taken before.
        BufferError: it is not on the CPU, or of a dtype that no tensor has.
    Example:
        tf.from_dlpack(np.array([1., 2.]))  # [1.0, 2.0]
    """
    capsule = array
    shared = copy is False or (copy is None and _never_changes(array))
    if hasattr(array, "__dlpack__"):
        capsule = _capsule_of(array)
    elif type(array).__name__ != "PyCapsule":
        raise TypeError(
            "tf.from_dlpack expects an array with __dlpack__ or a DLPack capsule, got "
            f"{type(array).__name__}: use tf.convert_to_tensor for other values."
        )
    found = dlpack.imported(capsule)
    value, dtype = to_array(found[:0] if found.ndim and shared else found)
    if found.ndim and shared:
        value = found
    return dispatch.current_mode().make_constant(value, dtype)


def _never_changes(array: Any) -> bool:
    """Whether nobody writes to `array`; a capsule is handed over for good."""
    jax = sys.modules.get("jax")
    kinds = (Tensor, jax.Array) if jax is not None else (Tensor,)
    return isinstance(array, kinds) or type(array).__name__ == "PyCapsule"


def _capsule_of(array: Any) -> Any:
    """The capsule of an array, of DLPack 1.0 where its library can."""
    if isinstance(array, np.ndarray) and array.dtype.kind == "V":
        return dlpack.exported(array, _NEWEST, None)  # NumPy has no bfloat16
    try:
        return array.__dlpack__(max_version=_NEWEST)
    except TypeError:  # a library of before 1.0
        return array.__dlpack__()


def _need_values(name: str) -> None:
    if not dispatch.current_mode().eager:
        raise RuntimeError(
            f"tf.{name} needs the values of tensors, which those of a graph have only "
            "while it runs: call it eagerly, or on what Session.run returns."
        )
