# Made by `make stubs` from the table of the index.
from twinflow.estimator.inputs import numpy_input_fn as numpy_input_fn
from twinflow.estimator.inputs import pandas_input_fn as pandas_input_fn

__all__ = [
"numpy_input_fn", "pandas_input_fn"
]
