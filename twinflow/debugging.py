"""tf.debugging: assertions and checks."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.debugging: Assert assert_equal assert_none_equal assert_less
twinflow.ops.debugging: assert_less_equal assert_greater assert_greater_equal
twinflow.ops.debugging: assert_near assert_negative assert_positive
twinflow.ops.debugging: assert_non_negative assert_non_positive
twinflow.ops.debugging_static: assert_rank assert_rank_at_least assert_rank_in
twinflow.ops.debugging_static: assert_integer assert_type assert_scalar
twinflow.ops.debugging_static: assert_proper_iterable assert_same_float_dtype
twinflow.ops.debugging_numbers: is_numeric_tensor is_non_decreasing
twinflow.ops.debugging_numbers: is_strictly_increasing
twinflow.ops.debugging_numbers: assert_all_finite=verify_tensor_all_finite
twinflow.ops.clip: check_numerics
twinflow.ops.special: is_finite is_inf is_nan
""",
)
