"""tf.math: elementwise mathematics and reductions."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.core.magnitude: angle
twinflow.ops.core.complex: conj imag real
twinflow.ops.core.elementwise: abs add exp expm1 log log1p maximum minimum multiply
twinflow.ops.core.elementwise: negative
twinflow.ops.core.elementwise: pow reciprocal rsqrt sigmoid sign sqrt square
twinflow.ops.core.elementwise: squared_difference subtract tanh add_n
twinflow.ops.core.division: divide floordiv floormod mod truediv
twinflow.ops.math.trigonometry: acos acosh asin asinh atan atan2 atanh cos cosh sin sinh
twinflow.ops.math.trigonometry: tan
twinflow.ops.core.rounding: ceil floor is_finite is_inf is_nan log_sigmoid rint round
twinflow.ops.core.rounding: softplus
twinflow.ops.special.bessel: bessel_i0 bessel_i0e bessel_i1 bessel_i1e
twinflow.ops.special.error_function: erf erfc
twinflow.ops.special.gamma: digamma lbeta lgamma polygamma zeta
twinflow.ops.math.counting: bincount
twinflow.ops.math.polynomial: accumulate_n polyval
twinflow.ops.special.igamma: betainc igamma igammac
twinflow.ops.math.truncation: xdivy xlogy
twinflow.ops.core.compare: equal greater greater_equal less less_equal logical_and
twinflow.ops.core.compare: logical_not logical_or logical_xor not_equal
twinflow.ops.core.reduction: count_nonzero reduce_all reduce_any
twinflow.ops.math.positions: argmax argmin
twinflow.ops.core.reduction: reduce_logsumexp reduce_max reduce_mean reduce_min
twinflow.ops.core.reduction: reduce_prod
twinflow.ops.core.reduction: reduce_sum
twinflow.ops.math.scalar_mul: scalar_mul
twinflow.ops.core.scan: cumprod cumsum
twinflow.ops.nn.moments: l2_normalize
twinflow.ops.nn.dropout: zero_fraction
twinflow.ops.arrays.topk: in_top_k top_k
twinflow.ops.nn.softmax: log_softmax softmax
twinflow.ops.nn.activation: softsign
twinflow.ops.core.transposing: invert_permutation
twinflow.ops.core.index: unsorted_segment_sum
twinflow.ops.math.segment: segment_max segment_mean segment_min segment_prod segment_sum
twinflow.ops.math.segment_unsorted: unsorted_segment_max unsorted_segment_mean
twinflow.ops.math.segment_unsorted: unsorted_segment_min unsorted_segment_prod
twinflow.ops.math.segment_unsorted: unsorted_segment_sqrt_n
""",
)
