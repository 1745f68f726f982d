"""tf.math: elementwise mathematics and reductions."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.complex: angle conj imag real
twinflow.ops.elementwise: abs add exp expm1 log log1p maximum minimum multiply negative
twinflow.ops.elementwise: pow reciprocal rsqrt sigmoid sign sqrt square
twinflow.ops.elementwise: squared_difference subtract tanh add_n
twinflow.ops.division: divide floordiv floormod mod truediv
twinflow.ops.trigonometry: acos acosh asin asinh atan atan2 atanh cos cosh sin sinh tan
twinflow.ops.special: ceil floor is_finite is_inf is_nan log_sigmoid rint round
twinflow.ops.special: softplus
twinflow.ops.bessel: bessel_i0 bessel_i0e bessel_i1 bessel_i1e
twinflow.ops.error_function: erf erfc
twinflow.ops.gamma: digamma lbeta lgamma polygamma zeta
twinflow.ops.counting: bincount
twinflow.ops.polynomial: accumulate_n polyval
twinflow.ops.igamma: betainc igamma igammac
twinflow.ops.truncation: xdivy xlogy
twinflow.ops.compare: equal greater greater_equal less less_equal logical_and
twinflow.ops.compare: logical_not logical_or logical_xor not_equal
twinflow.ops.reduction: argmax argmin count_nonzero reduce_all reduce_any
twinflow.ops.reduction: reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod
twinflow.ops.reduction: reduce_sum
twinflow.ops.scalar_mul: scalar_mul
twinflow.ops.scan: cumprod cumsum
twinflow.ops.norm: l2_normalize
twinflow.ops.nn: zero_fraction
twinflow.ops.nn_topk: in_top_k top_k
twinflow.ops.nn_softmax: log_softmax softmax
twinflow.ops.nn_activation: softsign
twinflow.ops.shape: invert_permutation
twinflow.ops.index: unsorted_segment_sum
twinflow.ops.segment: segment_max segment_mean segment_min segment_prod segment_sum
twinflow.ops.segment_unsorted: unsorted_segment_max unsorted_segment_mean
twinflow.ops.segment_unsorted: unsorted_segment_min unsorted_segment_prod
twinflow.ops.segment_unsorted: unsorted_segment_sqrt_n
""",
)
