"""Pooling of tf.contrib.layers."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.contrib.layers.outputs import collect_named_outputs
from twinflow.layers import pooling
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.nn.convolution import pool as _pool


def _pooling(name, cls, scope_name, formats, meaning):
    def pool_(
        inputs, kernel_size, stride=2, padding="VALID", data_format=formats[0],
        outputs_collections=None, scope=None,
    ):  # fmt: skip
        if data_format not in formats:
            raise ValueError(
                f"data_format has to be either {formats[1]} or {formats[0]}."
            )
        with current_mode().name_scope(scope or scope_name) as sc:
            inputs = convert_to_tensor(inputs)
            first = data_format == formats[1]
            layer = cls(
                pool_size=kernel_size, strides=stride, padding=padding, _scope=sc,
                data_format="channels_first" if first else "channels_last",
            )  # fmt: skip
            return collect_named_outputs(outputs_collections, sc, layer.apply(inputs))

    pool_.__name__ = pool_.__qualname__ = name
    pool_.__doc__ = (
        f"{meaning} of each window.\n\n"
        "Args:\n"
        "    inputs: float[batch, spatial..., channels].\n"
        "    kernel_size, stride: an int, or one an axis.\n"
        '    padding: "SAME" or "VALID". outputs_collections: see fully_connected.\n'
        f'    scope: a name; "{scope_name}" by default.'
    )
    return add_arg_scope(pool_)


_PLANE, _SPACE = ("NHWC", "NCHW"), ("NDHWC", "NCDHW")
max_pool2d = _pooling(
    "max_pool2d", pooling.MaxPooling2D, "MaxPool2D", _PLANE, "The largest entry"
)
avg_pool2d = _pooling(
    "avg_pool2d", pooling.AveragePooling2D, "AvgPool2D", _PLANE, "The mean"
)
max_pool3d = _pooling(
    "max_pool3d", pooling.MaxPooling3D, "MaxPool3D", _SPACE, "The largest entry"
)
avg_pool3d = _pooling(
    "avg_pool3d", pooling.AveragePooling3D, "AvgPool3D", _SPACE, "The mean"
)


@add_arg_scope
def pool(
    inputs: Any, kernel_size: Any, pooling_type: Any, padding: Any = "VALID",
    data_format: Any = None, dilation_rate: Any = 1, stride: Any = 1,
    outputs_collections: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """tf.nn.pool, with an int or one an axis for sizes.

    Args: see tf.nn.pool.
    Raises:
        ValueError: the rank of the inputs is not known.
    """
    with current_mode().name_scope(scope or f"{pooling_type.lower()}_pool") as sc:
        inputs = convert_to_tensor(inputs)
        n = inputs.shape.ndims
        if n is None:
            raise ValueError("Rank of inputs must be known")
        sizes, rates, strides = (
            (v,) * (n - 2) if isinstance(v, int) else tuple(v)
            for v in (kernel_size, dilation_rate, stride)
        )
        y = _pool(inputs, sizes, pooling_type, padding, rates, strides, sc, data_format)
        return collect_named_outputs(outputs_collections, sc, y)
