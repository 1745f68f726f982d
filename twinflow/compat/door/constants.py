"""Constants that TensorFlow's files take from each other."""

import importlib.util

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
# The names of layouts and of tasks, and what can be imported here.
DATA_FORMAT_NCHW, DATA_FORMAT_NHWC = "NCHW", "NHWC"
DATA_FORMAT_NCDHW, DATA_FORMAT_NDHWC = "NCDHW", "NDHWC"
CHIEF, EVALUATOR, PS, WORKER = "chief", "evaluator", "ps", "worker"
HDF5_OBJECT_HEADER_LIMIT = 64512
SAVED_MODEL_FILENAME_JSON = "saved_model.json"
MAX_DIRECTORY_CREATION_ATTEMPTS = 10
USE_DEFAULT = object()
# How coordinated servers end, and how they are told to.
OK, RECEIVED_SHUTDOWN_SIGNAL, INTERNAL_ERROR = range(3)
DEFAULT, SHUTDOWN_IMMEDIATELY, WAIT_FOR_COORDINATOR = range(3)
ENABLE_COND_V2 = ENABLE_WHILE_V2 = False
BATCH_NORM_EPSILONS = {
    "BatchNormWithGlobalNormalization": "variance_epsilon", "FusedBatchNorm": "epsilon",
}  # fmt: skip
BATCH_NORM_INPUTS = {
    "BatchNormWithGlobalNormalization":
        ["conv_op", "mean_op", "var_op", "beta_op", "gamma_op"],
    "FusedBatchNorm": ["conv_op", "gamma_op", "beta_op", "mean_op", "var_op"],
}  # fmt: skip
HAS_PANDAS = importlib.util.find_spec("pandas") is not None
USE_OSS = OSS_APP = OSS_FLAGS = OSS_GFILE = OSS_GOOGLETEST = True
OSS_LOGGING = OSS_PARAMETERIZED = True
string_types, integer_types = (str,), (int,)
newaxis = None
