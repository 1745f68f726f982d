# Made by `make stubs` from the table of the index.
from twinflow.explaining.numerics import enable_check_numerics as enable_check_numerics
from twinflow.explaining.numerics import disable_check_numerics as disable_check_numerics
from twinflow.ops.debugging.checks import Assert as Assert
from twinflow.ops.debugging.checks import assert_equal as assert_equal
from twinflow import assert_none_equal as assert_none_equal
from twinflow import assert_less as assert_less
from twinflow import assert_less_equal as assert_less_equal
from twinflow import assert_greater as assert_greater
from twinflow import assert_greater_equal as assert_greater_equal
from twinflow.ops.debugging.checks import assert_near as assert_near
from twinflow import assert_negative as assert_negative
from twinflow import assert_positive as assert_positive
from twinflow import assert_non_negative as assert_non_negative
from twinflow import assert_non_positive as assert_non_positive
from twinflow.ops.debugging.static import assert_rank as assert_rank
from twinflow.ops.debugging.static import assert_rank_at_least as assert_rank_at_least
from twinflow.ops.debugging.static import assert_rank_in as assert_rank_in
from twinflow.ops.debugging.static import assert_integer as assert_integer
from twinflow.ops.debugging.static import assert_type as assert_type
from twinflow.ops.debugging.static import assert_scalar as assert_scalar
from twinflow.ops.debugging.static import assert_proper_iterable as assert_proper_iterable
from twinflow.ops.debugging.static import assert_same_float_dtype as assert_same_float_dtype
from twinflow.ops.debugging.numbers import is_numeric_tensor as is_numeric_tensor
from twinflow.ops.debugging.numbers import is_non_decreasing as is_non_decreasing
from twinflow.ops.debugging.numbers import is_strictly_increasing as is_strictly_increasing
from twinflow.ops.debugging.numbers import verify_tensor_all_finite as assert_all_finite
from twinflow.ops.debugging.numbers import check_numerics as check_numerics
from twinflow import is_finite as is_finite
from twinflow import is_inf as is_inf
from twinflow import is_nan as is_nan

__all__ = [
"enable_check_numerics", "disable_check_numerics", "Assert", "assert_equal",
"assert_none_equal", "assert_less", "assert_less_equal", "assert_greater",
"assert_greater_equal", "assert_near", "assert_negative", "assert_positive",
"assert_non_negative", "assert_non_positive", "assert_rank", "assert_rank_at_least",
"assert_rank_in", "assert_integer", "assert_type", "assert_scalar",
"assert_proper_iterable", "assert_same_float_dtype", "is_numeric_tensor",
"is_non_decreasing", "is_strictly_increasing", "assert_all_finite", "check_numerics",
"is_finite", "is_inf", "is_nan"
]
