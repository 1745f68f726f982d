# Made by `make stubs` from the table of the index.
from twinflow.contrib.learn.bundles import export_estimator as export_estimator
from twinflow.contrib.learn.export import InputFnOps as InputFnOps
from twinflow.contrib.learn.export import build_default_serving_input_fn as build_default_serving_input_fn
from twinflow.contrib.learn.export import build_parsing_serving_input_fn as build_parsing_serving_input_fn
from twinflow.contrib.learn.export import make_export_strategy as make_export_strategy

__all__ = [
"export_estimator", "InputFnOps", "build_default_serving_input_fn",
"build_parsing_serving_input_fn", "make_export_strategy"
]
