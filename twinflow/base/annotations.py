"""The words of annotations; when a program runs they say nothing."""

import os
from collections.abc import Callable, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    ParamSpec,
    Protocol,
    SupportsIndex,
    TypeAlias,
    TypeVar,
)

P = ParamSpec("P")
"""What a function takes; Q: without `self`. R: what it gives."""
Q = ParamSpec("Q")
R = TypeVar("R")
Given = TypeVar("Given", covariant=True)
Called = TypeVar("Called", bound=Callable[..., Any])
"""A function that a decorator leaves as it is for its callers."""

if TYPE_CHECKING:
    import numpy as np

    from twinflow.base.dimension import Dimension
    from twinflow.base.dtypes import DType
    from twinflow.base.shapes import TensorShape
    from twinflow.base.tensor import Tensor, TensorLike

    Array: TypeAlias = np.ndarray[Any, Any]
    Shape: TypeAlias = tuple[int | None, ...] | None
    """A static shape as tensors keep it: None is a length or rank that is unknown."""
    Size: TypeAlias = SupportsIndex | Dimension | None
    ShapeValue: TypeAlias = (
        TensorShape | Tensor | TensorLike | Array | Sequence[Size | Tensor] | int
    )
    """What says a shape."""
    DTypeValue: TypeAlias = DType | np.dtype[Any] | type[Any] | str | int
    """What says a dtype."""
    AxisValue: TypeAlias = int | Sequence[int] | Tensor | Array | None
    """What says axes; None is all of them."""
    Path: TypeAlias = str | bytes | os.PathLike[str]
else:
    Path = Array = Shape = ShapeValue = DTypeValue = AxisValue = Any


class HasCall(Protocol[Given]):
    """A layer: calling it gives what its own `call` says."""

    @property
    def call(self) -> Callable[..., Given]:
        """The output for inputs."""


def overridable(method: Callable[..., R]) -> Callable[..., R]:
    """A method that subclasses write with parameters of their own: `call(self, x)`."""
    return method
