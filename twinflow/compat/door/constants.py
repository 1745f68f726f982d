"""Constants that TensorFlow's files take from each other."""

import numpy as np

from twinflow.base import dtypes

NEW_AXIS, SHRINK_AXIS = -1, -2
GLOBAL_STEP_READ_KEY = "global_step_read_op_cache"
ASSERT_LIKE_RNNCELL_ERROR_REGEXP = "is not an RNNCell"
NUMERIC_TYPES = frozenset(
    t for t in dtypes.ALL_TYPES if t.is_floating or t.is_integer or t.is_complex
)
# The range of intensities of images, by NumPy's types.
DTYPE_RANGE = {np.bool_: (False, True), np.float32: (-1, 1), np.float64: (-1, 1)}
DTYPE_RANGE |= {
    t.np: (np.iinfo(t.np).min, np.iinfo(t.np).max)
    for t in dtypes.ALL_TYPES
    if t.is_integer and not t.is_quantized
}
