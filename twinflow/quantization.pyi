# Made by `make stubs` from the table of the index.
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from twinflow.ops.nn.quantized import quantize as quantize
from twinflow.ops.nn.quantized import dequantize as dequantize
from twinflow.ops.nn.quantized import quantized_concat as quantized_concat

__all__ = [
"fake_quant_with_min_max_args", "fake_quant_with_min_max_args_gradient",
"fake_quant_with_min_max_vars", "fake_quant_with_min_max_vars_gradient",
"fake_quant_with_min_max_vars_per_channel",
"fake_quant_with_min_max_vars_per_channel_gradient", "quantize", "dequantize",
"quantized_concat"
]
