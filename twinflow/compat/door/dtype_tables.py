"""tensorflow.python.framework.dtypes: its tables, by the numbers of DataTypes."""

from twinflow.base import dtypes

_ALL = [t for kind in dtypes.ALL_TYPES for t in (kind, kind._as_ref)]
TYPE_TO_STRING = {t.as_datatype_enum: t.name for t in _ALL}
INTERN_TABLE = {t.as_datatype_enum: t for t in _ALL}
STRING_TO_TF = {t.name: t for t in _ALL}
