# Made by `make stubs` from the table of the index.
from twinflow.contrib.autograph.element_lists import dynamic_list_append as dynamic_list_append
from twinflow.contrib.autograph.in_words import alias_tensors as alias_tensors
from twinflow.contrib.autograph.in_words import control_dependency_on_returns as control_dependency_on_returns
from twinflow.contrib.autograph.in_words import is_tensor as is_tensor
from twinflow.contrib.autograph.in_words import run_cond as run_cond
from twinflow.contrib.autograph.python_calls import wrap_py_func as wrap_py_func

__all__ = [
"dynamic_list_append", "alias_tensors", "control_dependency_on_returns", "is_tensor",
"run_cond", "wrap_py_func"
]
