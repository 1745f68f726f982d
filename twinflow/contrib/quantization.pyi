# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.ops.nn.quantized import dequantize as dequantize
from twinflow.ops.nn.quantized import quantize_v2 as quantize_v2
from twinflow.ops.nn.quantized import quantized_avg_pool as quantized_avg_pool
from twinflow.ops.nn.quantized import quantized_concat as quantized_concat
from twinflow.ops.nn.quantized import quantized_conv2d as quantized_conv2d
from twinflow.ops.nn.quantized import quantized_max_pool as quantized_max_pool
from twinflow.ops.nn.quantized import quantized_relu_x as quantized_relu_x
def quantize_down_and_shrink_range(input: Any, input_min: Any, input_max: Any, out_type: Any, name: Any = ...) -> Any:
    r"""int32 as smaller integers of the range that is used.

    Args:
        input, input_min, input_max: the tensors, each with the ends of its range, float32[].
        out_type, name: the attributes of the op QuantizeDownAndShrinkRange, a node of which it is in a graph.
    Returns:
        A tuple (output, output_min, output_max).
    """
def quantized_add(x: Any, y: Any, min_x: Any, max_x: Any, min_y: Any, max_y: Any, Toutput: Any = ..., name: Any = ...) -> Any:
    r"""x + y; shapes broadcast.

    Args:
        x, y, min_x, max_x, min_y, max_y: the tensors, each with the ends of its range, float32[].
        Toutput, name: the attributes of the op QuantizedAdd, a node of which it is in a graph.
    Returns:
        A tuple (z, min_z, max_z).
    """
def quantized_bias_add(input: Any, bias: Any, min_input: Any, max_input: Any, min_bias: Any, max_bias: Any, out_type: Any, name: Any = ...) -> Any:
    r"""input + bias, a number for each entry of the last axis.

    Args:
        input, bias, min_input, max_input, min_bias, max_bias: the tensors, each with the ends of its range, float32[].
        out_type, name: the attributes of the op QuantizedBiasAdd, a node of which it is in a graph.
    Returns:
        A tuple (output, min_out, max_out).
    """
def quantized_batch_norm_with_global_normalization(t: Any, t_min: Any, t_max: Any, m: Any, m_min: Any, m_max: Any, v: Any, v_min: Any, v_max: Any, beta: Any, beta_min: Any, beta_max: Any, gamma: Any, gamma_min: Any, gamma_max: Any, out_type: Any, variance_epsilon: Any, scale_after_normalization: Any, name: Any = ...) -> Any:
    r"""Batch normalization with given means and variances.

    Args:
        t, t_min, t_max, m, m_min, m_max, v, v_min, v_max, beta, beta_min, beta_max, gamma, gamma_min, gamma_max: the tensors, each with the ends of its range, float32[].
        out_type, variance_epsilon, scale_after_normalization, name: the attributes of the op QuantizedBatchNormWithGlobalNormalization, a node of which it is in a graph.
    Returns:
        A tuple (result, result_min, result_max).
    """
def quantized_instance_norm(x: Any, x_min: Any, x_max: Any, output_range_given: Any = ..., given_y_min: Any = ..., given_y_max: Any = ..., variance_epsilon: Any = ..., min_separation: Any = ..., name: Any = ...) -> Any:
    r"""Each channel of each image with mean 0 and variance 1.

    Args:
        x, x_min, x_max: the tensors, each with the ends of its range, float32[].
        output_range_given, given_y_min, given_y_max, variance_epsilon, min_separation, name: the attributes of the op QuantizedInstanceNorm, a node of which it is in a graph.
    Returns:
        A tuple (y, y_min, y_max).
    """
