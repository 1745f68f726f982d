"""The ops on quantised tensors as functions: tf.contrib.quantization."""

import collections
import inspect
from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import Op
from twinflow.ops.image.quantized_resize import QuantizedResizeBilinear
from twinflow.ops.nn import quantized, quantized_arithmetic

_EMPTY, _PLAIN = inspect.Parameter.empty, inspect.Parameter.POSITIONAL_OR_KEYWORD
_DOC = """{what}

    Args:
        {inputs}: the tensors, each with the ends of its range, float32[].
        {attrs}: the attributes of the op {kind}, a node of which it is in a graph.
    Returns:
        A tuple {outputs}.
    """


def _signature(op: Op) -> inspect.Signature:
    """The inputs, the attributes without a default, and the others."""
    attrs = op.sig.attrs.items()
    first = [n for n, v in attrs if v is None]
    names = [a.name for a in op.sig.inputs] + first
    found = [inspect.Parameter(n, _PLAIN, annotation=Any) for n in names]
    rest = [*((n, v) for n, v in attrs if v is not None), ("name", None)]
    return inspect.Signature(
        found
        + [inspect.Parameter(n, _PLAIN, default=v, annotation=Any) for n, v in rest]
    )


def _function(name: str, op: Op, what: str) -> Any:
    outputs = [a.name for a in op.sig.outputs]
    kind, signature = collections.namedtuple(op.type, outputs), _signature(op)

    def run(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        values = dict(given.arguments)
        label = values.pop("name")
        inputs = [values.pop(a.name) for a in op.sig.inputs]
        for attr in op.sig.type_attrs:
            values[attr] = dtypes.as_dtype(values[attr])
        attrs = {k: tuple(v) if type(v) is list else v for k, v in values.items()}
        return kind(*apply(op, inputs, attrs, label))

    run.__name__ = run.__qualname__ = name
    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__doc__ = _DOC.format(
        what=what, kind=op.type, outputs=f"({', '.join(outputs)})",
        inputs=", ".join(a.name for a in op.sig.inputs),
        attrs=", ".join([*op.sig.attrs, "name"]),
    )  # fmt: skip
    return run


quantized_add = _function(
    "quantized_add", quantized_arithmetic.QuantizedAdd, "x + y; shapes broadcast."
)
quantized_mul = _function(
    "quantized_mul", quantized_arithmetic.QuantizedMul, "x * y; shapes broadcast."
)
quantized_bias_add = _function(
    "quantized_bias_add", quantized_arithmetic.QuantizedBiasAdd,
    "input + bias, a number for each entry of the last axis.",
)  # fmt: skip
quantized_instance_norm = _function(
    "quantized_instance_norm", quantized_arithmetic.QuantizedInstanceNorm,
    "Each channel of each image with mean 0 and variance 1.",
)  # fmt: skip
quantized_batch_norm_with_global_normalization = _function(
    "quantized_batch_norm_with_global_normalization",
    quantized_arithmetic.QuantizedBatchNormWithGlobalNormalization,
    "Batch normalization with given means and variances.",
)
quantized_mat_mul = _function(
    "quantized_mat_mul", quantized.QuantizedMatMul, "The product of two matrices."
)
quantized_relu = _function(
    "quantized_relu", quantized.QuantizedRelu, "max(features, 0)."
)
quantized_relu6 = _function(
    "quantized_relu6", quantized.QuantizedRelu6, "min(max(features, 0), 6)."
)
quantized_reshape = _function(
    "quantized_reshape", quantized.QuantizedReshape, "The tensor in another shape."
)
quantized_resize_bilinear = _function(
    "quantized_resize_bilinear", QuantizedResizeBilinear,
    "Images of another size, each pixel between four others.",
)  # fmt: skip
quantize_down_and_shrink_range = _function(
    "quantize_down_and_shrink_range", quantized.QuantizeDownAndShrinkRange,
    "int32 as smaller integers of the range that is used.",
)  # fmt: skip
requantize = _function(
    "requantize", quantized.Requantize, "int32 as smaller integers of a given range."
)
requantization_range = _function(
    "requantization_range", quantized.RequantizationRange,
    "The range that the integers of a tensor use.",
)  # fmt: skip
