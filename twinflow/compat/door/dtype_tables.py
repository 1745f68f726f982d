"""tensorflow.python.framework.dtypes: its tables, by the numbers of DataTypes."""

from twinflow.base import dtypes
from twinflow.base.dtypes import as_dtype

_ALL = [t for kind in dtypes.ALL_TYPES for t in (kind, kind._as_ref)]
TYPE_TO_STRING = {t.as_datatype_enum: t.name for t in _ALL}
INTERN_TABLE = {t.as_datatype_enum: t for t in _ALL}
STRING_TO_TF = {t.name: t for t in _ALL}

double_ref, half_ref = as_dtype("float64_ref"), as_dtype("float16_ref")


def bfloat16_type():
    """NumPy's type of bfloat16."""
    return dtypes.bfloat16.as_numpy_dtype
