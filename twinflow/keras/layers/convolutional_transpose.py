"""Transposed convolutions, which enlarge images and volumes."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.keras.engine.constructors import declared
from twinflow.keras.layers.arguments import in_full, joined_dims, op_format, split_dims
from twinflow.keras.layers.convolutional import Conv, known_channels
from twinflow.ops.core.joining import stack
from twinflow.ops.core.shape import shape
from twinflow.ops.nn.conv import conv2d_transpose
from twinflow.ops.nn.conv3d import conv3d_transpose


def enlarged(size, k, padding, stride):
    """The size of an axis after a transposed convolution; None if not known."""
    if size is None:
        return None
    return size * stride + (max(k - stride, 0) if padding == "valid" else 0)


class _Transpose(Conv):
    """A transposed convolution of any rank; a subclass says by which `op`."""

    def build(self, input_shape: Any) -> None:
        dims = TensorShape(input_shape).as_list()
        if len(dims) != self.rank + 2:
            raise ValueError(
                f"Inputs should have rank {self.rank + 2}. Received input shape: "
                f"{TensorShape(input_shape)}"
            )
        axis, channels = known_channels(dims, self.data_format)
        self._add_variables(axis, channels, (*self.kernel_size, self.filters, channels))

    def _leave_ids(self):
        """Its build makes no other node."""

    def _convolve(self, x):
        ids = {2: 20, 3: 34}[self.rank]
        with current_mode().counted(ids + 2 * self.rank * (self.padding == "valid")):
            return self._transposed(x)

    def _transposed(self, x):
        batch, space, _ = split_dims(x._shape, self.data_format)
        known = self.compute_output_shape(x._shape).as_list()
        if None in known:
            now = shape(x)
            batch, space, _ = split_dims([now[i] for i in range(self.rank + 2)],
                                         self.data_format)  # fmt: skip
            wanted = stack(self._sizes(batch, space))
        else:
            wanted = known
        y = self.op(
            x, self.kernel, wanted, in_full(self.strides, self.data_format),
            self.padding.upper(), op_format(self.data_format, self.rank),
        )  # fmt: skip
        if y.symbolic:
            y.set_shape(known)
        return y

    def _sizes(self, batch, space):
        sizes = zip(space, self.kernel_size, self.strides, strict=True)
        out = [enlarged(d, k, self.padding, s) for d, k, s in sizes]
        return joined_dims(batch, out, self.filters, self.data_format)

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        batch, space, _ = split_dims(dims, self.data_format)
        return TensorShape(self._sizes(batch, space))


@declared("dilation_rate", "trainable", "name", strides=(1, 1))
class Conv2DTranspose(_Transpose):
    """activation(y + bias), y being what Conv2D's gradient makes of x.

    Args: see Conv2D.
    Example:
        tf.keras.layers.Conv2DTranspose(8, 3, 2)(tf.ones([1, 5, 5, 2]))
    """

    op = staticmethod(conv2d_transpose)

    config = _fixed = ("dilation_rate",)


@declared("dilation_rate", "trainable", "name", strides=(1, 1, 1))
class Conv3DTranspose(_Transpose):
    """activation(y + bias), y being what Conv3D's gradient makes of x.

    Args: see Conv3D.
    Example:
        tf.keras.layers.Conv3DTranspose(8, 2, 2)(tf.ones([1, 3, 3, 3, 2]))
    """

    rank = 3
    op = staticmethod(conv3d_transpose)

    config = ("dilation_rate",)
