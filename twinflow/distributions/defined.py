"""Statistics that are not defined for every parameter: nan there, or an error."""

import numpy as np

from twinflow.ops.core.compare import where
from twinflow.ops.core.creation import fill, ones
from twinflow.ops.debugging.checks import assert_less
from twinflow.ops.debugging.static import with_dependencies


def where_defined(distribution, value, defined, above_one):
    """`value`, which is nan where it is not defined if the distribution allows that.

    Args:
        defined: () -> bool[batch]. above_one: [(parameter, text)]; the value is defined
            where all of them are larger than 1.
    """
    if distribution.allow_nan_stats:
        to = distribution.batch_shape_tensor()
        nan = np.array(np.nan, dtype=distribution.dtype.as_numpy_dtype)
        return where(defined(), value, fill(to, nan, name="nan"))
    checks = [
        assert_less(ones([], dtype=distribution.dtype), parameter, message=text)
        for parameter, text in above_one
    ]
    return with_dependencies(checks, value)
