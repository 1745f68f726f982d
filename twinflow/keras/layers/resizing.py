"""Layers that repeat, pad or cut the spatial axes."""

from typing import Any

from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras.backend.arrays import repeat_elements
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.layers.arguments import (
    data_format_of,
    joined_dims,
    split_dims,
    tuple_of,
)
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core.shape import shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.image.resize import resize_nearest_neighbor


class _Spatial(Layer):
    """A layer that changes the sizes of the spatial axes one by one."""

    rank = 1

    def __init__(self, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = data_format_of(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        batch, space, channels = split_dims(dims, self.data_format)
        out = [None if d is None else self._size(d, i) for i, d in enumerate(space)]
        return TensorShape(joined_dims(batch, out, channels, self.data_format))


class UpSampling1D(_Spatial):
    """Each step of time `size` times."""

    config = ("size",)

    def __init__(self, size: int = 2, **kwargs: Any) -> None:
        super().__init__("channels_last", **kwargs)
        self.size = int(size)

    def call(self, inputs: Any) -> Tensor:
        return repeat_elements(inputs, self.size, 1)

    def _size(self, d, i):
        return d * self.size


class UpSampling2D(_Spatial):
    """Each row and column several times.

    Args:
        size: an int or two, for rows and columns.
        data_format: "channels_last" or "channels_first". kwargs: `name`, `dtype` ...
    Example:
        tf.keras.layers.UpSampling2D()(tf.ones([1, 2, 2, 3]))  # float32[1, 4, 4, 3]
    """

    rank, config = 2, ("size", "data_format")

    def __init__(
        self, size: Any = (2, 2), data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(data_format, **kwargs)
        self.size = tuple_of(size, 2, "size")

    def call(self, inputs: Any) -> Tensor:
        first = self.data_format == "channels_first"
        x = transpose(inputs, (0, 2, 3, 1)) if first else inputs
        sizes = x._shape[1:3]
        known = None not in sizes
        now = sizes if known else shape(x)[1:3]
        wanted = [d * s for d, s in zip(now, self.size, strict=True)] if known else (
            now * list(self.size)
        )  # fmt: skip
        y = resize_nearest_neighbor(x, wanted)
        if y.symbolic:
            out = [None if d is None else self._size(d, i) for i, d in enumerate(sizes)]
            y.set_shape((x._shape[0], *out, x._shape[3]))
        return transpose(y, (0, 3, 1, 2)) if first else y

    def _size(self, d, i):
        return d * self.size[i]


class UpSampling3D(_Spatial):
    """Each plane, row and column several times; see UpSampling2D."""

    rank, config = 3, ("size", "data_format")

    def __init__(
        self, size: Any = (2, 2, 2), data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(data_format, **kwargs)
        self.size = tuple_of(size, 3, "size")

    def call(self, inputs: Any) -> Tensor:
        first = 2 if self.data_format == "channels_first" else 1
        for i, times in enumerate(self.size):
            inputs = repeat_elements(inputs, times, first + i)
        return inputs

    def _size(self, d, i):
        return d * self.size[i]


def _ends(value, rank, name):
    """Two numbers for each axis, from an int, an int an axis, or two ints an axis."""
    if isinstance(value, int):
        return ((value, value),) * rank
    found = tuple(value) if hasattr(value, "__len__") else ()
    if len(found) != rank:
        words = {2: "two", 3: "3"}
        raise ValueError(f"`{name}` should have {words[rank]} elements. Found: {value}")
    nth = ("1st", "2nd", "3rd")
    return tuple(
        tuple_of(v, 2, f"{nth[i]} entry of {name}") for i, v in enumerate(found)
    )


class _Padding(_Spatial):
    config: tuple[Any, ...] = ("padding", "data_format")

    def call(self, inputs: Any) -> Tensor:
        ends = joined_dims((0, 0), self._ends, (0, 0), self.data_format)
        return pad(inputs, ends)

    def _size(self, d, i):
        return d + sum(self._ends[i])


class ZeroPadding1D(_Padding):
    """Zeros before and after the steps of time.

    Args:
        padding: an int, or two: before and after. kwargs: `name`, `dtype` ...
    """

    config = ("padding",)

    def __init__(self, padding: Any = 1, **kwargs: Any) -> None:
        super().__init__("channels_last", **kwargs)
        self.padding = tuple_of(padding, 2, "padding")
        self._ends = (self.padding,)


class ZeroPadding2D(_Padding):
    """Zeros around images.

    Args:
        padding: an int, one for rows and one for columns, or two pairs.
        data_format: "channels_last" or "channels_first". kwargs: `name`, `dtype` ...
    Example:
        tf.keras.layers.ZeroPadding2D(1)(tf.ones([1, 2, 2, 3]))  # float32[1, 4, 4, 3]
    """

    rank = 2

    def __init__(
        self, padding: Any = (1, 1), data_format: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(data_format, **kwargs)
        self._ends = self.padding = _ends(padding, 2, "padding")


class ZeroPadding3D(_Padding):
    """Zeros around volumes; see ZeroPadding2D."""

    rank = 3

    def __init__(
        self, padding: Any = (1, 1, 1), data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(data_format, **kwargs)
        self._ends = self.padding = _ends(padding, 3, "padding")


class _Cropping(_Spatial):
    config: tuple[Any, ...] = ("cropping", "data_format")

    def call(self, inputs: Any) -> Tensor:
        whole = slice(None)
        cuts = [slice(a, -b if b else None) for a, b in self._ends]
        return inputs[tuple(joined_dims(whole, cuts, whole, self.data_format))]

    def _size(self, d, i):
        return d - sum(self._ends[i])


class Cropping1D(_Cropping):
    """Without the first and last steps of time.

    Args:
        cropping: an int, or two: at the begin and at the end. kwargs: `name` ...
    """

    config = ("cropping",)

    def __init__(self, cropping: Any = (1, 1), **kwargs: Any) -> None:
        super().__init__("channels_last", **kwargs)
        self.cropping = tuple_of(cropping, 2, "cropping")
        self._ends = (self.cropping,)


class Cropping2D(_Cropping):
    """Images without their borders.

    Args:
        cropping: an int, one for rows and one for columns, or two pairs.
        data_format: "channels_last" or "channels_first". kwargs: `name`, `dtype` ...
    """

    rank = 2

    def __init__(
        self, cropping: Any = ((0, 0), (0, 0)), data_format: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(data_format, **kwargs)
        self._ends = self.cropping = _ends(cropping, 2, "cropping")


class Cropping3D(_Cropping):
    """Volumes without their borders; see Cropping2D."""

    rank = 3

    def __init__(
        self, cropping: Any = ((1, 1), (1, 1), (1, 1)), data_format: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(data_format, **kwargs)
        self._ends = self.cropping = _ends(cropping, 3, "cropping")
