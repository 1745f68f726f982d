"""tf.debugging: assertions and checks."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.debugging.checks: Assert assert_equal assert_none_equal assert_less
twinflow.ops.debugging.checks: assert_less_equal assert_greater assert_greater_equal
twinflow.ops.debugging.checks: assert_near assert_negative assert_positive
twinflow.ops.debugging.checks: assert_non_negative assert_non_positive
twinflow.ops.debugging.static: assert_rank assert_rank_at_least assert_rank_in
twinflow.ops.debugging.static: assert_integer assert_type assert_scalar
twinflow.ops.debugging.static: assert_proper_iterable assert_same_float_dtype
twinflow.ops.debugging.numbers: is_numeric_tensor is_non_decreasing
twinflow.ops.debugging.numbers: is_strictly_increasing
twinflow.ops.debugging.numbers: assert_all_finite=verify_tensor_all_finite
twinflow.ops.debugging.numbers: check_numerics
twinflow.ops.core.rounding: is_finite is_inf is_nan
""",
)
