# Made by `make stubs` from the table of the index.
from twinflow.ops.strings.range_coding import pmf_to_quantized_cdf as pmf_to_quantized_cdf
from twinflow.ops.strings.range_coding import range_decode as range_decode
from twinflow.ops.strings.range_coding import range_encode as range_encode

__all__ = [
"pmf_to_quantized_cdf", "range_decode", "range_encode"
]
