"""Constants that TensorFlow's files take from each other."""

from twinflow.base import dtypes

NEW_AXIS, SHRINK_AXIS = -1, -2
GLOBAL_STEP_READ_KEY = "global_step_read_op_cache"
ASSERT_LIKE_RNNCELL_ERROR_REGEXP = "is not an RNNCell"
NUMERIC_TYPES = frozenset(
    t for t in dtypes.ALL_TYPES if t.is_floating or t.is_integer or t.is_complex
)
