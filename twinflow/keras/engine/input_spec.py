"""What a layer expects of its inputs."""

from dataclasses import astuple, dataclass, fields
from typing import Any

from twinflow.base import dtypes, nest
from twinflow.base.advice import say_fix
from twinflow.base.tensor import Tensor

_FIX = (
    "reshape the input to what the layer takes (tf.expand_dims(x, -1) adds channels, "
    "x[None] a batch), name its shape by set_shape, or make another layer for inputs "
    "of this shape."
)


@dataclass(frozen=True, repr=False)
class InputSpec:
    """Limits on the dtype and shape of one input; None = anything.

    Args:
        dtype: the DType. shape: a tuple with None for what is free.
        ndim, max_ndim, min_ndim: numbers of axes.
        axes: dict from axis to size.
    """

    dtype: object = None
    shape: tuple[Any, ...] | None = None
    ndim: int | None = None
    max_ndim: int | None = None
    min_ndim: int | None = None
    axes: dict[Any, Any] | None = None

    def __post_init__(self):
        if self.shape is not None and self.ndim is None:
            object.__setattr__(self, "ndim", len(self.shape))
        self.remember(None)

    def remember(self, shape: tuple[Any, ...] | None) -> None:
        """Keep the shape of an input that fits, so that its like is not looked at."""
        object.__setattr__(self, "seen", shape if self.dtype is None else None)

    def __repr__(self):
        parts = zip(fields(self), astuple(self), strict=True)
        return f"InputSpec({', '.join(f'{f.name}={v}' for f, v in parts if v)})"


def check_inputs(specs, inputs, layer_name):
    """Hold `inputs` against `specs`.

    Raises:
        ValueError: there is another number of inputs, or one does not fit.
    """
    if type(specs) is InputSpec and isinstance(inputs, Tensor):
        shape = inputs._shape
        if shape is not None and shape == specs.seen:
            return
        _check((specs,), (inputs,), layer_name)
        specs.remember(shape)
    else:
        _check(nest.flatten(specs), nest.flatten(inputs), layer_name)


def _check(specs, inputs, layer_name):
    if len(inputs) != len(specs):
        raise ValueError(
            f"Layer {layer_name} expects {len(specs)} inputs, but it received "
            f"{len(inputs)} input tensors. Inputs received: {inputs}"
        )
    for i, (spec, x) in enumerate(zip(specs, inputs, strict=True)):
        fault = None if spec is None else _fault(spec, x)
        if fault:
            error = ValueError(
                f"Input {i} of layer {layer_name} is incompatible with the layer: "
                f"{fault}"
            )
            say_fix(error, _FIX)
            raise error


def _fault(spec, x):
    if spec.dtype is not None and x.dtype is not dtypes.as_dtype(spec.dtype):
        return f"expected dtype={spec.dtype}, found dtype={x.dtype.name}"
    if x._shape is None:
        ranks = (spec.ndim, spec.min_ndim, spec.max_ndim)
        if ranks == (None, None, None):
            return None
        return "its rank is undefined, but the layer requires a defined rank."
    shape = list(x._shape)
    return _rank_fault(spec, shape) or _size_fault(spec, shape)


def _rank_fault(spec, shape):
    n = len(shape)
    found = f"found ndim={n}. Full shape received: {shape}"
    ndim = len(spec.shape) if spec.ndim is None and spec.shape else spec.ndim
    if ndim is not None and n != ndim:
        return f"expected ndim={ndim}, {found}"
    if spec.max_ndim is not None and n > spec.max_ndim:
        return f"expected max_ndim={spec.max_ndim}, found ndim={n}"
    if spec.min_ndim is not None and n < spec.min_ndim:
        return f": expected min_ndim={spec.min_ndim}, {found}"
    return None


def _size_fault(spec, shape):
    for axis, size in (spec.axes or {}).items():
        if size is not None and shape[int(axis)] not in (size, None):
            return (
                f"expected axis {axis} of input shape to have value {size} but "
                f"received input with shape {shape}"
            )
    for wanted, size in zip(spec.shape or (), shape, strict=False):
        if wanted is not None and size not in (wanted, None):
            return f"expected shape={tuple(spec.shape)}, found shape={shape}"
    return None