def quantized_mat_mul(a: Any, b: Any, min_a: Any, max_a: Any, min_b: Any, max_b: Any, Toutput: Any = ..., transpose_a: Any = ..., transpose_b: Any = ..., Tactivation: Any = ..., name: Any = ...) -> Any:
    r"""The product of two matrices.

    Args:
        a, b, min_a, max_a, min_b, max_b: the tensors, each with the ends of its range, float32[].
        Toutput, transpose_a, transpose_b, Tactivation, name: the attributes of the op QuantizedMatMul, a node of which it is in a graph.
    Returns:
        A tuple (out, min_out, max_out).
    """
def quantized_mul(x: Any, y: Any, min_x: Any, max_x: Any, min_y: Any, max_y: Any, Toutput: Any = ..., name: Any = ...) -> Any:
    r"""x * y; shapes broadcast.

    Args:
        x, y, min_x, max_x, min_y, max_y: the tensors, each with the ends of its range, float32[].
        Toutput, name: the attributes of the op QuantizedMul, a node of which it is in a graph.
    Returns:
        A tuple (z, min_z, max_z).
    """
def quantized_relu(features: Any, min_features: Any, max_features: Any, out_type: Any = ..., name: Any = ...) -> Any:
    r"""max(features, 0).

    Args:
        features, min_features, max_features: the tensors, each with the ends of its range, float32[].
        out_type, name: the attributes of the op QuantizedRelu, a node of which it is in a graph.
    Returns:
        A tuple (activations, min_activations, max_activations).
    """
def quantized_relu6(features: Any, min_features: Any, max_features: Any, out_type: Any = ..., name: Any = ...) -> Any:
    r"""min(max(features, 0), 6).

    Args:
        features, min_features, max_features: the tensors, each with the ends of its range, float32[].
        out_type, name: the attributes of the op QuantizedRelu6, a node of which it is in a graph.
    Returns:
        A tuple (activations, min_activations, max_activations).
    """
def quantized_reshape(tensor: Any, shape: Any, input_min: Any, input_max: Any, name: Any = ...) -> Any:
    r"""The tensor in another shape.

    Args:
        tensor, shape, input_min, input_max: the tensors, each with the ends of its range, float32[].
        name: the attributes of the op QuantizedReshape, a node of which it is in a graph.
    Returns:
        A tuple (output, output_min, output_max).
    """
def quantized_resize_bilinear(images: Any, size: Any, min: Any, max: Any, align_corners: Any = ..., name: Any = ...) -> Any:
    r"""Images of another size, each pixel between four others.

    Args:
        images, size, min, max: the tensors, each with the ends of its range, float32[].
        align_corners, name: the attributes of the op QuantizedResizeBilinear, a node of which it is in a graph.
    Returns:
        A tuple (resized_images, out_min, out_max).
    """
def requantization_range(input: Any, input_min: Any, input_max: Any, name: Any = ...) -> Any:
    r"""The range that the integers of a tensor use.

    Args:
        input, input_min, input_max: the tensors, each with the ends of its range, float32[].
        name: the attributes of the op RequantizationRange, a node of which it is in a graph.
    Returns:
        A tuple (output_min, output_max).
    """
def requantize(input: Any, input_min: Any, input_max: Any, requested_output_min: Any, requested_output_max: Any, out_type: Any, name: Any = ...) -> Any:
    r"""int32 as smaller integers of a given range.

    Args:
        input, input_min, input_max, requested_output_min, requested_output_max: the tensors, each with the ends of its range, float32[].
        out_type, name: the attributes of the op Requantize, a node of which it is in a graph.
    Returns:
        A tuple (output, output_min, output_max).
    """

__all__ = [
"dequantize", "quantize_v2", "quantized_avg_pool", "quantized_concat",
"quantized_conv2d", "quantized_max_pool", "quantized_relu_x",
"quantize_down_and_shrink_range", "quantized_add", "quantized_bias_add",
"quantized_batch_norm_with_global_normalization", "quantized_instance_norm",
"quantized_mat_mul", "quantized_mul", "quantized_relu", "quantized_relu6",
"quantized_reshape", "quantized_resize_bilinear", "requantization_range", "requantize"
]
