"""What a Saver saves of an object that is no variable."""

from typing import Any

from twinflow.base.errors import UsageError


class SaveSpec:
    """A tensor under its name in a checkpoint.

    Args:
        tensor: the tensor, or a function that gives it. slice_spec: "" for a whole one.
        name: the key. dtype: its DType, where `tensor` is a function.
    """

    def __init__(
        self, tensor: Any, slice_spec: Any, name: Any, dtype: Any = None
    ) -> None:
        self._tensor, self.slice_spec, self.name = tensor, slice_spec, name
        if callable(tensor) and dtype is None:
            raise UsageError(
                "When passing a callable `tensor` to a SaveSpec, an explicit dtype "
                "must be provided."
            )
        self.dtype = dtype if callable(tensor) else tensor.dtype.base_dtype

    @property
    def tensor(self) -> Any:
        """The tensor."""
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """Something saved and restored: the base of what programs write for themselves.

    Args:
        op: what is saved. specs: its SaveSpecs. name: the key that sorts it.
    """

    def __init__(self, op: Any, specs: Any, name: Any) -> None:
        self.op, self.specs, self.name = op, specs, name

    @property
    def optional_restore(self) -> bool:
        """Whether a checkpoint may lack it."""
        return False

    @property
    def device(self) -> Any:
        """The device of the first tensor."""
        return self.specs[0].tensor.device

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """The op that puts it back.

        Args:
            restored_tensors: one for each spec.
            restored_shapes: the shapes they are to have, or None.
        """
        raise ValueError("Calling an abstract method.")
